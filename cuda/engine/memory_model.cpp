// How much memory a run takes, from the plan alone.

#include "engine/make_backend.hpp"
#include "physics/constants.hpp"

#include <algorithm>
#include <cmath>

namespace alder::cuda {

namespace {

/// By atom: positions 12, velocities 24, forces 24, and all three once more on their way to the host, masses 16; a quarter more slots than atoms, each with site 16, start 12, parameters and
/// places 20, forces 24, keys for sorting 24.
constexpr double bytesAnAtom = 136 + 1.25 * 96;
constexpr double bytesOfImpulse = 24; // by atom, where forces wait
/// An item of the pair list: half and words 8, masks 2, its place in the queue of the wide kernel 8.
constexpr double bytesAnItem = 18;

/// Items of a list of `atoms` at the density of the box: a super-cluster, a cube of 64 atoms, meets all halves of clusters within the list
/// radius of it, each pair once. Lists of water at 1 nm hold 20 % more than this, since clusters are no cubes, and grow by an eighth.
double itemsOf(double atoms, double volume, double listCutoff)
{
    double const density = atoms / volume, edge = std::cbrt(64 / density), reach = listCutoff + 0.5 * std::cbrt(4 / density);
    double const around = edge * edge * edge + 6 * edge * edge * reach + 3 * physics::pi * edge * reach * reach +
                          4.0 / 3 * physics::pi * reach * reach * reach;
    double const halves = std::min(around * density, atoms) / 4;
    return 1.5 * (atoms / 64 + 1) / 2 * halves;
}

/// Charges, points, waves, their influence, and as much again for the transform.
double gridBytes(plan::PmePlan const& plan)
{
    double const points = static_cast<double>(plan.grid[0]) * plan.grid[1] * plan.grid[2];
    return points * (4 + 4 + 4 + 2 + 8);
}

double bondedBytes(system::Topology const& topology)
{
    double bytes = 0;
    for (system::MoleculeBlock const& block : topology.blocks)
        for (system::InteractionList const& list : topology.types[static_cast<std::size_t>(block.type)].interactions)
            bytes += static_cast<double>(block.count) * 4.0 * static_cast<double>(list.atoms.size() + list.parameters.size());
    return bytes;
}

} // namespace

std::uint64_t memoryNeeded(system::Topology const& topology, plan::RunPlan const& plan, double volume)
{
    auto const atoms = static_cast<double>(std::max<std::int64_t>(topology.atomCount, 1));
    double bytes = atoms * bytesAnAtom + bytesAnItem * itemsOf(atoms, volume, plan.pairs.listCutoff) + bondedBytes(topology);
    if (plan.dynamics.slow.any()) bytes += atoms * bytesOfImpulse;
    if (plan.pme.active) bytes += gridBytes(plan.pme);
    for (plan::PmePlan const& grid : plan.dispersionGrids) bytes += gridBytes(grid);
    constexpr double runtime = 64.0 * 1024 * 1024; // code of the kernels, stacks, the allocator's own
    return static_cast<std::uint64_t>(bytes + runtime);
}

} // namespace alder::cuda
