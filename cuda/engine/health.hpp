#pragma once
// What the rooms have written down as wrong, brought together in one stretch of memory: one copy and one wait tell of all.

#include "device/buffers.hpp"
#include "update/blame_board.hpp"

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace alder::cuda {

inline constexpr int mostFlags = 16;

class Health {
public:
    /// Throws base::RunFailed where the word says that something is wrong.
    using Judge = std::function<void(std::int64_t word)>;

    /// Watches nothing any more.
    void forget();
    void watch(View<BlameKey const> moving, Judge judge);
    void watch(View<std::int32_t const> flag, Judge judge);

    /// Puts the words as they are when the stream gets there into memory of the caller.
    void gather(DeviceBuffer<std::int64_t>& words, Stream& stream) const;
    /// Judges words that have been gathered.
    void judge(std::span<std::int64_t const> words) const;
    /// The host waits.
    void require(Stream& stream);

private:
    View<BlameKey const> moving_;
    std::vector<View<std::int32_t const>> flags_;
    Judge judgeMoving_;
    std::vector<Judge> judges_; ///< of the flags
    DeviceBuffer<std::int64_t> words_;
    PinnedBuffer<std::int64_t> fetched_;
};

} // namespace alder::cuda
