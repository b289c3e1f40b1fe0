// Graphs: what a stream would have been given, taken down once and given at one go.

#include "base/error.hpp"
#include "device/graph.hpp"
#include "gpu_device/runtime_kernels.hpp"
#include "simt/control.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace alder::cuda {
namespace {

using testing::Each;

TEST(Graph, RunsWhatWasCaptured)
{
    Stream stream;
    DeviceBuffer<int> a(std::vector<int>(40, 1), stream), b(40);
    stream.synchronize();
    simt::resetCounts();
    Graph const graph = captured(stream, [&] {
        scaleInto(a, b, 2, 1, stream);
        scaleInto(b, a, 1, 0, stream);
    });
    EXPECT_EQ(graph.nodeCount(), 2u);
    stream.synchronize();
    EXPECT_EQ(simt::counts().launchesOf("scale"), 0) << "capturing runs nothing";
    for (int i = 0; i < 3; ++i) graph.launch(stream);
    EXPECT_THAT(a.download(stream), Each(15)); // 1 -> 3 -> 7 -> 15
    EXPECT_EQ(simt::counts().launchesOf("scale"), 6);
    EXPECT_EQ(simt::counts().graphLaunches, 3);
}

/// Two branches that a second stream makes: (start + 1) and (start + 2), added up after the join by order of the second onto the first.
Graph forked(Stream& stream, Stream& side, DeviceBuffer<int> const& start, DeviceBuffer<int>& left, DeviceBuffer<int>& right, bool join)
{
    Event begun, ended;
    return captured(stream, [&] {
        begun.record(stream);
        side.waitFor(begun);
        scaleInto(start, left, 1, 1, stream);
        scaleInto(start, right, 1, 2, side);
        ended.record(side);
        if (join) stream.waitFor(ended);
        if (join) scaleInto(right, left, 10, 0, stream);
    });
}

TEST(Graph, BranchesOfOtherStreamsBelongToIt)
{
    Stream stream, side;
    DeviceBuffer<int> start(std::vector<int>(40, 5), stream), left(40), right(40);
    stream.synchronize();
    Graph const graph = forked(stream, side, start, left, right, true);
    EXPECT_EQ(graph.nodeCount(), 3u);
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
        simt::setSeed(seed);
        left.clear(stream);
        right.clear(stream);
        graph.launch(stream);
        EXPECT_THAT(left.download(stream), Each(70));
    }
    simt::setSeed(0);
}

TEST(Graph, BranchThatIsNotJoinedIsRefused)
{
    Stream stream, side;
    DeviceBuffer<int> start(std::vector<int>(40, 5), stream), left(40), right(40);
    stream.synchronize();
    EXPECT_THROW(forked(stream, side, start, left, right, false), base::RunFailed);
    // and the streams are as before
    scaleInto(start, right, 1, 0, side);
    EXPECT_THAT(right.download(side), Each(5));
}

TEST(Graph, HostMayNotWaitWhileItIsCaptured)
{
    Stream stream;
    DeviceBuffer<int> start(std::vector<int>(40, 5), stream), left(40);
    stream.synchronize();
    EXPECT_THROW(captured(stream,
                          [&] {
                              scaleInto(start, left, 1, 1, stream);
                              stream.synchronize();
                          }),
                 base::RunFailed);
    scaleInto(start, left, 1, 0, stream);
    EXPECT_THAT(left.download(stream), Each(5));
}

TEST(Graph, ReplacingOneKeepsWhatItDoes)
{
    Stream stream;
    DeviceBuffer<int> a(std::vector<int>(40, 1), stream), b(40);
    stream.synchronize();
    Graph graph = captured(stream, [&] { scaleInto(a, b, 2, 0, stream); });
    graph = captured(stream, [&] { scaleInto(a, b, 3, 0, stream); });
    graph.launch(stream);
    EXPECT_THAT(b.download(stream), Each(3));
    EXPECT_FALSE(Graph().given());
}

} // namespace
} // namespace alder::cuda
