#pragma once
// All bonded terms of a system: by molecule type, never copied per molecule, and shared out over workers.

#include "bonded/prepared_parameters.hpp"

#include <bitset>
#include <cstdint>
#include <deque>
#include <vector>

namespace alder::bonded {

/// True for the kinds that these lists hold: those with a formula.
bool isListed(system::Kind kind);

using KindSet = std::bitset<system::kindCount>;

/// Terms of one kind in one molecule type.
struct TermList {
    system::Kind kind{};
    int atomsPerTerm = 0;
    std::vector<std::int32_t> atoms;      ///< within the molecule
    std::vector<std::int32_t> parameters; ///< one per term: index into BondedLists::parametersOf(kind)
    [[nodiscard]] std::int64_t size() const { return static_cast<std::int64_t>(parameters.size()); }
};

/// A term list applied to `copies` molecules, the first of which begins at atom firstAtom.
struct Run {
    TermList const* terms = nullptr;
    std::int64_t firstAtom = 0, copies = 0, stride = 0;
};

/// What one worker computes. Its terms touch only the atoms [atomBegin, atomEnd), an interval that may overlap its neighbours'.
struct Share {
    std::vector<Run> runs;
    std::int64_t atomBegin = 0, atomEnd = 0;
    std::int64_t ownBegin = 0, ownEnd = 0; ///< these partition all atoms: whose terms begin here
};

class BondedLists {
public:
    /// Terms of `kinds`, those of them that isListed(). electricFactor: f / epsilon_r.
    BondedLists(system::Topology const& topology, double electricFactor, KindSet const& kinds = KindSet().set());
    BondedLists(BondedLists const&) = delete;
    BondedLists& operator=(BondedLists const&) = delete;

    [[nodiscard]] bool empty() const { return totalCost_ == 0; }
    [[nodiscard]] std::vector<system::ParameterSet> const& parametersOf(system::Kind kind) const
    {
        return parameters_[static_cast<std::size_t>(kind)];
    }
    [[nodiscard]] std::vector<CmapTable> const& cmaps() const { return cmaps_; }
    /// Reference positions of position restraints, by atom: nm, and box vectors to be added (empty: none).
    [[nodiscard]] std::vector<std::array<double, 3>> const& references() const { return references_; }
    [[nodiscard]] std::vector<std::array<double, 3>> const& referenceFractions() const { return fractions_; }
    /// Splits all terms into `count` shares of about equal cost.
    std::vector<Share> share(int count);

private:
    struct TypeTerms {
        std::vector<TermList> lists;
        std::vector<double> costBefore; ///< by atom: cost of the terms that begin at lower atoms; one more at the end
    };
    void addType(system::Topology const& topology, system::MoleculeType const& type, double electricFactor);
    [[nodiscard]] std::int64_t atomAtCost(double cost) const;
    void addRuns(Share& share, system::MoleculeBlock const& block, std::int64_t molecule, std::int64_t copies);
    void addPart(Share& share, system::MoleculeBlock const& block, std::int64_t molecule);

    KindSet kinds_; ///< those that are held
    std::array<std::vector<system::ParameterSet>, system::kindCount> parameters_;
    std::vector<TypeTerms> types_;
    std::vector<system::MoleculeBlock> blocks_;
    std::vector<std::int64_t> sizes_; ///< atoms of each type
    std::deque<TermList> parts_;      ///< terms of molecules that were cut between shares
    std::vector<CmapTable> cmaps_;
    std::vector<std::array<double, 3>> references_, fractions_;
    std::int64_t atomCount_ = 0;
    double totalCost_ = 0;
};

} // namespace alder::bonded
