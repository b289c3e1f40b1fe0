#pragma once
// Constraints that hold more atoms together than a thread has room for, as all bonds of a protein do: a block of threads takes a group
// through a step, with its arrays in the GPU's memory. Bond by bond and atom by atom each sum is one thread's, in the order of the bonds,
// so that the bits are those of one thread that does it all.

#include "update/molecules/molecule_tables.hpp"

namespace alder::cuda {

#if defined(ALDER_SIMT) || defined(__CUDACC__)

/// A stretch of a group's room, with elements that may be written in part.
template <class T> struct RoomSlice {
    View<T> all;
    std::int32_t first = 0;
    template <class I> __device__ T& operator[](I i) const { return *all.pointer(first + static_cast<std::int32_t>(i)); }
};

/// A group's room with the members of constraints::GroupWork.
struct MoleculeWork {
    RoomSlice<math::Vec3d> freeDisplacement, displacement, velocity, before, direction;
    RoomSlice<double> multiplier, length, side, nextSide, solution, search, coupling;
};

/// The threads of a block, as the solvers of src/constraints see them.
class BlockTeam {
public:
    __device__ BlockTeam(BondsOfAtoms const& ends, std::int32_t firstAtom, double* sum) : ends_(ends), firstAtom_(firstAtom), sum_(sum) {}

    template <class Act> __device__ void forEach(std::size_t count, Act&& act) const
    {
        for (std::size_t i = threadIdx.x; i < count; i += blockDim.x) act(i);
        __syncthreads();
    }
    template <class Test> __device__ bool all(std::size_t count, Test&& test) const
    {
        bool mine = true;
        for (std::size_t i = threadIdx.x; i < count; i += blockDim.x) mine = mine && test(i);
        return __syncthreads_and(mine ? 1 : 0) != 0;
    }
    /// In order, so one thread's.
    template <class Term> __device__ double sum(std::size_t count, Term&& term) const
    {
        if (threadIdx.x == 0) *sum_ = constraints::Alone().sum(count, term);
        __syncthreads();
        double const all = *sum_;
        __syncthreads();
        return all;
    }
    /// In the first thread, which alone has what comes of it.
    template <class Act> __device__ auto once(Act&& act) const
    {
        decltype(act()) result{};
        if (threadIdx.x == 0) result = act();
        __syncthreads();
        return result;
    }
    /// An atom takes what its bonds do to it in their order.
    template <class Shape, class Vectors, class Change>
    __device__ void moveEnds(Shape const& shape, Vectors& vectors, Change&& change) const
    {
        forEach(shape.atoms.size(), [&](std::size_t k) {
            double const inverseMass = shape.inverseMass[k];
            math::Vec3d vector = vectors[k];
            std::int32_t const row = firstAtom_ + static_cast<std::int32_t>(k);
            for (std::int32_t n = ends_.start[row]; n < ends_.start[row + 1]; ++n) {
                AtomBond const at = ends_.bonds[n];
                math::Vec3d const moved = change(static_cast<std::size_t>(at.bond), inverseMass);
                if (at.sign > 0)
                    vector -= moved;
                else
                    vector += moved;
            }
            vectors[k] = vector;
        });
    }

private:
    BondsOfAtoms const& ends_;
    std::int32_t firstAtom_;
    double* sum_;
};

class BlockGroup {
public:
    struct Table {
        using Holds = BlockGroup;
        View<MoleculeGroup const> groups;
        ShapeTables shapes;
        BondsOfAtoms ends;
        MoleculeRoom room;
        constraints::DistanceSolver solver;
        int count = 0, firstSlot = 0;
    };
    static constexpr unsigned threads = moleculeThreads;
    static constexpr bool blockwide = true;
    static constexpr bool constrained = true;
    static constexpr bool tellsFailure = true;
    static __device__ int index() { return static_cast<int>(blockIdx.x); }
    static __device__ bool anyone(bool mine) { return __syncthreads_or(mine ? 1 : 0) != 0; }
    /// Of a thread's atoms the first that has something: others come after it in any report.
    class Marks {
    public:
        __device__ void mark(int k)
        {
            if (first_ < 0) first_ = k;
        }
        [[nodiscard]] __device__ bool has(int k) const { return k == first_; }

    private:
        int first_ = -1;
    };
    struct Spare {
        RoomSlice<math::Vec3d> of;
        __device__ explicit Spare(BlockGroup const& group) : of{group.table_.room.spare, group.at_.atomRoom} {}
    };

    __device__ BlockGroup(Table const& table, int index, PlacedAtoms const& placed)
        : displacement{table.room.displacement, table.groups[index].atomRoom},
          velocity{table.room.velocity, displacement.first},
          table_(table),
          at_(table.groups[index]),
          place_(table.shapes.places[at_.group.shape]),
          shape_(shapeAt(table.shapes, place_)),
          work_(workOf(table.room, at_)),
          team_(table.ends, place_.atoms.first, table.room.sums.pointer(index))
    {
        team_.forEach(shape_.bonds.size(), [&](std::size_t i) {
            constraints::ConstraintBond const bond = shape_.bonds[i];
            work_.before[i] = placed.box.difference(placed.positions[atom(bond.a)], placed.positions[atom(bond.b)]);
        });
    }
    RoomSlice<math::Vec3d> displacement, velocity;
    [[nodiscard]] __device__ int count() const { return shape_.atoms.at.count; }
    [[nodiscard]] __device__ int atom(int k) const { return at_.group.firstAtom + shape_.atoms[static_cast<std::size_t>(k)]; }
    [[nodiscard]] __device__ double inverseMass(int k) const { return shape_.inverseMass[static_cast<std::size_t>(k)]; }

    __device__ engine::Blame solve(double tolerance)
    {
        constraints::ConstraintFit const fit = table_.solver.solve(shape_, work_, tolerance, team_);
        return fit.good ? engine::Blame{} : blameOf(shape_, at_.group, fit);
    }
    [[nodiscard]] __device__ math::Vec3d correction(int k, double dt) const { return displacement[k] - velocity[k] * dt; }
    /// In the first thread: a sum of numbers in the order of the bonds before it is rounded.
    [[nodiscard]] __device__ math::Mat3d virial(double dt) const
    {
        return threadIdx.x == 0 ? constraints::groupVirial(shape_, work_, 1.0 / dt) : math::Mat3d{};
    }
    __device__ math::Mat3d project(double time)
    {
        constraints::projectOut(shape_, work_, team_);
        return threadIdx.x == 0 ? constraints::projectionVirial(shape_, work_, 1.0 / time) : math::Mat3d{};
    }

private:
    Table const& table_;
    MoleculeGroup at_;
    ShapePlace place_;
    DeviceShape shape_;
    MoleculeWork work_;
    BlockTeam team_;

    static __device__ MoleculeWork workOf(MoleculeRoom const& room, MoleculeGroup const& at)
    {
        return {{room.freeDisplacement, at.atomRoom}, {room.displacement, at.atomRoom}, {room.velocity, at.atomRoom},
                {room.before, at.bondRoom},           {room.direction, at.bondRoom},    {room.multiplier, at.bondRoom},
                {room.length, at.bondRoom},           {room.side, at.bondRoom},         {room.nextSide, at.bondRoom},
                {room.solution, at.bondRoom},         {room.search, at.bondRoom},       {room.coupling, at.couplingRoom}};
    }
};

#endif

} // namespace alder::cuda
