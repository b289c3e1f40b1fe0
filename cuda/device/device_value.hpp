#pragma once
// A few numbers that kernels read where they run and not among their arguments: a graph that was recorded once goes by what they are now.

#include "device/buffers.hpp"
#include "device/view.hpp"

#include <array>
#include <cstdint>
#include <cstring>
#include <type_traits>

namespace alder::cuda {

inline constexpr std::size_t mostValueWords = 32;
using ValueWords = std::array<std::int64_t, mostValueWords>;

/// Puts the first of the words where the view is. They travel as arguments of a launch, so that the host does not wait. Throws
/// std::logic_error while the stream is being recorded: the graph would put back what is true now.
void storeWords(View<std::int64_t> to, ValueWords const& words, std::size_t count, Stream& stream);

template <class T> class DeviceValue {
    static constexpr std::size_t count = sizeof(T) / sizeof(std::int64_t);
    static_assert(std::is_trivially_copyable_v<T> && sizeof(T) % sizeof(std::int64_t) == 0 && count <= mostValueWords);

public:
    DeviceValue() : content_(1) {}
    /// What kernels read that are given to the stream from now on. Sends nothing where they do so already.
    void set(T const& value, Stream& stream)
    {
        ValueWords words{};
        std::memcpy(words.data(), &value, sizeof value);
        if (given_ && words == words_) return;
        storeWords(content_.view().template as<std::int64_t>(), words, count, stream);
        words_ = words;
        given_ = true;
    }
    /// One element.
    [[nodiscard]] View<T const> view() const { return content_.constView(); }

private:
    DeviceBuffer<T> content_;
    ValueWords words_{}; ///< as they are on the device
    bool given_ = false;
};

} // namespace alder::cuda
