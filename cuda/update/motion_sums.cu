#include "update/motion_sums.hpp"

#include "device/launch.hpp"
#include "device/warp_sums.hpp"
#include "update/fixed_sums.hpp"

#include <algorithm>

namespace alder::cuda {

namespace {

using math::Vec3d;

// Blocks go over atoms in strides, so that few additions meet in one word: 1024 blocks fill the largest GPU once.
constexpr unsigned sumThreads = 256, mostSumBlocks = 1024;
constexpr int momentum = static_cast<int>(momentumWords), kinetic = static_cast<int>(kineticWords);

__global__ void __launch_bounds__(sumThreads)
    sumMotionOf(View<Vec3d const> velocities, AtomTraits traits, int count, int groups, View<std::int64_t> sums)
{
    ALDER_SHARED(std::int64_t, table, momentumWords + kineticWords * mostGroups);
    int const words = momentum + kinetic * groups;
    clearTable(table, words);
    std::int64_t x = 0, y = 0, z = 0;
    GroupTally<kinetic> tally(momentum);
    for (int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x); i < count; i += static_cast<int>(gridDim.x * blockDim.x)) {
        double const mass = traits.mass[i];
        Vec3d const v = velocities[i];
        x += unitsOf(mass * v.x);
        y += unitsOf(mass * v.y);
        z += unitsOf(mass * v.z);
        if (groups == 0) continue;
        math::Mat3d const k = physics::kineticTensor(mass, v);
        tally.add(table, groupOf(traits, i),
                  {unitsOf(k.x.x), unitsOf(k.x.y), unitsOf(k.x.z), unitsOf(k.y.y), unitsOf(k.y.z), unitsOf(k.z.z)});
    }
    std::int64_t const whole[momentumWords] = {sumOverWarp(x), sumOverWarp(y), sumOverWarp(z)};
    if (threadIdx.x % warpLanes == 0)
        for (int k = 0; k < momentum; ++k) addUnitsShared(table, static_cast<std::size_t>(k), whole[k]);
    tally.finish(table);
    addTable(table, words, sums);
}

__global__ void __launch_bounds__(sumThreads)
    subtractDrift(View<Vec3d> velocities, View<double const> mass, int count, View<std::int64_t const> momentumUnits, double inverseMass)
{
    int const i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
    if (i >= count || !(mass[i] > 0)) return;
    Vec3d const drift = inverseMass * Vec3d{math::FixedSum{momentumUnits[0]}.value(), math::FixedSum{momentumUnits[1]}.value(),
                                            math::FixedSum{momentumUnits[2]}.value()};
    velocities[i] -= drift;
}

__global__ void __launch_bounds__(sumThreads) multiplyVelocities(View<Vec3d> velocities, int count, math::Mat3d factor)
{
    int const i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
    if (i >= count) return;
    Vec3d const v = velocities[i];
    velocities[i] = factor * v;
}

} // namespace

void sumMotion(UpdateTables const& tables, View<Vec3d const> velocities, int groups, View<std::int64_t> sums, Stream& stream)
{
    auto const count = static_cast<std::size_t>(tables.atomCount());
    unsigned const blocks = std::min(mostSumBlocks, blocksFor(count, sumThreads));
    launch<sumMotionOf>({.grid = blocks, .block = sumThreads}, stream, velocities, tables.traits(), static_cast<int>(count), groups, sums);
}

system::MotionSums motionOf(std::span<std::int64_t const> words, std::size_t groups)
{
    system::MotionSums sums;
    sums.momentumX.units = words[0];
    sums.momentumY.units = words[1];
    sums.momentumZ.units = words[2];
    for (std::size_t g = 0; g < groups; ++g) {
        std::span<std::int64_t const> const w = words.subspan(momentumWords + kineticWords * g, kineticWords);
        sums.kinetic.push_back({{w[0]}, {w[1]}, {w[2]}, {w[1]}, {w[3]}, {w[4]}, {w[2]}, {w[4]}, {w[5]}});
    }
    return sums;
}

void removeDrift(UpdateTables const& tables, View<Vec3d> velocities, View<std::int64_t const> momentumUnits, Stream& stream)
{
    auto const count = static_cast<std::size_t>(tables.atomCount());
    launch<subtractDrift>({.grid = blocksFor(count, sumThreads), .block = sumThreads}, stream, velocities, tables.traits().mass,
                          static_cast<int>(count), momentumUnits, 1.0 / tables.totalMass());
}

void transformVelocities(View<Vec3d> velocities, std::int64_t count, math::Mat3d const& factor, Stream& stream)
{
    launch<multiplyVelocities>({.grid = blocksFor(static_cast<std::size_t>(count), sumThreads), .block = sumThreads}, stream, velocities,
                               static_cast<int>(count), factor);
}

} // namespace alder::cuda
