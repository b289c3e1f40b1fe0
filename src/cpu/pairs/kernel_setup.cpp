#include "cpu/pairs/kernel_setup.hpp"

namespace alder::cpu {

KernelSetup makeKernelSetup(plan::PairPlan const& plan, pairs::AtomTable const& atoms, SimdLevel level)
{
    KernelSetup setup{pairs::makePairSetup(plan, atoms), {}};
    switch (level) {
    case SimdLevel::sse41: setup.kernels = kernelsSse41(setup.flavour); break;
    case SimdLevel::avx2: setup.kernels = kernelsAvx2(setup.flavour); break;
    case SimdLevel::avx512: setup.kernels = kernelsAvx512(setup.flavour); break;
    }
    return setup;
}

} // namespace alder::cpu
