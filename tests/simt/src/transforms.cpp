// cuFFT's calls on FFTW. Plans are made where they are first executed, since FFTW's depend on whether the transform is in place.

#include "cufft.h"

#include "device_memory.hpp"
#include "report.hpp"
#include "streams.hpp"

#include <fftw3.h>
#include <map>
#include <memory>
#include <numeric>
#include <vector>

namespace alder::simt {
namespace {

struct Layout {
    std::vector<int> embed; ///< dimensions of the array that holds the transform; none: packed
    int stride = 1, distance = 0;
};

struct Transform {
    bool made = false;
    cufftType type = CUFFT_C2C;
    std::vector<int> n;
    int batch = 1;
    Layout in, out;
    cudaStream_t stream = nullptr;
    std::map<std::pair<bool, int>, std::shared_ptr<fftwf_plan_s>> plans; ///< by in place or not, and direction
};

std::map<cufftHandle, std::shared_ptr<Transform>>& transforms()
{
    static std::map<cufftHandle, std::shared_ptr<Transform>> all;
    return all;
}

std::shared_ptr<Transform> transformOf(cufftHandle handle)
{
    auto const found = transforms().find(handle);
    return found == transforms().end() ? nullptr : found->second;
}

int product(std::vector<int> const& sizes) { return std::accumulate(sizes.begin(), sizes.end(), 1, std::multiplies<>()); }

/// The array's dimensions as FFTW wants them. A packed real array of an in-place transform has room for the complex one in its rows.
Layout placed(Transform const& transform, Layout const& layout, bool complex, bool inPlace)
{
    if (!layout.embed.empty()) return layout;
    Layout packed{transform.n, 1, 0};
    bool const half = transform.type != CUFFT_C2C;
    int const row = transform.n.back();
    if (half && complex) packed.embed.back() = row / 2 + 1;
    if (half && !complex && inPlace) packed.embed.back() = 2 * (row / 2 + 1);
    packed.distance = product(packed.embed);
    return packed;
}

std::size_t elementsOf(Transform const& transform, Layout const& layout)
{
    // to the last element of the last batch
    return static_cast<std::size_t>(transform.batch - 1) * static_cast<std::size_t>(layout.distance) +
           static_cast<std::size_t>(product(layout.embed) - 1) * static_cast<std::size_t>(layout.stride) + 1;
}

/// Every element that the transform reads was written.
void checkInput(Transform const& transform, Layout const& layout, bool complex, std::byte const* data)
{
    std::size_t const size = complex ? sizeof(fftwf_complex) : sizeof(float);
    auto const row = static_cast<std::size_t>(complex && transform.type == CUFFT_C2R ? transform.n.back() / 2 + 1 : transform.n.back());
    std::vector<int> const outer(transform.n.begin(), transform.n.end() - 1);
    auto const rows = static_cast<std::size_t>(product(outer));
    for (int b = 0; b < transform.batch; ++b) {
        for (std::size_t r = 0; r < rows; ++r) {
            // the row's place in the embedding, from its indices
            std::size_t place = 0, rest = r, step = 1;
            for (std::size_t axis = outer.size(); axis-- > 0;) {
                step *= static_cast<std::size_t>(layout.embed[axis + 1]);
                place += rest % static_cast<std::size_t>(outer[axis]) * step;
                rest /= static_cast<std::size_t>(outer[axis]);
            }
            std::size_t const first =
                static_cast<std::size_t>(b) * static_cast<std::size_t>(layout.distance) + place * static_cast<std::size_t>(layout.stride);
            if (layout.stride == 1) {
                checkDeviceRange(Access::read, data + first * size, row * size);
            } else {
                for (std::size_t i = 0; i < row; ++i)
                    checkDeviceRange(Access::read, data + (first + i * static_cast<std::size_t>(layout.stride)) * size, size);
            }
        }
    }
}

fftwf_plan planOf(Transform& transform, Layout const& in, Layout const& out, void* from, void* to, int direction)
{
    auto& plan = transform.plans[{from == to, direction}];
    if (plan) return plan.get();
    int const rank = static_cast<int>(transform.n.size());
    unsigned const flags = FFTW_ESTIMATE | FFTW_UNALIGNED;
    fftwf_plan made = nullptr;
    auto* const complexFrom = static_cast<fftwf_complex*>(from);
    auto* const complexTo = static_cast<fftwf_complex*>(to);
    switch (transform.type) {
    case CUFFT_R2C:
        made = fftwf_plan_many_dft_r2c(rank, transform.n.data(), transform.batch, static_cast<float*>(from), in.embed.data(), in.stride,
                                       in.distance, complexTo, out.embed.data(), out.stride, out.distance, flags);
        break;
    case CUFFT_C2R:
        made = fftwf_plan_many_dft_c2r(rank, transform.n.data(), transform.batch, complexFrom, in.embed.data(), in.stride, in.distance,
                                       static_cast<float*>(to), out.embed.data(), out.stride, out.distance, flags);
        break;
    case CUFFT_C2C:
        made = fftwf_plan_many_dft(rank, transform.n.data(), transform.batch, complexFrom, in.embed.data(), in.stride, in.distance,
                                   complexTo, out.embed.data(), out.stride, out.distance, direction, flags);
    }
    if (made == nullptr) reportFault("FFTW cannot plan a transform that cuFFT was asked for");
    plan.reset(made, fftwf_destroy_plan);
    return made;
}

void execute(Transform& transform, void* from, void* to, int direction)
{
    bool const inPlace = from == to;
    bool const complexIn = transform.type != CUFFT_R2C, complexOut = transform.type != CUFFT_C2R;
    Layout const in = placed(transform, transform.in, complexIn, inPlace), out = placed(transform, transform.out, complexOut, inPlace);
    std::size_t const bytesIn = elementsOf(transform, in) * (complexIn ? sizeof(fftwf_complex) : sizeof(float));
    std::size_t const bytesOut = elementsOf(transform, out) * (complexOut ? sizeof(fftwf_complex) : sizeof(float));
    checkDeviceRange(Access::write, from, bytesIn);
    checkDeviceRange(Access::write, to, bytesOut);
    checkInput(transform, in, complexIn, static_cast<std::byte const*>(from));
    fftwf_plan const plan = planOf(transform, in, out, from, to, direction);
    switch (transform.type) {
    case CUFFT_R2C: fftwf_execute_dft_r2c(plan, static_cast<float*>(from), static_cast<fftwf_complex*>(to)); break;
    case CUFFT_C2R: fftwf_execute_dft_c2r(plan, static_cast<fftwf_complex*>(from), static_cast<float*>(to)); break;
    case CUFFT_C2C: fftwf_execute_dft(plan, static_cast<fftwf_complex*>(from), static_cast<fftwf_complex*>(to)); break;
    }
    // a transform back to real numbers may use its input as it goes
    if (transform.type == CUFFT_C2R && !inPlace) markUnwritten(from, bytesIn);
    markWritten(to, bytesOut);
}

cufftResult put(cufftHandle handle, cufftType type, void* from, void* to, int direction)
{
    auto const transform = transformOf(handle);
    if (!transform || !transform->made) return CUFFT_INVALID_PLAN;
    if (transform->type != type) return CUFFT_INVALID_TYPE;
    if (!isDevice(from) || !isDevice(to)) return CUFFT_INVALID_VALUE;
    char const* const name = type == CUFFT_R2C ? "cufftExecR2C" : type == CUFFT_C2R ? "cufftExecC2R" : "cufftExecC2C";
    cudaError_t const error = enqueue(transform->stream, [=] {
        countLaunch(name);
        execute(*transform, from, to, direction);
    });
    return error == cudaSuccess ? CUFFT_SUCCESS : CUFFT_EXEC_FAILED;
}

} // namespace
} // namespace alder::simt

using namespace alder::simt;

cufftResult cufftCreate(cufftHandle* plan)
{
    static int last = 0;
    *plan = ++last;
    transforms()[*plan] = std::make_shared<Transform>();
    return CUFFT_SUCCESS;
}

cufftResult cufftMakePlanMany(cufftHandle plan, int rank, int* n, int* inembed, int istride, int idist, int* onembed, int ostride,
                              int odist, cufftType type, int batch, std::size_t* workSize)
{
    auto const transform = transformOf(plan);
    if (!transform || transform->made) return CUFFT_INVALID_PLAN;
    if (rank < 1 || rank > 3 || batch < 1) return CUFFT_INVALID_VALUE;
    for (int axis = 0; axis < rank; ++axis)
        if (n[axis] < 1) return CUFFT_INVALID_SIZE;
    if ((inembed == nullptr) != (onembed == nullptr)) return CUFFT_INVALID_VALUE;
    transform->type = type;
    transform->batch = batch;
    transform->n.assign(n, n + rank);
    if (inembed != nullptr) {
        transform->in = {{inembed, inembed + rank}, istride, idist};
        transform->out = {{onembed, onembed + rank}, ostride, odist};
    }
    transform->made = true;
    if (workSize != nullptr) *workSize = 0;
    return CUFFT_SUCCESS;
}

cufftResult cufftMakePlan3d(cufftHandle plan, int nx, int ny, int nz, cufftType type, std::size_t* workSize)
{
    int n[3] = {nx, ny, nz};
    return cufftMakePlanMany(plan, 3, n, nullptr, 1, 0, nullptr, 1, 0, type, 1, workSize);
}

cufftResult cufftPlanMany(cufftHandle* plan, int rank, int* n, int* inembed, int istride, int idist, int* onembed, int ostride, int odist,
                          cufftType type, int batch)
{
    cufftCreate(plan);
    return cufftMakePlanMany(*plan, rank, n, inembed, istride, idist, onembed, ostride, odist, type, batch, nullptr);
}

cufftResult cufftPlan3d(cufftHandle* plan, int nx, int ny, int nz, cufftType type)
{
    cufftCreate(plan);
    return cufftMakePlan3d(*plan, nx, ny, nz, type, nullptr);
}

cufftResult cufftSetAutoAllocation(cufftHandle plan, int) { return transformOf(plan) ? CUFFT_SUCCESS : CUFFT_INVALID_PLAN; }
cufftResult cufftSetWorkArea(cufftHandle plan, void*) { return transformOf(plan) ? CUFFT_SUCCESS : CUFFT_INVALID_PLAN; }

cufftResult cufftSetStream(cufftHandle plan, cudaStream_t stream)
{
    auto const transform = transformOf(plan);
    if (!transform) return CUFFT_INVALID_PLAN;
    transform->stream = stream;
    return CUFFT_SUCCESS;
}

cufftResult cufftExecR2C(cufftHandle plan, cufftReal* in, cufftComplex* out) { return put(plan, CUFFT_R2C, in, out, CUFFT_FORWARD); }
cufftResult cufftExecC2R(cufftHandle plan, cufftComplex* in, cufftReal* out) { return put(plan, CUFFT_C2R, in, out, CUFFT_INVERSE); }
cufftResult cufftExecC2C(cufftHandle plan, cufftComplex* in, cufftComplex* out, int direction)
{
    return put(plan, CUFFT_C2C, in, out, direction);
}

cufftResult cufftDestroy(cufftHandle plan) { return transforms().erase(plan) > 0 ? CUFFT_SUCCESS : CUFFT_INVALID_PLAN; }

cufftResult cufftGetVersion(int* version)
{
    *version = 12000;
    return CUFFT_SUCCESS;
}
