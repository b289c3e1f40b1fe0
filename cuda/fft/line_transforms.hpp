#pragma once
// Three-dimensional transforms of real grids, line by line: what stands in for cuFFT where that library is not wanted.

#include "device/buffers.hpp"
#include "device/stream.hpp"
#include "pme/butterfly.hpp"
#include "pme/line_plan.hpp"

#include <array>

namespace alder::cuda {

/// As kernels read a pme::LinePlan.
struct LineViews {
    int length = 0, stages = 0;
    View<pme::LineStage const> stage;
    View<float const> factors;
};

/// Unnormalized transforms of nx x ny x nz points, z fastest, to nx x ny x (nz/2 + 1) waves and back: Stockham's form of cpu/pme/line_fft.hpp,
/// with the same butterflies, one butterfly a thread and whole lines in a block's shared memory. A line's bits depend on the line alone, not
/// on how many are transformed with it, and not on a library's version.
class LineTransforms {
public:
    /// The longest line.
    static constexpr int longest = 2048;

    LineTransforms(std::array<int, 3> grid, Stream& stream);
    void forward(View<float const> points, View<pme::Complex<float>> waves);
    /// The waves are used up.
    void backward(View<pme::Complex<float>> waves, View<float> points);

    // The same in parts, for ranks that share a grid.

    /// Along z and y, of so many planes of x.
    void forwardPlanes(int planes, View<float const> points, View<pme::Complex<float>> waves);
    void backwardPlanes(int planes, View<pme::Complex<float>> waves, View<float> points);
    /// Along x, of so many lines side by side: point k of line i at [k lines + i].
    void forwardLines(int lines, View<pme::Complex<float>> waves);
    void backwardLines(int lines, View<pme::Complex<float>> waves);

private:
    struct Axis {
        int length = 0, stages = 0;
        DeviceBuffer<pme::LineStage> stage;
        DeviceBuffer<float> factors;
        [[nodiscard]] LineViews views() const { return {length, stages, stage.constView(), factors.constView()}; }
    };
    template <int sign> void alongX(int lines, View<pme::Complex<float>> waves);
    template <int sign> void alongY(int planes, View<pme::Complex<float>> waves);
    [[nodiscard]] int linesAlongX() const { return grid_[1] * (grid_[2] / 2 + 1); }

    Stream& stream_;
    std::array<int, 3> grid_;
    std::array<Axis, 3> axes_;
};

} // namespace alder::cuda
