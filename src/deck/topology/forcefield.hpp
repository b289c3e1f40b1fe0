#pragma once
// The force field part of a topology: defaults, atom types, and parameters by type; and the search for the parameters of an
// interaction that names none.

#include "base/error.hpp"
#include "deck/topology/line.hpp"
#include "deck/topology/sections.hpp"
#include "system/interaction.hpp"

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

namespace alder::deck {

struct AtomType {
    std::string name;
    int bonded = 0; ///< index of its bonded type
    double mass = 0, charge = 0;
    char particle = 'A';
    double first = 0, second = 0; ///< C6 and C12 (rule 1), sigma and epsilon (rules 2, 3)
};

/// Two Lennard-Jones numbers in the form of the combination rule, or {C6, C12}.
using LjNumbers = std::array<double, 2>;

/// Types of up to five atoms; -1: any type (X); unused ones are -2.
using TypeNames = std::array<int, 5>;

struct BondedType {
    TypeNames types{};
    system::ParameterSet parameters{};
};

class ForceField {
public:
    /// Reads one line of a section up to [ cmaptypes ].
    void read(Section section, TopologyLine const& line, base::FaultList& faults);

    [[nodiscard]] bool hasDefaults() const { return hasDefaults_; }
    [[nodiscard]] int combinationRule() const { return combinationRule_; }
    [[nodiscard]] double fudgeQQ() const { return fudgeQQ_; }
    [[nodiscard]] std::vector<AtomType> const& atomTypes() const { return atomTypes_; }
    [[nodiscard]] std::optional<int> typeOf(std::string_view name) const;

    /// {C6, C12} between two atom types, and of their 1-4 pair; the latter has none where pairs are not generated and none is given.
    [[nodiscard]] LjNumbers ljBetween(int typeA, int typeB) const;
    [[nodiscard]] std::optional<LjNumbers> pairBetween(int typeA, int typeB) const;
    /// {C6, C12} of two numbers as the combination rule wants them.
    [[nodiscard]] LjNumbers toC6C12(LjNumbers numbers) const;

    /// The parameter sets for atoms of these types (indices of atom types): none, one, or several for a proper dihedral.
    [[nodiscard]] std::vector<system::ParameterSet> find(system::Kind kind, std::span<int const> atomTypes) const;
    /// Index of the CMAP grid for five atom types.
    [[nodiscard]] std::optional<int> findCmap(std::span<int const> atomTypes) const;
    [[nodiscard]] std::vector<std::vector<double>> const& cmapGrids() const { return cmapGrids_; }

private:
    struct TypeTable {
        std::vector<BondedType> entries;
        std::map<TypeNames, std::vector<std::size_t>> byTypes; ///< under the smaller of forward and backward
    };
    using PairKey = std::uint64_t;

    void readDefaults(TopologyLine const& line, base::FaultList& faults);
    void readAtomType(TopologyLine const& line, base::FaultList& faults);
    void readBondedType(Section section, TopologyLine const& line, base::FaultList& faults);
    void readDihedralType(TopologyLine const& line, base::FaultList& faults);
    void readLjType(Section section, TopologyLine const& line, base::FaultList& faults);
    void readCmapType(TopologyLine const& line, base::FaultList& faults);
    bool readTypes(TopologyLine const& line, std::span<std::string_view const> names, TypeNames& types, base::FaultList& faults) const;
    void add(system::Kind kind, BondedType const& entry, bool repeats, TopologyLine const& line, base::FaultList& faults);
    [[nodiscard]] LjNumbers combine(AtomType const& a, AtomType const& b) const;
    [[nodiscard]] LjNumbers rawBetween(int typeA, int typeB) const;
    [[nodiscard]] std::vector<system::ParameterSet> findDihedral(TypeTable const& table, TypeNames const& sought, bool several) const;
    static PairKey keyOf(int a, int b);

    bool hasDefaults_ = false, generatePairs_ = false;
    int combinationRule_ = 1;
    double fudgeLj_ = 1, fudgeQQ_ = 1;
    std::vector<AtomType> atomTypes_;
    std::unordered_map<std::string, int> atomTypeIndex_, bondedTypeIndex_;
    std::array<TypeTable, system::kindCount> tables_;
    std::unordered_map<PairKey, LjNumbers> nonbonded_, pairs_;
    std::vector<TypeNames> cmapTypes_;
    std::vector<std::vector<double>> cmapGrids_;
    mutable std::map<std::pair<system::Kind, TypeNames>, std::vector<system::ParameterSet>> dihedralsFound_;
};

} // namespace alder::deck
