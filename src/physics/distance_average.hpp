#pragma once
// The distance that several pairs of atoms have together, as an experiment sees it whose signal falls with r^-6.

#include "math/host_device.hpp"

#include <cmath>

namespace alder::physics {

/// R = (sum r^-6)^(-1/6). A sum over pairs of the same, so that the nearest pair counts most. With R,
///   dR/dr_n = R^7 / r_n^7.
ALDER_HD double averagedDistance(double sumOfInverseSixths) { return 1 / std::cbrt(std::sqrt(sumOfInverseSixths)); }
ALDER_HD double averagedDistanceSlope(double average, double r)
{
    double const x = average / r, x2 = x * x;
    return x2 * x2 * x2 * x;
}

} // namespace alder::physics
