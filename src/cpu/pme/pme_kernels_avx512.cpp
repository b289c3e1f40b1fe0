#include "cpu/pme/grid_passes.hpp"
#include "cpu/pme/spread_gather.hpp"

namespace alder::cpu {

PmeKernels const& pmeKernelsAvx512()
{
    static constexpr PmeKernels kernels{laneCount, spread, forwardY, forwardX, backwardX, solveZ, backwardY, gather};
    return kernels;
}

} // namespace alder::cpu
