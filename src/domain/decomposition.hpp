#pragma once
// Who moves which atom, and who sees it. Decided anew at list builds, from the places of atoms alone: nothing that is computed depends on it.

#include "domain/communicator.hpp"
#include "domain/layout.hpp"
#include "domain/parts/halo.hpp"
#include "domain/parts/part_topology.hpp"
#include "domain/parts/units.hpp"
#include "system/state.hpp"
#include "system/topology.hpp"

#include <cstdint>
#include <vector>

namespace alder::domain {

/// Atoms that a rank moves.
struct HomeAtoms {
    std::vector<std::int32_t> numbers; ///< in the whole system
    std::vector<math::FractionVec> positions;
    std::vector<math::Vec3d> velocities; ///< nm/ps
};

/// All atoms of a start, on the first rank; none on the others.
HomeAtoms atomsOf(system::State const& start, Communicator const& ranks);

/// What one rank computes until the next list build. Arrays are by atom of the topology; velocities of atoms that are not home are zero.
struct Share {
    system::Topology topology;
    Halo halo;
    std::vector<ColumnRole> roles; ///< by cell
    std::vector<math::FractionVec> positions;
    std::vector<math::Vec3d> velocities;
};

/// Who gets what is gathered.
enum class Audience : std::uint8_t { first, everyone };

/// All methods are called by all ranks together.
class Decomposition {
public:
    /// Ranks from `domains.count()` on have no domain. The ranks and the whole topology must outlive this.
    Decomposition(Communicator& ranks, system::Topology const& whole, DomainCounts domains, ColumnNeeds const& columns);

    /// Moves atoms to the ranks whose cells they are in. `costPerAtom` is what one of this rank's atoms has cost it lately, in any unit
    /// that all ranks use: domains are shaped so that all have about as much to do.
    /// Throws RunFailed where the box has become too small for the domains.
    [[nodiscard]] Share redistribute(HomeAtoms atoms, physics::Box const& box, std::int64_t costPerAtom);

    /// Values of all home atoms of all ranks, in the order of their numbers: on rank 0, or on every rank; elsewhere nothing.
    template <class T> [[nodiscard]] std::vector<T> gather(system::Topology const& part, std::vector<T> const& values, Audience audience);

    [[nodiscard]] Communicator& ranks() { return ranks_; }
    [[nodiscard]] DomainCounts domains() const { return domains_; }
    [[nodiscard]] double wholeMass() const { return wholeMass_; }

private:
    void assignCells(HomeAtoms const& atoms, physics::Box const& box, std::int64_t costPerAtom);
    [[nodiscard]] HomeAtoms migrate(HomeAtoms atoms);
    [[nodiscard]] std::vector<std::vector<std::int32_t>> askForPartners(PartTopology const& part);
    [[nodiscard]] std::vector<std::vector<std::int32_t>> lend(std::vector<std::int32_t> const& home,
                                                              std::vector<math::FractionVec> const& positions,
                                                              std::vector<std::vector<std::int32_t>> const& asked) const;

    Communicator& ranks_;
    system::Topology const& whole_;
    Units units_;
    DomainCounts domains_;
    ColumnNeeds columns_;
    double wholeMass_ = 0;
    CellGrid grid_;
    std::vector<std::int32_t> owners_;              ///< by cell
    std::vector<std::vector<std::int32_t>> seenBy_; ///< by cell: ranks that search it or from which it is met
};

template <class T> std::vector<T> Decomposition::gather(system::Topology const& part, std::vector<T> const& values, Audience audience)
{
    auto const home = static_cast<std::size_t>(part.homeCount());
    std::vector<std::vector<std::int32_t>> numbers(static_cast<std::size_t>(ranks_.size()));
    std::vector<std::vector<T>> sent(numbers.size());
    for (std::size_t r = 0; r < (audience == Audience::everyone ? numbers.size() : 1); ++r) {
        numbers[r].assign(part.part.numbers.begin(), part.part.numbers.begin() + static_cast<std::ptrdiff_t>(home));
        sent[r].assign(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(home));
    }
    numbers = ranks_.exchange(numbers);
    sent = ranks_.exchange(sent);
    std::vector<T> all;
    if (audience == Audience::everyone || ranks_.first()) all.resize(static_cast<std::size_t>(whole_.atomCount));
    for (std::size_t r = 0; r < numbers.size(); ++r)
        for (std::size_t i = 0; i < numbers[r].size(); ++i) all[static_cast<std::size_t>(numbers[r][i])] = sent[r][i];
    return all;
}

} // namespace alder::domain
