#pragma once
// A small deck for the tests of plans, and what is said of it.

#include "plan/run_plan.hpp"

#include <string>

namespace alder::plan {

inline physics::Box cube(double edge) { return {{edge, 0, 0}, {0, edge, 0}, {0, 0, edge}}; }

inline RunOptions goodOptions()
{
    RunOptions o;
    o.mdpFile = "run.mdp";
    o.nsteps = 100;
    return o;
}

/// Ten argon atoms.
inline system::Topology argon()
{
    system::Topology t;
    t.nonbonded.typeCount = 1;
    t.nonbonded.typeNames = {"AR"};
    t.nonbonded.c6 = {0.0062};
    t.nonbonded.c12 = {9.7e-6};
    system::MoleculeType type;
    type.name = "AR";
    type.atoms.push_back({"AR", "AR", 1, 0, 0.0, 39.95, 'A'});
    type.exclusionStart = {0, 0};
    t.types.push_back(type);
    t.blocks.push_back({0, 10, 0, 0});
    t.atomCount = t.moleculeCount = 10;
    t.temperatureGroups.names = {"rest"};
    return t;
}

inline std::string refusal(RunOptions const& options, system::Topology const& topology = argon(), Purpose purpose = Purpose::dynamics)
{
    try {
        RunRequest request;
        request.purpose = purpose;
        makePlan(options, topology, cube(5), request);
    } catch (base::InputRefused const& refused) {
        return refused.what();
    }
    return "accepted";
}

} // namespace alder::plan
