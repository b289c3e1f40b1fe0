#pragma once
// Three-dimensional transforms of the grids of PME: by our own lines, or by cuFFT where it is asked for.

#include "device/language.hpp"
#include "device/stream.hpp"
#include "pme/pme_views.hpp"

#include <cstdint>
#include <memory>
#include <string>

namespace alder::cuda {

/// Unnormalized: points to waves and back, on one stream.
class GridTransform {
public:
    GridTransform() = default;
    GridTransform(GridTransform const&) = delete;
    GridTransform& operator=(GridTransform const&) = delete;
    virtual ~GridTransform() = default;
    virtual void forward(View<float> points, View<float2> waves) = 0;
    /// The waves are used up.
    virtual void backward(View<float2> waves, View<float> points) = 0;
};

enum class TransformKind : std::uint8_t { library, own };
/// Our own, whose bits are the same on any number of ranks; $ALDER_GPU_FFT, `cufft` or `own`, asks for one of them. Throws RunFailed where
/// that cannot be. The two round differently: runs that are to have the same bits use the same one.
TransformKind chosenTransform();
/// For logs: "cuFFT 12.0.0", "alder's own lines".
std::string nameOf(TransformKind kind);

std::unique_ptr<GridTransform> makeTransform(TransformKind kind, PmeGridShape const& grid, Stream& stream);

} // namespace alder::cuda
