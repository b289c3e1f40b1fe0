#include "pme/library_transform.hpp"

#include "base/error.hpp"

#include <cufft.h>
#include <fmt/format.h>

#if !defined(ALDER_SIMT)
#include <dlfcn.h>
#endif

namespace alder::cuda {

namespace {

/// The calls that transforms take; null where there is no library. They have been the same since its first versions.
struct Library {
    decltype(&cufftPlan3d) plan3d = nullptr;
    decltype(&cufftSetStream) setStream = nullptr;
    decltype(&cufftExecR2C) execR2C = nullptr;
    decltype(&cufftExecC2R) execC2R = nullptr;
    decltype(&cufftDestroy) destroy = nullptr;
    decltype(&cufftGetVersion) getVersion = nullptr;
    [[nodiscard]] bool found() const { return plan3d && setStream && execR2C && execC2R && destroy && getVersion; }
};

#if defined(ALDER_SIMT)

Library open() { return {cufftPlan3d, cufftSetStream, cufftExecR2C, cufftExecC2R, cufftDestroy, cufftGetVersion}; }

#else

template <class Call> void find(void* library, char const* name, Call& call) { call = reinterpret_cast<Call>(dlsym(library, name)); }

/// Of CUDA 13 and 12, where the loader looks and where the toolkit is usually put; never closed.
Library open()
{
    Library calls;
    for (char const* name :
         {"libcufft.so.12", "libcufft.so.11", "/usr/local/cuda/lib64/libcufft.so.12", "/usr/local/cuda/lib64/libcufft.so.11"}) {
        void* const library = dlopen(name, RTLD_NOW | RTLD_LOCAL);
        if (library == nullptr) continue;
        find(library, "cufftPlan3d", calls.plan3d);
        find(library, "cufftSetStream", calls.setStream);
        find(library, "cufftExecR2C", calls.execR2C);
        find(library, "cufftExecC2R", calls.execC2R);
        find(library, "cufftDestroy", calls.destroy);
        find(library, "cufftGetVersion", calls.getVersion);
        if (calls.found()) return calls;
    }
    return {};
}

#endif

Library const& library()
{
    static Library const calls = open();
    return calls;
}

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

/// One plan each way. Plans depend on the grid alone, so the same device and library give the same bits.
class LibraryTransform final : public GridTransform {
public:
    LibraryTransform(PmeGridShape const& grid, Stream& stream)
    {
        if (!library().found()) throw base::RunFailed("GPU: there is no cuFFT on this machine");
        try {
            checkFft(library().plan3d(&forward_, grid.nx, grid.ny, grid.nz, CUFFT_R2C), "planning a transform");
            checkFft(library().plan3d(&backward_, grid.nx, grid.ny, grid.nz, CUFFT_C2R), "planning a transform");
            checkFft(library().setStream(forward_, stream.handle()), "planning a transform");
            checkFft(library().setStream(backward_, stream.handle()), "planning a transform");
        } catch (...) {
            destroy();
            throw;
        }
    }
    ~LibraryTransform() override { destroy(); }
    void forward(View<float> points, View<float2> waves) override
    {
        checkFft(library().execR2C(forward_, points.data(), waves.data()), "transforming the charge grid");
    }
    void backward(View<float2> waves, View<float> points) override
    {
        checkFft(library().execC2R(backward_, waves.data(), points.data()), "transforming the potential");
    }

private:
    void destroy() noexcept
    {
        if (forward_ != 0) library().destroy(forward_);
        if (backward_ != 0) library().destroy(backward_);
    }
    cufftHandle forward_ = 0, backward_ = 0;
};

} // namespace

std::string libraryVersion()
{
    int version = 0;
    if (!library().found() || library().getVersion(&version) != CUFFT_SUCCESS) return "";
    return fmt::format("{}.{}.{}", version / 1000, version % 1000 / 100, version % 100);
}

std::unique_ptr<GridTransform> makeLibraryTransform(PmeGridShape const& grid, Stream& stream)
{
    return std::make_unique<LibraryTransform>(grid, stream);
}

} // namespace alder::cuda
