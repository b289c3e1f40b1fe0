// The runtime's errors in its own words.

#include "streams.hpp"

#include <algorithm>
#include <array>

namespace alder::simt {
namespace {

struct ErrorText {
    cudaError_t error;
    char const* name;
    char const* text;
};

constexpr std::array errorTexts = {
    ErrorText{cudaSuccess, "cudaSuccess", "no error"},
    ErrorText{cudaErrorInvalidValue, "cudaErrorInvalidValue", "invalid argument"},
    ErrorText{cudaErrorMemoryAllocation, "cudaErrorMemoryAllocation", "out of memory"},
    ErrorText{cudaErrorInitializationError, "cudaErrorInitializationError", "initialization error"},
    ErrorText{cudaErrorInvalidConfiguration, "cudaErrorInvalidConfiguration", "invalid configuration argument"},
    ErrorText{cudaErrorInvalidDevicePointer, "cudaErrorInvalidDevicePointer", "invalid device pointer"},
    ErrorText{cudaErrorInsufficientDriver, "cudaErrorInsufficientDriver", "CUDA driver version is insufficient for CUDA runtime version"},
    ErrorText{cudaErrorNoDevice, "cudaErrorNoDevice", "no CUDA-capable device is detected"},
    ErrorText{cudaErrorInvalidDevice, "cudaErrorInvalidDevice", "invalid device ordinal"},
    ErrorText{cudaErrorInvalidResourceHandle, "cudaErrorInvalidResourceHandle", "invalid resource handle"},
    ErrorText{cudaErrorNotReady, "cudaErrorNotReady", "device not ready"},
    ErrorText{cudaErrorIllegalAddress, "cudaErrorIllegalAddress", "an illegal memory access was encountered"},
    ErrorText{cudaErrorStreamCaptureUnsupported, "cudaErrorStreamCaptureUnsupported", "operation not permitted when stream is capturing"},
    ErrorText{cudaErrorStreamCaptureInvalidated, "cudaErrorStreamCaptureInvalidated",
              "operation failed due to a previous error during capture"},
    ErrorText{cudaErrorStreamCaptureUnmatched, "cudaErrorStreamCaptureUnmatched", "capture was not ended in the same stream as it began"},
    ErrorText{cudaErrorStreamCaptureUnjoined, "cudaErrorStreamCaptureUnjoined", "capturing stream has unjoined work"},
    ErrorText{cudaErrorStreamCaptureIsolation, "cudaErrorStreamCaptureIsolation",
              "dependency created on uncaptured work in another stream"},
};

cudaError_t lastError = cudaSuccess;

ErrorText const& textOf(cudaError_t error)
{
    auto const* const found = std::find_if(errorTexts.begin(), errorTexts.end(), [&](ErrorText const& e) { return e.error == error; });
    static constexpr ErrorText unknown{cudaErrorInvalidValue, "cudaErrorUnknown", "unknown error"};
    return found == errorTexts.end() ? unknown : *found;
}

} // namespace

cudaError_t noted(cudaError_t error)
{
    if (error != cudaSuccess) lastError = error;
    return error;
}

} // namespace alder::simt

using namespace alder::simt;

cudaError_t cudaGetLastError()
{
    cudaError_t const error = lastError;
    lastError = cudaSuccess;
    return error;
}
cudaError_t cudaPeekAtLastError() { return lastError; }
char const* cudaGetErrorName(cudaError_t error) { return textOf(error).name; }
char const* cudaGetErrorString(cudaError_t error) { return textOf(error).text; }
