#include "deck/topology/assembly.hpp"

#include "deck/topology/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <unordered_map>

namespace alder::deck {

using system::Kind;
using system::ParameterSet;

namespace {

struct HashParameters {
    std::size_t operator()(ParameterSet const& p) const
    {
        std::uint64_t hash = 0x9e3779b97f4a7c15ULL;
        for (double const value : p) {
            std::uint64_t bits = 0;
            std::memcpy(&bits, &value, sizeof bits);
            hash = (hash ^ bits) * 0x100000001b3ULL;
            hash ^= hash >> 29U;
        }
        return hash;
    }
};

class Assembler {
public:
    Assembler(TopologyDraft& draft, SourceText const& text, base::FaultList& faults) : draft_(draft), text_(text), faults_(faults) {}
    system::Topology run(plan::Constraints constraints);

private:
    void finish(MoleculeDraft& molecule, plan::Constraints constraints);
    void checkAtoms(MoleculeDraft const& molecule);
    void checkSettles(MoleculeDraft const& molecule);
    system::MoleculeType lay(MoleculeDraft& molecule);
    int typeIndex(int forceFieldType);
    void layNonbonded();
    void checkCharge();

    TopologyDraft& draft_;
    SourceText const& text_;
    base::FaultList& faults_;
    system::Topology out_;
    std::vector<int> typeIndex_; ///< by force field type; -1: not used so far
    std::vector<int> usedTypes_;
    std::array<std::unordered_map<ParameterSet, std::int32_t, HashParameters>, system::kindCount> sets_;
};

system::Topology Assembler::run(plan::Constraints constraints)
{
    out_.title = draft_.title;
    out_.cmapGrids = draft_.forceField.cmapGrids();
    typeIndex_.assign(draft_.forceField.atomTypes().size(), -1);
    checkCharge();
    std::vector<std::int32_t> laid(draft_.molecules.size(), -1);
    for (TopologyDraft::Block const& block : draft_.blocks) {
        if (laid[block.type] < 0) {
            MoleculeDraft& molecule = draft_.molecules[block.type];
            laid[block.type] = static_cast<std::int32_t>(out_.types.size());
            finish(molecule, constraints);
            out_.types.push_back(lay(molecule));
        }
        out_.blocks.push_back({laid[block.type], block.count, out_.atomCount, out_.moleculeCount});
        out_.atomCount += block.count * static_cast<std::int64_t>(out_.types[static_cast<std::size_t>(laid[block.type])].atoms.size());
        out_.moleculeCount += block.count;
    }
    layNonbonded();
    return std::move(out_);
}

void Assembler::finish(MoleculeDraft& molecule, plan::Constraints constraints)
{
    // Exclusions go by the bonds as written: before any of them becomes a constraint or gives way to a virtual site.
    Exclusions exclusions = excludedPartners(molecule);
    constrainBonds(molecule, constraints);
    completeVirtualSites(molecule, draft_.forceField, text_, faults_);
    removeConstantTerms(molecule, text_, faults_);
    removeZeroEntries(molecule);
    std::vector<bool> constructed(molecule.atoms.size(), false);
    for (std::size_t k = 0; k < system::kindCount; ++k)
        if (rulesOf(static_cast<Kind>(k)).isVirtualSite)
            for (Entry const& e : molecule.entries[k]) {
                constructed[static_cast<std::size_t>(e.atoms[0])] = true;
                molecule.atoms[static_cast<std::size_t>(e.atoms[0])].particle = 'V';
            }
    for (std::size_t i = 0; i < molecule.atoms.size(); ++i)
        if (molecule.atoms[i].particle == 'V' && !constructed[i])
            faults_.refuse(molecule.atomPlaces[i], fmt::format("virtual site {} has no construction", i + 1),
                           "add it to [ virtual_sites2 ], 3, 4 or n");
    checkAtoms(molecule);
    checkSettles(molecule);
    molecule.exclusions.clear();
    out_.types.emplace_back();
    out_.types.back().exclusionStart = std::move(exclusions.start);
    out_.types.back().exclusions = std::move(exclusions.partners);
}

void Assembler::checkAtoms(MoleculeDraft const& molecule)
{
    for (std::size_t i = 0; i < molecule.atoms.size(); ++i) {
        system::Atom const& atom = molecule.atoms[i];
        bool const needsMass = atom.particle == 'A' || atom.particle == 'N';
        if (needsMass && !(atom.mass > 0))
            faults_.refuse(molecule.atomPlaces[i], fmt::format("atom {} ({}) has mass {}", i + 1, shown(atom.name), atom.mass),
                           "give it a mass above zero, or make it a virtual site");
        if (atom.particle == 'V' && atom.mass != 0)
            faults_.refuse(molecule.atomPlaces[i], fmt::format("virtual site {} ({}) has mass {}", i + 1, shown(atom.name), atom.mass),
                           "give it mass 0");
        if (atom.particle == 'S' || atom.particle == 'B')
            faults_.refuse(molecule.atomPlaces[i],
                           fmt::format("atom {} ({}) is a shell (particle type {})", i + 1, shown(atom.name), atom.particle),
                           "shells are not supported; use a force field without them");
    }
}

/// An atom in two SETTLE triangles, or in one and in another constraint, cannot be solved by either.
void Assembler::checkSettles(MoleculeDraft const& molecule)
{
    std::vector<Entry> const& settles = molecule.of(Kind::settle);
    if (settles.empty()) return;
    std::vector<bool> settled(molecule.atoms.size(), false);
    for (Entry const& e : settles)
        for (std::size_t i = 0; i < 3; ++i) {
            auto const atom = static_cast<std::size_t>(e.atoms[i]);
            if (settled[atom]) faults_.refuse(placeOf(text_, e), fmt::format("atom {} is in two SETTLE entries", atom + 1), "keep one");
            settled[atom] = true;
        }
    for (Kind const kind : {Kind::constraint, Kind::constraintNoExclusion})
        for (Entry const& e : molecule.of(kind))
            for (std::size_t i = 0; i < 2; ++i)
                if (settled[static_cast<std::size_t>(e.atoms[i])]) {
                    faults_.refuse(placeOf(text_, e), fmt::format("atom {} is in a SETTLE and in a constraint", e.atoms[i] + 1),
                                   "keep SETTLE alone (bonds become constraints by the .mdp too)");
                    break;
                }
}

int Assembler::typeIndex(int forceFieldType)
{
    int& index = typeIndex_[static_cast<std::size_t>(forceFieldType)];
    if (index < 0) {
        index = static_cast<int>(usedTypes_.size());
        usedTypes_.push_back(forceFieldType);
    }
    return index;
}

system::MoleculeType Assembler::lay(MoleculeDraft& molecule)
{
    system::MoleculeType type = std::move(out_.types.back());
    out_.types.pop_back();
    type.name = molecule.name;
    type.exclusionBonds = static_cast<int>(molecule.exclusionBonds);
    type.atoms = molecule.atoms;
    for (system::Atom& atom : type.atoms) atom.type = typeIndex(atom.type);
    for (std::size_t k = 0; k < system::kindCount; ++k) {
        std::vector<Entry> const& entries = molecule.entries[k];
        system::InteractionList& list = type.interactions[k];
        auto const atoms = static_cast<std::ptrdiff_t>(system::infoOf(static_cast<Kind>(k)).atoms);
        list.atoms.reserve(entries.size() * static_cast<std::size_t>(atoms));
        list.parameters.reserve(entries.size());
        for (Entry const& e : entries) {
            if (out_.firstUse[k].file.empty()) out_.firstUse[k] = placeOf(text_, e);
            list.atoms.insert(list.atoms.end(), e.atoms.begin(), e.atoms.begin() + atoms);
            auto const [found, added] = sets_[k].emplace(e.parameters, static_cast<std::int32_t>(out_.parameters[k].size()));
            if (added) out_.parameters[k].push_back(e.parameters);
            list.parameters.push_back(found->second);
        }
    }
    return type;
}

void Assembler::layNonbonded()
{
    system::Nonbonded& nb = out_.nonbonded;
    ForceField const& forceField = draft_.forceField;
    nb.combinationRule = forceField.combinationRule();
    nb.fudgeQQ = forceField.fudgeQQ();
    auto const count = usedTypes_.size();
    nb.typeCount = static_cast<int>(count);
    nb.c6.resize(count * count);
    nb.c12.resize(count * count);
    for (std::size_t i = 0; i < count; ++i) {
        nb.typeNames.push_back(forceField.atomTypes()[static_cast<std::size_t>(usedTypes_[i])].name);
        for (std::size_t j = 0; j <= i; ++j) {
            auto const [c6, c12] = forceField.ljBetween(usedTypes_[i], usedTypes_[j]);
            if (!std::isfinite(c6) || !std::isfinite(c12))
                faults_.refuse({text_.files[0], 0},
                               fmt::format("atom types {} and {} have no Lennard-Jones parameters by the combination rule",
                                           shown(nb.typeNames[i]), shown(nb.typeNames[j])),
                               "give them in [ nonbond_params ], or correct the sign of the type's parameters");
            nb.c6[i * count + j] = nb.c6[j * count + i] = c6;
            nb.c12[i * count + j] = nb.c12[j * count + i] = c12;
        }
    }
}

void Assembler::checkCharge()
{
    double total = 0;
    for (TopologyDraft::Block const& block : draft_.blocks) {
        double charge = 0;
        for (system::Atom const& atom : draft_.molecules[block.type].atoms) charge += atom.charge;
        // Charges of one molecule are written with few digits; what is left of a neutral sum is no charge.
        if (std::fabs(charge) >= 1e-6) total += charge * static_cast<double>(block.count);
    }
    if (std::fabs(total) <= 1e-4) return;
    bool const whole = std::fabs(total - std::round(total)) < 1e-4 * std::max(1.0, std::fabs(total) * 1e-3);
    faults_.warn({text_.files[0], 0}, fmt::format("the system has a total charge of {:.6f} e", total),
                 whole ? "add ions if it should be neutral" : "a total charge is an integer as a rule: check the charges");
}

} // namespace

system::Topology assemble(TopologyDraft& draft, plan::Constraints constraints, SourceText const& text, base::FaultList& faults)
{
    return Assembler(draft, text, faults).run(constraints);
}

} // namespace alder::deck
