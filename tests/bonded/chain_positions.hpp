#pragma once
// Where the atoms of chain molecules are, for the schedules of every back end.

#include "physics/box.hpp"

#include <cstdint>
#include <random>
#include <vector>

namespace alder::tests {

/// Chains of atoms 0.15 nm apart, each from anywhere.
inline std::vector<math::FractionVec> chainPositions(physics::Box const& box, int atoms, std::int64_t copies)
{
    std::mt19937 random(11);
    std::normal_distribution<double> normal;
    std::uniform_real_distribution<double> anywhere(-5, 5);
    std::vector<math::FractionVec> positions;
    for (std::int64_t m = 0; m < copies; ++m) {
        math::Vec3d r{anywhere(random), anywhere(random), anywhere(random)};
        for (int a = 0; a < atoms; ++a) {
            positions.push_back(box.toFraction(r));
            math::Vec3d const d{normal(random) + 2.5, normal(random), normal(random)};
            r += (0.15 / norm(d)) * d;
        }
    }
    return positions;
}

inline physics::Box const skewed({4, 0, 0}, {1.3, 3.5, 0}, {-1.1, 0.9, 3.2});

} // namespace alder::tests
