#include "cpu/pairs/energy_kernel.hpp"
#include "cpu/pairs/pack_avx512.hpp"
#include "cpu/pairs/pair_kernel.hpp"

namespace alder::cpu {

Kernels kernelsAvx512(KernelFlavour flavour) { return selectKernels<avx512::Simd, avx512::DoubleSimd>(flavour); }

} // namespace alder::cpu
