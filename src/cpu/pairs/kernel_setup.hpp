#pragma once
// From the plan to what the kernels read: flavour, constants, Lennard-Jones tables.

#include "cpu/pairs/kernel_input.hpp"
#include "cpu/simd_level.hpp"
#include "pairs/atom_table.hpp"
#include "plan/run_plan.hpp"

#include <vector>

namespace alder::cpu {

struct KernelSetup {
    KernelFlavour flavour;
    KernelConstants constants;
    Kernels kernels;
    std::vector<float> charge, six, twelve; ///< by atom kind
    std::vector<float> sixTable, twelveTable, gridTable;
    EnergyConstants energy; ///< points into the four below
    std::vector<double> energyCharge, energySix, energyTwelve, energyGrid;
};

KernelSetup makeKernelSetup(plan::PairPlan const& plan, pairs::AtomTable const& atoms, SimdLevel level);

} // namespace alder::cpu
