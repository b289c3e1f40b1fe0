#pragma once
// Three-dimensional transforms of real grids by cuFFT.

#include "device/language.hpp"
#include "device/stream.hpp"
#include "pme/pme_views.hpp"

#include <cufft.h>

namespace alder::cuda {

/// Unnormalized; one plan each way, on one stream. The plan depends on the grid alone, so the same device gives the same bits.
class FftPlan {
public:
    FftPlan(PmeGridShape const& grid, Stream& stream);
    ~FftPlan();
    FftPlan(FftPlan const&) = delete;
    FftPlan& operator=(FftPlan const&) = delete;
    void forward(View<float> points, View<cufftComplex> waves);
    /// The waves are used up.
    void backward(View<cufftComplex> waves, View<float> points);

private:
    cufftHandle forward_ = 0, backward_ = 0;
};

} // namespace alder::cuda
