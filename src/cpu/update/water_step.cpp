#include "cpu/update/water_step.hpp"

#include <cmath>

namespace alder::cpu {

namespace {

using math::Vec3d;

// Inlined into each version below, so that it is compiled for that version's instruction set.
#define ALDER_LANES __attribute__((always_inline)) inline

ALDER_LANES Vec3d at(LaneVec const& v, std::size_t lane) { return {v.x[lane], v.y[lane], v.z[lane]}; }
ALDER_LANES void put(LaneVec& v, std::size_t lane, Vec3d value)
{
    v.x[lane] = value.x;
    v.y[lane] = value.y;
    v.z[lane] = value.z;
}

ALDER_LANES void kickAndDrift(WaterLanes& w, WaterStep const& step, std::size_t atom, double kick)
{
    double* const speeds[3] = {w.velocity[atom].x.data(), w.velocity[atom].y.data(), w.velocity[atom].z.data()};
    double const* const forces[3] = {w.force[atom].x.data(), w.force[atom].y.data(), w.force[atom].z.data()};
    double* const moves[3] = {w.displacement[atom].x.data(), w.displacement[atom].y.data(), w.displacement[atom].z.data()};
    for (int axis = 0; axis < 3; ++axis) {
#pragma GCC ivdep
        for (std::size_t l = 0; l < waterLanes; ++l) {
            speeds[axis][l] = physics::kicked(speeds[axis][l], w.lambda[atom][l], forces[axis][l], kick);
            moves[axis][l] = speeds[axis][l] * step.dt;
            double const size = std::fabs(forces[axis][l]);
            w.largestForce[l] = size > w.largestForce[l] ? size : w.largestForce[l];
        }
    }
}

ALDER_LANES void settleAll(WaterLanes& w, physics::WaterGeometry<double> const& geometry)
{
#pragma GCC ivdep
    for (std::size_t l = 0; l < waterLanes; ++l) {
        Vec3d const b0 = at(w.before[0], l), c0 = at(w.before[1], l);
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
        w.step[atom].x[l] = step.fractions.u(moved);
        w.step[atom].y[l] = step.fractions.v(moved);
        w.step[atom].z[l] = step.fractions.w(moved);
        double const square = norm2(moved);
        // written so that not-a-number takes the second branch, and stays there
        w.largestSquare[l] = square <= w.largestSquare[l] ? w.largestSquare[l] : (square >= 0 ? square : HUGE_VAL);
    }
}

ALDER_LANES void stepAll(WaterLanes& w, WaterStep const& step)
{
    w.largestForce.fill(0.0);
    w.largestSquare.fill(0.0);
    kickAndDrift(w, step, oxygen, step.oxygenKick);
    kickAndDrift(w, step, hydrogen1, step.hydrogenKick);
    kickAndDrift(w, step, hydrogen2, step.hydrogenKick);
    settleAll(w, step.geometry);
    for (std::size_t atom = 0; atom < 3; ++atom) addShift(w, step, atom);
}

#undef ALDER_LANES

__attribute__((flatten)) void stepBaseline(WaterLanes& w, WaterStep const& step) { stepAll(w, step); }

#if defined(__x86_64__)
__attribute__((flatten, target("avx2"))) void stepAvx2(WaterLanes& w, WaterStep const& step) { stepAll(w, step); }
__attribute__((flatten, target("avx512f,avx512dq,avx512vl,prefer-vector-width=512"))) void stepAvx512(WaterLanes& w, WaterStep const& step) { stepAll(w, step); }
#endif

} // namespace

StepWaters chooseStepWaters()
{
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl")) return stepAvx512;
    if (__builtin_cpu_supports("avx2")) return stepAvx2;
#endif
    return stepBaseline;
}

void settleLanes(WaterLanes& lanes, physics::WaterGeometry<double> const& geometry) { settleAll(lanes, geometry); }

} // namespace alder::cpu
