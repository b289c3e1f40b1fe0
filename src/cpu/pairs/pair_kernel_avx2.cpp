#include "cpu/pairs/energy_kernel.hpp"
#include "cpu/pairs/pack_avx2.hpp"
#include "cpu/pairs/pair_kernel.hpp"

namespace alder::cpu {

Kernels kernelsAvx2(KernelFlavour flavour) { return selectKernels<avx2::Simd, avx2::DoubleSimd>(flavour); }

} // namespace alder::cpu
