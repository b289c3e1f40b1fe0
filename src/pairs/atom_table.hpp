#pragma once
// What the pair forces need to know of each atom: charge, Lennard-Jones type, excluded partners.

#include "domain/atom_index.hpp"
#include "plan/run_plan.hpp"
#include "system/topology.hpp"

#include <algorithm>
#include <cstdint>
#include <vector>

namespace alder::pairs {

/// One combination of charge and Lennard-Jones type that occurs; a system has few.
struct AtomKind {
    double charge = 0; ///< e
    int ljType = 0;    ///< 0: no Lennard-Jones interaction with anything
};

class AtomTable {
public:
    /// `plan` decides what the grid of LJ-PME has; nothing else of it is read.
    AtomTable(system::Topology const& topology, plan::PairPlan const& plan);

    /// From here on atoms are those of a part of the system; empty numbers, and so far: the whole system.
    void takePart(system::PartOfSystem const& part);

    [[nodiscard]] std::int64_t atomCount() const { return static_cast<std::int64_t>(kindOf_.size()); }
    [[nodiscard]] std::int64_t wholeCount() const { return wholeCount_; } ///< of the whole system
    [[nodiscard]] std::int32_t numberOf(std::int32_t atom) const
    {
        return numbers_.empty() ? atom : numbers_[static_cast<std::size_t>(atom)];
    }
    [[nodiscard]] std::vector<AtomKind> const& kinds() const { return kinds_; }
    [[nodiscard]] int kindIndex(std::int32_t atom) const { return kindOf_[static_cast<std::size_t>(atom)]; }
    [[nodiscard]] AtomKind const& kind(std::int32_t atom) const { return kinds_[static_cast<std::size_t>(kindIndex(atom))]; }

    /// Types that occur, those with equal parameters merged, the empty one first.
    [[nodiscard]] int ljTypeCount() const { return ljTypeCount_; }
    [[nodiscard]] double c6(int a, int b) const { return c6_[static_cast<std::size_t>(a * ljTypeCount_ + b)]; }
    /// What the grid of LJ-PME has for the pair; 0 without.
    [[nodiscard]] double gridC6(int a, int b) const { return gridC6_[static_cast<std::size_t>(a * ljTypeCount_ + b)]; }
    [[nodiscard]] double c12(int a, int b) const { return c12_[static_cast<std::size_t>(a * ljTypeCount_ + b)]; }
    /// True where all matrices are products of one number a type, to 1e-7 of each element: the kernel multiplies instead of looking up.
    [[nodiscard]] bool geometric() const { return geometric_; }

    [[nodiscard]] double chargeSquareSum() const { return chargeSquareSum_; } ///< of the whole system, e^2

    /// Calls visit(partner) for every atom that is excluded from `atom`, and here.
    template <class Visit> void forEachExcluded(std::int32_t atom, Visit&& visit) const
    {
        if (numbers_.empty()) return forEachPartner(atom, visit);
        forEachPartner(numberOf(atom), [&](std::int32_t number) {
            std::int32_t const partner = index_.find(number);
            if (partner >= 0) visit(partner);
        });
    }

private:
    struct Exclusions {
        std::vector<std::int32_t> start, partners;
    };
    /// By numbers in the whole system.
    template <class Visit> void forEachPartner(std::int32_t atom, Visit&& visit) const
    {
        system::MoleculeBlock const& block = domain::blockOf(blocks_, atom);
        Exclusions const& exclusions = exclusions_[static_cast<std::size_t>(block.type)];
        auto const size = static_cast<std::int32_t>(exclusions.start.size()) - 1;
        auto const inBlock = atom - static_cast<std::int32_t>(block.firstAtom);
        auto const local = static_cast<std::size_t>(inBlock % size);
        auto const first = atom - static_cast<std::int32_t>(local);
        for (auto e = exclusions.start[local]; e < exclusions.start[local + 1]; ++e)
            visit(first + exclusions.partners[static_cast<std::size_t>(e)]);
    }

    void mergeTypes(system::Topology const& topology, std::vector<int>& merged);
    void setGridC6(plan::GridCombination combination);
    void judgeGeometric();

    std::vector<AtomKind> kinds_;
    std::vector<std::int32_t> kindOf_;
    int ljTypeCount_ = 1;
    std::vector<double> c6_, c12_, gridC6_;
    bool geometric_ = false;
    double chargeSquareSum_ = 0;
    std::vector<system::MoleculeBlock> blocks_;
    std::int64_t wholeCount_ = 0;
    std::vector<std::vector<std::int32_t>> kindsOfType_; ///< by molecule type and atom
    std::vector<std::int32_t> numbers_;
    domain::AtomIndex index_;            ///< of numbers_
    std::vector<Exclusions> exclusions_; ///< by molecule type
};

} // namespace alder::pairs
