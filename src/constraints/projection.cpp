#include "constraints/projection.hpp"

#include "constraints/coupled_bonds.hpp"

namespace alder::constraints {

void projectOut(ConstraintShape const& shape, GroupWork& work)
{
    findDirections(shape, work);
    for (std::size_t i = 0; i < shape.bonds.size(); ++i) {
        ConstraintBond const& bond = shape.bonds[i];
        math::Vec3d const relative = work.velocity[static_cast<std::size_t>(bond.a)] - work.velocity[static_cast<std::size_t>(bond.b)];
        work.side[i] = bond.scale * dot(work.direction[i], relative);
    }
    solveExactly(shape, work);
    for (std::size_t i = 0; i < shape.bonds.size(); ++i) {
        ConstraintBond const& bond = shape.bonds[i];
        auto const a = static_cast<std::size_t>(bond.a), b = static_cast<std::size_t>(bond.b);
        math::Vec3d const pull = (bond.scale * work.solution[i]) * work.direction[i];
        work.velocity[a] -= shape.inverseMass[a] * pull;
        work.velocity[b] += shape.inverseMass[b] * pull;
    }
}

math::Mat3d projectionVirial(ConstraintShape const& shape, GroupWork const& work, double inverseTime)
{
    // a bond's impulse on its atom a is -pull, on b it is +pull
    math::Mat3d sum{};
    for (std::size_t i = 0; i < shape.bonds.size(); ++i) {
        double const pull = shape.bonds[i].scale * work.solution[i];
        sum = sum + (0.5 * inverseTime * pull) * math::outer(work.before[i], work.direction[i]);
    }
    return sum;
}

} // namespace alder::constraints
