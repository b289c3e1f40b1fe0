#include "bonded/prepared_parameters.hpp"

#include <cmath>
#include <cstddef>

namespace alder::bonded {

using system::Kind;
using system::ParameterSet;

namespace {

constexpr double radian = physics::pi / 180;

/// Ryckaert-Bellemans: V = sum c[n] cos^n psi with psi = phi - 180 degrees (trans is 0), so cos psi = -cos phi: odd terms change sign.
ParameterSet fromRyckaertBellemans(ParameterSet const& c) { return {c[0], -c[1], c[2], -c[3], c[4], -c[5]}; }

/// Fourier: V = 1/2 [F1 (1 + cos phi) + F2 (1 - cos 2 phi) + F3 (1 + cos 3 phi) + F4 (1 - cos 4 phi)]. With x = cos phi:
/// cos 2 phi = 2x^2 - 1, cos 3 phi = 4x^3 - 3x, cos 4 phi = 8x^4 - 8x^2 + 1.
ParameterSet fromFourier(ParameterSet const& f)
{
    return {0.5 * f[0] + f[1] + 0.5 * f[2], 0.5 * (f[0] - 3 * f[2]), 4 * f[3] - f[1], 2 * f[2], -4 * f[3], 0};
}

/// The slopes at the knots of the cubic spline through n values of period n, at unit spacing: continuous second derivatives mean
/// s[i-1] + 4 s[i] + s[i+1] = 3 (v[i+1] - v[i-1]). The solution is a convolution with a kernel that decays by q = sqrt(3) - 2 a knot,
/// q^|i| / (4 + 2 q), summed over all periods.
/// (The natural spline over two periods that GROMACS takes instead differs by q^(n/2) of a slope: 1.4e-7 at n = 24.)
void splineSlopes(double const* values, double* slopes, int n, int stride)
{
    double const q = std::sqrt(3.0) - 2;
    double const wrap = 1 / (1 - std::pow(q, n));
    auto const at = [&](double const* a, int i) { return a[static_cast<std::ptrdiff_t>((i % n + n) % n) * stride]; };
    for (int i = 0; i < n; ++i) {
        double sum = 0, weight = 1;
        for (int k = 0; k < n; ++k, weight *= q) {
            double const mirrored = std::pow(q, n - k);
            int const j = i + k;
            sum += (weight + mirrored) * wrap * 3 * (at(values, j + 1) - at(values, j - 1)) / (4 + 2 * q);
        }
        slopes[static_cast<std::ptrdiff_t>(i) * stride] = sum;
    }
}

} // namespace

ParameterSet prepare(Kind kind, ParameterSet const& p)
{
    switch (kind) {
    case Kind::angle: return {p[0] * radian, p[1]};
    case Kind::g96Angle:
    case Kind::restrictedAngle:
    case Kind::restrictedDihedral: return {std::cos(p[0] * radian), p[1]};
    case Kind::ureyBradley: return {p[0] * radian, p[1], p[2], p[3]};
    case Kind::quarticAngle: return {p[0] * radian, p[1], p[2], p[3], p[4], p[5]};
    case Kind::properDihedral:
    case Kind::periodicImproper: return {std::cos(p[0] * radian), std::sin(p[0] * radian), p[1], p[2]};
    case Kind::dihedralRestraint: return {p[0] * radian, p[1] * radian, p[2]};
    case Kind::angleRestraint:
    case Kind::angleRestraintZ: return {p[0] * radian, p[1], p[2]};
    case Kind::improperDihedral: return {p[0] * radian, p[1]};
    case Kind::ryckaertBellemans: return fromRyckaertBellemans(p);
    case Kind::fourierDihedral: return fromFourier(p);
    default: return p;
    }
}

ParameterSet preparePair(Kind kind, ParameterSet const& p, double electricFactor, double chargeProduct)
{
    switch (kind) {
    case Kind::pair14Charges: return {p[3], p[4], electricFactor * p[0] * p[1] * p[2]};
    case Kind::pairNonbonded: return {p[2], p[3], electricFactor * p[0] * p[1]};
    default: return {p[0], p[1], electricFactor * chargeProduct};
    }
}

CmapTable makeCmapTable(std::vector<double> const& grid)
{
    int const n = static_cast<int>(std::lround(std::sqrt(static_cast<double>(grid.size()))));
    std::size_t const size = grid.size();
    std::vector<double> x(size), y(size), xy(size);
    for (int i = 0; i < n; ++i) {
        splineSlopes(grid.data() + i, x.data() + i, n, n);
        splineSlopes(grid.data() + i * n, y.data() + i * n, n, 1);
    }
    for (int i = 0; i < n; ++i) splineSlopes(y.data() + i, xy.data() + i, n, n);
    CmapTable table{n, std::vector<physics::CmapNode<double>>(size)};
    for (std::size_t i = 0; i < size; ++i) table.nodes[i] = {grid[i], x[i], y[i], xy[i]};
    return table;
}

} // namespace alder::bonded
