#pragma once
// Kernels with one fault each, and without it: what the emulation must report, and what it must let pass.

namespace alder::cuda::faults {

enum class Seeded { no, yes };

// out_of_bounds.cu
void readPastView(Seeded fault);
void writeBeforeView(Seeded fault);
void writePastShared(Seeded fault);
void addPastView(Seeded fault);
void readPastPointer(Seeded fault);
void writePastSharedPointer(Seeded fault);
// use_after_free.cu
void readFreed(Seeded fault);
void writeFreed(Seeded fault);
// unwritten.cu
void readUnwritten(Seeded fault);
void addToUnwritten(Seeded fault);
void readUnwrittenShared(Seeded fault);
void readSharedOfBlockBefore(Seeded fault);
void downloadUnwritten(Seeded fault);
// barriers.cu
void returnBeforeBarrier(Seeded fault);
void meetAtTwoBarriers(Seeded fault);
// collectives.cu
void shuffleInBranch(Seeded fault);
void shuffleAndVote(Seeded fault);
void shuffleWithoutCaller(Seeded fault);
void shuffleFromAbsentLane(Seeded fault);
// races.cu
void readBeforeBarrier(Seeded fault);
void overwriteBeforeBarrier(Seeded fault);
void readBeforeWarpMeets(Seeded fault);
void readBesideAtomics(Seeded fault);
void meetInHalves(Seeded fault);
// misaligned.cu
void readMisalignedVector(Seeded fault);
void addMisaligned(Seeded fault);
// stacks.cpp
void overrunStack(Seeded fault);
// host_access.cpp
void readByHost(Seeded fault);
// ordering.cu
/// Whether the second stream saw what the first wrote.
bool readAcrossStreams(Seeded fault);
bool copyFromPinned(Seeded fault);

} // namespace alder::cuda::faults
