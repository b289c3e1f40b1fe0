#include "cpu/pairs/pack_avx512.hpp"
#include "cpu/pairs/pair_kernel.hpp"

namespace alder::cpu {

Kernels kernelsAvx512(KernelFlavour flavour) { return selectKernels<avx512::Simd>(flavour); }

} // namespace alder::cpu
