#include "engine/blame.hpp"

#include "base/error.hpp"
#include "physics/leap_frog.hpp"

#include <fmt/format.h>

#include <cmath>

namespace alder::engine {

std::string nameOf(system::Topology const& here, std::int64_t atomHere)
{
    system::Topology const& topology = here.wholeSystem();
    std::int64_t const atom = here.numberOf(atomHere);
    for (system::MoleculeBlock const& block : topology.blocks) {
        system::MoleculeType const& type = topology.types[static_cast<std::size_t>(block.type)];
        auto const size = static_cast<std::int64_t>(type.atoms.size());
        if (size == 0 || atom < block.firstAtom || atom >= block.firstAtom + block.count * size) continue;
        std::int64_t const within = (atom - block.firstAtom) % size;
        system::Atom const& a = type.atoms[static_cast<std::size_t>(within)];
        return fmt::format("atom {} ({} of residue {} {}, molecule {} {})", atom + 1, a.name, a.residueName, a.residue, type.name,
                           block.firstMolecule + (atom - block.firstAtom) / size + 1);
    }
    return fmt::format("atom {}", atom + 1);
}

std::string describe(system::Topology const& topology, std::int64_t atom, LostDistance const& lost)
{
    return fmt::format("the distance of {} and {} is constrained to {:.6g} nm and has become {:.6g} nm, which no constraint forces mend "
                       "(relative deviation {:.2g}; rms {:.2g} over the {} constraints solved together)",
                       nameOf(topology, atom), nameOf(topology, lost.partner), lost.wanted, lost.present,
                       std::fabs(lost.present / lost.wanted - 1), lost.rootMeanSquare, lost.solvedTogether);
}

void failStartPositions(system::Topology const& topology, Blame const& blame)
{
    if (blame.distance.partner >= 0)
        throw base::RunFailed(fmt::format("the starting positions are too far from what constraints ask: {}",
                                          describe(topology, blame.atom, blame.distance)));
    throw base::RunFailed(fmt::format("SETTLE cannot make the water of {} rigid: its starting positions are too far from "
                                      "the triangle it should be",
                                      nameOf(topology, blame.atom)));
}

void failStartVelocities(system::Topology const& topology, Blame const& blame)
{
    char const* const advice = "take a shorter dt, or set continuation = yes where they come from a run";
    if (blame.distance.partner >= 0)
        throw base::RunFailed(
            fmt::format("step 0: with the starting velocities {}: {}", describe(topology, blame.atom, blame.distance), advice));
    throw base::RunFailed(fmt::format("step 0: the starting velocities tear the water of {} apart within one step: {}",
                                      nameOf(topology, blame.atom), advice));
}

void failStep(system::Topology const& topology, std::int64_t step, Blame const& blame)
{
    std::string const who = nameOf(topology, blame.atom);
    math::Vec3d const f = math::forceValue(blame.force);
    double const size = norm(f);
    char const* const advice = "the run has become unstable (minimize first, or take a shorter dt)";
    if (physics::forceIsSuspect(physics::forceBits(blame.force)))
        throw base::RunFailed(
            fmt::format("step {}: the force on {} is {:.3g} kJ/mol/nm or not a number: atoms overlap, or {}", step, who, size, advice));
    if (blame.distance.partner >= 0)
        throw base::RunFailed(fmt::format("step {}: {}: {}", step, describe(topology, blame.atom, blame.distance), advice));
    if (!std::isfinite(blame.displacement))
        throw base::RunFailed(
            fmt::format("step {}: constraints of {} cannot be satisfied (force {:.3g} kJ/mol/nm): {}", step, who, size, advice));
    throw base::RunFailed(fmt::format("step {}: {} would move {:.3g} nm in one step (force {:.3g} kJ/mol/nm): {}", step, who,
                                      blame.displacement, size, advice));
}

} // namespace alder::engine
