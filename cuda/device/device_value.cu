#include "device/device_value.hpp"

#include "device/language.hpp"
#include "device/launch.hpp"

#include <stdexcept>

namespace alder::cuda {

namespace {

struct Words {
    std::int64_t of[mostValueWords];
};

__global__ void __launch_bounds__(mostValueWords) store(View<std::int64_t> to, Words words, int count)
{
    int const i = static_cast<int>(threadIdx.x);
    if (i < count) to[i] = words.of[i];
}

} // namespace

void storeWords(View<std::int64_t> to, ValueWords const& words, std::size_t count, Stream& stream)
{
    if (stream.recording()) throw std::logic_error("a value would be recorded with the steps that read it");
    Words sent{};
    for (std::size_t i = 0; i < count; ++i) sent.of[i] = words[i];
    launch<store>({.grid = 1, .block = mostValueWords}, stream, to, sent, static_cast<int>(count));
}

} // namespace alder::cuda
