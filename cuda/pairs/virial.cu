// The virial of the forces as they were rounded, to the last integer.
//
// -1/2 sum over pairs of (x_i + s - x_j) outer F_ij = -1/2 (sum over atoms of x_i outer F_i + sum over shifts of s outer F_s), with F_s the
// force on the i atoms of all pairs that were taken at shift s. Positions and forces are integers, and their products are summed as such:
// nothing is rounded before the end, so origin, images and order don't matter.

#include "device/warp_sums.hpp"
#include "pairs/double_kernels.hpp"

namespace alder::cuda {
namespace {

constexpr int virialThreads = 128;

/// x times f, 96 bits of it, in limbs of 32 bits; the last has the sign.
struct Limbs {
    std::int64_t low = 0, middle = 0, high = 0;
    __device__ void addProduct(std::int32_t x, std::int64_t f)
    {
        std::int64_t const lower = static_cast<std::int64_t>(static_cast<std::uint64_t>(f) & 0xffffffffU), upper = f >> 32;
        std::int64_t const first = x * lower, carried = x * upper + (first >> 32); // |x| < 2^31: no overflow
        low += first & 0xffffffff;
        middle += carried & 0xffffffff;
        high += carried >> 32;
    }
};

__device__ void addMoments(View<std::int64_t> moments, int element, Limbs const& sum)
{
    std::int64_t const parts[limbs] = {sumOverWarp(sum.low), sumOverWarp(sum.middle), sumOverWarp(sum.high)};
    if (threadIdx.x % warpLanes == 0)
        for (int k = 0; k < limbs; ++k) addUnits(moments, static_cast<std::size_t>(element * limbs + k), parts[k]);
}

/// Gives atoms the forces of their slots, and sums the moments.
__global__ void __launch_bounds__(virialThreads) collectForces(VirialInput const in)
{
    auto const slot = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
    // Super-clusters are as long as two warps: a warp has slots or it has none.
    if (static_cast<std::uint32_t>(slot / superSlots) >= in.counters[superCount]) return;
    std::int32_t const atom = in.slots.atomAt[slot];
    std::int32_t x[3] = {0, 0, 0};
    std::int64_t f[3] = {0, 0, 0};
    if (atom >= 0) {
        Site const site = in.slots.sites[slot];
        x[0] = site.x;
        x[1] = site.y;
        x[2] = site.z;
        for (int d = 0; d < 3; ++d) {
            f[d] = in.slotForces[3 * slot + d];
            addUnits(in.forces, static_cast<std::size_t>(3 * atom + d), f[d]);
            in.slotForces[3 * slot + d] = 0;
        }
    }
    for (int a = 0; a < 3; ++a)
        for (int b = 0; b < 3; ++b) {
            Limbs product;
            product.addProduct(x[a], f[b]);
            addMoments(in.moments, 3 * a + b, product);
        }
}

/// The shifts' part, a warp for all of them.
__global__ void addShiftMoments(VirialInput const in)
{
    Limbs sums[9];
    for (int shift = static_cast<int>(threadIdx.x); shift < in.shiftCount; shift += warpLanes) {
        pairs::LatticeVec const v = in.shifts[shift];
        std::int32_t const x[3] = {v.x, v.y, v.z};
        for (int b = 0; b < 3; ++b) {
            std::int64_t const f = in.shiftForces[3 * shift + b];
            in.shiftForces[3 * shift + b] = 0;
            for (int a = 0; a < 3; ++a) sums[3 * a + b].addProduct(x[a], f);
        }
    }
    for (int element = 0; element < 9; ++element) addMoments(in.moments, element, sums[element]);
}

/// The number that limbs stand for: the magnitude's halves are rounded, and added up without cancellation.
__device__ double valueOf(Limbs sum)
{
    bool const negative = (sum.high + ((sum.middle + (sum.low >> 32)) >> 32)) < 0;
    if (negative) sum = {-sum.low, -sum.middle, -sum.high};
    std::int64_t const middle = sum.middle + (sum.low >> 32), high = sum.high + (middle >> 32);
    std::uint64_t const low = (static_cast<std::uint64_t>(middle & 0xffffffff) << 32) | static_cast<std::uint64_t>(sum.low & 0xffffffff);
    double const value = static_cast<double>(high) * 18446744073709551616.0 + static_cast<double>(low);
    return negative ? -value : value;
}

/// The tensor of central forces is symmetric, and so is the sum of rounded ones to their rounding: the mean of both halves.
__global__ void finishVirial(VirialInput const in)
{
    int const element = static_cast<int>(threadIdx.x);
    bool const taken = element < 9;
    Limbs sum;
    if (taken) {
        int const mirrored = element % 3 * 3 + element / 3;
        auto const part = [&](int k) {
            return static_cast<std::int64_t>(in.moments[element * limbs + k]) + static_cast<std::int64_t>(in.moments[mirrored * limbs + k]);
        };
        sum = {part(0), part(1), part(2)};
    }
    __syncwarp(fullWarp);
    if (!taken) return;
    for (int k = 0; k < limbs; ++k) in.moments[element * limbs + k] = 0;
    constexpr double limit = 2.305843009213694e18; // 2^61, as of all sums of a system
    double const scaled = fmin(fmax(in.factor * 0.5 * valueOf(sum), -limit), limit);
    addUnits(in.virial, static_cast<std::size_t>(element), __double2ll_rn(scaled));
}

} // namespace

void sumMoments(VirialInput const& input, Stream& stream)
{
    launch<collectForces>({.grid = blocksFor(static_cast<std::size_t>(input.slotRoom), virialThreads), .block = virialThreads}, stream,
                          input);
    launch<addShiftMoments>({.grid = 1, .block = warpLanes}, stream, input);
}

void addVirial(VirialInput const& input, Stream& stream) { launch<finishVirial>({.grid = 1, .block = warpLanes}, stream, input); }

} // namespace alder::cuda
