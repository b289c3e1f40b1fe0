// 16 or 32 threads take an atom: four or eight along z, the grid's fast axis, by four along y; each goes along x. So the atomic additions
// of a row of points fall together into one or two sectors of 32 bytes. Splines are computed once an atom and axis, in registers, and
// passed on through shared memory.

#include "pme/spread_gather.hpp"

#include "device/force_target.hpp"
#include "device/launch.hpp"
#include "math/fixed_sum.hpp"
#include "physics/bspline.hpp"

#include <stdexcept>

namespace alder::cuda {

namespace {

constexpr int gridThreads = 128;

/// How threads share an atom's order x order x order points.
template <int order> struct Footprint {
    static constexpr int columns = order <= 4 ? 4 : 8, rows = 4, lanes = columns * rows;
    static constexpr int rowPasses = (order + rows - 1) / rows;
    static constexpr int atoms = gridThreads / lanes; ///< of a block
    static constexpr int splines = 3 * atoms;         ///< one an atom and axis
};

/// A fraction's grid cell and place in it: u n / 2^32 for unsigned u, the place with 24 bits, as on the CPU.
struct CellPlace {
    int cell;
    float fraction;
    __device__ CellPlace(std::int32_t position, int n)
    {
        std::uint64_t const wide = static_cast<std::uint64_t>(static_cast<std::uint32_t>(position)) * static_cast<std::uint32_t>(n);
        cell = static_cast<int>(wide >> 32);
        fraction = static_cast<float>(static_cast<std::uint32_t>(wide) >> 8) * 0x1p-24F;
    }
};

/// Which spline a thread computes.
struct SplineTask {
    int axis, n;
    std::int32_t position;
    float charge;
    __device__ SplineTask(SourceViews const& in, int source, int spline) : axis(spline % 3)
    {
        GridSource const from = in.sources[source];
        math::FractionVec const r = in.positions[from.atom];
        position = axis == 0 ? r.x : axis == 1 ? r.y : r.z;
        n = axis == 0 ? in.grid.nx : axis == 1 ? in.grid.ny : in.grid.nz;
        charge = from.charge;
    }
};

__device__ int wrapped(int i, int n) { return i < n ? i : i - n; }

template <int order> __global__ void __launch_bounds__(gridThreads) spread(SourceViews in, View<std::int32_t> charges)
{
    using Shape = Footprint<order>;
    ALDER_SHARED(float, theta, Shape::splines* order);
    ALDER_SHARED(int, cell, Shape::splines);
    int const first = static_cast<int>(blockIdx.x) * Shape::atoms, thread = static_cast<int>(threadIdx.x);
    if (thread < Shape::splines && first + thread / 3 < in.count) {
        SplineTask const task(in, first + thread / 3, thread);
        CellPlace const place(task.position, task.n);
        float t[order];
        physics::bspline<order>(place.fraction, t);
        cell[thread] = place.cell;
        ALDER_UNROLL
        for (int j = 0; j < order; ++j) theta[thread * order + j] = task.axis == 0 ? t[j] * task.charge : t[j];
    }
    __syncthreads();
    int const atom = thread / Shape::lanes, k = thread % Shape::columns, row = thread % Shape::lanes / Shape::columns;
    if (first + atom >= in.count || k >= order) return;
    PmeGridShape const grid = in.grid;
    int const splines = 3 * atom, x0 = in.planeOf(cell[splines], order), y0 = cell[splines + 1],
              z = wrapped(cell[splines + 2] + k, grid.nz);
    if (x0 < 0) {
        atomicOr(in.trouble.pointer(0), atomLeftWindow);
        return;
    }
    float const thetaZ = theta[(splines + 2) * order + k];
    ALDER_UNROLL
    for (int pass = 0; pass < Shape::rowPasses; ++pass) {
        int const j = pass * Shape::rows + row;
        if (j >= order) break;
        float const yz = theta[(splines + 1) * order + j] * thetaZ;
        int const y = wrapped(y0 + j, grid.ny);
        ALDER_UNROLL
        for (int i = 0; i < order; ++i) {
            int const x = wrapped(x0 + i, grid.nx);
            atomicAdd(charges.pointer((x * grid.ny + y) * grid.nz + z), __float2int_rn(theta[splines * order + i] * yz));
        }
    }
}

template <int order>
__global__ void __launch_bounds__(gridThreads)
    gather(SourceViews in, View<float const> potential, View<SlopeFactors const> slopes, View<std::int64_t> forces)
{
    using Shape = Footprint<order>;
    ALDER_SHARED(float, theta, Shape::splines* order);
    ALDER_SHARED(float, slope, Shape::splines* order);
    ALDER_SHARED(int, cell, Shape::splines);
    int const first = static_cast<int>(blockIdx.x) * Shape::atoms, thread = static_cast<int>(threadIdx.x);
    if (thread < Shape::splines && first + thread / 3 < in.count) {
        SplineTask const task(in, first + thread / 3, thread);
        CellPlace const place(task.position, task.n);
        float t[order], d[order];
        physics::bspline<order>(place.fraction, t, d);
        cell[thread] = place.cell;
        ALDER_UNROLL
        for (int j = 0; j < order; ++j) {
            theta[thread * order + j] = t[j];
            slope[thread * order + j] = d[j];
        }
    }
    __syncthreads();
    int const atom = thread / Shape::lanes, k = thread % Shape::columns, row = thread % Shape::lanes / Shape::columns;
    bool const taken = first + atom < in.count;
    PmeGridShape const grid = in.grid;
    int const splines = 3 * atom;
    float gx = 0, gy = 0, gz = 0;
    int const x0 = taken ? in.planeOf(cell[splines], order) : -1;
    if (x0 >= 0 && k < order) {
        int const y0 = cell[splines + 1], z = wrapped(cell[splines + 2] + k, grid.nz);
        float const thetaZ = theta[(splines + 2) * order + k], slopeZ = slope[(splines + 2) * order + k];
        ALDER_UNROLL
        for (int pass = 0; pass < Shape::rowPasses; ++pass) {
            int const j = pass * Shape::rows + row;
            if (j >= order) break;
            int const y = wrapped(y0 + j, grid.ny);
            float sum = 0, slopeSum = 0;
            ALDER_UNROLL
            for (int i = 0; i < order; ++i) {
                float const value = potential[(wrapped(x0 + i, grid.nx) * grid.ny + y) * grid.nz + z];
                sum = fmaf(theta[splines * order + i], value, sum);
                slopeSum = fmaf(slope[splines * order + i], value, slopeSum);
            }
            float const thetaY = theta[(splines + 1) * order + j], slopeY = slope[(splines + 1) * order + j];
            gx = fmaf(thetaY * thetaZ, slopeSum, gx);
            gy = fmaf(slopeY * thetaZ, sum, gy);
            gz = fmaf(thetaY * slopeZ, sum, gz);
        }
    }
    ALDER_UNROLL
    for (int step = Shape::lanes / 2; step > 0; step /= 2) {
        gx += __shfl_xor_sync(fullWarp, gx, step);
        gy += __shfl_xor_sync(fullWarp, gy, step);
        gz += __shfl_xor_sync(fullWarp, gz, step);
    }
    int const axis = thread % Shape::lanes;
    if (!taken || axis >= 3) return;
    GridSource const source = in.sources[first + atom];
    SlopeFactors const factors = slopes[0];
    double const x = gx * source.charge, y = gy * source.charge, z = gz * source.charge;
    math::ForceUnits const units =
        math::forceUnits({factors.a.x * x, factors.a.y * x + factors.b.y * y, factors.a.z * x + factors.b.z * y + factors.c.z * z});
    addUnits(forces, 3 * std::int64_t{source.atom} + axis, axis == 0 ? units.x : axis == 1 ? units.y : units.z);
}

/// Calls act with the order as a constant.
template <class Act> void withOrder(int order, Act&& act)
{
    switch (order) {
    case 3: return act(std::integral_constant<int, 3>{});
    case 4: return act(std::integral_constant<int, 4>{});
    case 5: return act(std::integral_constant<int, 5>{});
    case 6: return act(std::integral_constant<int, 6>{});
    case 7: return act(std::integral_constant<int, 7>{});
    case 8: return act(std::integral_constant<int, 8>{});
    default: throw std::logic_error("no spline of this order");
    }
}

template <int order> LaunchShape gridOf(SourceViews const& sources)
{
    constexpr int atoms = Footprint<order>::atoms;
    return {.grid = blocksFor(static_cast<std::size_t>(sources.count), atoms), .block = gridThreads};
}

} // namespace

void spreadCharges(int order, SourceViews const& sources, View<std::int32_t> charges, Stream& stream)
{
    withOrder(order, [&](auto constant) {
        constexpr int n = decltype(constant)::value;
        launch<spread<n>>(gridOf<n>(sources), stream, sources, charges);
    });
}

void gatherForces(int order, SourceViews const& sources, View<float const> potential, View<SlopeFactors const> factors,
                  View<std::int64_t> forces, Stream& stream)
{
    withOrder(order, [&](auto constant) {
        constexpr int n = decltype(constant)::value;
        launch<gather<n>>(gridOf<n>(sources), stream, sources, potential, factors, forces);
    });
}

} // namespace alder::cuda
