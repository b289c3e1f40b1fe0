#pragma once
// Polynomials that replace a smooth even function of the distance between 0 and the cutoff.

#include <cmath>
#include <numbers>
#include <vector>

namespace alder::pairs {

/// The function's interpolant at Chebyshev nodes as powers of t = 2 r^2 / cutoff2 - 1, lowest first. For the Ewald force with
/// beta rc = 3.12 (ewald-rtol 1e-5) degree 11 is right to 7e-7 beta^2, less than the force that the cutoff itself leaves out (2e-5), and
/// takes no division, which a rational form needs.
template <class Function> std::vector<double> fitPolynomial(Function&& function, double cutoff2, int degree)
{
    auto const n = static_cast<std::size_t>(degree) + 1;
    std::vector<double> value(n), chebyshev(n);
    for (std::size_t k = 0; k < n; ++k)
        value[k] = function((std::cos(std::numbers::pi * (static_cast<double>(k) + 0.5) / static_cast<double>(n)) + 1) / 2 * cutoff2);
    for (std::size_t m = 0; m < n; ++m) {
        for (std::size_t k = 0; k < n; ++k)
            chebyshev[m] +=
                value[k] * std::cos(std::numbers::pi * static_cast<double>(m) * (static_cast<double>(k) + 0.5) / static_cast<double>(n));
        chebyshev[m] *= (m == 0 ? 1.0 : 2.0) / static_cast<double>(n);
    }
    // T_0 = 1, T_1 = t, T_m = 2 t T_(m-1) - T_(m-2)
    std::vector<double> powers(n), before(n), last(n), next(n);
    last[0] = 1;
    for (std::size_t m = 0; m < n; ++m) {
        for (std::size_t k = 0; k < n; ++k) powers[k] += chebyshev[m] * last[k];
        for (std::size_t k = 0; k < n; ++k) next[k] = (k > 0 ? (m == 0 ? 1.0 : 2.0) * last[k - 1] : 0) - (m == 0 ? 0 : before[k]);
        before = last;
        last = next;
    }
    return powers;
}

/// The largest of |fit - function| r over the range, with the fit evaluated in the number type T.
template <class T, class Function> double fitError(std::vector<double> const& powers, Function&& function, double cutoff2)
{
    double worst = 0;
    constexpr int samples = 2000;
    for (int k = 1; k <= samples; ++k) {
        double const r2 = cutoff2 * k / samples;
        auto const t = static_cast<T>(2 * r2 / cutoff2 - 1);
        T sum = 0;
        for (std::size_t p = powers.size(); p-- > 0;) sum = sum * t + static_cast<T>(powers[p]);
        worst = std::fmax(worst, std::fabs(static_cast<double>(sum) - function(r2)) * std::sqrt(r2));
    }
    return worst;
}

} // namespace alder::pairs
