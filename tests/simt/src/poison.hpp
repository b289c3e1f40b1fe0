#pragma once
// Memory that AddressSanitizer is to report accesses to, where it is there: those by plain pointers, which no view checks.

#include <cstddef>

#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/asan_interface.h>
#endif

namespace alder::simt {

#if defined(__SANITIZE_ADDRESS__)
inline void poison(void const* at, std::size_t bytes) { __asan_poison_memory_region(at, bytes); }
inline void unpoison(void const* at, std::size_t bytes) { __asan_unpoison_memory_region(at, bytes); }
#else
inline void poison(void const*, std::size_t) {}
inline void unpoison(void const*, std::size_t) {}
#endif

} // namespace alder::simt
