#pragma once
// What the CUDA runtime answers, as base::RunFailed.

#include <cuda_runtime.h>

namespace alder::cuda {

/// Throws "GPU: what: the runtime's words" where a call failed.
void check(cudaError_t status, char const* what);

} // namespace alder::cuda
