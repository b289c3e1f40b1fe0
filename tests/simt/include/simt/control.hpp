#pragma once
// What tests set and read.

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace alder::simt {

/// The order of blocks, warps and streams follows the seed; 0 is the order of their numbers. $ALDER_SIMT_SEED where nothing is set.
void setSeed(std::uint64_t seed);
/// OS threads that blocks run on.
void setWorkers(int count);
/// How many GPUs there are; none is what a machine without one says.
void setDevices(int count);
/// Memory of the GPU, bytes.
void setDeviceMemory(std::size_t bytes);
/// After so many kernels more the device fails, and every call from then on, as after a fault of a kernel; until it is restored.
void loseDeviceAfter(std::int64_t launches);
void restoreDevice();

struct Counts {
    std::map<std::string, std::int64_t, std::less<>> launches;  ///< by kernel name, without namespace and template arguments
    std::map<std::string, std::int64_t, std::less<>> instances; ///< by kernel name with them
    std::map<std::string, std::int64_t, std::less<>> ranges;    ///< NVTX ranges and marks begun, by name
    std::int64_t synchronizations = 0;                          ///< waits of the host for the device
    std::int64_t bytesToDevice = 0, bytesToHost = 0;
    std::int64_t graphLaunches = 0;
    [[nodiscard]] std::int64_t launchesOf(std::string_view kernel) const
    {
        auto const found = launches.find(kernel);
        return found == launches.end() ? 0 : found->second;
    }
};
/// What ran since the last reset; what still waits in a stream is not in it.
Counts const& counts();
void resetCounts();

} // namespace alder::simt
