// Streams, buffers and errors, and what is counted of them.

#include "base/error.hpp"
#include "gpu_device/runtime_kernels.hpp"
#include "simt/control.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace alder::cuda {
namespace {

TEST(Runtime, HostWaitsAreCounted)
{
    Stream stream;
    DeviceBuffer<int> from(std::vector<int>(40, 3), stream), to(40);
    PinnedBuffer<int> back(40);
    simt::resetCounts();
    scaleInto(from, to, 2, 1, stream);
    to.downloadLater(back, stream);
    EXPECT_EQ(simt::counts().synchronizations, 0);
    EXPECT_EQ(simt::counts().launchesOf("scale"), 0) << "nothing runs before the host waits";
    stream.synchronize();
    EXPECT_EQ(simt::counts().synchronizations, 1);
    EXPECT_EQ(simt::counts().launchesOf("scale"), 1);
    EXPECT_EQ(simt::counts().bytesToHost, 160);
    EXPECT_THAT(back.span(), testing::Each(7));
    static_cast<void>(to.download(stream));
    EXPECT_EQ(simt::counts().synchronizations, 3) << "a copy into pageable memory waits, and download() once more";
}

TEST(Runtime, EventsOrderStreams)
{
    Stream first, second;
    Event done;
    DeviceBuffer<int> values(std::vector<int>(40, 1), first), others(40), last(40);
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
        simt::setSeed(seed);
        scaleInto(values, others, 1, static_cast<int>(seed), first);
        done.record(first);
        second.waitFor(done);
        scaleInto(others, last, 10, 0, second);
        EXPECT_THAT(last.download(second), testing::Each(10 * (1 + static_cast<int>(seed))));
    }
    simt::setSeed(0);
}

TEST(Runtime, ErrorsSayWhatWasTried)
{
    DeviceBuffer<int> buffer;
    try {
        buffer.resize(std::size_t{1} << 40);
        FAIL();
    } catch (base::RunFailed const& failed) {
        EXPECT_STREQ(failed.what(), "GPU: memory: out of memory");
    }
    EXPECT_EQ(buffer.size(), 0u);
    simt::setDevices(0);
    int count = -1;
    EXPECT_EQ(cudaGetDeviceCount(&count), cudaErrorNoDevice);
    EXPECT_STREQ(cudaGetErrorString(cudaGetLastError()), "no CUDA-capable device is detected");
    EXPECT_EQ(count, 0);
    simt::setDevices(1);
}

TEST(Runtime, LaunchesThatNoCardTakesAreRefused)
{
    Stream stream;
    DeviceBuffer<int> out(2000);
    try {
        writeNumbers(out, 1025, stream);
        FAIL();
    } catch (base::RunFailed const& failed) {
        EXPECT_STREQ(failed.what(), "GPU: launching a kernel: invalid configuration argument");
    }
    writeNumbers(out, 1024, stream);
    EXPECT_EQ(simt::counts().launchesOf("writeNumber"), 0);
    stream.synchronize();
    EXPECT_EQ(simt::counts().launchesOf("writeNumber"), 1);
}

TEST(Runtime, EmptyBuffersAreFine)
{
    Stream stream;
    DeviceBuffer<int> empty(std::vector<int>{}, stream);
    empty.clear(stream);
    EXPECT_TRUE(empty.download(stream).empty());
    EXPECT_FALSE(empty.view().given());
}

TEST(Runtime, LostDeviceFailsEveryCall)
{
    Stream stream;
    DeviceBuffer<int> from(std::vector<int>(40, 3), stream), to(40);
    simt::loseDeviceAfter(2);
    scaleInto(from, to, 2, 1, stream);
    scaleInto(from, to, 2, 1, stream);
    stream.synchronize();
    scaleInto(from, to, 2, 1, stream);
    EXPECT_THROW(stream.synchronize(), base::RunFailed);
    EXPECT_THROW(scaleInto(from, to, 2, 1, stream), base::RunFailed);
    simt::restoreDevice();
    EXPECT_THAT(to.download(stream), testing::Each(7));
}

} // namespace
} // namespace alder::cuda
