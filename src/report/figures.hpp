#pragma once
// Figures and names as people read them.

#include "report/comparison.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace alder::report {

/// Four digits that mean something: "412.3", "0.01235", "1.235e-06".
std::string figure(double value);
/// "-" where there is none.
std::string figure(std::optional<double> const& value);

/// A name of others on one line of a terminal: what would steer the terminal is replaced by '?'.
std::string plain(std::string_view text);

std::string titleOf(System const& system); ///< "water3k: 3000 atoms, step 2 fs, rcoulomb 0.9 nm, rvdw 0.9 nm"
std::string titleOf(Setup const& setup);   ///< "2 GPUs, 2 ranks x 4 threads, 3 runs"

} // namespace alder::report
