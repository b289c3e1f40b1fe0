#pragma once
// How the user wants the ranks to share the work.

#include <array>

namespace alder::domain {

struct LayoutWish {
    std::array<int, 3> domains{0, 0, 0}; ///< along a, b, c; zeros: chosen
    int pmeRanks = -1;                   ///< that do nothing else; -1: chosen
    [[nodiscard]] bool fixed() const { return domains[0] > 0; }
};

} // namespace alder::domain
