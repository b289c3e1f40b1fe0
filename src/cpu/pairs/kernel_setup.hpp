#pragma once
// What the kernels read, and the kernels themselves for the instruction set chosen.

#include "cpu/pairs/kernel_input.hpp"
#include "cpu/simd_level.hpp"
#include "pairs/kernel_setup.hpp"

namespace alder::cpu {

struct KernelSetup : pairs::PairSetup {
    Kernels kernels;
};

KernelSetup makeKernelSetup(plan::PairPlan const& plan, pairs::AtomTable const& atoms, SimdLevel level);

} // namespace alder::cpu
