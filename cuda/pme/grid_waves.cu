#include "pme/grid_waves.hpp"

#include "device/launch.hpp"
#include "device/warp_sums.hpp"
#include "math/fixed_sum.hpp"
#include "system/sums.hpp"

namespace alder::cuda {

namespace {

constexpr int passThreads = 128;
constexpr int pointsOfThread = 4, pointsOfBlock = pointsOfThread * passThreads;

LaunchShape passGrid(int count)
{
    return {.grid = static_cast<unsigned>((count + pointsOfBlock - 1) / pointsOfBlock), .block = passThreads};
}

/// A thread's waves: those of one y are taken in the order of x and z, whoever has which y.
struct WavePass {
    int y;
    __device__ explicit WavePass(WaveShare const& share) : y(static_cast<int>(blockIdx.y) + share.first) {}
    /// Calls visit(wave, where it is) for each.
    template <class Visit> __device__ void forEach(WaveShare const& share, Visit&& visit) const;
};

LaunchShape passGrid(WaveShare const& share)
{
    LaunchShape shape = passGrid(share.grid.nx * share.grid.halfZ());
    shape.grid.y = static_cast<unsigned>(share.count);
    return shape;
}

/// Half the range of a point. A wrapped point changes the sum of all by 2^32, and smooth splines leave neighbors of a piled-up point in the
/// outer half of the range (cpu::PmeForces).
constexpr std::int32_t pileUpLimit = 1 << 30;

__global__ void __launch_bounds__(passThreads)
    chargesToPoints(int count, View<std::int32_t> charges, View<float> points, float unit, PileUpViews pileUp)
{
    int const first = static_cast<int>(blockIdx.x) * pointsOfBlock + static_cast<int>(threadIdx.x);
    std::int64_t sum = 0;
    bool piled = false;
    ALDER_UNROLL
    for (int n = 0; n < pointsOfThread; ++n) {
        int const i = first + n * passThreads;
        if (i >= count) break;
        std::int32_t const charge = charges[i];
        charges[i] = 0;
        points[i] = static_cast<float>(charge) * unit;
        sum += charge;
        piled = piled || charge <= -pileUpLimit || charge >= pileUpLimit;
    }
    sum = sumOverWarp(sum);
    bool const anyPiled = __any_sync(fullWarp, piled) != 0;
    if (threadIdx.x % warpLanes != 0) return;
    addUnits(pileUp.sums, blockIdx.x % chargeSlots, sum);
    if (anyPiled) atomicOr(pileUp.piled.pointer(0), 1);
}

/// Grid indices of a wave.
struct WaveIndex {
    int x, y, z;
    __device__ WaveIndex(int xIndex, int yIndex, int zIndex) : x(xIndex), y(yIndex), z(zIndex) {}
    [[nodiscard]] __device__ WaveIndex conjugate(PmeGridShape const& grid) const
    {
        return {x == 0 ? 0 : grid.nx - x, y == 0 ? 0 : grid.ny - y, z == 0 ? 0 : grid.nz - z};
    }
    [[nodiscard]] __device__ math::Vec3d vector(PmeGridShape const& grid, pme::WaveLaw const& law) const
    {
        return law.reciprocal.vector(pme::WaveLaw::folded(x, grid.nx), pme::WaveLaw::folded(y, grid.ny), pme::WaveLaw::folded(z, grid.nz));
    }
};

template <class Visit> __device__ void WavePass::forEach(WaveShare const& share, Visit&& visit) const
{
    int const halfZ = share.grid.halfZ();
    for (int n = 0; n < pointsOfThread; ++n) {
        int const i = static_cast<int>(blockIdx.x) * pointsOfBlock + n * passThreads + static_cast<int>(threadIdx.x);
        int const x = i / halfZ, z = i % halfZ;
        if (x >= share.grid.nx) return;
        visit(WaveIndex(x, y, z), (x * share.count + y - share.first) * halfZ + z);
    }
}

/// A wave's factors, without what the grid does to it.
struct WaveFactors {
    double energy, virial; ///< WaveLaw::factor(), and that times WaveLaw::virialFactor()
};
template <bool wanted> __device__ WaveFactors factorsAt(WaveIndex const& wave, PmeGridShape const& grid, pme::WaveLaw const& law)
{
    double const m2 = norm2(wave.vector(grid, law)), g = law.factor(m2);
    return {g, wanted ? g * law.virialFactor(m2) : 0};
}
/// Where an axis has an even number of points its highest wave, n/2, is also -n/2, and in a skewed box the two have different lengths. Each
/// wave takes the one of itself and its conjugate that has y below ny/2, as on the CPU, which stores that half; both count half where y is
/// 0 or ny/2.
template <bool wanted> __device__ WaveFactors factorsOf(WaveIndex const& wave, PmeGridShape const& grid, pme::WaveLaw const& law)
{
    if (wave.y == 0 || 2 * wave.y == grid.ny) {
        WaveFactors const a = factorsAt<wanted>(wave, grid, law), b = factorsAt<wanted>(wave.conjugate(grid), grid, law);
        return {0.5 * (a.energy + b.energy), 0.5 * (a.virial + b.virial)};
    }
    return factorsAt<wanted>(2 * wave.y < grid.ny ? wave : wave.conjugate(grid), grid, law);
}

__global__ void __launch_bounds__(passThreads) influenceTable(WaveShare share, pme::WaveLaw law, InfluenceViews views)
{
    WavePass(share).forEach(share, [&](WaveIndex const& wave, int at) {
        bool const constant = wave.x == 0 && wave.y == 0 && wave.z == 0;
        double const moduli = views.moduliX[wave.x] * views.moduliY[wave.y] * views.moduliZ[wave.z];
        views.table[at] = constant ? 0.0F : static_cast<float>(factorsOf<false>(wave, share.grid, law).energy * moduli);
    });
}

/// Energy and virial of some waves: sum of e, and of e v m outer m (symmetric).
struct WaveTotals {
    double of[7] = {};
    __device__ void add(double e, double ev, math::Vec3d m)
    {
        of[0] += e;
        of[1] += ev * m.x * m.x;
        of[2] += ev * m.x * m.y;
        of[3] += ev * m.x * m.z;
        of[4] += ev * m.y * m.y;
        of[5] += ev * m.y * m.z;
        of[6] += ev * m.z * m.z;
    }
};

/// A wave and its conjugate: stored once for both where 0 < z < nz/2. On an even grid the sign of the highest waves decides what they add
/// off the diagonal of the virial: of a wave and its conjugate the one with z > 0 counts, its x and y parts then being -n/2; where z is 0
/// or nz/2 both count, and what differs cancels (cpu::PmeForces::virialOf()).
__device__ void addWave(WaveIndex const& wave, double e, PmeGridShape const& grid, pme::WaveLaw const& law, WaveTotals& totals)
{
    bool const highestX = 2 * wave.x == grid.nx, highestY = 2 * wave.y == grid.ny, highestZ = 2 * wave.z == grid.nz;
    if (wave.x == 0 && wave.y == 0 && wave.z == 0) return;
    WaveFactors const factors = factorsOf<true>(wave, grid, law);
    // far out both are zero, and so is e
    double const ev = factors.energy != 0 ? e * (factors.virial / factors.energy) : 0;
    int const h = pme::WaveLaw::folded(wave.x, grid.nx), k = pme::WaveLaw::folded(wave.y, grid.ny);
    bool const both = wave.z > 0 && !highestZ;
    totals.add(both ? 2 * e : e, both ? 2 * ev : ev,
               law.reciprocal.vector(both || !highestX ? h : 0, both || !highestY ? k : 0, both ? wave.z : 0));
    if (both) return;
    totals.add(0, ev, law.reciprocal.vector(highestX ? h : 0, highestY ? k : 0, highestZ ? 0.5 * grid.nz : 0));
}

/// The block's totals, each summed lane by lane in a tree and then warp by warp, rounded and added by its own thread.
__device__ void addTotals(WaveTotals const& totals, WaveSums const& sums)
{
    constexpr int warps = passThreads / warpLanes;
    ALDER_SHARED(double, ofWarp, warps * 7);
    ALDER_UNROLL
    for (int n = 0; n < 7; ++n) {
        double const sum = sumOverWarp(totals.of[n]);
        if (threadIdx.x % warpLanes == 0) ofWarp[threadIdx.x / warpLanes * 7 + n] = sum;
    }
    __syncthreads();
    int const n = static_cast<int>(threadIdx.x);
    if (n >= 7) return;
    double sum = 0, energy = 0;
    for (int w = 0; w < warps; ++w) {
        sum += ofWarp[w * 7 + n];
        energy += ofWarp[w * 7];
    }
    if (n == 0) {
        addUnits(sums.target.sums, sums.recipTerm, math::roundedTerm(energy * math::sumScale));
        return;
    }
    // dE/d strain less E on the diagonal, half of which is the virial: xx xy xz yy yz zz to rows of three
    bool const diagonal = n == 1 || n == 4 || n == 6;
    auto const units = math::roundedTerm(0.5 * (diagonal ? sum - energy : sum) * math::sumScale);
    int const row = n <= 3 ? 0 : n <= 5 ? 1 : 2, column = n <= 3 ? n - 1 : n <= 5 ? n - 3 : 2;
    auto const virial = static_cast<int>(system::termCount);
    addUnits(sums.target.sums, virial + 3 * row + column, units);
    if (!diagonal) addUnits(sums.target.sums, virial + 3 * column + row, units);
}

__device__ void addWhole(WaveSums const& sums)
{
    auto const virial = static_cast<int>(system::termCount);
    addUnits(sums.target.sums, sums.recipTerm, sums.uniformUnits);
    addUnits(sums.target.sums, sums.selfTerm, sums.selfUnits);
    for (int d = 0; d < 3; ++d) addUnits(sums.target.sums, virial + 4 * d, sums.uniformVirialUnits);
}

/// By the first warp of the first block: whether the sum of all charges is what it must be.
__device__ void checkPileUp(PileUpViews const& pileUp)
{
    std::int64_t const slot = pileUp.sums[threadIdx.x];
    pileUp.sums[threadIdx.x] = 0;
    std::int64_t const sum = sumOverWarp(slot);
    double const off = static_cast<double>(sum) - pileUp.netUnits;
    if (threadIdx.x == 0 && !(off < 2147483648.0 && off > -2147483648.0)) atomicOr(pileUp.piled.pointer(0), 1);
}

template <bool wanted>
__global__ void __launch_bounds__(passThreads)
    solveWaves(WaveShare share, View<float2> waves, View<float const> influence, pme::WaveLaw law, WaveSums sums, PileUpViews pileUp)
{
    static_assert(chargeSlots == warpLanes);
    bool const firstBlock = blockIdx.x == 0 && blockIdx.y == 0;
    if (firstBlock && threadIdx.x < warpLanes && pileUp.sums.given()) checkPileUp(pileUp);
    WaveTotals totals;
    WavePass(share).forEach(share, [&](WaveIndex const& index, int at) {
        float2 wave = waves[at];
        float const factor = influence[at];
        if constexpr (wanted) {
            double const re = wave.x, im = wave.y;
            addWave(index, 0.5 * factor * (re * re + im * im), share.grid, law, totals);
        }
        wave.x *= factor;
        wave.y *= factor;
        waves[at] = wave;
    });
    if constexpr (wanted) {
        addTotals(totals, sums);
        if (firstBlock && share.first == 0 && threadIdx.x == 0) addWhole(sums);
    }
}

} // namespace

void takeCharges(int points, View<std::int32_t> charges, View<float> to, float unit, PileUpViews const& pileUp, Stream& stream)
{
    if (points > 0) launch<chargesToPoints>(passGrid(points), stream, points, charges, to, unit, pileUp);
}

void fillInfluence(WaveShare const& share, pme::WaveLaw const& law, InfluenceViews const& influence, Stream& stream)
{
    if (share.count > 0) launch<influenceTable>(passGrid(share), stream, share, law, influence);
}

void solve(WaveShare const& share, View<float2> waves, View<float const> influence, pme::WaveLaw const& law, WaveSums const& sums,
           PileUpViews const& pileUp, Stream& stream)
{
    if (share.count == 0) return;
    if (sums.target.wanted)
        launch<solveWaves<true>>(passGrid(share), stream, share, waves, influence, law, sums, pileUp);
    else
        launch<solveWaves<false>>(passGrid(share), stream, share, waves, influence, law, sums, pileUp);
}

} // namespace alder::cuda
