#include "cpu/bonded/term_lanes.hpp"

#include "bonded/laws.hpp"
#include "math/fixed_sum.hpp"

#include <cmath>

namespace alder::cpu {

namespace {

using bonded::Law;
using math::Vec3d;
using system::Kind;

// Plain loops over lanes: see cpu/update/water_step.cpp.
#define ALDER_LANES __attribute__((always_inline)) inline

ALDER_LANES math::FractionVec at(LaneVec<std::int32_t> const& v, std::size_t lane) { return {v.x[lane], v.y[lane], v.z[lane]}; }

/// std::llrint for |units| < 2^51, as two additions: the integer stands in the low bits of the sum.
ALDER_LANES std::int64_t rounded(double force)
{
    double const shifted = force * math::forceScale + 6755399441055744.0;
    std::int64_t bits;
    __builtin_memcpy(&bits, &shifted, sizeof bits);
    return bits - 0x4338000000000000ll;
}
ALDER_LANES void put(LaneVec<std::int64_t>& v, std::size_t lane, Vec3d force)
{
    v.x[lane] = rounded(force.x);
    v.y[lane] = rounded(force.y);
    v.z[lane] = rounded(force.z);
}

ALDER_LANES double greater(double a, double b) { return a > b ? a : b; }
/// Not-a-number counts as infinite: a comparison would lose it.
ALDER_LANES double magnitude(Vec3d f)
{
    double const largest = greater(greater(std::fabs(f.x), std::fabs(f.y)), std::fabs(f.z));
    double const sum = f.x + f.y + f.z;
    return sum == sum ? largest : HUGE_VAL;
}

ALDER_LANES void bondAll(TermLanes& t, physics::Box const& box)
{
#pragma GCC ivdep
    for (std::size_t l = 0; l < laneCount; ++l) {
        Vec3d const rij = box.displacement(at(t.difference[0], l));
        std::array<double, 2> const p{t.parameters[0][l], t.parameters[1][l]};
        double const r = norm(rij);
        Vec3d const force = physics::radialForce(rij, r, Law<Kind::bond>::at(r, p.data()).slope);
        put(t.force[0], l, force);
        t.largest[l] = magnitude(force);
    }
}

ALDER_LANES void pairAll(TermLanes& t, physics::Box const& box)
{
#pragma GCC ivdep
    for (std::size_t l = 0; l < laneCount; ++l) {
        Vec3d const rij = box.displacement(at(t.difference[0], l));
        Vec3d const force = physics::plainPair(norm2(rij), t.parameters[0][l], t.parameters[1][l], t.parameters[2][l]).forceFactor * rij;
        put(t.force[0], l, force);
        t.largest[l] = magnitude(force);
    }
}

template <Kind kind, std::size_t parameters> ALDER_LANES void angleAll(TermLanes& t, physics::Box const& box)
{
#pragma GCC ivdep
    for (std::size_t l = 0; l < laneCount; ++l) {
        Vec3d const rij = box.displacement(at(t.difference[0], l)), rkj = box.displacement(at(t.difference[1], l));
        std::array<double, parameters> p{};
        ALDER_UNROLL
        for (std::size_t k = 0; k < parameters; ++k) p[k] = t.parameters[k][l];
        physics::AngleTerm<double> const v = Law<kind>::at(rij, rkj, p.data());
        put(t.force[0], l, v.forceI);
        put(t.force[1], l, v.forceK);
        t.largest[l] = greater(magnitude(v.forceI), magnitude(v.forceK));
    }
}

ALDER_LANES void putDihedral(TermLanes& t, std::size_t l, physics::DihedralTerm<double> const& v)
{
    put(t.force[0], l, v.forceI);
    put(t.force[1], l, v.forceK);
    put(t.force[2], l, v.forceL);
    t.largest[l] = greater(greater(magnitude(v.forceI), magnitude(v.forceK)), magnitude(v.forceL));
}

ALDER_LANES physics::DihedralGeometry<double> geometryOf(TermLanes const& t, std::size_t l, physics::Box const& box)
{
    return {box.displacement(at(t.difference[0], l)), box.displacement(at(t.difference[1], l)), box.displacement(at(t.difference[2], l))};
}

ALDER_LANES void periodicDihedralAll(TermLanes& t, physics::Box const& box)
{
#pragma GCC ivdep
    for (std::size_t l = 0; l < laneCount; ++l) {
        physics::PeriodicDihedral<double> const p{t.parameters[0][l], t.parameters[1][l], t.parameters[2][l],
                                                  static_cast<int>(t.parameters[3][l])};
        putDihedral(t, l, physics::periodicDihedral<mostTurns>(geometryOf(t, l, box), p));
    }
}

ALDER_LANES void cosineSeriesAll(TermLanes& t, physics::Box const& box)
{
#pragma GCC ivdep
    for (std::size_t l = 0; l < laneCount; ++l) {
        std::array<double, 6> const p{t.parameters[0][l], t.parameters[1][l], t.parameters[2][l],
                                      t.parameters[3][l], t.parameters[4][l], t.parameters[5][l]};
        putDihedral(t, l, Law<Kind::ryckaertBellemans>::at(geometryOf(t, l, box), p.data()));
    }
}

// Flattened: what the loops call is inlined to the bottom, for each version's instruction set.
#define ALDER_TERM_KERNELS(attributes)                                                                                                     \
    __attribute__((attributes)) void bond(TermLanes& t, physics::Box const& box) { bondAll(t, box); }                                      \
    __attribute__((attributes)) void pair(TermLanes& t, physics::Box const& box) { pairAll(t, box); }                                      \
    __attribute__((attributes)) void angle(TermLanes& t, physics::Box const& box) { angleAll<Kind::angle, 2>(t, box); }                    \
    __attribute__((attributes)) void ureyBradley(TermLanes& t, physics::Box const& box) { angleAll<Kind::ureyBradley, 4>(t, box); }        \
    __attribute__((attributes)) void periodicDihedral(TermLanes& t, physics::Box const& box) { periodicDihedralAll(t, box); }              \
    __attribute__((attributes)) void cosineSeries(TermLanes& t, physics::Box const& box) { cosineSeriesAll(t, box); }                      \
    constexpr TermKernels kernels{bond, pair, angle, ureyBradley, periodicDihedral, cosineSeries};

#define ALDER_COMMA ,
namespace baseline {
ALDER_TERM_KERNELS(flatten)
}
#if defined(__x86_64__)
namespace avx2 {
ALDER_TERM_KERNELS(flatten ALDER_COMMA target("avx2"))
}
namespace avx512 {
ALDER_TERM_KERNELS(flatten ALDER_COMMA target("avx512f,avx512dq,avx512vl,prefer-vector-width=512"))
}
#endif

#undef ALDER_COMMA
#undef ALDER_TERM_KERNELS
#undef ALDER_LANES

} // namespace

ComputeTerms TermKernels::of(Kind kind) const
{
    switch (kind) {
    case Kind::bond:
    case Kind::harmonic: return bond;
    case Kind::pair14:
    case Kind::pair14Charges:
    case Kind::pairNonbonded: return pair;
    case Kind::angle: return angle;
    case Kind::ureyBradley: return ureyBradley;
    case Kind::properDihedral:
    case Kind::periodicImproper: return periodicDihedral;
    case Kind::ryckaertBellemans:
    case Kind::fourierDihedral: return cosineSeries;
    default: return nullptr;
    }
}

std::vector<TermKernels> termKernelVersions()
{
    std::vector<TermKernels> versions{baseline::kernels};
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx2")) versions.push_back(avx2::kernels);
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl"))
        versions.push_back(avx512::kernels);
#endif
    return versions;
}

} // namespace alder::cpu
