#pragma once
// What <nvtx3/nvToolsExt.h> is where kernels are emulated: names are counted for tests (simt::counts().ranges).

#include <cstdint>

using nvtxRangeId_t = std::uint64_t;

int nvtxRangePushA(char const* name);
int nvtxRangePop();
void nvtxMarkA(char const* name);
