// Each fault that the emulation is to report, seeded into a kernel; and the same kernel without it, which must pass.

#include "simt/control.hpp"
#include "simt/faults/faults.hpp"

#include <gtest/gtest.h>

namespace alder::cuda::faults {
namespace {

struct Case {
    char const* name;
    void (*run)(Seeded);
    char const* report; ///< what stands in the report, kernel, block and thread with it
};
void PrintTo(Case const& c, std::ostream* out) { *out << c.name; }

class Fault : public testing::TestWithParam<Case> {};

TEST_P(Fault, IsReportedAndItsTwinIsNot)
{
    Case const& c = GetParam();
    EXPECT_DEATH(c.run(Seeded::yes), c.report);
    for (std::uint64_t const seed : {0, 1, 2, 3}) {
        simt::setSeed(seed);
        c.run(Seeded::no);
    }
    simt::setSeed(0);
}

INSTANTIATE_TEST_SUITE_P(
    Simt, Fault,
    testing::Values(
        Case{"ReadPastView", readPastView, "out of bounds: read of element 70 of 70.*kernel copyUpTo, block .2,0,0., thread .6,0,0."},
        Case{"WriteBeforeView", writeBeforeView,
             "out of bounds: write of element -1 of 32.*kernel writeShifted, block .0,0,0., thread .0,0,0."},
        Case{"WritePastShared", writePastShared, "out of bounds: write of element 32 of 32, shared array row.*thread .31,0,0."},
        Case{"AddPastView", addPastView, "out of bounds: atomic operation of element 32 of 32.*kernel addAt.*thread .31,0,0."},
        Case{"ReadByHost", readByHost, "device memory from the host: read by no kernel"},
        Case{"OverrunStack", overrunStack, "(a thread's stack overran its .* bytes; kernel fillDeep, block .0,0,0.|AddressSanitizer)"},
        Case{"ReadFreed", readFreed, "use after free: read of 4 bytes.*kernel copy, block .0,0,0., thread .0,0,0."},
        Case{"WriteFreed", writeFreed, "use after free: write of 4 bytes.*kernel copy, block .0,0,0., thread .0,0,0."},
        Case{"ReadUnwritten", readUnwritten, "unwritten memory: read of 4 bytes at byte 252.*kernel copy, block .0,0,0., thread .63,0,0."},
        Case{"AddToUnwritten", addToUnwritten, "unwritten memory: atomic operation.*kernel add, block .0,0,0., thread .0,0,0."},
        Case{"ReadUnwrittenShared", readUnwrittenShared,
             "unwritten memory: read of element 63 of shared array row.*kernel turn, .*thread .0,0,0."},
        Case{"ReadSharedOfBlockBefore", readSharedOfBlockBefore, "unwritten memory: read of element .* of shared array row.*block .1,0,0."},
        Case{"DownloadUnwritten", downloadUnwritten, "unwritten memory: read of 1 bytes at byte 252"},
        Case{"ReturnBeforeBarrier", returnBeforeBarrier,
             "barrier not reached by all threads: 50 of 64 wait at __syncthreads .barriers.cu:.*, the others returned; kernel rotate, "
             "block .0,0,0., thread .0,0,0."},
        Case{"MeetAtTwoBarriers", meetAtTwoBarriers,
             "barrier not reached by all threads: some wait at barriers.cu:.*, others at barriers.cu:.*kernel branch, block .0,0,0., "
             "thread .32,0,0."},
        Case{"ShuffleInBranch", shuffleInBranch,
             "divergent collective: .*lanes 0000ffff at a shuffle of mask ffffffff .collectives.cu:.*, 16 threads at __syncthreads; kernel "
             "sumInBranch"},
        Case{"ShuffleAndVote", shuffleAndVote,
             "divergent collective: .*lanes 0000ffff at a shuffle .*lanes ffff0000 at __any_sync.*kernel shuffleOrVote"},
        Case{"ShuffleWithoutCaller", shuffleWithoutCaller,
             "divergent collective: a shuffle of mask 0000fffe, which has not lane 0.*thread .0,0,0."},
        Case{"ShuffleFromAbsentLane", shuffleFromAbsentLane, "a shuffle reads lane 16, which takes no part.*kernel fromLane"},
        Case{"ReadBeforeBarrier", readBeforeBarrier,
             "shared-memory race: read of element 0 of shared array row, which thread 0 wrote with no barrier between; kernel giveToWarp, "
             "block .0,0,0., thread .32,0,0."},
        Case{"OverwriteBeforeBarrier", overwriteBeforeBarrier,
             "shared-memory race: write of element 32 of shared array row, which thread 0 read with no barrier between; kernel "
             "takeAndClear, "
             "block .0,0,0., thread .32,0,0."},
        Case{"ReadBeforeWarpMeets", readBeforeWarpMeets,
             "shared-memory race: read of element 0 of shared array row, which thread 0 wrote.*kernel giveToLane, block .0,0,0., thread "
             ".1,0,0."},
        Case{"ReadBesideAtomics", readBesideAtomics, "shared-memory race: .* of element 0 of shared array total.*kernel countInShared"},
        Case{"MeetInHalves", meetInHalves, "shared-memory race: read of element .* of shared array row.*kernel turnHalves"},
        Case{"ReadMisalignedVector", readMisalignedVector,
             "misaligned: an element that needs 16 bytes' alignment at byte 8.*kernel readVectors"},
        Case{"AddMisaligned", addMisaligned, "misaligned: an element that needs 8 bytes' alignment at byte 4.*kernel addAtWord"}),
    [](auto const& info) { return info.param.name; });

#if defined(__SANITIZE_ADDRESS__)
INSTANTIATE_TEST_SUITE_P(Pointers, Fault,
                         testing::Values(Case{"ReadPastPointer", readPastPointer, "AddressSanitizer: use-after-poison.*sumByPointer"},
                                         Case{"WritePastSharedPointer", writePastSharedPointer,
                                              "AddressSanitizer: use-after-poison.*fillByPointer"}),
                         [](auto const& info) { return info.param.name; });
#else
TEST(Pointers, FaultsByPlainPointersAreForAddressSanitizer)
{
    readPastPointer(Seeded::no);
    writePastSharedPointer(Seeded::no);
}
#endif

/// How many of 40 seeds give what the host expects.
int seedsRight(bool (*run)(Seeded), Seeded fault)
{
    int right = 0;
    for (std::uint64_t seed = 0; seed < 40; ++seed) {
        simt::setSeed(seed);
        right += run(fault) ? 1 : 0;
    }
    simt::setSeed(0);
    return right;
}

TEST(Ordering, MissingEventShowsUnderSomeSeeds)
{
    EXPECT_EQ(seedsRight(readAcrossStreams, Seeded::no), 40);
    int const right = seedsRight(readAcrossStreams, Seeded::yes);
    EXPECT_GT(right, 0);
    EXPECT_LT(right, 40);
}

TEST(Ordering, PinnedMemoryIsReadWhenTheCopyRuns)
{
    EXPECT_EQ(seedsRight(copyFromPinned, Seeded::no), 40);
    EXPECT_EQ(seedsRight(copyFromPinned, Seeded::yes), 0);
}

} // namespace
} // namespace alder::cuda::faults
