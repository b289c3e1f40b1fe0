#pragma once
// Heavier hydrogens for longer time steps.

#include "base/error.hpp"
#include "plan/run_options.hpp"
#include "system/topology.hpp"

namespace alder::deck {

/// Makes every atom that is lighter than mass-repartition-factor times the lightest one of the system that heavy, and takes what it
/// gains from the atom it is bound to, as GROMACS does since 2024; rigid water too. What has no mass (a virtual site) is left alone. A
/// fault where a light atom has several bonds, or where its partner would become a light one; a warning where it has none.
void repartitionMasses(plan::RunOptions const& options, system::Topology& topology, base::FaultList& faults);

} // namespace alder::deck
