#pragma once
// Transforms by cuFFT, which is looked for when the program runs, so that it need not be there.

#include "pme/grid_transform.hpp"

#include <string>

namespace alder::cuda {

/// Empty where there is no cuFFT.
std::string libraryVersion();
std::unique_ptr<GridTransform> makeLibraryTransform(PmeGridShape const& grid, Stream& stream);

} // namespace alder::cuda
