#include "pme/fft_plan.hpp"

#include "base/error.hpp"

#include <fmt/format.h>

namespace alder::cuda {

namespace {

char const* reasonOf(cufftResult result)
{
    switch (result) {
    case CUFFT_ALLOC_FAILED: return "no memory";
    case CUFFT_INVALID_SIZE: return "a size it does not take";
    case CUFFT_SETUP_FAILED: return "the library did not start";
    case CUFFT_EXEC_FAILED: return "the device did not run it";
    default: return "error";
    }
}

void checkFft(cufftResult result, char const* what)
{
    if (result == CUFFT_SUCCESS) return;
    throw base::RunFailed(fmt::format("GPU: {}: cuFFT: {} ({})", what, reasonOf(result), static_cast<int>(result)));
}

} // namespace

FftPlan::FftPlan(PmeGridShape const& grid, Stream& stream)
{
    checkFft(cufftPlan3d(&forward_, grid.nx, grid.ny, grid.nz, CUFFT_R2C), "planning a transform");
    checkFft(cufftPlan3d(&backward_, grid.nx, grid.ny, grid.nz, CUFFT_C2R), "planning a transform");
    checkFft(cufftSetStream(forward_, stream.handle()), "planning a transform");
    checkFft(cufftSetStream(backward_, stream.handle()), "planning a transform");
}

FftPlan::~FftPlan()
{
    if (forward_ != 0) cufftDestroy(forward_);
    if (backward_ != 0) cufftDestroy(backward_);
}

void FftPlan::forward(View<float> points, View<cufftComplex> waves)
{
    checkFft(cufftExecR2C(forward_, points.data(), waves.data()), "transforming the charge grid");
}

void FftPlan::backward(View<cufftComplex> waves, View<float> points)
{
    checkFft(cufftExecC2R(backward_, waves.data(), points.data()), "transforming the potential");
}

} // namespace alder::cuda
