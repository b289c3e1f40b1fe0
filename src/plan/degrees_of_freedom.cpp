#include "plan/degrees_of_freedom.hpp"

#include <algorithm>
#include <cctype>
#include <cstdint>

namespace alder::plan {

namespace {

using system::Kind;

/// Counts of one molecule, in halves of a degree of freedom.
std::vector<int> halvesOf(system::MoleculeType const& type, Constraints constraints)
{
    std::vector<int> halves;
    for (system::Atom const& atom : type.atoms) halves.push_back(atom.particle == 'A' ? 6 : 0);

    // Each constraint takes two halves in all; an atom with none left leaves both to the other.
    auto const take = [&](std::int32_t i, std::int32_t j) {
        auto const a = static_cast<std::size_t>(i), b = static_cast<std::size_t>(j);
        if (type.atoms[a].particle != 'A' || type.atoms[b].particle != 'A') return;
        int const fromA = std::min(halves[b] > 0 ? 1 : 2, halves[a]);
        int const fromB = std::min(halves[a] > 0 ? 1 : 2, halves[b]);
        halves[a] -= fromA;
        halves[b] -= fromB;
    };
    auto const takeList = [&](Kind kind, bool hydrogensOnly) {
        system::InteractionList const& list = type.of(kind);
        for (std::size_t e = 0; e < list.size(); ++e) {
            std::int32_t const i = list.atoms[2 * e], j = list.atoms[2 * e + 1];
            auto const hydrogen = [&](std::int32_t atom) {
                std::string const& name = type.atoms[static_cast<std::size_t>(atom)].name;
                return !name.empty() && std::toupper(static_cast<unsigned char>(name[0])) == 'H';
            };
            if (!hydrogensOnly || hydrogen(i) || hydrogen(j)) take(i, j);
        }
    };
    takeList(Kind::constraint, false);
    takeList(Kind::constraintNoExclusion, false);
    if (constraints != Constraints::none)
        for (Kind const kind : {Kind::bond, Kind::g96Bond, Kind::morse, Kind::cubicBond}) // those that grompp makes constraints of
            takeList(kind, constraints == Constraints::hBonds);

    system::InteractionList const& settles = type.of(Kind::settle);
    for (std::int32_t const atom : settles.atoms) {
        int& left = halves[static_cast<std::size_t>(atom)];
        left -= std::min(2, left);
    }
    return halves;
}

} // namespace

DegreesOfFreedom degreesOfFreedom(RunOptions const& options, system::Topology const& topology)
{
    std::size_t const groups = std::max<std::size_t>(1, topology.temperatureGroups.count());
    std::vector<std::int64_t> halves(groups, 0);
    for (system::MoleculeBlock const& block : topology.blocks) {
        system::MoleculeType const& type = topology.types[static_cast<std::size_t>(block.type)];
        std::vector<int> const ofType = halvesOf(type, options.constraints);
        std::int64_t atom = block.firstAtom;
        for (std::int64_t m = 0; m < block.count; ++m)
            for (int const left : ofType) halves[static_cast<std::size_t>(topology.temperatureGroups.of(atom++))] += left;
    }

    double all = 0;
    for (std::int64_t const h : halves) all += 0.5 * static_cast<double>(h);
    double removed = 0;
    if (options.commMode != CommMode::none && options.nstcomm != 0)
        removed = options.commMode == CommMode::angular ? 6 : options.pbc == Pbc::xy ? 2 : 3;
    double const kept = all > removed ? (all - removed) / all : 0.0;

    DegreesOfFreedom result;
    for (std::int64_t const h : halves) {
        result.byGroup.push_back(0.5 * static_cast<double>(h) * kept);
        result.total += result.byGroup.back();
    }
    return result;
}

} // namespace alder::plan
