#include "app/single_point/single_point.hpp"

#include "app/options/deck_options.hpp"
#include "app/single_point/group_energies.hpp"
#include "app/trajectories/coordinates.hpp"
#include "domain/packing/shared_run.hpp"
#include "loop/energy_assembly.hpp"
#include "observe/energy_columns.hpp"

#include <fmt/format.h>

#include <cmath>

namespace alder::app {

namespace {

std::optional<double> leapFrogKinetic(deck::Deck const& deck, std::vector<math::Vec3d> const& forces)
{
    for (system::Kind const kind : {system::Kind::settle, system::Kind::constraint, system::Kind::constraintNoExclusion})
        if (deck.topology.uses(kind)) return {};
    if (deck.options.integrator != plan::Integrator::md) return {};
    double kinetic = 0;
    system::forEachAtom(deck.topology, [&](system::Atom const& atom, std::int64_t index) {
        if (atom.mass <= 0) return;
        auto const i = static_cast<std::size_t>(index);
        math::Vec3d const before = deck.state.velocities.empty() ? math::Vec3d{} : deck.state.velocities[i];
        math::Vec3d const after = before + (deck.options.dt / atom.mass) * forces[i];
        kinetic += 0.25 * atom.mass * (norm2(before) + norm2(after));
    });
    return kinetic;
}

/// The same cutoffs, so that direct space stays the same model: erfc(beta rc) falls to 1e-8, and a grid at twice the density and of order 8
/// follows the narrower charges (beta 0.06 nm = 0.27 at rc = 0.9 nm). With 0.04 nm, and 1e-10 besides, the forces
/// of the shipped water change by 5e-7 (relative rms), where its deck's own settings miss them by 4.8e-4.
void sharpen(plan::RunOptions& options)
{
    options.ewaldRtol = 1e-8;
    options.ewaldRtolLj = 1e-8;
    options.pmeOrder = 8;
    options.fourierGrid = {0, 0, 0};
    options.fourierSpacing = 0.06;
}

/// More than the rounding of positions to fractions of the box.
void warnOfSites(double displacement)
{
    if (displacement < 1e-7) return;
    fmt::print(stderr,
               "warning: virtual sites lie up to {:.2g} nm from where their atoms put them; pair terms take them as given, all others "
               "in place, as step 0 of a GROMACS run with PME and continuation = yes does\n",
               displacement);
}

} // namespace

void refuseBlownUp(std::vector<math::Vec3d> const& forces)
{
    double const limit = 0.999 * math::largestTerm / math::forceScale;
    for (std::size_t i = 0; i < forces.size(); ++i) {
        double const largest = std::max({std::fabs(forces[i].x), std::fabs(forces[i].y), std::fabs(forces[i].z)});
        if (!(largest < limit))
            throw base::RunFailed(
                fmt::format("the force on atom {} is not finite or beyond {:.1e} kJ/mol/nm: atoms overlap", i + 1, limit));
    }
}

double relativeRms(std::vector<math::Vec3d> const& forces, std::vector<math::Vec3d> const& reference)
{
    double difference = 0, size = 0;
    for (std::size_t i = 0; i < forces.size(); ++i) {
        difference += norm2(forces[i] - reference[i]);
        size += norm2(reference[i]);
    }
    return size > 0 ? std::sqrt(difference / size) : 0;
}

SinglePoint computeSinglePoint(deck::DeckFiles const& files, Hardware hardware, RankPlacement const& where, Accuracy accuracy)
{
    SinglePoint point;
    deck::Deck& deck = point.deck;
    plan::RunPlan plan;
    Ranks& ranks = where.ranks;
    ranks.onFirst([&] {
        deck = deck::readDeck(files, readCoordinates);
        if (accuracy == Accuracy::reference)
            sharpen(deck.options);
        else
            printWarnings(deck.warnings);
        plan::RunRequest request;
        request.purpose = plan::Purpose::energy;
        plan = plan::makePlan(deck.options, deck.topology, deck.state.box, request);
        if (accuracy == Accuracy::ofTheDeck) printWarnings(plan.notes);
        settleHardware(hardware, {deck.topology, plan, deck.state.box}, ranks);
        if (hardware.onGpu && deck.energyGroups.count() > 1)
            fmt::print(stderr, "note: the energies of groups among each other are computed on the CPU, all else on the GPU\n");
    });
    domain::broadcast(ranks.all(), {deck.topology, plan, deck.state, deck.title}, domain::StateArrays::ofFirstRankAlone);
    std::unique_ptr<engine::Backend> const backend = makeBackend(hardware, {deck.topology, plan, deck.state.box}, where);
    backend->adopt(deck.state);
    backend->buildLists();
    double const outOfPlace = backend->sitesOutOfPlace();
    if (ranks.first()) warnOfSites(outOfPlace);
    plan::StepPlan step;
    step.energies = step.buildList = true;
    step.step = deck.state.step;
    backend->forces(step);
    std::vector<math::FractionVec> const given = deck.state.positions;
    backend->collect({true, false, true}, deck.state, point.forces);
    system::ForceSums const& sums = backend->sums();
    system::MotionSums const motion = backend->motion();
    ranks.onFirst([&] {
        refuseBlownUp(point.forces);
        point.leapFrogKinetic = leapFrogKinetic(deck, point.forces);
        std::vector<math::FractionVec> const& placed = deck.state.positions;
        point.groupTerms = groupEnergies(
            {deck.topology, deck.energyGroups, plan, deck.state.box, plan.pairs.sitesAsGiven ? given : placed, placed}, hardware.cpu);
        point.terms = observe::termsUsed(deck.topology, plan);
        point.energies = loop::assembleSinglePoint(plan, sums, motion, deck.state);
    });
    return point;
}

std::vector<std::pair<std::string, double>> namedTerms(SinglePoint const& point)
{
    std::vector<std::pair<std::string, double>> terms;
    for (system::Term const term : point.terms)
        terms.emplace_back(std::string(nameOf(term)), point.energies.terms[static_cast<std::size_t>(term)]);
    terms.emplace_back("Potential", point.energies.potential);
    return terms;
}

} // namespace alder::app
