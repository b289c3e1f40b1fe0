#pragma once
// From the plan to what the pair kernels of any back end read: flavour, constants, tables.

#include "pairs/atom_table.hpp"
#include "pairs/kernel_constants.hpp"
#include "plan/run_plan.hpp"

#include <vector>

namespace alder::pairs {

struct PairSetup {
    KernelFlavour flavour;
    KernelConstants constants;
    std::vector<float> charge, six, twelve; ///< by atom kind, as KernelConstants wants them: e sqrt(f / epsilon_r), sqrt(6 c6) ...
    std::vector<float> sixTable, twelveTable, gridTable; ///< row-major ljTypeCount x ljTypeCount, factors folded in
    EnergyConstants energy;                              ///< points into the four below
    std::vector<double> energyCharge, energySix, energyTwelve, energyGrid;
};

PairSetup makePairSetup(plan::PairPlan const& plan, AtomTable const& atoms);

} // namespace alder::pairs
