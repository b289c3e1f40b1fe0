#include "plan/run_plan.hpp"

namespace alder::plan {

namespace {

bool every(std::int64_t interval, std::int64_t step) { return interval > 0 && step % interval == 0; }

bool isLast(RunPlan const& plan, std::int64_t step)
{
    return plan.dynamics.steps >= 0 && step >= plan.dynamics.initStep + plan.dynamics.steps;
}

bool hasFirstOrLast(RunPlan const& plan, std::int64_t step) { return step == plan.dynamics.initStep || isLast(plan, step); }

bool couplesPressure(RunPlan const& plan, std::int64_t step)
{
    BarostatPlan const& barostat = plan.dynamics.barostat;
    return barostat.kind != Barostat::no && every(barostat.interval, step);
}

bool hasEnergies(RunPlan const& plan, std::int64_t step)
{
    return hasFirstOrLast(plan, step) || every(plan.energyInterval, step) || every(plan.output.energyInterval, step) ||
           every(plan.output.logInterval, step);
}

bool hasVirial(RunPlan const& plan, std::int64_t step) { return hasEnergies(plan, step) || couplesPressure(plan, step); }

/// Steps 1, 1 + n, 1 + 2n ...: the step after one whose energies are summed anyway, so that the coupling finds its kinetic energy ready.
/// Andersen's collisions ask for none.
bool couples(RunPlan const& plan, std::int64_t step)
{
    DynamicsPlan const& d = plan.dynamics;
    if (d.thermostat == Thermostat::andersen || d.thermostat == Thermostat::andersenMassive) return false;
    return d.thermostat != Thermostat::no && every(d.coupleInterval, step + d.coupleInterval - 1);
}

/// The integrator's friction and noise bring heat, which is to be known where a checkpoint may fall.
bool bringsHeat(DynamicsPlan const& dynamics) { return dynamics.integrator == Integrator::sd || dynamics.integrator == Integrator::bd; }

} // namespace

Schedule::Schedule(RunPlan const& plan, CoupledBy thermostats) : plan_(plan), thermostats_(thermostats) {}

bool Schedule::listStep(std::int64_t step) const { return (step - plan_.dynamics.initStep) % plan_.pairs.listInterval == 0; }

StepPlan Schedule::at(std::int64_t step) const
{
    StepPlan s;
    s.step = step;
    s.buildList = listStep(step);
    s.prune = s.buildList || ((step - plan_.dynamics.initStep) % plan_.pairs.listInterval) % plan_.pairs.pruneInterval == 0;
    s.checkpoint = s.buildList;
    s.last = isLast(plan_, step);
    bool const ends = hasFirstOrLast(plan_, step);
    s.frame = ends || every(plan_.output.frameInterval, step);
    s.energyFrame = ends || every(plan_.output.energyInterval, step);
    s.logLine = ends || every(plan_.output.logInterval, step);
    s.energies = hasEnergies(plan_, step);
    s.slowForces = every(plan_.dynamics.slow.interval, step); // the plan sees to it that energies and virial are asked for on these alone
    s.couple = couples(plan_, step);
    s.couplePressure = couplesPressure(plan_, step);
    s.removeComm = plan_.dynamics.removeComm && every(plan_.dynamics.commInterval, step);
    // A step's kinetic energy is the mean of the half steps around it, so the half step before one that reports is needed too.
    // (Velocity Verlet has it at whole steps, where the coupling asks for it too.)
    bool const forCoupling = thermostats_ == CoupledBy::loop && (s.couple || couples(plan_, step + 1));
    s.kinetic = s.virial() || hasVirial(plan_, step + 1) || forCoupling || (bringsHeat(plan_.dynamics) && listStep(step + 1));
    return s;
}

} // namespace alder::plan
