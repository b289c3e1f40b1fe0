#pragma once
// Which ranks solve the reciprocal sums.

#include "domain/communicator.hpp"

#include <array>

namespace alder::domain {

/// All ranks, or the last few, which then hold no atoms of their own.
class PmeTeam {
public:
    /// Called by all ranks together. `separate`: how many of the last ranks do nothing else; 0: all ranks solve. `pencils`: at most so many
    /// shares of the grid along x and z; 0: as suits each grid.
    PmeTeam(Communicator& all, int separate, std::array<int, 2> pencils = {0, 0});
    PmeTeam(PmeTeam const&) = delete;
    PmeTeam& operator=(PmeTeam const&) = delete;

    [[nodiscard]] Communicator& all() const { return all_; }
    /// Among those that solve; of no use on other ranks.
    [[nodiscard]] Communicator& solvers() const { return solvers_; }
    /// The first rank that solves, and how many do.
    [[nodiscard]] int first() const { return first_; }
    [[nodiscard]] int count() const { return count_; }
    [[nodiscard]] bool solves() const { return all_.rank() >= first_; }
    [[nodiscard]] std::array<int, 2> pencils() const { return pencils_; }

private:
    Communicator& all_;
    int first_, count_;
    std::array<int, 2> pencils_;
    mutable Communicator solvers_;
};

} // namespace alder::domain
