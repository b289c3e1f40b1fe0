#include "cpu/pairs/energy_kernel.hpp"
#include "cpu/pairs/pack_sse41.hpp"
#include "cpu/pairs/pair_kernel.hpp"

namespace alder::cpu {

Kernels kernelsSse41(KernelFlavour flavour) { return selectKernels<sse41::Simd, sse41::DoubleSimd>(flavour); }

} // namespace alder::cpu
