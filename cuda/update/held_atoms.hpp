#pragma once
// What one thread moves: a free atom, a rigid water or a group of constraints. All three look alike to a step: a few atoms with
// displacements and velocities, distances to be kept among them, and the virial of what keeps them.

#include "constraints/distance_solver.hpp"
#include "constraints/projection.hpp"
#include "device/language.hpp"
#include "device/view.hpp"
#include "engine/blame.hpp"
#include "physics/settle.hpp"
#include "update/moved_atoms.hpp"

#include <cstdint>

namespace alder::cuda {

/// Threads of a block that take atoms, waters or groups each.
inline constexpr unsigned updateThreads = 128;

/// Where atoms are.
struct PlacedAtoms {
    View<math::FractionVec const> positions;
    physics::Box box;
};

/// A stretch of a table.
struct Stretch {
    std::int32_t first = 0, count = 0;
};

/// Where a shape of constraints::ConstraintSet lies in the tables.
struct ShapePlace {
    Stretch atoms, bonds, couplings, triangleBonds, triangleCouplings;
    std::int32_t couplingStart = 0, triangleStart = 0;
};

/// All shapes, one after the other.
struct ShapeTables {
    View<ShapePlace const> places;
    View<std::int32_t const> atoms;
    View<double const> inverseMass;
    View<constraints::ConstraintBond const> bonds;
    View<std::int32_t const> couplingStart;
    View<constraints::BondCoupling const> couplings;
    View<std::int32_t const> triangleBonds, triangleStart, triangleCouplings;
};

/// A triangle of waters.
struct Triangle {
    physics::WaterGeometry<double> geometry;
    double inverseOxygen = 0, inverseHydrogen = 0; ///< 1/amu
};
struct TriangleWater {
    std::int32_t oxygen = 0, hydrogen1 = 0, hydrogen2 = 0, triangle = 0;
};

#if defined(ALDER_SIMT) || defined(__CUDACC__)

/// What all have that one thread moves.
struct OfOneThread {
    static constexpr unsigned threads = updateThreads; ///< of a block
    static constexpr bool blockwide = false;
    /// Which of a table this thread has.
    static __device__ int index() { return static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x); }
    /// Whether it is so for any of those that move a group together.
    static __device__ bool anyone(bool mine) { return mine; }
    /// Which atoms have something: a bit each.
    class Marks {
    public:
        __device__ void mark(int k) { bits_ |= 1u << k; }
        [[nodiscard]] __device__ bool has(int k) const { return (bits_ >> k & 1u) != 0; }

    private:
        unsigned bits_ = 0;
    };
};
/// Room for one vector more of each atom.
template <int most> struct ThreadSpare {
    math::Vec3d of[most];
    template <class Held> __device__ explicit ThreadSpare(Held const&) {}
};

/// For each atom of those held together, by whoever moves them.
template <class Held, class Act> __device__ void forEachAtom(Held const& held, Act&& act)
{
    if constexpr (Held::blockwide) {
        for (int k = static_cast<int>(threadIdx.x); k < held.count(); k += static_cast<int>(blockDim.x)) act(k);
        __syncthreads();
    } else {
        for (int k = 0; k < held.count(); ++k) act(k);
    }
}
/// Where a warp blames its atoms.
template <class Table> __device__ int slotIn(Table const& table)
{
    return table.firstSlot + static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x) / warpLanes;
}

class FreeAtom : public OfOneThread {
public:
    struct Table {
        using Holds = FreeAtom;
        View<std::int32_t const> atoms;
        View<double const> inverseMass;
        int count = 0, firstSlot = 0;
    };
    using Spare = ThreadSpare<1>;
    /// Whether anything is to be solved.
    static constexpr bool constrained = false;
    /// Whether a failure to solve is to be told before a displacement that follows of it.
    static constexpr bool tellsFailure = false;

    __device__ FreeAtom(Table const& table, int index, PlacedAtoms const&)
        : atom_(table.atoms[index]),
          inverseMass_(table.inverseMass[atom_])
    {}
    math::Vec3d displacement[1], velocity[1];
    [[nodiscard]] __device__ int count() const { return 1; }
    [[nodiscard]] __device__ int atom(int) const { return atom_; }
    [[nodiscard]] __device__ double inverseMass(int) const { return inverseMass_; }
    __device__ engine::Blame solve(double) { return {}; }
    [[nodiscard]] __device__ math::Vec3d correction(int, double) const { return {}; }
    [[nodiscard]] __device__ math::Mat3d virial(double) const { return {}; }
    __device__ math::Mat3d project(double) { return {}; }

private:
    int atom_;
    double inverseMass_;
};

class Water : public OfOneThread {
public:
    struct Table {
        using Holds = Water;
        View<TriangleWater const> waters;
        View<Triangle const> triangles;
        int count = 0, firstSlot = 0;
    };
    using Spare = ThreadSpare<3>;
    static constexpr bool constrained = true;
    static constexpr bool tellsFailure = false;

    __device__ Water(Table const& table, int index, PlacedAtoms const& placed)
        : atoms_(table.waters[index]),
          triangle_(table.triangles[atoms_.triangle])
    {
        math::FractionVec const o = placed.positions[atoms_.oxygen];
        before_ = {placed.box.difference(placed.positions[atoms_.hydrogen1], o),
                   placed.box.difference(placed.positions[atoms_.hydrogen2], o)};
    }
    math::Vec3d displacement[3], velocity[3]; ///< O, H1, H2
    [[nodiscard]] __device__ int count() const { return 3; }
    [[nodiscard]] __device__ int atom(int k) const { return k == 0 ? atoms_.oxygen : k == 1 ? atoms_.hydrogen1 : atoms_.hydrogen2; }
    [[nodiscard]] __device__ double inverseMass(int k) const { return k == 0 ? triangle_.inverseOxygen : triangle_.inverseHydrogen; }

    /// Makes the displacements such that the triangle stays. One that cannot leaves what is not a number.
    __device__ engine::Blame solve(double)
    {
        math::Vec3d const o = displacement[0];
        physics::WaterBonds<double> const after{before_.toHydrogen1 + (displacement[1] - o), before_.toHydrogen2 + (displacement[2] - o)};
        shift_ = physics::settle<double>(triangle_.geometry, before_, after);
        displacement[0] += shift_.oxygen;
        displacement[1] += shift_.hydrogen1;
        displacement[2] += shift_.hydrogen2;
        engine::Blame blame;
        for (int k = 0; k < 3; ++k) {
            double const size = norm(shiftOf(k));
            if (size <= 1.7976931348623157e308) continue;
            engine::Blame here;
            here.atom = atom(k);
            here.displacement = size;
            blame.take(here);
        }
        return blame;
    }
    /// What solve() added to a displacement.
    [[nodiscard]] __device__ math::Vec3d correction(int k, double) const { return shiftOf(k); }
    [[nodiscard]] __device__ math::Mat3d virial(double dt) const { return physics::settleVirial(triangle_.geometry, before_, shift_, dt); }
    /// Takes out of the velocities what would change the triangle; the virial of the forces that do so within `time`.
    __device__ math::Mat3d project(double time)
    {
        physics::WaterVectors<double> const given{velocity[0], velocity[1], velocity[2]};
        physics::WaterVectors<double> const left =
            physics::withoutStretching(before_, given, {triangle_.inverseOxygen, triangle_.inverseHydrogen});
        velocity[0] = left.oxygen;
        velocity[1] = left.hydrogen1;
        velocity[2] = left.hydrogen2;
        return physics::stretchingVirial(triangle_.geometry, before_, given, left, time);
    }

private:
    TriangleWater atoms_;
    Triangle triangle_;
    physics::WaterBonds<double> before_;
    physics::WaterVectors<double> shift_;
    [[nodiscard]] __device__ math::Vec3d shiftOf(int k) const
    {
        return k == 0 ? shift_.oxygen : k == 1 ? shift_.hydrogen1 : shift_.hydrogen2;
    }
};

/// A stretch of a table as the solvers read it.
template <class T> struct Slice {
    View<T const> table;
    Stretch at;
    [[nodiscard]] __device__ T operator[](std::size_t i) const { return table[at.first + static_cast<std::int32_t>(i)]; }
    [[nodiscard]] __device__ std::size_t size() const { return static_cast<std::size_t>(at.count); }
    [[nodiscard]] __device__ bool empty() const { return at.count == 0; }
};

/// A shape with the members of constraints::ConstraintShape.
struct DeviceShape {
    Slice<std::int32_t> atoms;
    Slice<double> inverseMass;
    Slice<constraints::ConstraintBond> bonds;
    Slice<std::int32_t> couplingStart;
    Slice<constraints::BondCoupling> couplings;
    Slice<std::int32_t> triangleBonds, triangleStart, triangleCouplings;
};
__device__ inline DeviceShape shapeAt(ShapeTables const& t, ShapePlace const& p)
{
    return {{t.atoms, p.atoms},
            {t.inverseMass, p.atoms},
            {t.bonds, p.bonds},
            {t.couplingStart, {p.couplingStart, p.bonds.count + 1}},
            {t.couplings, p.couplings},
            {t.triangleBonds, p.triangleBonds},
            {t.triangleStart, {p.triangleStart, p.triangleBonds.count + 1}},
            {t.triangleCouplings, p.triangleCouplings}};
}

/// Room for a group of up to so many, with the members of constraints::GroupWork, in the thread's own memory: indices come from tables, so
/// it is not in registers, but it is interleaved by thread and stays in the first cache.
template <int mostAtoms, int mostBonds, int mostCouplings> struct ThreadWork {
    math::Vec3d freeDisplacement[mostAtoms], displacement[mostAtoms], velocity[mostAtoms];
    math::Vec3d before[mostBonds], direction[mostBonds];
    double multiplier[mostBonds], length[mostBonds], side[mostBonds], nextSide[mostBonds], solution[mostBonds], search[mostBonds];
    double coupling[mostCouplings];
};

/// A distance that a group could not keep.
__device__ inline engine::Blame blameOf(DeviceShape const& shape, constraints::ConstraintGroup group, constraints::ConstraintFit const& fit)
{
    constraints::ConstraintBond const bond = shape.bonds[static_cast<std::size_t>(fit.worst)];
    engine::Blame blame;
    blame.atom = group.firstAtom + shape.atoms[static_cast<std::size_t>(bond.a)];
    blame.distance = {group.firstAtom + shape.atoms[static_cast<std::size_t>(bond.b)], bond.length, fit.present, fit.rootMeanSquare,
                      shape.bonds.at.count};
    return blame;
}

template <int mostAtoms, int mostBonds, int mostCouplings>
class Group : public OfOneThread, public ThreadWork<mostAtoms, mostBonds, mostCouplings> {
public:
    struct Table {
        using Holds = Group;
        View<constraints::ConstraintGroup const> groups;
        ShapeTables shapes;
        constraints::DistanceSolver solver;
        int count = 0, firstSlot = 0;
    };
    using Spare = ThreadSpare<mostAtoms>;
    static constexpr bool constrained = true;
    static constexpr bool tellsFailure = true;

    __device__ Group(Table const& table, int index, PlacedAtoms const& placed)
        : solver_(table.solver),
          group_(table.groups[index]),
          shape_(shapeAt(table.shapes, table.shapes.places[group_.shape]))
    {
        for (std::size_t i = 0; i < shape_.bonds.size(); ++i) {
            constraints::ConstraintBond const bond = shape_.bonds[i];
            this->before[i] = placed.box.difference(placed.positions[atom(bond.a)], placed.positions[atom(bond.b)]);
        }
    }
    [[nodiscard]] __device__ int count() const { return shape_.atoms.at.count; }
    [[nodiscard]] __device__ int atom(int k) const { return group_.firstAtom + shape_.atoms[static_cast<std::size_t>(k)]; }
    [[nodiscard]] __device__ double inverseMass(int k) const { return shape_.inverseMass[static_cast<std::size_t>(k)]; }

    __device__ engine::Blame solve(double tolerance)
    {
        constraints::ConstraintFit const fit = solver_.solve(shape_, work(), tolerance);
        return fit.good ? engine::Blame{} : blameOf(shape_, group_, fit);
    }
    [[nodiscard]] __device__ math::Vec3d correction(int k, double dt) const { return this->displacement[k] - this->velocity[k] * dt; }
    [[nodiscard]] __device__ math::Mat3d virial(double dt) const { return constraints::groupVirial(shape_, *this, 1.0 / dt); }
    __device__ math::Mat3d project(double time)
    {
        constraints::projectOut(shape_, work());
        return constraints::projectionVirial(shape_, work(), 1.0 / time);
    }

private:
    constraints::DistanceSolver solver_;
    constraints::ConstraintGroup group_;
    DeviceShape shape_;
    __device__ ThreadWork<mostAtoms, mostBonds, mostCouplings>& work() { return *this; }
};

#endif

/// Up to CH3 and NH3, triangles with them; and what is larger.
inline constexpr int smallAtoms = 4, smallBonds = 3, smallCouplings = 6;
inline constexpr int largeAtoms = 9, largeBonds = 8, largeCouplings = 56;

#if defined(ALDER_SIMT) || defined(__CUDACC__)
using SmallGroup = Group<smallAtoms, smallBonds, smallCouplings>;
using LargeGroup = Group<largeAtoms, largeBonds, largeCouplings>;
#endif

} // namespace alder::cuda
