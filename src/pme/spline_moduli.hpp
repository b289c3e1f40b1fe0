#pragma once
// What spreading and gathering by B-splines does to each wave of the grid, so that the influence function can undo it.

#include <vector>

namespace alder::pme {

/// |b(m)|^2 for m = 0..n-1: 1 / |sum_k M_order(k+1) exp(2 pi i m k/n)|^2, k = 0..order-2 (Essmann et al. 1995, eq. 4.4).
/// Where the sum vanishes (odd order, even n, m = n/2) the mean of the neighbors' sums stands in, as in GROMACS.
std::vector<double> splineModuli(int n, int order);

} // namespace alder::pme
