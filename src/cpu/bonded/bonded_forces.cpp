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
    TermKernels const& kernels;
    [[nodiscard]] Vec3d difference(std::int64_t i, std::int64_t j) const { return box.difference(positions[i], positions[j]); }
};

/// One term: its atoms within the molecule, the molecule's first atom, its parameters.
struct OneTerm {
    std::int32_t const* atoms;
    std::int64_t first;
    double const* parameters;
    [[nodiscard]] std::int64_t atom(std::size_t n) const { return first + atoms[n]; }
};

template <Kind kind> void addDistances(OneTerm const& term, Source const& source, TermSums& sums)
{
    double const* const p = term.parameters;
    std::int64_t const i = term.atom(0), j = term.atom(1);
    Vec3d const rij = source.difference(i, j);
    double const r = norm(rij);
    physics::Radial<double> const v = Law<kind>::at(r, p);
    Vec3d const force = physics::radialForce(rij, r, v.slope);
    if (!sums.addForces<1>(kind, {i}, {force}, j) || !sums.wantEnergies()) return;
    sums.addEnergy(system::infoOf(kind).term, v.energy);
    sums.addVirial(outer(rij, force));
}

template <Kind kind> void addPairs(OneTerm const& term, Source const& source, TermSums& sums)
{
    double const* const p = term.parameters;
    std::int64_t const i = term.atom(0), j = term.atom(1);
    Vec3d const rij = source.difference(i, j);
    physics::PlainPair<double> const v = physics::plainPair(norm2(rij), p[0], p[1], p[2]);
    Vec3d const force = v.forceFactor * rij;
    if (!sums.addForces<1>(kind, {i}, {force}, j) || !sums.wantEnergies()) return;
    constexpr bool plain = kind == Kind::pairNonbonded;
    sums.addEnergy(plain ? system::Term::ljSR : system::Term::lj14, v.lj);
    sums.addEnergy(plain ? system::Term::coulombSR : system::Term::coulomb14, v.coulomb);
    sums.addVirial(outer(rij, force));
}

template <Kind kind> void addAngles(OneTerm const& term, Source const& source, TermSums& sums)
{
    double const* const p = term.parameters;
    std::int64_t const i = term.atom(0), j = term.atom(1), k = term.atom(2);
    Vec3d const rij = source.difference(i, j), rkj = source.difference(k, j);
    physics::AngleTerm<double> const v = Law<kind>::at(rij, rkj, p);
    if (!sums.addForces<2>(kind, {i, k}, {v.forceI, v.forceK}, j) || !sums.wantEnergies()) return;
    sums.addEnergy(system::infoOf(kind).term, v.energy);
    sums.addVirial(outer(rij, v.forceI) + outer(rkj, v.forceK));
}

/// Four atoms, and the vectors that fix them.
struct Torsion {
    std::int64_t i, j, k, l;
    Vec3d rij, rkj, rkl;
    /// Of four of the term's atoms, from the `from`th on.
    Torsion(Source const& source, OneTerm const& term, std::size_t from)
        : i(term.atom(from)),
          j(term.atom(from + 1)),
          k(term.atom(from + 2)),
          l(term.atom(from + 3)),
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

template <Kind kind> void addDihedrals(OneTerm const& term, Source const& source, TermSums& sums)
{
    double const* const p = term.parameters;
    Torsion const torsion(source, term, 0);
    physics::DihedralTerm<double> const v = Law<kind>::at(physics::DihedralGeometry<double>(torsion.rij, torsion.rkj, torsion.rkl), p);
    if (torsion.add(kind, v, sums) && sums.wantEnergies()) sums.addEnergy(system::infoOf(kind).term, v.energy);
}

void addMaps(OneTerm const& term, Source const& source, TermSums& sums)
{
    double const* const p = term.parameters;
    bonded::CmapTable const& table = source.lists.cmaps()[static_cast<std::size_t>(p[0])];
    Torsion const phi(source, term, 0), psi(source, term, 1);
    physics::DihedralGeometry<double> const a(phi.rij, phi.rkj, phi.rkl), b(psi.rij, psi.rkj, psi.rkl);
    auto const v = physics::interpolateCmap(table.nodes.data(), table.size, a.angle(), b.angle());
    if (!phi.add(Kind::cmap, a.withSlope(v.energy, v.slopePhi), sums)) return;
    if (!psi.add(Kind::cmap, b.withSlope(v.energy, v.slopePsi), sums)) return;
    if (sums.wantEnergies()) sums.addEnergy(system::Term::cmap, v.energy);
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
void addRestraints(OneTerm const& term, Source const& source, TermSums& sums)
{
    double const* const p = term.parameters;
    Hold const hold = holdOf(source, term.atom(0));
    Vec3d const d = hold.displacement, force{-p[0] * d.x, -p[1] * d.y, -p[2] * d.z};
    addHeld(Kind::positionRestraint, term.atom(0), hold, {-0.5 * dot(force, d), force}, sums);
}

void addFlatBottoms(OneTerm const& term, Source const& source, TermSums& sums)
{
    double const* const p = term.parameters;
    Hold const hold = holdOf(source, term.atom(0));
    auto const counted = physics::countedAxes<double>(static_cast<int>(p[0]));
    addHeld(Kind::flatBottomRestraint, term.atom(0), hold, physics::flatBottom(hold.displacement, counted, p[1], p[2]), sums);
}

/// Angles between the vectors from the first atom to the second and from the third to the fourth.
void addVectorAngles(OneTerm const& term, Source const& source, TermSums& sums)
{
    constexpr Kind kind = Kind::angleRestraint;
    double const* const p = term.parameters;
    std::int64_t const i = term.atom(0), j = term.atom(1), k = term.atom(2), l = term.atom(3);
    Vec3d const ij = source.difference(j, i), kl = source.difference(l, k);
    physics::AngleTerm<double> const v = Law<kind>::at(ij, kl, p);
    if (!sums.addForces<1>(kind, {j}, {v.forceI}, i) || !sums.addForces<1>(kind, {l}, {v.forceK}, k) || !sums.wantEnergies()) return;
    sums.addEnergy(system::infoOf(kind).term, v.energy);
    sums.addVirial(outer(ij, v.forceI) + outer(kl, v.forceK));
}

/// Angles between the vector from the first atom to the second and the z axis.
void addAxisAngles(OneTerm const& term, Source const& source, TermSums& sums)
{
    constexpr Kind kind = Kind::angleRestraintZ;
    double const* const p = term.parameters;
    std::int64_t const i = term.atom(0), j = term.atom(1);
    Vec3d const ij = source.difference(j, i);
    physics::AngleTerm<double> const v = Law<kind>::at(ij, Vec3d{0, 0, 1}, p);
    if (!sums.addForces<1>(kind, {j}, {v.forceI}, i) || !sums.wantEnergies()) return;
    sums.addEnergy(system::infoOf(kind).term, v.energy);
    sums.addVirial(outer(ij, v.forceI));
}

/// Calls visit(term) for every term of a run.
template <class Visit> void forEachTerm(Run const& run, Source const& source, Visit&& visit)
{
    bonded::TermList const& list = *run.terms;
    ParameterSet const* const sets = source.lists.parametersOf(list.kind).data();
    for (std::int64_t m = 0; m < run.copies; ++m) {
        std::int64_t const first = run.firstAtom + m * run.stride;
        std::int32_t const* atoms = list.atoms.data();
        for (std::int64_t e = 0; e < list.size(); ++e, atoms += list.atomsPerTerm)
            visit(OneTerm{atoms, first, sets[list.parameters[static_cast<std::size_t>(e)]].data()});
    }
}

using AddTerm = void (*)(OneTerm const&, Source const&, TermSums&);
using AddRun = void (*)(Run const&, Source const&, TermSums&);

template <AddTerm add> void oneByOne(Run const& run, Source const& source, TermSums& sums)
{
    forEachTerm(run, source, [&](OneTerm const& term) { add(term, source, sums); });
}

/// Terms of two, three or four atoms on their way through the lanes, as many as there are.
template <std::size_t atoms, AddTerm addAlone> class Batch {
public:
    Batch(ComputeTerms compute, std::size_t parameters, Source const& source, TermSums& sums)
        : compute_(compute),
          parameters_(parameters),
          source_(source),
          sums_(sums)
    {}
    void take(OneTerm const& term)
    {
        terms_[count_++] = term;
        if (count_ == laneCount) finish();
    }
    void finish()
    {
        if (count_ == 0) return;
        for (std::size_t l = 0; l < laneCount; ++l) load(terms_[std::min(l, count_ - 1)], l); // the last fills up
        compute_(lanes_, source_.box);
        double largest = 0;
        for (double const f : lanes_.largest) largest = std::max(largest, f);
        for (std::size_t l = 0; l < count_; ++l) {
            if (largest <= largestLaneForce)
                scatter(terms_[l], l);
            else
                addAlone(terms_[l], source_, sums_);
        }
        count_ = 0;
    }

private:
    void load(OneTerm const& term, std::size_t l)
    {
        auto const difference = [&](std::size_t vector, std::size_t i, std::size_t j) {
            math::FractionVec const d = math::wrappingDifference(source_.positions[term.atom(i)], source_.positions[term.atom(j)]);
            LaneVec<std::int32_t>& to = lanes_.difference[vector];
            to.x[l] = d.x;
            to.y[l] = d.y;
            to.z[l] = d.z;
        };
        difference(0, 0, 1);
        if constexpr (atoms > 2) difference(1, 2, 1);
        if constexpr (atoms > 3) difference(2, 2, 3);
        for (std::size_t p = 0; p < parameters_; ++p) lanes_.parameters[p][l] = term.parameters[p];
    }
    void scatter(OneTerm const& term, std::size_t l)
    {
        std::array<std::int64_t, atoms - 1> to;
        std::array<math::ForceUnits, atoms - 1> units;
        for (std::size_t n = 0; n + 1 < atoms; ++n) {
            to[n] = term.atom(n == 0 ? 0 : n + 1);
            units[n] = {lanes_.force[n].x[l], lanes_.force[n].y[l], lanes_.force[n].z[l]};
        }
        sums_.addUnits(to, units, term.atom(1));
    }

    ComputeTerms compute_;
    std::size_t parameters_;
    Source const& source_;
    TermSums& sums_;
    std::array<OneTerm, laneCount> terms_{};
    std::size_t count_ = 0;
    TermLanes lanes_;
};

/// Forces alone in lanes; where energies are wanted too, every nstcalcenergy steps, terms go one by one to the same forces.
template <std::size_t atoms, std::size_t parameters, AddTerm add> void sideBySide(Run const& run, Source const& source, TermSums& sums)
{
    ComputeTerms const compute = sums.wantEnergies() ? nullptr : source.kernels.of(run.terms->kind);
    if (compute == nullptr) return oneByOne<add>(run, source, sums);
    Batch<atoms, add> batch(compute, parameters, source, sums);
    forEachTerm(run, source, [&](OneTerm const& term) { batch.take(term); });
    batch.finish();
}

/// Dihedrals of a multiplicity beyond what the lanes turn go one by one.
template <Kind kind> void addPeriodicDihedrals(Run const& run, Source const& source, TermSums& sums)
{
    bool fits = true;
    for (std::int32_t const set : run.terms->parameters)
        fits = fits && std::fabs(source.lists.parametersOf(kind)[static_cast<std::size_t>(set)][3]) <= mostTurns;
    if (fits)
        sideBySide<4, 4, addDihedrals<kind>>(run, source, sums);
    else
        oneByOne<addDihedrals<kind>>(run, source, sums);
}

AddRun scheduleOf(Kind kind)
{
    switch (kind) {
    case Kind::bond: return sideBySide<2, 2, addDistances<Kind::bond>>;
    case Kind::g96Bond: return oneByOne<addDistances<Kind::g96Bond>>;
    case Kind::morse: return oneByOne<addDistances<Kind::morse>>;
    case Kind::cubicBond: return oneByOne<addDistances<Kind::cubicBond>>;
    case Kind::harmonic: return sideBySide<2, 2, addDistances<Kind::harmonic>>;
    case Kind::fene: return oneByOne<addDistances<Kind::fene>>;
    case Kind::restraintBond: return oneByOne<addDistances<Kind::restraintBond>>;
    case Kind::pair14: return sideBySide<2, 3, addPairs<Kind::pair14>>;
    case Kind::pair14Charges: return sideBySide<2, 3, addPairs<Kind::pair14Charges>>;
    case Kind::pairNonbonded: return sideBySide<2, 3, addPairs<Kind::pairNonbonded>>;
    case Kind::angle: return sideBySide<3, 2, addAngles<Kind::angle>>;
    case Kind::g96Angle: return oneByOne<addAngles<Kind::g96Angle>>;
    case Kind::crossBondBond: return oneByOne<addAngles<Kind::crossBondBond>>;
    case Kind::crossBondAngle: return oneByOne<addAngles<Kind::crossBondAngle>>;
    case Kind::ureyBradley: return sideBySide<3, 4, addAngles<Kind::ureyBradley>>;
    case Kind::quarticAngle: return oneByOne<addAngles<Kind::quarticAngle>>;
    case Kind::restrictedAngle: return oneByOne<addAngles<Kind::restrictedAngle>>;
    case Kind::properDihedral: return addPeriodicDihedrals<Kind::properDihedral>;
    case Kind::periodicImproper: return addPeriodicDihedrals<Kind::periodicImproper>;
    case Kind::improperDihedral: return oneByOne<addDihedrals<Kind::improperDihedral>>;
    case Kind::ryckaertBellemans: return sideBySide<4, 6, addDihedrals<Kind::ryckaertBellemans>>;
    case Kind::fourierDihedral: return sideBySide<4, 6, addDihedrals<Kind::fourierDihedral>>;
    case Kind::restrictedDihedral: return oneByOne<addDihedrals<Kind::restrictedDihedral>>;
    case Kind::combinedBendingTorsion: return oneByOne<addDihedrals<Kind::combinedBendingTorsion>>;
    case Kind::cmap: return oneByOne<addMaps>;
    case Kind::positionRestraint: return oneByOne<addRestraints>;
    case Kind::flatBottomRestraint: return oneByOne<addFlatBottoms>;
    case Kind::dihedralRestraint: return oneByOne<addDihedrals<Kind::dihedralRestraint>>;
    case Kind::angleRestraint: return oneByOne<addVectorAngles>;
    case Kind::angleRestraintZ: return oneByOne<addAxisAngles>;
    default: throw std::logic_error(fmt::format("no schedule for {}", system::infoOf(kind).name));
    }
}

std::string describe(FailedTerm const& failed, Source const& source, system::Topology const& topology)
{
    std::string atoms;
    for (std::int64_t const atom : failed.atoms)
        if (atom >= 0) atoms += fmt::format("{}{}", atoms.empty() ? "" : ", ", topology.numberOf(atom) + 1);
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
    : topology_(topology),
      kernels_(termKernelVersions().back()),
      lists_(topology, plan.pairs.electricFactor, kinds)
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
    Source const source{positions.data(), box, lists_, kernels_};
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
    if (failed.any()) throw base::RunFailed(describe(failed, source, topology_));
}

} // namespace alder::cpu
