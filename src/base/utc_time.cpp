#include "base/utc_time.hpp"

#include <array>
#include <ctime>

namespace alder::base {

std::string utcNow()
{
    std::time_t const now = std::time(nullptr);
    std::tm utc{};
    gmtime_r(&now, &utc);
    std::array<char, 32> text{};
    std::strftime(text.data(), text.size(), "%Y-%m-%dT%H:%M:%SZ", &utc);
    return text.data();
}

} // namespace alder::base
