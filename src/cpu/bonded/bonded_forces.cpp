#include "cpu/bonded/bonded_forces.hpp"

#include "base/error.hpp"
#include "bonded/laws.hpp"
#include "cpu/bonded/term_sums.hpp"
#include "physics/flat_bottom.hpp"

#include <fmt/format.h>

#include <string>

namespace alder::cpu {

using bonded::Law;
using bonded::Run;
using math::Vec3d;
using system::Kind;
using system::ParameterSet;

namespace {

/// What every term reads.
struct Source {
    math::FractionVec const* positions;
    physics::Box const& box;
    bonded::BondedLists const& lists;
    [[nodiscard]] Vec3d difference(std::int64_t i, std::int64_t j) const { return box.difference(positions[i], positions[j]); }
};

/// Calls visit(atoms of the molecule's term, first atom of the molecule, its parameters) for every term of a run.
template <class Visit> void forEachTerm(Run const& run, Source const& source, Visit&& visit)
{
    bonded::TermList const& list = *run.terms;
    ParameterSet const* const sets = source.lists.parametersOf(list.kind).data();
    for (std::int64_t m = 0; m < run.copies; ++m) {
        std::int64_t const first = run.firstAtom + m * run.stride;
        std::int32_t const* atoms = list.atoms.data();
        for (std::int64_t e = 0; e < list.size(); ++e, atoms += list.atomsPerTerm)
            visit(atoms, first, sets[list.parameters[static_cast<std::size_t>(e)]].data());
    }
}

template <Kind kind> void addDistances(Run const& run, Source const& source, TermSums& sums)
{
    forEachTerm(run, source, [&](std::int32_t const* atoms, std::int64_t first, double const* p) {
        std::int64_t const i = first + atoms[0], j = first + atoms[1];
        Vec3d const rij = source.difference(i, j);
        double const r = norm(rij);
        physics::Radial<double> const v = Law<kind>::at(r, p);
        Vec3d const force = physics::radialForce(rij, r, v.slope);
        if (!sums.addForces<1>(kind, {i}, {force}, j) || !sums.wantEnergies()) return;
        sums.addEnergy(system::infoOf(kind).term, v.energy);
        sums.addVirial(outer(rij, force));
    });
}

template <Kind kind> void addPairs(Run const& run, Source const& source, TermSums& sums)
{
    forEachTerm(run, source, [&](std::int32_t const* atoms, std::int64_t first, double const* p) {
        std::int64_t const i = first + atoms[0], j = first + atoms[1];
        Vec3d const rij = source.difference(i, j);
        physics::PlainPair<double> const v = physics::plainPair(norm2(rij), p[0], p[1], p[2]);
        Vec3d const force = v.forceFactor * rij;
        if (!sums.addForces<1>(kind, {i}, {force}, j) || !sums.wantEnergies()) return;
        constexpr bool plain = kind == Kind::pairNonbonded;
        sums.addEnergy(plain ? system::Term::ljSR : system::Term::lj14, v.lj);
        sums.addEnergy(plain ? system::Term::coulombSR : system::Term::coulomb14, v.coulomb);
        sums.addVirial(outer(rij, force));
    });
}

template <Kind kind> void addAngles(Run const& run, Source const& source, TermSums& sums)
{
    forEachTerm(run, source, [&](std::int32_t const* atoms, std::int64_t first, double const* p) {
        std::int64_t const i = first + atoms[0], j = first + atoms[1], k = first + atoms[2];
        Vec3d const rij = source.difference(i, j), rkj = source.difference(k, j);
        physics::AngleTerm<double> const v = Law<kind>::at(rij, rkj, p);
        if (!sums.addForces<2>(kind, {i, k}, {v.forceI, v.forceK}, j) || !sums.wantEnergies()) return;
        sums.addEnergy(system::infoOf(kind).term, v.energy);
        sums.addVirial(outer(rij, v.forceI) + outer(rkj, v.forceK));
    });
}

/// Four atoms, and the vectors that fix them.
struct Torsion {
    std::int64_t i, j, k, l;
    Vec3d rij, rkj, rkl;
    Torsion(Source const& source, std::int32_t const* atoms, std::int64_t first)
        : i(first + atoms[0]),
          j(first + atoms[1]),
          k(first + atoms[2]),
          l(first + atoms[3]),
          rij(source.difference(i, j)),
          rkj(source.difference(k, j)),
          rkl(source.difference(k, l))
    {}
    bool add(Kind kind, physics::DihedralTerm<double> const& v, TermSums& sums) const
    {
        if (!sums.addForces<3>(kind, {i, k, l}, {v.forceI, v.forceK, v.forceL}, j)) return false;
        if (sums.wantEnergies()) sums.addVirial(outer(rij, v.forceI) + outer(rkj, v.forceK) + outer(rkj - rkl, v.forceL));
        return true;
    }
};

template <Kind kind> void addDihedrals(Run const& run, Source const& source, TermSums& sums)
{
    forEachTerm(run, source, [&](std::int32_t const* atoms, std::int64_t first, double const* p) {
        Torsion const torsion(source, atoms, first);
        physics::DihedralTerm<double> const v = Law<kind>::at(physics::DihedralGeometry<double>(torsion.rij, torsion.rkj, torsion.rkl), p);
        if (torsion.add(kind, v, sums) && sums.wantEnergies()) sums.addEnergy(system::infoOf(kind).term, v.energy);
    });
}

void addMaps(Run const& run, Source const& source, TermSums& sums)
{
    forEachTerm(run, source, [&](std::int32_t const* atoms, std::int64_t first, double const* p) {
        bonded::CmapTable const& table = source.lists.cmaps()[static_cast<std::size_t>(p[0])];
        Torsion const phi(source, atoms, first), psi(source, atoms + 1, first);
        physics::DihedralGeometry<double> const a(phi.rij, phi.rkj, phi.rkl), b(psi.rij, psi.rkj, psi.rkl);
        auto const v = physics::interpolateCmap(table.nodes.data(), table.size, a.angle(), b.angle());
        if (!phi.add(Kind::cmap, a.withSlope(v.energy, v.slopePhi), sums)) return;
        if (!psi.add(Kind::cmap, b.withSlope(v.energy, v.slopePsi), sums)) return;
        if (sums.wantEnergies()) sums.addEnergy(system::Term::cmap, v.energy);
    });
}

/// Where an atom is held: the part of its reference that stays where it is when the box changes, and the displacement from the whole.
struct Hold {
    Vec3d fixed, displacement;
};
Hold holdOf(Source const& source, std::int64_t atom)
{
    auto const at = static_cast<std::size_t>(atom);
    std::array<double, 3> const& r = source.lists.references()[at];
    Vec3d const fixed{r[0], r[1], r[2]};
    Vec3d whole = fixed;
    if (!source.lists.referenceFractions().empty()) {
        std::array<double, 3> const& f = source.lists.referenceFractions()[at];
        whole += f[0] * source.box.a() + f[1] * source.box.b() + f[2] * source.box.c();
    }
    return {fixed, source.box.difference(source.positions[atom], source.box.toFraction(whole))};
}

/// The fixed part of a reference does not follow the box, so its place, not only the displacement, enters the virial: the diagonal of
/// -1/2 sum (R_fixed + d) F, for the image of the atom nearest to its reference.
void addHeld(Kind kind, std::int64_t atom, Hold const& hold, physics::PlaceTerm<double> const& v, TermSums& sums)
{
    if (!sums.addForce(kind, atom, v.force) || !sums.wantEnergies()) return;
    sums.addEnergy(system::infoOf(kind).term, v.energy);
    Vec3d const r = hold.fixed + hold.displacement;
    sums.addVirial({{r.x * v.force.x, 0, 0}, {0, r.y * v.force.y, 0}, {0, 0, r.z * v.force.z}});
}

/// V = 1/2 sum_d k_d (r_d - R_d)^2.
void addRestraints(Run const& run, Source const& source, TermSums& sums)
{
    forEachTerm(run, source, [&](std::int32_t const* atoms, std::int64_t first, double const* p) {
        Hold const hold = holdOf(source, first + atoms[0]);
        Vec3d const d = hold.displacement, force{-p[0] * d.x, -p[1] * d.y, -p[2] * d.z};
        addHeld(Kind::positionRestraint, first + atoms[0], hold, {-0.5 * dot(force, d), force}, sums);
    });
}

void addFlatBottoms(Run const& run, Source const& source, TermSums& sums)
{
    forEachTerm(run, source, [&](std::int32_t const* atoms, std::int64_t first, double const* p) {
        Hold const hold = holdOf(source, first + atoms[0]);
        auto const counted = physics::countedAxes<double>(static_cast<int>(p[0]));
        addHeld(Kind::flatBottomRestraint, first + atoms[0], hold, physics::flatBottom(hold.displacement, counted, p[1], p[2]), sums);
    });
}

/// Angles between the vectors from the first atom to the second and from the third to the fourth.
void addVectorAngles(Run const& run, Source const& source, TermSums& sums)
{
    constexpr Kind kind = Kind::angleRestraint;
    forEachTerm(run, source, [&](std::int32_t const* atoms, std::int64_t first, double const* p) {
        std::int64_t const i = first + atoms[0], j = first + atoms[1], k = first + atoms[2], l = first + atoms[3];
        Vec3d const ij = source.difference(j, i), kl = source.difference(l, k);
        physics::AngleTerm<double> const v = Law<kind>::at(ij, kl, p);
        if (!sums.addForces<1>(kind, {j}, {v.forceI}, i) || !sums.addForces<1>(kind, {l}, {v.forceK}, k) || !sums.wantEnergies()) return;
        sums.addEnergy(system::infoOf(kind).term, v.energy);
        sums.addVirial(outer(ij, v.forceI) + outer(kl, v.forceK));
    });
}

/// Angles between the vector from the first atom to the second and the z axis.
void addAxisAngles(Run const& run, Source const& source, TermSums& sums)
{
    constexpr Kind kind = Kind::angleRestraintZ;
    forEachTerm(run, source, [&](std::int32_t const* atoms, std::int64_t first, double const* p) {
        std::int64_t const i = first + atoms[0], j = first + atoms[1];
        Vec3d const ij = source.difference(j, i);
        physics::AngleTerm<double> const v = Law<kind>::at(ij, Vec3d{0, 0, 1}, p);
        if (!sums.addForces<1>(kind, {j}, {v.forceI}, i) || !sums.wantEnergies()) return;
        sums.addEnergy(system::infoOf(kind).term, v.energy);
        sums.addVirial(outer(ij, v.forceI));
    });
}

using AddRun = void (*)(Run const&, Source const&, TermSums&);

AddRun scheduleOf(Kind kind)
{
    switch (kind) {
    case Kind::bond: return addDistances<Kind::bond>;
    case Kind::g96Bond: return addDistances<Kind::g96Bond>;
    case Kind::morse: return addDistances<Kind::morse>;
    case Kind::cubicBond: return addDistances<Kind::cubicBond>;
    case Kind::harmonic: return addDistances<Kind::harmonic>;
    case Kind::fene: return addDistances<Kind::fene>;
    case Kind::restraintBond: return addDistances<Kind::restraintBond>;
    case Kind::pair14: return addPairs<Kind::pair14>;
    case Kind::pair14Charges: return addPairs<Kind::pair14Charges>;
    case Kind::pairNonbonded: return addPairs<Kind::pairNonbonded>;
    case Kind::angle: return addAngles<Kind::angle>;
    case Kind::g96Angle: return addAngles<Kind::g96Angle>;
    case Kind::crossBondBond: return addAngles<Kind::crossBondBond>;
    case Kind::crossBondAngle: return addAngles<Kind::crossBondAngle>;
    case Kind::ureyBradley: return addAngles<Kind::ureyBradley>;
    case Kind::quarticAngle: return addAngles<Kind::quarticAngle>;
    case Kind::restrictedAngle: return addAngles<Kind::restrictedAngle>;
    case Kind::properDihedral: return addDihedrals<Kind::properDihedral>;
    case Kind::periodicImproper: return addDihedrals<Kind::periodicImproper>;
    case Kind::improperDihedral: return addDihedrals<Kind::improperDihedral>;
    case Kind::ryckaertBellemans: return addDihedrals<Kind::ryckaertBellemans>;
    case Kind::fourierDihedral: return addDihedrals<Kind::fourierDihedral>;
    case Kind::restrictedDihedral: return addDihedrals<Kind::restrictedDihedral>;
    case Kind::combinedBendingTorsion: return addDihedrals<Kind::combinedBendingTorsion>;
    case Kind::cmap: return addMaps;
    case Kind::positionRestraint: return addRestraints;
    case Kind::flatBottomRestraint: return addFlatBottoms;
    case Kind::dihedralRestraint: return addDihedrals<Kind::dihedralRestraint>;
    case Kind::angleRestraint: return addVectorAngles;
    case Kind::angleRestraintZ: return addAxisAngles;
    default: throw std::logic_error(fmt::format("no schedule for {}", system::infoOf(kind).name));
    }
}

std::string describe(FailedTerm const& failed, Source const& source)
{
    std::string atoms;
    for (std::int64_t const atom : failed.atoms)
        if (atom >= 0) atoms += fmt::format("{}{}", atoms.empty() ? "" : ", ", atom + 1);
    std::string where;
    if (failed.atoms[1] >= 0 && failed.atoms[2] < 0)
        where = fmt::format(", {:.6g} nm apart,", norm(source.difference(failed.atoms[0], failed.atoms[1])));
    return fmt::format("{} of atoms {}{} has a force beyond all bounds: they overlap, or the potential has no value there",
                       system::infoOf(failed.kind).name, atoms, where);
}

} // namespace

struct BondedForces::Worker {
    bonded::Share share;
    std::vector<AddRun> schedules; ///< one per run of the share
    std::vector<math::ForceUnits> forces;
    system::ForceSums sums;
    TermSums terms;
};

BondedForces::BondedForces(system::Topology const& topology, plan::RunPlan const& plan, int threads, bonded::KindSet const& kinds)
    : lists_(topology, plan.pairs.electricFactor, kinds)
{
    for (bonded::Share& share : lists_.share(threads)) {
        Worker worker;
        for (Run const& run : share.runs) worker.schedules.push_back(scheduleOf(run.terms->kind));
        if (threads > 1) worker.forces.resize(static_cast<std::size_t>(std::max<std::int64_t>(0, share.atomEnd - share.atomBegin)));
        worker.share = std::move(share);
        workers_.push_back(std::move(worker));
    }
}

BondedForces::~BondedForces() = default;

void BondedForces::add(std::vector<math::FractionVec> const& positions, physics::Box const& box, std::vector<math::ForceUnits>& forces,
                       system::ForceSums* sums)
{
    if (empty()) return;
    Source const source{positions.data(), box, lists_};
    int const threads = static_cast<int>(workers_.size());
#pragma omp parallel num_threads(threads)
    {
#pragma omp for schedule(static, 1)
        for (int w = 0; w < threads; ++w) {
            Worker& worker = workers_[static_cast<std::size_t>(w)];
            bonded::Share const& share = worker.share;
            std::fill(worker.forces.begin(), worker.forces.end(), math::ForceUnits{});
            if (sums) worker.sums = {};
            bool const alone = threads == 1;
            worker.terms.start(alone ? forces.data() : worker.forces.data(), alone ? 0 : share.atomBegin, sums ? &worker.sums : nullptr);
            for (std::size_t r = 0; r < share.runs.size(); ++r) worker.schedules[r](share.runs[r], source, worker.terms);
        }
        if (threads > 1) {
#pragma omp for schedule(static, 1)
            for (int w = 0; w < threads; ++w) {
                bonded::Share const& own = workers_[static_cast<std::size_t>(w)].share;
                for (Worker const& from : workers_) {
                    std::int64_t const begin = std::max(own.ownBegin, from.share.atomBegin);
                    std::int64_t const end = std::min(own.ownEnd, from.share.atomEnd);
                    for (std::int64_t a = begin; a < end; ++a)
                        forces[static_cast<std::size_t>(a)] += from.forces[static_cast<std::size_t>(a - from.share.atomBegin)];
                }
            }
        }
    }
    FailedTerm failed;
    for (Worker const& worker : workers_) {
        if (worker.terms.failed().any() && (!failed.any() || worker.terms.failed() < failed)) failed = worker.terms.failed();
        if (sums) sums->add(worker.sums);
    }
    if (failed.any()) throw base::RunFailed(describe(failed, source));
}

} // namespace alder::cpu
