#include "update/frozen_atoms.hpp"

#include "device/launch.hpp"

#include <array>
#include <vector>

namespace alder::cuda {

namespace {

constexpr unsigned frozenThreads = 128;

template <class T> __device__ math::Vec3<T> without(std::uint32_t axes, math::Vec3<T> v)
{
    return {(axes & 1u) != 0 ? T{0} : v.x, (axes & 2u) != 0 ? T{0} : v.y, (axes & 4u) != 0 ? T{0} : v.z};
}

__global__ void __launch_bounds__(frozenThreads) copyForces(View<std::int64_t const> forces, View<std::int64_t> freed, int words)
{
    int const i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
    if (i < words) freed[i] = forces[i];
}

__global__ void __launch_bounds__(frozenThreads) clearFrozenForces(View<FrozenAtom const> atoms, View<std::int64_t> freed, int count)
{
    int const n = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
    if (n >= count) return;
    FrozenAtom const frozen = atoms[n];
    for (int axis = 0; axis < 3; ++axis)
        if ((frozen.axes >> axis & 1u) != 0) freed[3 * frozen.atom + axis] = std::int64_t{0};
}

__global__ void __launch_bounds__(frozenThreads)
    rememberPositions(View<FrozenAtom const> atoms, View<math::FractionVec const> positions, View<math::FractionVec> before, int count)
{
    int const n = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
    if (n < count) before[n] = positions[atoms[n].atom];
}

__global__ void __launch_bounds__(frozenThreads) putFrozenBack(View<FrozenAtom const> atoms, View<math::FractionVec> positions,
                                                               View<math::FractionVec const> before, StepConstants step, int count)
{
    int const n = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
    if (n >= count) return;
    FrozenAtom const frozen = atoms[n];
    math::FractionVec const now = positions[frozen.atom], then = before[n];
    if (now == then) return;
    physics::Box const box = step.box();
    math::Vec3d const kept = without(frozen.axes, box.difference(now, then));
    positions[frozen.atom] = wrappingSum(then, box.toFractionStep(kept));
}

__global__ void __launch_bounds__(frozenThreads) stopFrozen(View<FrozenAtom const> atoms, View<math::Vec3d> velocities, int count)
{
    int const n = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
    if (n >= count) return;
    FrozenAtom const frozen = atoms[n];
    math::Vec3d const v = velocities[frozen.atom];
    velocities[frozen.atom] = without(frozen.axes, v);
}

LaunchShape shapeOf(std::size_t count) { return {.grid = blocksFor(count, frozenThreads), .block = frozenThreads}; }

} // namespace

FrozenAtoms::FrozenAtoms(system::Topology const& topology, plan::DynamicsPlan const& dynamics, Stream& stream)
    : atomCount_(topology.atomCount)
{
    if (dynamics.frozenAxes.empty()) return;
    std::vector<FrozenAtom> atoms;
    system::forEachAtom(topology, [&](system::Atom const& atom, std::int64_t i) {
        std::array<bool, 3> const axes = dynamics.frozenAxes[static_cast<std::size_t>(topology.freezeGroups.of(i))];
        std::uint32_t const bits = (axes[0] ? 1u : 0u) | (axes[1] ? 2u : 0u) | (axes[2] ? 4u : 0u);
        if (atom.mass > 0 && bits != 0) atoms.push_back({static_cast<std::int32_t>(i), bits});
    });
    atoms_.upload(atoms, stream);
    before_.resize(atoms.size());
    if (!atoms.empty()) freed_.resize(3 * static_cast<std::size_t>(atomCount_));
}

View<std::int64_t const> FrozenAtoms::freed(View<std::int64_t const> forces, Stream& stream)
{
    launch<copyForces>(shapeOf(freed_.size()), stream, forces, freed_.view(), static_cast<int>(freed_.size()));
    launch<clearFrozenForces>(shapeOf(atoms_.size()), stream, atoms_.constView(), freed_.view(), static_cast<int>(atoms_.size()));
    return freed_.constView();
}

void FrozenAtoms::remember(View<math::FractionVec const> positions, Stream& stream)
{
    launch<rememberPositions>(shapeOf(atoms_.size()), stream, atoms_.constView(), positions, before_.view(),
                              static_cast<int>(atoms_.size()));
}

void FrozenAtoms::putBack(View<math::FractionVec> positions, StepConstants const& step, Stream& stream)
{
    launch<putFrozenBack>(shapeOf(atoms_.size()), stream, atoms_.constView(), positions, before_.constView(), step,
                          static_cast<int>(atoms_.size()));
}

void FrozenAtoms::stop(View<math::Vec3d> velocities, Stream& stream)
{
    launch<stopFrozen>(shapeOf(atoms_.size()), stream, atoms_.constView(), velocities, static_cast<int>(atoms_.size()));
}

} // namespace alder::cuda
