#pragma once
// From what was read to what is simulated.

#include "base/error.hpp"
#include "deck/topology/draft.hpp"
#include "system/topology.hpp"

#include <string>
#include <vector>

namespace alder::deck {

/// All that a topology text says.
struct TopologyDraft {
    struct Block {
        std::size_t type = 0;
        std::int64_t count = 0;
        base::Place place;
    };
    std::string title;
    ForceField forceField;
    std::vector<MoleculeDraft> molecules;
    std::size_t readBeforeMolecules = 0; ///< molecule types known where [ molecules ] began
    std::vector<Block> blocks;
};

/// Finishes the molecule types that are used (exclusions, constraints, virtual sites), checks masses and charges, and lays out the
/// topology. Atom types that no atom has are left out.
system::Topology assemble(TopologyDraft& draft, plan::Constraints constraints, SourceText const& text, base::FaultList& faults);

} // namespace alder::deck
