#include "engine/health.hpp"

#include "device/language.hpp"
#include "device/launch.hpp"

#include <stdexcept>
#include <utility>

namespace alder::cuda {

namespace {

struct FlagViews {
    View<BlameKey const> moving;
    View<std::int32_t const> of[mostFlags];
};

__global__ void __launch_bounds__(warpLanes) gatherFlags(FlagViews in, View<std::int64_t> words, int count)
{
    if (threadIdx.x != 0) return;
    words[0] = static_cast<std::int64_t>(in.moving[0]);
    ALDER_UNROLL
    for (int n = 0; n < mostFlags; ++n)
        if (n < count) words[n + 1] = std::int64_t{in.of[n][0]};
}

} // namespace

void Health::forget()
{
    moving_ = {};
    judgeMoving_ = {};
    flags_.clear();
    judges_.clear();
}

void Health::watch(View<BlameKey const> moving, Judge judge)
{
    moving_ = moving;
    judgeMoving_ = std::move(judge);
}

void Health::watch(View<std::int32_t const> flag, Judge judge)
{
    if (!flag.given()) return;
    if (flags_.size() == mostFlags) throw std::logic_error("more flags than are gathered");
    flags_.push_back(flag);
    judges_.push_back(std::move(judge));
}

void Health::gather(DeviceBuffer<std::int64_t>& words, Stream& stream) const
{
    words.resize(1 + flags_.size());
    FlagViews in{moving_, {}};
    for (std::size_t n = 0; n < flags_.size(); ++n) in.of[n] = flags_[n];
    launch<gatherFlags>({.grid = 1, .block = warpLanes}, stream, in, words.view(), static_cast<int>(flags_.size()));
}

void Health::judge(std::span<std::int64_t const> words) const
{
    judgeMoving_(words[0]);
    for (std::size_t n = 0; n < judges_.size(); ++n) judges_[n](words[n + 1]);
}

void Health::require(Stream& stream)
{
    gather(words_, stream);
    words_.downloadLater(fetched_, stream);
    stream.synchronize();
    judge(fetched_.span());
}

} // namespace alder::cuda
