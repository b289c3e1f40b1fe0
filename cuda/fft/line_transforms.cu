#include "fft/line_transforms.hpp"

#include "device/language.hpp"
#include "device/launch.hpp"

#include <algorithm>

namespace alder::cuda {

namespace {

using Point = pme::Complex<float>;

constexpr int lineThreads = 128;
/// Points of a block's lines: two buffers of 16 KiB leave room for seven blocks on a multiprocessor of an H100.
constexpr int blockPoints = LineTransforms::longest;

/// Where in shared memory a stage reads, and where it writes.
struct Halves {
    int from, to;
};

/// Point k of line l lies at [k * lines + l]: threads of a warp, which take neighboring lines, touch neighboring words.
struct LineBlock {
    int lines;
    [[nodiscard]] __device__ int at(int k, int line) const { return k * lines + line; }
};

template <int radix, int sign, class Shared>
__device__ __forceinline__ void runStage(pme::LineStage const& stage, LineViews const& plan, LineBlock block, Shared const& points,
                                         Halves halves)
{
    auto const roots = plan.factors.from(static_cast<std::size_t>(stage.roots));
    int const work = stage.span * stage.stride * block.lines;
    for (int w = static_cast<int>(threadIdx.x); w < work; w += lineThreads) {
        int const line = w % block.lines, group = w / block.lines;
        int const p = group / stage.stride, q = group % stage.stride;
        Point x[radix];
        ALDER_UNROLL
        for (int k = 0; k < radix; ++k) x[k] = points[halves.from + block.at(q + stage.stride * (p + stage.span * k), line)];
        pme::Butterfly<radix, sign>::apply(x, roots);
        points[halves.to + block.at(q + stage.stride * radix * p, line)] = x[0];
        ALDER_UNROLL
        for (int k = 1; k < radix; ++k) {
            if (p > 0) {
                int const twiddle = stage.twiddles + ((p - 1) * (radix - 1) + k - 1) * 2;
                x[k] = pme::rotated<sign>(x[k], plan.factors[twiddle], plan.factors[twiddle + 1]);
            }
            points[halves.to + block.at(q + stage.stride * (radix * p + k), line)] = x[k];
        }
    }
}

/// A prime radix that no decent grid size has, by its definition: one point a thread.
template <int sign, class Shared>
__device__ void runAnyStage(pme::LineStage const& stage, LineViews const& plan, LineBlock block, Shared const& points, Halves halves)
{
    int const radix = stage.radix;
    auto const roots = plan.factors.from(static_cast<std::size_t>(stage.roots));
    int const work = plan.length * block.lines;
    for (int w = static_cast<int>(threadIdx.x); w < work; w += lineThreads) {
        int const line = w % block.lines, k = w / block.lines % radix, group = w / block.lines / radix;
        int const p = group / stage.stride, q = group % stage.stride;
        Point sum = points[halves.from + block.at(q + stage.stride * p, line)];
        for (int j = 1; j < radix; ++j) {
            int const root = j * k % radix;
            Point const x = points[halves.from + block.at(q + stage.stride * (p + stage.span * j), line)];
            float const cosine = roots[root], sine = roots[radix + root];
            sum = sum + pme::rotated<sign>(x, cosine, -sine);
        }
        if (p > 0 && k > 0) {
            int const twiddle = stage.twiddles + ((p - 1) * (radix - 1) + k - 1) * 2;
            sum = pme::rotated<sign>(sum, plan.factors[twiddle], plan.factors[twiddle + 1]);
        }
        points[halves.to + block.at(q + stage.stride * (radix * p + k), line)] = sum;
    }
}

template <int sign, class Shared>
__device__ __forceinline__ void runStageOf(pme::LineStage const& stage, LineViews const& plan, LineBlock block, Shared const& points,
                                           Halves halves)
{
    switch (stage.radix) {
    case 1: return runStage<1, sign>(stage, plan, block, points, halves);
    case 2: return runStage<2, sign>(stage, plan, block, points, halves);
    case 3: return runStage<3, sign>(stage, plan, block, points, halves);
    case 4: return runStage<4, sign>(stage, plan, block, points, halves);
    case 5: return runStage<5, sign>(stage, plan, block, points, halves);
    case 7: return runStage<7, sign>(stage, plan, block, points, halves);
    default: return runAnyStage<sign>(stage, plan, block, points, halves);
    }
}

/// Transforms the lines that begin at points[0], and returns where the result begins. All threads of the block take part; what they wrote must
/// be visible.
template <int sign, class Shared>
__device__ __forceinline__ int transformLines(LineViews const& plan, LineBlock block, Shared const& points)
{
    Halves halves{0, blockPoints};
    for (int s = 0; s < plan.stages; ++s) {
        pme::LineStage const stage = plan.stage[s];
        runStageOf<sign>(stage, plan, block, points, halves);
        halves = {halves.to, halves.from};
        __syncthreads();
    }
    return halves.from;
}

/// Rows of points along z, two by two within a plane of x: which two go together depends on the plane alone, as their bits do.
struct RowPairs {
    int planes, ny, nz;
    [[nodiscard]] __host__ __device__ int ofPlane() const { return (ny + 1) / 2; }
    [[nodiscard]] __host__ __device__ int count() const { return planes * ofPlane(); }
    [[nodiscard]] __device__ int halfZ() const { return nz / 2 + 1; }
};
/// The rows of a pair, of which there may be none, one or both.
struct RowPair {
    int first, count;
    __device__ RowPair(RowPairs const& rows, int pair)
    {
        int const plane = pair / rows.ofPlane(), y = 2 * (pair % rows.ofPlane());
        first = plane * rows.ny + y;
        count = plane >= rows.planes ? 0 : y + 1 < rows.ny ? 2 : 1;
    }
};

/// Two real lines a and b go through one complex transform as a + i b:  A_k = (X_k + conj X_{n-k})/2,  B_k = (X_k - conj X_{n-k})/(2 i).
__global__ void __launch_bounds__(lineThreads)
    transformRows(LineViews plan, RowPairs rows, LineBlock block, View<float const> points, View<Point> waves)
{
    ALDER_SHARED(Point, lines, 2 * blockPoints);
    int const firstPair = block.lines * static_cast<int>(blockIdx.x), nz = rows.nz, halfZ = rows.halfZ();
    for (int w = static_cast<int>(threadIdx.x); w < nz * block.lines; w += lineThreads) {
        int const k = w % nz, line = w / nz;
        RowPair const row(rows, firstPair + line);
        lines[block.at(k, line)] =
            Point{row.count > 0 ? points[row.first * nz + k] : 0.0F, row.count > 1 ? points[(row.first + 1) * nz + k] : 0.0F};
    }
    __syncthreads();
    int const result = transformLines<-1>(plan, block, lines);
    for (int w = static_cast<int>(threadIdx.x); w < halfZ * block.lines; w += lineThreads) {
        int const k = w % halfZ, line = w / halfZ;
        RowPair const row(rows, firstPair + line);
        Point const p = lines[result + block.at(k, line)], q = lines[result + block.at(k == 0 ? 0 : nz - k, line)];
        if (row.count > 0) waves[row.first * halfZ + k] = Point{0.5F * (p.re + q.re), 0.5F * (p.im - q.im)};
        if (row.count > 1) waves[(row.first + 1) * halfZ + k] = Point{0.5F * (p.im + q.im), 0.5F * (q.re - p.re)};
    }
}

/// The way back. The waves of a real line at k = 0 and n/2 are real: what rounding has left of their imaginary parts is dropped, lest it
/// pass into the other line.
__global__ void __launch_bounds__(lineThreads)
    restoreRows(LineViews plan, RowPairs rows, LineBlock block, View<Point const> waves, View<float> points)
{
    ALDER_SHARED(Point, lines, 2 * blockPoints);
    int const firstPair = block.lines * static_cast<int>(blockIdx.x), nz = rows.nz, halfZ = rows.halfZ();
    for (int w = static_cast<int>(threadIdx.x); w < halfZ * block.lines; w += lineThreads) {
        int const k = w % halfZ, line = w / halfZ;
        RowPair const row(rows, firstPair + line);
        Point const none{0, 0};
        Point p = row.count > 0 ? waves[row.first * halfZ + k] : none, q = row.count > 1 ? waves[(row.first + 1) * halfZ + k] : none;
        bool const real = k == 0 || 2 * k == nz;
        if (real) p.im = q.im = 0;
        lines[block.at(k, line)] = Point{p.re - q.im, p.im + q.re};
        if (!real) lines[block.at(nz - k, line)] = Point{p.re + q.im, q.re - p.im};
    }
    __syncthreads();
    int const result = transformLines<+1>(plan, block, lines);
    for (int w = static_cast<int>(threadIdx.x); w < nz * block.lines; w += lineThreads) {
        int const k = w % nz, line = w / nz;
        RowPair const row(rows, firstPair + line);
        Point const x = lines[result + block.at(k, line)];
        if (row.count > 0) points[row.first * nz + k] = x.re;
        if (row.count > 1) points[(row.first + 1) * nz + k] = x.im;
    }
}

/// Lines of waves along an axis that is not the fastest: point k of line `inner` of slab `outer` lies at
/// [(outer * length + k) * inners + inner].
struct Columns {
    int inners;
};

template <int sign>
__global__ void __launch_bounds__(lineThreads) transformColumns(LineViews plan, Columns columns, LineBlock block, View<Point> waves)
{
    ALDER_SHARED(Point, lines, 2 * blockPoints);
    int const inner = block.lines * static_cast<int>(blockIdx.x), first = static_cast<int>(blockIdx.y) * plan.length * columns.inners;
    int const work = plan.length * block.lines;
    for (int w = static_cast<int>(threadIdx.x); w < work; w += lineThreads) {
        int const line = w % block.lines, k = w / block.lines;
        Point const none{0, 0};
        lines[block.at(k, line)] = inner + line < columns.inners ? Point(waves[first + k * columns.inners + inner + line]) : none;
    }
    __syncthreads();
    int const result = transformLines<sign>(plan, block, lines);
    for (int w = static_cast<int>(threadIdx.x); w < work; w += lineThreads) {
        int const line = w % block.lines, k = w / block.lines;
        if (inner + line < columns.inners) waves[first + k * columns.inners + inner + line] = Point(lines[result + block.at(k, line)]);
    }
}

/// Lines that fit into a block: 32 at most, since more do not make loads wider.
LineBlock blockOf(int length) { return {std::min(32, blockPoints / length)}; }
/// The same for rows along z, whose points come one after the other: an odd number spreads them over the banks of shared memory.
LineBlock oddBlockOf(int length)
{
    int const lines = blockOf(length).lines;
    return {lines % 2 == 0 ? lines - 1 : lines};
}

unsigned blocks(int count, int perBlock) { return static_cast<unsigned>((count + perBlock - 1) / perBlock); }

} // namespace

LineTransforms::LineTransforms(std::array<int, 3> grid, Stream& stream) : stream_(stream), grid_(grid)
{
    for (std::size_t d = 0; d < 3; ++d) {
        pme::LinePlan const plan(grid[d]);
        axes_[d].length = plan.length();
        axes_[d].stages = static_cast<int>(plan.stages().size());
        axes_[d].stage.upload(plan.stages(), stream);
        axes_[d].factors.upload(plan.factors(), stream);
    }
}

template <int sign> void LineTransforms::alongX(int lines, View<Point> waves)
{
    LineBlock const block = blockOf(grid_[0]);
    launch<transformColumns<sign>>({.grid = blocks(lines, block.lines), .block = lineThreads}, stream_, axes_[0].views(), Columns{lines},
                                   block, waves);
}

template <int sign> void LineTransforms::alongY(int planes, View<Point> waves)
{
    int const inners = grid_[2] / 2 + 1;
    LineBlock const block = blockOf(grid_[1]);
    launch<transformColumns<sign>>({.grid = dim3(blocks(inners, block.lines), static_cast<unsigned>(planes)), .block = lineThreads},
                                   stream_, axes_[1].views(), Columns{inners}, block, waves);
}

void LineTransforms::forwardPlanes(int planes, View<float const> points, View<Point> waves)
{
    RowPairs const rows{planes, grid_[1], grid_[2]};
    LineBlock const block = oddBlockOf(grid_[2]);
    launch<transformRows>({.grid = blocks(rows.count(), block.lines), .block = lineThreads}, stream_, axes_[2].views(), rows, block, points,
                          waves);
    alongY<-1>(planes, waves);
}

void LineTransforms::backwardPlanes(int planes, View<Point> waves, View<float> points)
{
    alongY<+1>(planes, waves);
    RowPairs const rows{planes, grid_[1], grid_[2]};
    LineBlock const block = oddBlockOf(grid_[2]);
    launch<restoreRows>({.grid = blocks(rows.count(), block.lines), .block = lineThreads}, stream_, axes_[2].views(), rows, block, waves,
                        points);
}

void LineTransforms::forwardLines(int lines, View<Point> waves) { alongX<-1>(lines, waves); }

void LineTransforms::backwardLines(int lines, View<Point> waves) { alongX<+1>(lines, waves); }

void LineTransforms::forward(View<float const> points, View<Point> waves)
{
    forwardPlanes(grid_[0], points, waves);
    forwardLines(linesAlongX(), waves);
}

void LineTransforms::backward(View<Point> waves, View<float> points)
{
    backwardLines(linesAlongX(), waves);
    backwardPlanes(grid_[0], waves, points);
}

} // namespace alder::cuda
