#include "device/language.hpp"
#include "device/launch.hpp"
#include "pme/source_order.hpp"

namespace alder::cuda {

namespace {

constexpr int sortThreads = 128, scanThreads = 256;
constexpr int brickEdge = 8;

struct BrickShape {
    int x, y, z;
    explicit BrickShape(PmeGridShape const& grid)
        : x((grid.nx + brickEdge - 1) / brickEdge),
          y((grid.ny + brickEdge - 1) / brickEdge),
          z((grid.nz + brickEdge - 1) / brickEdge)
    {}
    [[nodiscard]] int count() const { return x * y * z; }
};

struct SortViews {
    View<std::int32_t> bricks, brickOf, rankOf;
};

/// The brick of a fraction along an axis of n points.
__device__ int brickAlong(std::int32_t fraction, int n)
{
    auto const point = static_cast<std::uint64_t>(static_cast<std::uint32_t>(fraction)) * static_cast<std::uint32_t>(n) >> 32;
    return static_cast<int>(point) / brickEdge;
}

__global__ void __launch_bounds__(sortThreads) countBricks(SourceViews in, BrickShape shape, SortViews out)
{
    int const i = static_cast<int>(blockIdx.x) * sortThreads + static_cast<int>(threadIdx.x);
    if (i >= in.count) return;
    math::FractionVec const r = in.positions[in.sources[i].atom];
    int const brick = (brickAlong(r.x, in.grid.nx) * shape.y + brickAlong(r.y, in.grid.ny)) * shape.z + brickAlong(r.z, in.grid.nz);
    out.brickOf[i] = brick;
    out.rankOf[i] = atomicAdd(out.bricks.pointer(brick), 1);
}

/// Counts to where each brick begins, by one block: each thread adds up a stretch of them, then the stretches before its own.
__global__ void __launch_bounds__(scanThreads) scanBricks(int count, View<std::int32_t> bricks)
{
    ALDER_SHARED(std::int32_t, stretch, scanThreads);
    int const thread = static_cast<int>(threadIdx.x), each = (count + scanThreads - 1) / scanThreads;
    int const begin = min(thread * each, count), end = min(begin + each, count);
    std::int32_t sum = 0;
    for (int i = begin; i < end; ++i) sum += bricks[i];
    stretch[thread] = sum;
    __syncthreads();
    std::int32_t start = 0;
    for (int t = 0; t < thread; ++t) start += stretch[t];
    for (int i = begin; i < end; ++i) {
        std::int32_t const here = bricks[i];
        bricks[i] = start;
        start += here;
    }
}

__global__ void __launch_bounds__(sortThreads) placeSources(SourceViews in, SortViews by, View<GridSource> sorted)
{
    int const i = static_cast<int>(blockIdx.x) * sortThreads + static_cast<int>(threadIdx.x);
    if (i >= in.count) return;
    std::int32_t const brick = by.brickOf[i];
    sorted[by.bricks[brick] + by.rankOf[i]] = in.sources[i];
}

} // namespace

SourceOrder::SourceOrder(PmeGridShape const& grid, std::vector<GridSource> const& sources, Stream& stream)
    : grid_(grid),
      given_(sources, stream),
      sorted_(sources, stream),
      bricks_(static_cast<std::size_t>(BrickShape(grid).count())),
      brickOf_(sources.size()),
      rankOf_(sources.size())
{}

void SourceOrder::sort(View<math::FractionVec const> positions, Stream& stream)
{
    if (count() == 0) return;
    SourceViews const in{given_.constView(), positions, grid_, {0, grid_.nx}, count(), {}};
    SortViews const views{bricks_.view(), brickOf_.view(), rankOf_.view()};
    BrickShape const shape(grid_);
    LaunchShape const each{.grid = blocksFor(given_.size(), sortThreads), .block = sortThreads};
    bricks_.clear(stream);
    launch<countBricks>(each, stream, in, shape, views);
    launch<scanBricks>({.grid = 1, .block = scanThreads}, stream, shape.count(), bricks_.view());
    launch<placeSources>(each, stream, in, views, sorted_.view());
}

} // namespace alder::cuda
