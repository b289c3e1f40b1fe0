#include "cpu/update/water_step.hpp"

#include <cmath>

namespace alder::cpu {

namespace {

using math::Vec3d;

// Plain loops over lanes: under `omp simd` GCC 12 keeps structs in memory and vectorizes none of them; with `ivdep` it does all.
#define ALDER_LANES __attribute__((always_inline)) inline

template <class T> ALDER_LANES math::Vec3<T> at(LaneVec<T> const& v, std::size_t lane) { return {v.x[lane], v.y[lane], v.z[lane]}; }
template <class T> ALDER_LANES void put(LaneVec<T>& v, std::size_t lane, math::Vec3<T> value)
{
    v.x[lane] = value.x;
    v.y[lane] = value.y;
    v.z[lane] = value.z;
}

ALDER_LANES void kickAndDrift(WaterLanes& w, WaterStep const& step, std::size_t atom, double wholeKick)
{
#pragma GCC ivdep
    for (std::size_t l = 0; l < waterLanes; ++l) {
        double const lambda = w.lambda[atom][l], kick = w.kick[atom][l] * wholeKick;
        math::Vec3l const f = at(w.force[atom], l);
        w.forceBits[l] |= physics::forceBits(f);
        Vec3d const v{physics::kicked(w.velocity[atom].x[l], lambda, physics::forceNumber(f.x), kick),
                      physics::kicked(w.velocity[atom].y[l], lambda, physics::forceNumber(f.y), kick),
                      physics::kicked(w.velocity[atom].z[l], lambda, physics::forceNumber(f.z), kick)};
        put(w.velocity[atom], l, v);
        put(w.displacement[atom], l, v * step.dt);
    }
}

ALDER_LANES void settleAll(WaterLanes& w, physics::WaterGeometry<double> const& geometry, physics::Box const& box)
{
#pragma GCC ivdep
    for (std::size_t l = 0; l < waterLanes; ++l) {
        Vec3d const b0 = box.displacement(at(w.fractions[0], l)), c0 = box.displacement(at(w.fractions[1], l));
        put(w.before[0], l, b0);
        put(w.before[1], l, c0);
        Vec3d const o = at(w.displacement[oxygen], l);
        physics::WaterBonds<double> const after{b0 + (at(w.displacement[hydrogen1], l) - o), c0 + (at(w.displacement[hydrogen2], l) - o)};
        physics::WaterVectors<double> const shift = physics::settle<double>(geometry, {b0, c0}, after);
        put(w.shift[oxygen], l, shift.oxygen);
        put(w.shift[hydrogen1], l, shift.hydrogen1);
        put(w.shift[hydrogen2], l, shift.hydrogen2);
    }
}

ALDER_LANES void addShift(WaterLanes& w, WaterStep const& step, std::size_t atom)
{
#pragma GCC ivdep
    for (std::size_t l = 0; l < waterLanes; ++l) {
        Vec3d const shift = at(w.shift[atom], l);
        Vec3d const moved = at(w.displacement[atom], l) + shift;
        put(w.displacement[atom], l, moved);
        put(w.velocity[atom], l, at(w.velocity[atom], l) + step.inverseDt * shift);
        put(w.step[atom], l, step.fractions.of(moved));
        double const square = norm2(moved);
        double const known = square >= 0 ? square : HUGE_VAL; // not-a-number must not lose a comparison below
        w.largestSquare[l] = known > w.largestSquare[l] ? known : w.largestSquare[l];
    }
}

ALDER_LANES void stepAll(WaterLanes& w, WaterStep const& step)
{
    w.forceBits.fill(0);
    w.largestSquare.fill(0.0);
    kickAndDrift(w, step, oxygen, step.oxygenKick);
    kickAndDrift(w, step, hydrogen1, step.hydrogenKick);
    kickAndDrift(w, step, hydrogen2, step.hydrogenKick);
    settleAll(w, step.geometry, step.box);
    for (std::size_t atom = 0; atom < 3; ++atom) addShift(w, step, atom);
}

// Flattened: what the loops call is inlined to the bottom, for this version's instruction set.
__attribute__((flatten)) void stepBaseline(WaterLanes& w, WaterStep const& step) { stepAll(w, step); }

#if defined(__x86_64__)
__attribute__((flatten, target("avx2"))) void stepAvx2(WaterLanes& w, WaterStep const& step) { stepAll(w, step); }
__attribute__((flatten, target("avx512f,avx512dq,avx512vl,prefer-vector-width=512"))) void stepAvx512(WaterLanes& w, WaterStep const& step)
{
    stepAll(w, step);
}
#endif

#undef ALDER_LANES

} // namespace

std::vector<StepWaters> stepWatersVersions()
{
    std::vector<StepWaters> versions{stepBaseline};
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx2")) versions.push_back(stepAvx2);
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl"))
        versions.push_back(stepAvx512);
#endif
    return versions;
}

void settleLanes(WaterLanes& lanes, physics::WaterGeometry<double> const& geometry, physics::Box const& box)
{
    settleAll(lanes, geometry, box);
}

} // namespace alder::cpu
