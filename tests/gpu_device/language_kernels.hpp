#pragma once
// Kernels of one word each, for the tests of the device language.

#include "device/buffers.hpp"

namespace alder::cuda {

enum class LaneWord {
    fromThree,
    fromThreeOfEight,
    exchange,
    down,
    downOfEight,
    up,
    wide,
    ballot,
    any,
    all,
    halves,
    match,
    sum,
    sumOrder,
    returned,
};
/// What each lane of one warp gets; votes are those of lanes that 3 divides.
void writeLaneWord(LaneWord word, DeviceBuffer<int>& out, Stream& stream);
/// Sum, greatest, least, and, or, compare-and-swap, and whose swap it was, over 64 threads.
void operateAtomically(DeviceBuffer<int>& out, Stream& stream);
/// Each thread of a 2 x 3 x 2 grid of 4 x 3 x 2 blocks writes its number.
void numberThreads(DeviceBuffer<int>& out, Stream& stream);
void voteInBlock(DeviceBuffer<int>& out, Stream& stream);
void takeNumbersApart(DeviceBuffer<int>& out, Stream& stream);

} // namespace alder::cuda
