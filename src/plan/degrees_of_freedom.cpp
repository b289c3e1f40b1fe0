#include "plan/degrees_of_freedom.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdint>

namespace alder::plan {

namespace {

using system::Kind;

/// What is left to one molecule of the `free` halves of a degree of freedom that its atoms would have alone.
std::vector<int> halvesOf(system::MoleculeType const& type, Constraints constraints, std::vector<int> const& free)
{
    std::vector<int> halves = free;
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

/// Two halves for each axis along which an atom of the molecule at `first` may move; none for sites and shells.
std::vector<int> freeHalves(RunOptions const& options, system::Topology const& topology, system::MoleculeType const& type,
                            std::int64_t first)
{
    std::vector<int> halves;
    for (std::size_t i = 0; i < type.atoms.size(); ++i) {
        int const group = topology.freezeGroups.of(first + static_cast<std::int64_t>(i));
        int axes = type.atoms[i].particle == 'A' ? 3 : 0;
        if (group > 0 && axes > 0)
            for (bool const frozen : options.freezeGroups[static_cast<std::size_t>(group) - 1].axes) axes -= frozen ? 1 : 0;
        halves.push_back(2 * axes);
    }
    return halves;
}

/// Axes along which anything moves at all, of which the center of mass can be kept still.
int movingAxes(RunOptions const& options, system::Topology const& topology)
{
    if (topology.freezeGroups.names.empty()) return 3;
    std::array<bool, 3> moving{};
    system::forEachAtom(topology, [&](system::Atom const& atom, std::int64_t i) {
        int const group = topology.freezeGroups.of(i);
        for (std::size_t d = 0; d < 3 && atom.particle == 'A'; ++d)
            moving[d] = moving[d] || group == 0 || !options.freezeGroups[static_cast<std::size_t>(group) - 1].axes[d];
    });
    return static_cast<int>(std::count(moving.begin(), moving.end(), true));
}

} // namespace

DegreesOfFreedom degreesOfFreedom(RunOptions const& options, system::Topology const& topology)
{
    std::size_t const groups = std::max<std::size_t>(1, topology.temperatureGroups.count());
    std::vector<std::int64_t> halves(groups, 0);
    for (system::MoleculeBlock const& block : topology.blocks) {
        system::MoleculeType const& type = topology.types[static_cast<std::size_t>(block.type)];
        std::int64_t atom = block.firstAtom;
        std::vector<int> left;
        for (std::int64_t m = 0; m < block.count; ++m) {
            if (m == 0 || !topology.freezeGroups.names.empty())
                left = halvesOf(type, options.constraints, freeHalves(options, topology, type, atom));
            for (int const h : left) halves[static_cast<std::size_t>(topology.temperatureGroups.of(atom++))] += h;
        }
    }

    double all = 0;
    for (std::int64_t const h : halves) all += 0.5 * static_cast<double>(h);
    double removed = 0;
    if (options.commMode != CommMode::none && options.nstcomm != 0)
        removed = options.commMode == CommMode::angular ? 6 : options.pbc == Pbc::xy ? 2 : movingAxes(options, topology);
    double const kept = all > removed ? (all - removed) / all : 0.0;

    DegreesOfFreedom result;
    for (std::int64_t const h : halves) {
        result.byGroup.push_back(0.5 * static_cast<double>(h) * kept);
        result.total += result.byGroup.back();
    }
    return result;
}

} // namespace alder::plan
