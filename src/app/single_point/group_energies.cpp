#include "app/single_point/group_energies.hpp"

#include "bonded/prepared_parameters.hpp"
#include "physics/dispersion_ewald.hpp"
#include "physics/ewald.hpp"
#include "physics/pair14.hpp"
#include "plan/long_range/dispersion_grids.hpp"

#include <algorithm>
#include <map>

namespace alder::app {

namespace {

using system::Kind;
using system::Term;

/// Energies of two groups with each other, or of one with itself.
struct Shared {
    math::FixedSum ljSR, coulombSR, lj14, coulomb14;
};

/// The groups that still interact.
struct Kept {
    std::size_t first, second;
    [[nodiscard]] bool holds(int group) const
    {
        return static_cast<std::size_t>(group) == first || static_cast<std::size_t>(group) == second;
    }
};

/// The same atoms, those of other groups without charge and of a type that interacts with nothing. Molecules of one type that are cut
/// differently become types of their own.
system::Topology masked(GroupedPairs const& pairs, Kept kept)
{
    system::Topology const& whole = pairs.topology;
    system::Topology out;
    out.nonbonded = whole.nonbonded;
    auto const n = static_cast<std::size_t>(whole.nonbonded.typeCount), more = n + 1;
    out.nonbonded.typeCount = static_cast<int>(more);
    out.nonbonded.typeNames.emplace_back("none");
    out.nonbonded.c6.assign(more * more, 0);
    out.nonbonded.c12.assign(more * more, 0);
    for (std::size_t a = 0; a < n; ++a)
        for (std::size_t b = 0; b < n; ++b) {
            out.nonbonded.c6[a * more + b] = whole.nonbonded.c6[a * n + b];
            out.nonbonded.c12[a * more + b] = whole.nonbonded.c12[a * n + b];
        }
    out.atomCount = whole.atomCount;
    out.moleculeCount = whole.moleculeCount;

    std::map<std::pair<std::int32_t, std::vector<bool>>, std::int32_t> known;
    for (system::MoleculeBlock const& block : whole.blocks) {
        system::MoleculeType const& type = whole.types[static_cast<std::size_t>(block.type)];
        auto const size = static_cast<std::int64_t>(type.atoms.size());
        for (std::int64_t m = 0; m < block.count; ++m) {
            std::int64_t const first = block.firstAtom + m * size;
            std::vector<bool> silent;
            for (std::int64_t i = 0; i < size; ++i) silent.push_back(!kept.holds(pairs.groups.of(first + i)));
            auto const [at, added] = known.try_emplace({block.type, silent}, static_cast<std::int32_t>(out.types.size()));
            if (added) {
                system::MoleculeType cut = type;
                for (std::size_t i = 0; i < cut.atoms.size(); ++i) {
                    if (!silent[i]) continue;
                    cut.atoms[i].charge = 0;
                    cut.atoms[i].type = static_cast<int>(n);
                }
                out.types.push_back(std::move(cut));
            }
            if (m > 0 && out.blocks.back().type == at->second)
                ++out.blocks.back().count;
            else
                out.blocks.push_back({at->second, 1, first, block.firstMolecule + m});
        }
    }
    return out;
}

Shared passOver(GroupedPairs const& pairs, Kept kept, cpu::CpuChoice choice)
{
    system::Topology const topology = masked(pairs, kept);
    cpu::PairForces forces(topology, pairs.plan.pairs, choice.simd, choice.threads);
    forces.buildList(pairs.positions, pairs.box);
    forces.prune(pairs.positions);
    system::ForceSums sums;
    forces.addEnergies(pairs.positions, sums, nullptr);
    return {sums.of(Term::ljSR), sums.of(Term::coulombSR), {}, {}};
}

/// Pairs of the topology: 1-4, and those of [ pairs_nb ], which count as short-ranged.
template <class Visit> void forEachListedPair(GroupedPairs const& pairs, Kind kind, Visit&& visit)
{
    double const factor = pairs.plan.pairs.electricFactor * (kind == Kind::pair14 ? pairs.topology.nonbonded.fudgeQQ : 1.0);
    system::forEachMolecule(pairs.topology, [&](system::MoleculeType const& type, std::int64_t first) {
        system::InteractionList const& list = type.of(kind);
        for (std::size_t e = 0; e < list.size(); ++e) {
            auto const a = static_cast<std::size_t>(list.atoms[2 * e]), b = static_cast<std::size_t>(list.atoms[2 * e + 1]);
            std::int64_t const i = first + list.atoms[2 * e], j = first + list.atoms[2 * e + 1];
            system::ParameterSet const p =
                bonded::preparePair(kind, pairs.topology.parametersOf(kind)[static_cast<std::size_t>(list.parameters[e])], factor,
                                    type.atoms[a].charge * type.atoms[b].charge);
            math::Vec3d const d = pairs.box.difference(pairs.bondedPositions[static_cast<std::size_t>(i)],
                                                       pairs.bondedPositions[static_cast<std::size_t>(j)]);
            visit(i, j, physics::plainPair(norm2(d), p[0], p[1], p[2]));
        }
    });
}

/// The energies of every two groups, row by row: with themselves, then with those after them.
class Table {
public:
    explicit Table(std::size_t groups) : groups_(groups), shared_(groups * groups) {}
    Shared& at(std::size_t a, std::size_t b) { return shared_[std::min(a, b) * groups_ + std::max(a, b)]; }

private:
    std::size_t groups_;
    std::vector<Shared> shared_;
};

void addListedPairs(GroupedPairs const& pairs, Table& table)
{
    for (Kind const kind : {Kind::pair14, Kind::pair14Charges, Kind::pairNonbonded})
        forEachListedPair(pairs, kind, [&](std::int64_t i, std::int64_t j, physics::PlainPair<double> const& v) {
            Shared& shared = table.at(static_cast<std::size_t>(pairs.groups.of(i)), static_cast<std::size_t>(pairs.groups.of(j)));
            bool const shortRanged = kind == Kind::pairNonbonded;
            (shortRanged ? shared.ljSR : shared.lj14).add(v.lj);
            (shortRanged ? shared.coulombSR : shared.coulomb14).add(v.coulomb);
        });
}

/// What each atom has with itself on the grids, which belongs to its group.
void addSelfEnergies(GroupedPairs const& pairs, Table& table)
{
    std::vector<double> squares(pairs.groups.count()), c6(pairs.groups.count());
    plan::RunPlan const& plan = pairs.plan;
    system::forEachAtom(pairs.topology, [&](system::Atom const& atom, std::int64_t i) {
        auto const group = static_cast<std::size_t>(pairs.groups.of(i)), type = static_cast<std::size_t>(atom.type);
        squares[group] += atom.charge * atom.charge;
        if (!plan.dispersionGrids.empty()) c6[group] += plan::gridC6(pairs.topology.nonbonded, plan.pairs.gridCombination, type, type);
    });
    for (std::size_t g = 0; g < squares.size(); ++g) {
        if (plan.pme.active)
            table.at(g, g).coulombSR.addWhole(physics::ewaldSelfEnergy(squares[g], plan.pme.beta, plan.pme.electricFactor));
        if (!plan.dispersionGrids.empty()) table.at(g, g).ljSR.addWhole(physics::dispersionSelfEnergy(c6[g], plan.pairs.ljBeta));
    }
}

} // namespace

std::vector<std::pair<std::string, double>> groupEnergies(GroupedPairs const& pairs, cpu::CpuChoice choice)
{
    std::size_t const count = pairs.groups.count();
    std::vector<std::pair<std::string, double>> named;
    if (count < 2) return named;
    std::vector<Shared> alone;
    for (std::size_t g = 0; g < count; ++g) alone.push_back(passOver(pairs, {g, g}, choice));
    Table listed(count);
    addListedPairs(pairs, listed);
    addSelfEnergies(pairs, listed);
    bool const has14 = pairs.topology.uses(Kind::pair14) || pairs.topology.uses(Kind::pair14Charges);
    for (std::size_t a = 0; a < count; ++a)
        for (std::size_t b = a; b < count; ++b) {
            Shared const both = a == b ? alone[a] : passOver(pairs, {a, b}, choice);
            Shared const& list = listed.at(a, b);
            auto const between = [&](math::FixedSum Shared::*term) {
                double const own = a == b ? 0 : (alone[a].*term).value() + (alone[b].*term).value();
                return (both.*term).value() - own + (list.*term).value();
            };
            std::string const name = pairs.groups.names[a] + "-" + pairs.groups.names[b];
            named.emplace_back("Coul-SR:" + name, between(&Shared::coulombSR));
            named.emplace_back("LJ-SR:" + name, between(&Shared::ljSR));
            if (!has14) continue;
            named.emplace_back("Coul-14:" + name, list.coulomb14.value());
            named.emplace_back("LJ-14:" + name, list.lj14.value());
        }
    return named;
}

} // namespace alder::app
