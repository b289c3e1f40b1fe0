#include "update/molecules/molecule_step.hpp"

#include "device/launch.hpp"
#include "update/fixed_sums.hpp"

#include <limits>

namespace alder::cuda {

namespace {

using math::Vec3d;

/// A stretch of a group's room, with elements that may be written in part.
template <class T> struct RoomSlice {
    View<T> all;
    std::int32_t first = 0;
    __device__ T& operator[](std::size_t i) const { return *all.pointer(first + static_cast<std::int32_t>(i)); }
};

/// A group's room with the members of constraints::GroupWork.
struct MoleculeWork {
    RoomSlice<Vec3d> freeDisplacement, displacement, velocity, before, direction;
    RoomSlice<double> multiplier, length, side, nextSide, solution, search, coupling;
};
__device__ inline MoleculeWork workOf(MoleculeRoom const& room, MoleculeGroup const& at)
{
    return {{room.freeDisplacement, at.atomRoom}, {room.displacement, at.atomRoom}, {room.velocity, at.atomRoom},
            {room.before, at.bondRoom},           {room.direction, at.bondRoom},    {room.multiplier, at.bondRoom},
            {room.length, at.bondRoom},           {room.side, at.bondRoom},         {room.nextSide, at.bondRoom},
            {room.solution, at.bondRoom},         {room.search, at.bondRoom},       {room.coupling, at.couplingRoom}};
}

/// constraints::solveByLincs() by all threads of a block: loops over bonds and atoms are shared out, and each sum is one thread's.
class BlockLincs {
public:
    __device__ BlockLincs(MoleculeTable const& table, DeviceShape const& shape, ShapePlace const& place, MoleculeWork& work)
        : table_(table),
          shape_(shape),
          place_(place),
          work_(work)
    {}

    /// Whether all distances are kept; if not, displacements are as they were.
    __device__ bool solve(double tolerance)
    {
        findDirections();
        forEachAtom([&](std::size_t k) { work_.freeDisplacement[k] = work_.displacement[k]; });
        forEachBond([&](std::size_t i) { work_.multiplier[i] = 0.0; });
        forEachBond([&](std::size_t i) {
            constraints::ConstraintBond const bond = shape_.bonds[i];
            work_.side[i] = bond.scale * (dot(work_.direction[i], bondAfter(work_, bond, i)) - bond.length);
        });
        expandAndApply();
        for (int iteration = 0; iteration < table_.constraints.lincsIterations; ++iteration) {
            forEachBond([&](std::size_t i) {
                constraints::ConstraintBond const bond = shape_.bonds[i];
                double const wanted = bond.length * bond.length;
                work_.side[i] = bond.scale * (bond.length - physics::shortenedProjection(wanted, norm2(bondAfter(work_, bond, i))));
            });
            expandAndApply();
        }
        return allWithin(tolerance);
    }

private:
    MoleculeTable const& table_;
    DeviceShape const& shape_;
    ShapePlace const& place_;
    MoleculeWork& work_;

    template <class Act> __device__ static void forEach(std::size_t count, Act&& act)
    {
        for (std::size_t i = threadIdx.x; i < count; i += blockDim.x) act(i);
        __syncthreads();
    }
    template <class Act> __device__ void forEachBond(Act&& act) const { forEach(shape_.bonds.size(), act); }
    template <class Act> __device__ void forEachAtom(Act&& act) const { forEach(shape_.atoms.size(), act); }

    __device__ void findDirections()
    {
        forEachBond([&](std::size_t i) {
            work_.length[i] = norm(work_.before[i]);
            work_.direction[i] = (1.0 / work_.length[i]) * work_.before[i];
        });
        forEachBond([&](std::size_t i) {
            for (std::int32_t c = shape_.couplingStart[i]; c < shape_.couplingStart[i + 1]; ++c) {
                constraints::BondCoupling const coupling = shape_.couplings[static_cast<std::size_t>(c)];
                work_.coupling[static_cast<std::size_t>(c)] =
                    coupling.factor * dot(work_.direction[i], work_.direction[static_cast<std::size_t>(coupling.other)]);
            }
        });
    }
    [[nodiscard]] __device__ double coupled(RoomSlice<double> const& side, std::size_t c) const
    {
        return work_.coupling[c] * side[static_cast<std::size_t>(shape_.couplings[c].other)];
    }
    __device__ void expandAndApply()
    {
        RoomSlice<double> side = work_.side, next = work_.nextSide;
        auto const swapSides = [&] {
            RoomSlice<double> const used = side;
            side = next;
            next = used;
        };
        forEachBond([&](std::size_t i) { work_.solution[i] = side[i]; });
        int const order = table_.constraints.lincsOrder;
        for (int term = 0; term < order; ++term) {
            forEachBond([&](std::size_t i) {
                double sum = 0;
                for (std::int32_t c = shape_.couplingStart[i]; c < shape_.couplingStart[i + 1]; ++c)
                    sum += coupled(side, static_cast<std::size_t>(c));
                next[i] = sum;
                work_.solution[i] += sum;
            });
            swapSides();
        }
        for (int term = 0; term < order && !shape_.triangleBonds.empty(); ++term) {
            forEach(shape_.triangleBonds.size(), [&](std::size_t t) {
                double sum = 0;
                for (std::int32_t k = shape_.triangleStart[t]; k < shape_.triangleStart[t + 1]; ++k)
                    sum += coupled(side, static_cast<std::size_t>(shape_.triangleCouplings[static_cast<std::size_t>(k)]));
                auto const i = static_cast<std::size_t>(shape_.triangleBonds[t]);
                next[i] = sum;
                work_.solution[i] += sum;
            });
            swapSides();
        }
        apply();
    }
    /// An atom takes what its bonds do to it in their order.
    __device__ void apply()
    {
        forEachBond([&](std::size_t i) { work_.multiplier[i] += shape_.bonds[i].scale * work_.solution[i] / work_.length[i]; });
        forEachAtom([&](std::size_t k) {
            double const inverseMass = shape_.inverseMass[k];
            Vec3d displacement = work_.displacement[k];
            std::int32_t const row = place_.atoms.first + static_cast<std::int32_t>(k);
            for (std::int32_t n = table_.atomBondStart[row]; n < table_.atomBondStart[row + 1]; ++n) {
                AtomBond const at = table_.atomBonds[n];
                auto const i = static_cast<std::size_t>(at.bond);
                double const projected = shape_.bonds[i].scale * work_.solution[i]; // g |r|
                Vec3d const change = (inverseMass * projected) * work_.direction[i];
                if (at.sign > 0)
                    displacement -= change;
                else
                    displacement += change;
            }
            work_.displacement[k] = displacement;
        });
    }
    __device__ bool allWithin(double tolerance) const
    {
        bool within = true;
        for (std::size_t i = threadIdx.x; i < shape_.bonds.size(); i += blockDim.x) {
            constraints::ConstraintBond const bond = shape_.bonds[i];
            double const wanted = bond.length * bond.length;
            within = within && std::fabs(physics::relativeDeviation(norm2(bondAfter(work_, bond, i)), wanted)) <= tolerance;
        }
        return __syncthreads_and(within ? 1 : 0) != 0;
    }
};

enum class Task : std::uint8_t { step, positions, velocities };

/// The lowest atoms for which something is off, as atoms of the shape.
constexpr int noAtom = std::numeric_limits<int>::max();
enum Fault : int { byForce = 0, byDisplacement = 1, faults = 2 };

template <Task task>
__global__ void __launch_bounds__(moleculeThreads) moveMolecules(MoleculeTable table, Moving moving, AtomTraits traits, FactorViews factors,
                                                                 StepConstants step, BlameBoard board, VirialWords sums)
{
    ALDER_SHARED(int, least, faults);
    if (lostBefore(board, step.order)) return; // the whole block
    MoleculeGroup const at = table.groups[blockIdx.x];
    ShapePlace const place = table.shapes.places[at.group.shape];
    DeviceShape const shape = shapeAt(table.shapes, place);
    MoleculeWork work = workOf(table.room, at);
    auto const atomAt = [&](std::size_t k) { return at.group.firstAtom + shape.atoms[k]; };
    if (threadIdx.x < faults) least[threadIdx.x] = noAtom;
    __syncthreads();
    for (std::size_t i = threadIdx.x; i < shape.bonds.size(); i += blockDim.x) {
        constraints::ConstraintBond const bond = shape.bonds[i];
        math::FractionVec const a = moving.positions[atomAt(static_cast<std::size_t>(bond.a))];
        math::FractionVec const b = moving.positions[atomAt(static_cast<std::size_t>(bond.b))];
        work.before[i] = step.box().difference(a, b);
    }
    for (std::size_t k = threadIdx.x; k < shape.atoms.size(); k += blockDim.x) {
        int const i = atomAt(k);
        Vec3d v{};
        if constexpr (task != Task::positions) v = moving.velocities[i];
        if constexpr (task == Task::step) {
            int const group = groupOf(traits, i);
            math::ForceUnits const units = forceOn(moving, i);
            if (physics::forceIsSuspect(physics::forceBits(units))) atomicMin(least.pointer(byForce), static_cast<int>(k));
            double const factor = factors.kick[group] * physics::kickFactor(step.dt, shape.inverseMass[k]), lambda = factors.lambda[group];
            Vec3d const f = numbersOf(units);
            v = {physics::kicked(v.x, lambda, f.x, factor), physics::kicked(v.y, lambda, f.y, factor),
                 physics::kicked(v.z, lambda, f.z, factor)};
        }
        work.velocity[k] = v;
        work.displacement[k] = task == Task::positions ? Vec3d{} : task == Task::velocities ? -step.dt * v : v * step.dt;
    }
    __syncthreads();
    double const tolerance = task == Task::step ? constraints::stepTolerance : constraints::startTolerance;
    constraints::ConstraintFit fit;
    // what LINCS does not solve in its few terms is seldom, and one thread's
    if (!BlockLincs(table, shape, place, work).solve(tolerance) && threadIdx.x == 0)
        fit = constraints::solveWithCare(shape, work, tolerance);
    __syncthreads();
    for (std::size_t k = threadIdx.x; k < shape.atoms.size(); k += blockDim.x) {
        int const i = atomAt(k);
        Vec3d const moved = work.displacement[k], v = work.velocity[k];
        if constexpr (task != Task::velocities) moving.positions[i] = wrappingSum(moving.positions[i], step.fractions().of(moved));
        if constexpr (task == Task::velocities) moving.velocities[i] = v - (1.0 / step.dt) * (moved - (-step.dt * v));
        if constexpr (task == Task::step) {
            moving.velocities[i] = v + (1.0 / step.dt) * (moved - v * step.dt);
            if (!(norm2(moved) <= step.squareLimit())) atomicMin(least.pointer(byDisplacement), static_cast<int>(k));
        }
    }
    __syncthreads();
    Finding finding;
    if (threadIdx.x == 0) {
        int const suspect = least[byForce], far = least[byDisplacement];
        if (suspect == noAtom && !fit.good) {
            constraints::ConstraintBond const bond = shape.bonds[static_cast<std::size_t>(fit.worst)];
            finding.blame.atom = atomAt(static_cast<std::size_t>(bond.a));
            finding.blame.distance = {atomAt(static_cast<std::size_t>(bond.b)), bond.length, fit.present, fit.rootMeanSquare,
                                      shape.bonds.at.count};
        } else if (suspect != noAtom || far != noAtom) {
            auto const k = static_cast<std::size_t>(suspect != noAtom ? suspect : far);
            finding.blame.atom = atomAt(k);
            finding.blame.force = forceOn(moving, atomAt(k));
            finding.blame.displacement = norm(work.displacement[k]);
        }
        if (sums.given()) {
            // a sum of numbers in the order of the bonds before it is rounded, so one thread's
            math::Mat3d const virial = constraints::groupVirial(shape, work, 1.0 / step.dt);
            double const terms[9] = {virial.x.x, virial.x.y, virial.x.z, virial.y.x, virial.y.y,
                                     virial.y.z, virial.z.x, virial.z.y, virial.z.z};
            for (std::size_t k = 0; k < 9; ++k) addUnits(sums, k, unitsOf(terms[k]));
        }
    }
    report(board, step.order, finding, table.firstSlot + static_cast<int>((blockIdx.x * blockDim.x + threadIdx.x) / warpLanes));
}

template <Task task>
void launchMolecules(UpdateTables const& tables, Moving const& moving, FactorViews const& factors, StepConstants const& step,
                     BlameBoard const& board, VirialWords virial, Stream& stream)
{
    MoleculeTable const table = tables.molecules();
    if (table.count == 0) return;
    launch<moveMolecules<task>>({.grid = static_cast<unsigned>(table.count), .block = moleculeThreads}, stream, table, moving,
                                tables.traits(), factors, step, board, virial);
}

} // namespace

void stepMolecules(UpdateTables const& tables, Moving const& moving, FactorViews const& factors, StepConstants const& step,
                   BlameBoard const& board, VirialWords virial, Stream& stream)
{
    launchMolecules<Task::step>(tables, moving, factors, step, board, virial, stream);
}

void constrainMoleculePositions(UpdateTables const& tables, Moving const& moving, StepConstants const& step, BlameBoard const& board,
                                Stream& stream)
{
    launchMolecules<Task::positions>(tables, moving, {}, step, board, {}, stream);
}

void constrainMoleculeVelocities(UpdateTables const& tables, Moving const& moving, StepConstants const& step, BlameBoard const& board,
                                 Stream& stream)
{
    launchMolecules<Task::velocities>(tables, moving, {}, step, board, {}, stream);
}

} // namespace alder::cuda
