#pragma once
// What happens to a molecule type between its text and the topology.

#include "base/error.hpp"
#include "deck/topology/forcefield.hpp"
#include "deck/topology/molecule.hpp"
#include "deck/topology/preprocessor.hpp"
#include "plan/run_options.hpp"

namespace alder::deck {

/// Where an entry was written.
base::Place placeOf(SourceText const& text, Entry const& entry);

/// Excluded partners of each atom, sorted, symmetric, without itself: all within `exclusionBonds` chemical bonds, and those written.
struct Exclusions {
    std::vector<std::int32_t> start, partners;
};
Exclusions excludedPartners(MoleculeDraft const& molecule);

/// Turns bonds into constraints as the .mdp asks.
void constrainBonds(MoleculeDraft& molecule, plan::Constraints which);

/// Works out the parameters of virtual sites that were written without.
void completeVirtualSites(MoleculeDraft& molecule, ForceField const& forceField, SourceText const& text, base::FaultList& faults);

/// Removes what virtual sites make constant: bonds, angles, dihedrals and constraints between a site and what it is built from.
void removeConstantTerms(MoleculeDraft& molecule, SourceText const& text, base::FaultList& faults);

/// Removes entries whose parameters are all zero, where GROMACS does.
void removeZeroEntries(MoleculeDraft& molecule);

} // namespace alder::deck
