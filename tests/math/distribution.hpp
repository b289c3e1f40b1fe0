#pragma once
// Does a sample follow a distribution? And the distributions asked about.

#include <algorithm>
#include <cmath>
#include <functional>
#include <vector>

namespace alder::trial {

/// sqrt(n) times the largest distance between the sample's distribution and `cumulative` (Kolmogorov and Smirnov). Where they agree it
/// exceeds 1.95 once in a thousand times.
inline double kolmogorov(std::vector<double> values, std::function<double(double)> const& cumulative)
{
    std::sort(values.begin(), values.end());
    double const n = static_cast<double>(values.size());
    double distance = 0;
    for (std::size_t i = 0; i < values.size(); ++i) {
        double const f = cumulative(values[i]);
        distance = std::max({distance, std::fabs(f - static_cast<double>(i) / n), std::fabs(f - static_cast<double>(i + 1) / n)});
    }
    return distance * std::sqrt(n);
}

inline double normalCumulative(double x) { return 0.5 * std::erfc(-x / std::sqrt(2.0)); }

/// The regularized lower incomplete gamma function, by power series below shape + 1 and continued fraction (Lentz) above.
inline double gammaCumulative(double shape, double x)
{
    double const front = std::exp(shape * std::log(x) - x - std::lgamma(shape));
    if (x < shape + 1) {
        double term = 1 / shape, sum = term;
        for (double k = shape + 1; term > 1e-17 * sum; ++k) sum += term *= x / k;
        return front * sum;
    }
    double b = x + 1 - shape, c = 1e300, d = 1 / b, h = d;
    for (int i = 1; i < 10000; ++i) {
        double const a = -i * (i - shape);
        b += 2;
        d = 1 / (a * d + b);
        c = b + a / c;
        h *= d * c;
        if (std::fabs(d * c - 1) < 1e-15) break;
    }
    return 1 - front * h;
}

} // namespace alder::trial
