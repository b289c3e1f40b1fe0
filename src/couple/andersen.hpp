#pragma once
// Andersen's thermostat (H. C. Andersen, J. Chem. Phys. 72, 2384 (1980)): velocities drawn anew from Maxwell's distribution, for atoms
// picked one by one at a rate dt/tau, or for all at once every tau (massive). It conserves no energy.

#include "math/variates.hpp"
#include "math/vec3.hpp"
#include "plan/run_plan.hpp"

#include <cmath>
#include <cstdint>
#include <vector>

namespace alder::couple {

/// What strikes the atoms of a temperature group in one step.
struct Collisions {
    double share = 0;   ///< of the atoms, whose velocities are drawn anew
    double thermal = 0; ///< k T, kJ/mol
    friend bool operator==(Collisions const& a, Collisions const& b) { return a.share == b.share && a.thermal == b.thermal; }
};

/// By temperature group.
std::vector<Collisions> collisionsOf(plan::DynamicsPlan const& dynamics, std::int64_t step);

/// What draws depend on besides the atom.
struct CollisionDraws {
    std::uint64_t seed = 0;
    std::int64_t step = 0;
};

/// Draws the velocity (nm/ps) of an atom of this mass (amu) anew if it is struck, and says whether it is. Both come from one stream: the
/// first number decides, the next ones are the velocity. What has no mass has no velocity of its own and is never struck.
ALDER_HD bool collide(Collisions const& with, CollisionDraws const& draws, std::int64_t atom, double mass, math::Vec3d& velocity)
{
    if (!(mass > 0) || !(with.share > 0)) return false;
    math::Variates variates(draws.seed, math::RandomPurpose::andersen, draws.step, atom);
    if (!(variates.uniform() <= with.share)) return false;
    double const width = std::sqrt(with.thermal / mass);
    double const x = variates.normal(), y = variates.normal(), z = variates.normal();
    velocity = {width * x, width * y, width * z};
    return true;
}

} // namespace alder::couple
