#pragma once
// The instruction sets that the hot kernels are compiled for, and which one this processor runs.

#include <cstdint>
#include <optional>
#include <string_view>

namespace alder::cpu {

enum class SimdLevel : std::uint8_t { sse41, avx2, avx512 };

/// "SSE4.1", "AVX2+FMA", "AVX-512"
std::string_view nameOf(SimdLevel level);

/// sse4.1, avx2, avx512 in any case; nothing for other words.
std::optional<SimdLevel> simdLevelNamed(std::string_view word);

/// True where processor and operating system run it.
bool supported(SimdLevel level);

/// The best that runs here.
SimdLevel bestSimdLevel();

} // namespace alder::cpu
