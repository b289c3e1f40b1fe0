#pragma once
// The energy map of two dihedrals (CMAP; MacKerell, Feig and Brooks, J. Comput. Chem. 25, 1400, 2004). kJ/mol, rad.

#include "math/vec3.hpp"
#include "physics/constants.hpp"

namespace alder::physics {

/// V, dV/dx, dV/dy and d2V/dxdy at a grid point; x and y in grid spacings.
template <class T> struct CmapNode {
    T value{}, x{}, y{}, xy{};
};

/// V and its derivatives by the two dihedrals.
template <class T> struct CmapTerm {
    T energy{}, slopePhi{}, slopePsi{};
};

/// The four cubics of Hermite interpolation on [0,1] and their derivatives: weights of the values at 0 and 1 and of the slopes there.
template <class T> struct HermiteWeights {
    T value0, value1, slope0, slope1;
    ALDER_HD static HermiteWeights at(T t)
    {
        T const u = 1 - t;
        return {u * u * (1 + 2 * t), t * t * (3 - 2 * t), t * u * u, -t * t * u};
    }
    ALDER_HD static HermiteWeights derivativeAt(T t)
    {
        T const u = 1 - t;
        return {-6 * t * u, 6 * t * u, u * (1 - 3 * t), -t * (2 - 3 * t)};
    }
};

/// Bicubic interpolation on a periodic n x n grid over [-pi, pi) x [-pi, pi), phi the slow index. V is the tensor product of two
/// Hermite interpolations; it and its first derivatives are continuous across cells. `nodes` is what gives node i at [i].
template <class Nodes, class T> ALDER_HD CmapTerm<T> interpolateCmap(Nodes const& nodes, int n, T phi, T psi)
{
    using std::floor;
    T const perRadian = static_cast<T>(n) / T(2 * pi);
    T const x = (phi + T(pi)) * perRadian, y = (psi + T(pi)) * perRadian;
    T const fx = floor(x), fy = floor(y);
    int const i0 = ((static_cast<int>(fx) % n) + n) % n, j0 = ((static_cast<int>(fy) % n) + n) % n;
    int const rows[2] = {i0 * n, (i0 + 1) % n * n}, columns[2] = {j0, (j0 + 1) % n};
    HermiteWeights<T> const wx = HermiteWeights<T>::at(x - fx), dx = HermiteWeights<T>::derivativeAt(x - fx);
    HermiteWeights<T> const wy = HermiteWeights<T>::at(y - fy), dy = HermiteWeights<T>::derivativeAt(y - fy);
    CmapTerm<T> sum;
    for (int i = 0; i < 2; ++i)
        for (int j = 0; j < 2; ++j) {
            CmapNode<T> const q = nodes[rows[i] + columns[j]];
            T const vx = i ? wx.value1 : wx.value0, sx = i ? wx.slope1 : wx.slope0;
            T const dvx = i ? dx.value1 : dx.value0, dsx = i ? dx.slope1 : dx.slope0;
            T const vy = j ? wy.value1 : wy.value0, sy = j ? wy.slope1 : wy.slope0;
            T const dvy = j ? dy.value1 : dy.value0, dsy = j ? dy.slope1 : dy.slope0;
            sum.energy += vy * (vx * q.value + sx * q.x) + sy * (vx * q.y + sx * q.xy);
            sum.slopePhi += vy * (dvx * q.value + dsx * q.x) + sy * (dvx * q.y + dsx * q.xy);
            sum.slopePsi += dvy * (vx * q.value + sx * q.x) + dsy * (vx * q.y + sx * q.xy);
        }
    return {sum.energy, sum.slopePhi * perRadian, sum.slopePsi * perRadian};
}

} // namespace alder::physics
