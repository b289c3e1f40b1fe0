// Transforms line by line on the device, against FFTW in double precision.

#include "fft/line_transforms.hpp"

#include "device/stream.hpp"

#include <fftw3.h>
#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <random>
#include <string>
#include <vector>

namespace {

using alder::cuda::DeviceBuffer;
using alder::cuda::LineTransforms;
using alder::cuda::Stream;
using Point = alder::pme::Complex<float>;

std::vector<float> randomPoints(std::array<int, 3> n)
{
    std::mt19937 random(7);
    std::uniform_real_distribution<float> one(-1, 1);
    std::vector<float> points(static_cast<std::size_t>(n[0]) * static_cast<std::size_t>(n[1]) * static_cast<std::size_t>(n[2]));
    for (float& p : points) p = one(random);
    return points;
}

std::vector<std::complex<double>> exactWaves(std::array<int, 3> n, std::vector<float> const& points)
{
    std::vector<double> in(points.begin(), points.end());
    std::vector<std::complex<double>> out(static_cast<std::size_t>(n[0]) * static_cast<std::size_t>(n[1]) *
                                          static_cast<std::size_t>(n[2] / 2 + 1));
    fftw_plan const plan =
        fftw_plan_dft_r2c_3d(n[0], n[1], n[2], in.data(), reinterpret_cast<fftw_complex*>(out.data()), FFTW_ESTIMATE | FFTW_PRESERVE_INPUT);
    fftw_execute(plan);
    fftw_destroy_plan(plan);
    return out;
}

class Grids : public testing::TestWithParam<std::array<int, 3>> {};

TEST_P(Grids, WavesAreThoseOfDoublePrecision)
{
    std::array<int, 3> const n = GetParam();
    std::vector<float> const points = randomPoints(n);
    std::vector<std::complex<double>> const exact = exactWaves(n, points);
    Stream stream;
    LineTransforms transforms(n, stream);
    DeviceBuffer<float> grid(points, stream);
    DeviceBuffer<Point> waves(exact.size());
    transforms.forward(grid.constView(), waves.view());
    std::vector<Point> const found = waves.download(stream);
    double error = 0, size = 0;
    for (std::size_t i = 0; i < exact.size(); ++i) {
        error += std::norm(std::complex<double>(found[i].re, found[i].im) - exact[i]);
        size += std::norm(exact[i]);
    }
    EXPECT_LT(std::sqrt(error / size), 3e-7);
}

TEST_P(Grids, TheWayBackRestoresThePoints)
{
    std::array<int, 3> const n = GetParam();
    std::vector<float> const points = randomPoints(n);
    Stream stream;
    LineTransforms transforms(n, stream);
    DeviceBuffer<float> grid(points, stream), back(points.size());
    DeviceBuffer<Point> waves(static_cast<std::size_t>(n[0]) * static_cast<std::size_t>(n[1]) * static_cast<std::size_t>(n[2] / 2 + 1));
    transforms.forward(grid.constView(), waves.view());
    transforms.backward(waves.view(), back.view());
    std::vector<float> const found = back.download(stream);
    double worst = 0;
    for (std::size_t i = 0; i < points.size(); ++i)
        worst = std::max(worst, std::abs(static_cast<double>(found[i]) / static_cast<double>(points.size()) - points[i]));
    EXPECT_LT(worst, 1e-6);
}

INSTANTIATE_TEST_SUITE_P(Sizes, Grids,
                         testing::Values(std::array{8, 8, 8}, std::array{20, 24, 28}, std::array{15, 21, 35}, std::array{1, 2, 3},
                                         std::array{5, 1, 4}, std::array{11, 13, 17}, std::array{4, 6, 1}, std::array{3, 5, 300}),
                         [](auto const& info) {
                             return std::to_string(info.param[0]) + "x" + std::to_string(info.param[1]) + "x" +
                                    std::to_string(info.param[2]);
                         });

TEST(Lines, HaveTheSameBitsInGridsOfAnySize)
{
    // One row along z, alone and as the last of many.
    std::vector<float> const row = randomPoints({1, 1, 40});
    auto const transformed = [&](std::array<int, 3> n) {
        std::vector<float> points(static_cast<std::size_t>(n[0] * n[1]) * 40, 0.0F);
        std::copy(row.begin(), row.end(), points.end() - 40);
        Stream stream;
        DeviceBuffer<float> grid(points, stream);
        DeviceBuffer<Point> waves(static_cast<std::size_t>(n[0] * n[1]) * 21);
        LineTransforms(n, stream).forward(grid.constView(), waves.view());
        return waves.download(stream);
    };
    std::vector<Point> const alone = transformed({1, 1, 40}), last = transformed({1, 41, 40});
    // The other axis adds up the row's waves and zeros, times factors of size one: wave 0 along y is the row's own.
    for (std::size_t k = 0; k < alone.size(); ++k) {
        EXPECT_EQ(alone[k].re, last[k].re) << k;
        EXPECT_EQ(alone[k].im, last[k].im) << k;
    }
}

} // namespace
