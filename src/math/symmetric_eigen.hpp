#pragma once
// Eigenvalues and eigenvectors of small symmetric matrices.

#include <cmath>
#include <cstddef>
#include <vector>

namespace alder::math {

struct SymmetricEigen {
    std::vector<double> values;
    std::vector<double> vectors; ///< row-major; column p belongs to values[p] and has length 1
};

/// Jacobi's method: rotations that each make one element off the diagonal vanish, until all do (Golub and Van Loan, section 8.5). Takes
/// n^3 steps a sweep and under ten sweeps; small elements of the result are right to rounding of the largest.
inline SymmetricEigen symmetricEigen(std::vector<double> matrix, std::size_t n)
{
    SymmetricEigen result;
    result.vectors.assign(n * n, 0.0);
    for (std::size_t i = 0; i < n; ++i) result.vectors[i * n + i] = 1;
    double size = 0;
    for (double const x : matrix) size += x * x;
    for (int sweep = 0; sweep < 60; ++sweep) {
        double off = 0;
        for (std::size_t p = 0; p < n; ++p)
            for (std::size_t q = p + 1; q < n; ++q) off += matrix[p * n + q] * matrix[p * n + q];
        if (off <= 1e-32 * size) break;
        for (std::size_t p = 0; p < n; ++p)
            for (std::size_t q = p + 1; q < n; ++q) {
                double const apq = matrix[p * n + q];
                if (apq == 0) continue;
                // tan of the angle that takes the element to zero, the smaller one
                double const theta = 0.5 * (matrix[q * n + q] - matrix[p * n + p]) / apq;
                double const t = std::copysign(1.0, theta) / (std::fabs(theta) + std::sqrt(theta * theta + 1));
                double const c = 1 / std::sqrt(t * t + 1), s = t * c;
                auto const rotate = [&](double& x, double& y) {
                    double const before = x;
                    x = c * before - s * y;
                    y = s * before + c * y;
                };
                for (std::size_t k = 0; k < n; ++k) rotate(matrix[k * n + p], matrix[k * n + q]);
                for (std::size_t k = 0; k < n; ++k) rotate(matrix[p * n + k], matrix[q * n + k]);
                for (std::size_t k = 0; k < n; ++k) rotate(result.vectors[k * n + p], result.vectors[k * n + q]);
            }
    }
    for (std::size_t p = 0; p < n; ++p) result.values.push_back(matrix[p * n + p]);
    return result;
}

} // namespace alder::math
