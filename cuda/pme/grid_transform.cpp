#include "pme/grid_transform.hpp"

#include "base/error.hpp"
#include "fft/line_transforms.hpp"
#include "pme/library_transform.hpp"

#include <array>
#include <cstdlib>
#include <string_view>

namespace alder::cuda {

namespace {

class OwnTransform final : public GridTransform {
public:
    OwnTransform(PmeGridShape const& grid, Stream& stream)
        : transforms_({grid.nx, grid.ny, grid.nz}, stream),
          waves_(static_cast<std::size_t>(grid.waves()))
    {}
    void forward(View<float> points, View<float2> waves) override { transforms_.forward(points, numbersOf(waves)); }
    void backward(View<float2> waves, View<float> points) override { transforms_.backward(numbersOf(waves), points); }

private:
    using Number = pme::Complex<float>;
    /// The same two floats by another name.
    [[nodiscard]] View<Number> numbersOf(View<float2> waves) const
    {
        static_assert(sizeof(Number) == sizeof(float2) && alignof(Number) <= alignof(float2));
        return {reinterpret_cast<Number*>(waves.data()), waves_};
    }
    LineTransforms transforms_;
    std::size_t waves_;
};

} // namespace

TransformKind chosenTransform()
{
    char const* const asked = std::getenv("ALDER_GPU_FFT");
    std::string_view const name = asked == nullptr ? "" : asked;
    if (name.empty() || name == "own") return TransformKind::own;
    if (name != "cufft") throw base::RunFailed("ALDER_GPU_FFT is '" + std::string(name) + "'; it may be 'cufft' or 'own'");
    if (libraryVersion().empty()) throw base::RunFailed("ALDER_GPU_FFT asks for cuFFT, and no libcufft.so.12 or libcufft.so.11 is found");
    return TransformKind::library;
}

std::string nameOf(TransformKind kind) { return kind == TransformKind::own ? "alder's own lines" : "cuFFT " + libraryVersion(); }

std::unique_ptr<GridTransform> makeTransform(TransformKind kind, PmeGridShape const& grid, Stream& stream)
{
    if (kind == TransformKind::own) return std::make_unique<OwnTransform>(grid, stream);
    return makeLibraryTransform(grid, stream);
}

} // namespace alder::cuda
