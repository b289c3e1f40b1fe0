#pragma once
// Normal and gamma variates from a counter-based stream, with the library-independent functions of elementary.hpp.

#include "math/elementary.hpp"
#include "math/philox.hpp"

namespace alder::math {

/// Draws from one stream: uniform, normal and gamma.
class Variates {
public:
    ALDER_HD Variates(std::uint64_t seed, RandomPurpose purpose, std::int64_t step, std::int64_t id) : stream_(seed, purpose, step, id) {}

    /// In (0, 1].
    ALDER_HD double uniform()
    {
        RandomWords const w = stream_.words();
        return openUniform(w.w0, w.w1);
    }
    /// Mean 0, variance 1. Box and Muller (1958): sqrt(-2 ln u1) (cos, sin)(2 pi u2) are two independent normals; one call of Philox
    /// makes both, the second is kept for the next call.
    ALDER_HD double normal()
    {
        if (hasSpare_) {
            hasSpare_ = false;
            return spare_;
        }
        RandomWords const w = stream_.words();
        double const radius = std::sqrt(-2.0 * logarithm(openUniform(w.w0, w.w1)));
        SineCosine const angle = sineCosineOfTurns(openUniform(w.w2, w.w3));
        spare_ = radius * angle.sine;
        hasSpare_ = true;
        return radius * angle.cosine;
    }
    /// Density x^(shape-1) e^-x / Gamma(shape), shape > 0. G. Marsaglia and W. W. Tsang, ACM Trans. Math. Softw. 26, 363 (2000):
    /// with d = shape - 1/3 and c = 1/sqrt(9 d), d (1 + c n)^3 for a normal n is accepted with the probability that makes it exact
    /// (over 95 % of draws). Below 1 the shape is raised by 1 and the result multiplied by u^(1/shape).
    ALDER_HD double gamma(double shape)
    {
        double boost = 1.0;
        if (shape < 1.0) {
            boost = exponential(logarithm(uniform()) / shape);
            shape += 1.0;
        }
        double const d = shape - 1.0 / 3.0;
        double const c = 1.0 / std::sqrt(9.0 * d);
        for (;;) {
            double const n = normal();
            double const t = 1.0 + c * n;
            if (t <= 0.0) continue;
            double const v = t * t * t;
            if (logarithm(uniform()) < 0.5 * n * n + d - d * v + d * logarithm(v)) return boost * d * v;
        }
    }
    /// The sum of `count` squared normals (chi-squared), count a whole number or not, 0 or more.
    ALDER_HD double sumOfSquares(double count) { return count > 0.0 ? 2.0 * gamma(0.5 * count) : 0.0; }

private:
    RandomStream stream_;
    double spare_ = 0.0;
    bool hasSpare_ = false;
};

} // namespace alder::math
