#pragma once
// Cardinal B-splines, which carry charges to a grid and potentials back (Essmann et al., J. Chem. Phys. 103, 8577 (1995), section II.B).
//
//   M_2(u) = 1 - |u - 1| for 0 <= u <= 2, else 0
//   M_k(u) = u/(k-1) M_{k-1}(u) + (k-u)/(k-1) M_{k-1}(u-1)
//   M_k'(u) = M_{k-1}(u) - M_{k-1}(u-1)
//
// A particle at grid coordinate i + f, 0 <= f < 1, touches `order` points; theta[j] = M_order(f + order-1-j) belongs to point i + j.
// That is the textbook's sum shifted by order-1 points, the same shift for every particle: it turns all structure factors by a common
// phase and changes neither energies nor forces.

#include "math/host_device.hpp"

namespace alder::physics {

/// 1/(order-1)!, what turns raised splines into M_order. The recursion below leaves out its 1/(k-1): rounded to float, these factors
/// are all too large or all too small, which made energies 7e-7 too large at order 8; one factor for all is applied to the charge.
inline constexpr double bsplineScale(int order) { return order <= 2 ? 1.0 : bsplineScale(order - 1) / (order - 1); }

/// One step of the recursion in place, without the factor 1/(k-1): theta of order k-1 in theta[0..k-2] becomes theta of order k in
/// theta[0..k-1]. With u = f + k-1-j the two terms are (f + k-1-j) theta'[j-1] + (1 - f + j) theta'[j], primes for order k-1.
template <class T> ALDER_HD void raiseBspline(int k, T f, T* theta)
{
    theta[k - 1] = f * theta[k - 2];
    for (int j = k - 2; j > 0; --j) theta[j] = (f + T(double(k - 1 - j))) * theta[j - 1] + (T(double(j + 1)) - f) * theta[j];
    theta[0] = (T(1.0) - f) * theta[0];
}

/// theta[0..order-1] at the fraction f, times (order-1)!.
template <int order, class T> ALDER_HD void bspline(T f, T* theta)
{
    static_assert(order >= 3);
    theta[0] = T(1.0) - f;
    theta[1] = f;
    ALDER_UNROLL
    for (int k = 3; k <= order; ++k) raiseBspline(k, f, theta);
}

/// The same, and its derivative with respect to f times (order-2)!.
template <int order, class T> ALDER_HD void bspline(T f, T* theta, T* slope)
{
    static_assert(order >= 3);
    theta[0] = T(1.0) - f;
    theta[1] = f;
    ALDER_UNROLL
    for (int k = 3; k < order; ++k) raiseBspline(k, f, theta);
    slope[0] = T(0.0) - theta[0];
    for (int j = 1; j < order - 1; ++j) slope[j] = theta[j - 1] - theta[j];
    slope[order - 1] = theta[order - 2];
    raiseBspline(order, f, theta);
}

} // namespace alder::physics
