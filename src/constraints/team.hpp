#pragma once
// Who solves a group of constraints: one thread, or a team of threads that share out its bonds and atoms. What a team offers is all that the
// solvers do with a group: each sum is somebody's alone, in the order of the bonds, so that the bits are those of one thread.

#include "math/host_device.hpp"
#include "math/vec3.hpp"

#include <cstddef>

namespace alder::constraints {

/// One thread.
struct Alone {
    template <class Act> ALDER_HD void forEach(std::size_t count, Act&& act) const
    {
        for (std::size_t i = 0; i < count; ++i) act(i);
    }
    template <class Test> ALDER_HD bool all(std::size_t count, Test&& test) const
    {
        for (std::size_t i = 0; i < count; ++i)
            if (!test(i)) return false;
        return true;
    }
    template <class Term> ALDER_HD double sum(std::size_t count, Term&& term) const
    {
        double sum = 0;
        for (std::size_t i = 0; i < count; ++i) sum += term(i);
        return sum;
    }
    /// What cannot be shared out: each step of it needs the one before.
    template <class Act> ALDER_HD auto once(Act&& act) const { return act(); }
    /// What bonds do to vectors of their atoms: change(bond, inverse mass) is taken from the first atom's and added to the second's.
    template <class Shape, class Vectors, class Change> ALDER_HD void moveEnds(Shape const& shape, Vectors& vectors, Change&& change) const
    {
        for (std::size_t i = 0; i < shape.bonds.size(); ++i) {
            auto const bond = shape.bonds[i];
            auto const a = static_cast<std::size_t>(bond.a), b = static_cast<std::size_t>(bond.b);
            vectors[a] -= change(i, shape.inverseMass[a]);
            vectors[b] += change(i, shape.inverseMass[b]);
        }
    }
};

} // namespace alder::constraints
