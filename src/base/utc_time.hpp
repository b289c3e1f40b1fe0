#pragma once
// The time of day, for records.

#include <string>

namespace alder::base {

/// "2026-11-30T20:00:00Z" for now.
std::string utcNow();

} // namespace alder::base
