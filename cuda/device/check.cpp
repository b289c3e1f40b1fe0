#include "device/check.hpp"

#include "base/error.hpp"

#include <string>

namespace alder::cuda {

void check(cudaError_t status, char const* what)
{
    if (status == cudaSuccess) return;
    // the runtime keeps the last error; nobody else is to find this one
    static_cast<void>(cudaGetLastError());
    throw base::RunFailed("GPU: " + std::string(what) + ": " + cudaGetErrorString(status));
}

} // namespace alder::cuda
