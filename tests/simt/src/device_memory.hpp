#pragma once
// What copies and sets need of device memory.

#include "simt/memory.hpp"

namespace alder::simt {

/// A read needs every byte written; a write needs them allocated.
void checkDeviceRange(Access access, void const* at, std::size_t bytes);
void markWritten(void* at, std::size_t bytes);
void markUnwritten(void* at, std::size_t bytes);
/// Device to device: what was unwritten stays so.
void copyWithin(void* to, void const* from, std::size_t bytes);

} // namespace alder::simt
