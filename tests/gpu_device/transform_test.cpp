// cuFFT's calls as the emulation answers them, against sums written out.

#include "device/buffers.hpp"

#include <array>
#include <cmath>
#include <cufft.h>
#include <gtest/gtest.h>

namespace alder::cuda {
namespace {

constexpr int nx = 4, ny = 3, nz = 5, half = nz / 2 + 1;

std::vector<float> sampleGrid()
{
    std::vector<float> grid(nx * ny * nz);
    for (std::size_t i = 0; i < grid.size(); ++i) grid[i] = std::sin(0.7f * static_cast<float>(i * i % 17));
    return grid;
}

/// One coefficient: sum over the grid of value e^(-2 pi i (jx kx / nx + ...)).
std::array<double, 2> coefficient(std::vector<float> const& grid, int kx, int ky, int kz)
{
    double re = 0.0, im = 0.0;
    for (int x = 0; x < nx; ++x)
        for (int y = 0; y < ny; ++y)
            for (int z = 0; z < nz; ++z) {
                double const angle = -2.0 * M_PI * (1.0 * x * kx / nx + 1.0 * y * ky / ny + 1.0 * z * kz / nz);
                double const value = grid[static_cast<std::size_t>((x * ny + y) * nz + z)];
                re += value * std::cos(angle);
                im += value * std::sin(angle);
            }
    return {re, im};
}

TEST(Transform, ForwardIsTheSumAndBackIsTheGrid)
{
    Stream stream;
    std::vector<float> const grid = sampleGrid();
    DeviceBuffer<float> real(grid, stream);
    DeviceBuffer<float2> complex(nx * ny * half);
    cufftHandle forward, back;
    ASSERT_EQ(cufftPlan3d(&forward, nx, ny, nz, CUFFT_R2C), CUFFT_SUCCESS);
    ASSERT_EQ(cufftPlan3d(&back, nx, ny, nz, CUFFT_C2R), CUFFT_SUCCESS);
    cufftSetStream(forward, stream.handle());
    cufftSetStream(back, stream.handle());
    ASSERT_EQ(cufftExecR2C(forward, real.data(), complex.data()), CUFFT_SUCCESS);
    std::vector<float2> const found = complex.download(stream);
    for (int x = 0; x < nx; ++x)
        for (int y = 0; y < ny; ++y)
            for (int z = 0; z < half; ++z) {
                auto const [re, im] = coefficient(grid, x, y, z);
                float2 const f = found[static_cast<std::size_t>((x * ny + y) * half + z)];
                EXPECT_NEAR(f.x, re, 2e-5);
                EXPECT_NEAR(f.y, im, 2e-5);
            }
    ASSERT_EQ(cufftExecC2R(back, complex.data(), real.data()), CUFFT_SUCCESS);
    std::vector<float> const again = real.download(stream);
    for (std::size_t i = 0; i < grid.size(); ++i) EXPECT_NEAR(again[i] / (nx * ny * nz), grid[i], 1e-6);
    EXPECT_EQ(cufftDestroy(forward), CUFFT_SUCCESS);
    EXPECT_EQ(cufftDestroy(back), CUFFT_SUCCESS);
}

TEST(Transform, InPlaceRowsHaveRoomForTheComplexHalf)
{
    Stream stream;
    std::vector<float> const grid = sampleGrid();
    std::vector<float> padded(nx * ny * 2 * half, 0.0f);
    for (int row = 0; row < nx * ny; ++row)
        for (int z = 0; z < nz; ++z) padded[static_cast<std::size_t>(row * 2 * half + z)] = grid[static_cast<std::size_t>(row * nz + z)];
    DeviceBuffer<float> data(padded, stream);
    auto* const complex = reinterpret_cast<float2*>(data.data());
    cufftHandle forward, back;
    int n[3] = {nx, ny, nz}, realSize[3] = {nx, ny, 2 * half}, complexSize[3] = {nx, ny, half};
    ASSERT_EQ(cufftPlanMany(&forward, 3, n, realSize, 1, 0, complexSize, 1, 0, CUFFT_R2C, 1), CUFFT_SUCCESS);
    ASSERT_EQ(cufftPlan3d(&back, nx, ny, nz, CUFFT_C2R), CUFFT_SUCCESS);
    cufftSetStream(forward, stream.handle());
    cufftSetStream(back, stream.handle());
    ASSERT_EQ(cufftExecR2C(forward, data.data(), complex), CUFFT_SUCCESS);
    auto const [re, im] = coefficient(grid, 1, 2, 1);
    std::vector<float> const found = data.download(stream);
    EXPECT_NEAR(found[(1 * ny + 2) * 2 * half + 2], re, 2e-5);
    EXPECT_NEAR(found[(1 * ny + 2) * 2 * half + 3], im, 2e-5);
    ASSERT_EQ(cufftExecC2R(back, complex, data.data()), CUFFT_SUCCESS);
    std::vector<float> const again = data.download(stream);
    for (int row = 0; row < nx * ny; ++row)
        for (int z = 0; z < nz; ++z)
            EXPECT_NEAR(again[static_cast<std::size_t>(row * 2 * half + z)] / (nx * ny * nz), grid[static_cast<std::size_t>(row * nz + z)],
                        1e-6);
}

} // namespace
} // namespace alder::cuda
