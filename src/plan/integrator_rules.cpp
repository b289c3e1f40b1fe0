#include "plan/integrator_rules.hpp"

#include "physics/langevin.hpp"
#include "plan/supported.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>

namespace alder::plan {

namespace {

bool andersen(Thermostat thermostat) { return thermostat == Thermostat::andersen || thermostat == Thermostat::andersenMassive; }

void refuseBrownian(RunOptions const& o, base::FaultList& faults)
{
    if (o.bdFriction < 0)
        faults.refuse(o.placeOf("bd-fric"), fmt::format("bd-fric is {}", o.bdFriction),
                      "write a friction above 0, in amu/ps, or 0 for the mass over tau-t");
    for (TemperatureGroup const& group : o.temperatureGroups)
        if (!(group.tau > 0))
            faults.refuse(o.placeOf("tau-t"),
                          fmt::format("tau-t of group '{}' is {}, and Brownian dynamics has no other motion", group.name, group.tau),
                          "write a time above 0, in ps");
    if (o.bdFriction != 0) return;
    if (o.temperatureGroups.empty())
        faults.refuse(o.placeOf("integrator"), "Brownian dynamics has no friction: bd-fric is 0 and no group has a tau-t",
                      "write bd-fric, or tc-grps with tau-t and ref-t");
    bool const several = std::any_of(o.temperatureGroups.begin(), o.temperatureGroups.end(),
                                     [&](TemperatureGroup const& g) { return g.tau != o.temperatureGroups.front().tau; });
    if (several)
        faults.refuse(o.placeOf("tau-t"), "Brownian dynamics with another friction for each group is not supported",
                      "write one tau-t for all groups, or bd-fric");
}

void refuseAndersen(RunOptions const& o, system::Topology const& topology, base::FaultList& faults)
{
    if (o.integrator != Integrator::mdVv) {
        faults.refuse(o.placeOf("tcoupl"), "Andersen's thermostat needs velocities at whole steps",
                      "write integrator = md-vv, or tcoupl = V-rescale");
        return;
    }
    for (TemperatureGroup const& group : o.temperatureGroups)
        if (!(group.tau > 0))
            faults.refuse(o.placeOf("tau-t"), fmt::format("tau-t of group '{}' is {}", group.name, group.tau),
                          "write a time above 0 for every group with Andersen's thermostat");
    if (o.thermostat == Thermostat::andersen && (constrainsDistances(topology) || topology.uses(system::Kind::settle)))
        faults.refuse(o.placeOf("tcoupl"), "Andersen's thermostat strikes atoms one by one, and some are bound by constraints",
                      "write tcoupl = Andersen-massive or V-rescale");
    bool const removes = o.commMode != CommMode::none && o.nstcomm != 0;
    for (TemperatureGroup const& group : o.temperatureGroups) {
        auto const steps = o.dt > 0 ? std::llround(group.tau / o.dt) : 1;
        if (o.thermostat == Thermostat::andersenMassive && removes && steps % std::max<std::int64_t>(1, std::abs(o.nstcomm)) != 0)
            faults.refuse(o.placeOf("nstcomm"),
                          fmt::format("nstcomm is {}, and all velocities are drawn anew every {} steps", o.nstcomm, steps),
                          "write an nstcomm that divides that number, or comm-mode = None");
    }
    if (o.thermostat == Thermostat::andersen && o.commMode != CommMode::none && o.nstcomm != 1)
        faults.refuse(o.placeOf("nstcomm"), fmt::format("nstcomm is {}, and velocities are drawn anew every step", o.nstcomm),
                      "write nstcomm = 1, or comm-mode = None");
}

} // namespace

bool movesInTime(Integrator integrator)
{
    return integrator == Integrator::md || integrator == Integrator::mdVv || integrator == Integrator::sd || integrator == Integrator::bd;
}

void refuseIntegrator(RunOptions const& o, system::Topology const& topology, base::FaultList& faults)
{
    if (minimizes(o.integrator)) return;
    if (!movesInTime(o.integrator)) {
        faults.refuse(o.placeOf("integrator"), "this integrator is not supported", "write md, md-vv, sd, bd, steep, cg or l-bfgs");
        return;
    }
    if (o.dt <= 0) faults.refuse(o.placeOf("dt"), fmt::format("dt is {}", o.dt), "write a time step above 0, in ps");
    if (o.integrator == Integrator::bd) refuseBrownian(o, faults);
    bool const ownBath = o.integrator == Integrator::sd || o.integrator == Integrator::bd;
    if (andersen(o.thermostat) && !ownBath) refuseAndersen(o, topology, faults);
}

void noteIntegrator(RunOptions const& o, RunPlan& plan)
{
    bool const ownBath = o.integrator == Integrator::sd || o.integrator == Integrator::bd;
    if (!ownBath) return;
    if (o.thermostat != Thermostat::no)
        plan.notes.warn(o.placeOf("tcoupl"), "friction and noise are the coupling to a bath, and tcoupl is not used", "write tcoupl = no");
    bool const coupled = std::any_of(plan.dynamics.groups.begin(), plan.dynamics.groups.end(),
                                     [](TemperatureGroupPlan const& group) { return group.tau > 0; });
    if (o.integrator == Integrator::sd && !coupled)
        plan.notes.warn(o.placeOf("integrator"), "no group has a tau-t above 0: there is neither friction nor noise",
                        "write tau-t and ref-t");
}

system::Topology brownianTopology(system::Topology topology, DynamicsPlan const& dynamics)
{
    for (system::MoleculeType& type : topology.types)
        for (system::Atom& atom : type.atoms)
            if (atom.mass > 0)
                atom.mass = physics::brownianMass(physics::brownianFriction(dynamics.bdFriction, atom.mass, dynamics.groups.front().tau),
                                                  dynamics.dt);
    return topology;
}

system::Topology frictionTopology(system::Topology topology, RunOptions const& options)
{
    double const tau = options.temperatureGroups.empty() ? 1.0 : options.temperatureGroups.front().tau;
    for (system::MoleculeType& type : topology.types)
        for (system::Atom& atom : type.atoms)
            if (atom.mass > 0) atom.mass = physics::brownianFriction(options.bdFriction, atom.mass, tau);
    return topology;
}

} // namespace alder::plan
