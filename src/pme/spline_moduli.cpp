#include "pme/spline_moduli.hpp"

#include "physics/bspline.hpp"
#include "physics/constants.hpp"

#include <cmath>
#include <cstddef>

namespace alder::pme {
namespace {

/// M_order at 1, 2 .. order-1: the spline of a particle that sits on a grid point.
std::vector<double> splineAtIntegers(int order)
{
    std::vector<double> theta(static_cast<std::size_t>(order));
    theta[0] = 1;
    for (int k = 3; k <= order; ++k) physics::raiseBspline(k, 0.0, theta.data());
    theta.pop_back(); // M_order(0) = 0
    for (double& value : theta) value *= physics::bsplineScale(order);
    return theta;
}

} // namespace

std::vector<double> splineModuli(int n, int order)
{
    std::vector<double> const spline = splineAtIntegers(order);
    std::vector<double> sums(static_cast<std::size_t>(n));
    for (int m = 0; m < n; ++m) {
        double re = 0, im = 0;
        for (std::size_t k = 0; k < spline.size(); ++k) {
            // The phase is reduced to one turn in integers first: m k/n of a large grid would lose digits.
            auto const turn = static_cast<double>(static_cast<long>(m) * static_cast<long>(k) % n) / n;
            re += spline[k] * std::cos(2 * physics::pi * turn);
            im += spline[k] * std::sin(2 * physics::pi * turn);
        }
        sums[static_cast<std::size_t>(m)] = re * re + im * im;
    }
    std::vector<double> moduli(sums.size());
    auto const at = [&](int m) { return sums[static_cast<std::size_t>((m + n) % n)]; };
    for (int m = 0; m < n; ++m) moduli[static_cast<std::size_t>(m)] = 1 / (at(m) < 1e-7 ? 0.5 * (at(m - 1) + at(m + 1)) : at(m));
    return moduli;
}

} // namespace alder::pme
