#include "loop/rerun.hpp"

#include "loop/energy_assembly.hpp"

namespace alder::loop {

namespace {

math::Vec3f single(math::Vec3d v) { return {static_cast<float>(v.x), static_cast<float>(v.y), static_cast<float>(v.z)}; }

std::vector<math::Vec3f> single(std::vector<math::Vec3d> const& values)
{
    std::vector<math::Vec3f> out;
    out.reserve(values.size());
    for (math::Vec3d const v : values) out.push_back(single(v));
    return out;
}

} // namespace

std::vector<math::Vec3d> rerun(engine::Backend& backend, plan::RunPlan const& plan, system::State& state, RerunFrame const& frame,
                               std::vector<observe::Observer*> const& observers)
{
    backend.adopt(state);
    backend.buildLists();
    plan::StepPlan step;
    step.step = state.step;
    step.energies = step.buildList = step.prune = true;
    backend.forces(step);
    std::vector<math::Vec3d> forces;
    backend.collect({true, false, true}, state, forces); // virtual sites where they belong

    observe::Frame seen;
    seen.step = state.step;
    seen.time = frame.time;
    seen.box = state.box;
    seen.positions.reserve(state.positions.size());
    for (math::FractionVec const f : state.positions) seen.positions.push_back(single(state.box.toPosition(f)));
    if (plan.output.velocities) seen.velocities = single(state.velocities);
    if (plan.output.forces) seen.forces = single(forces);
    observe::Energies energies = assembleSinglePoint(plan, backend.sums(), backend.motion(), state);
    energies.time = frame.time;
    for (observe::Observer* observer : observers) {
        observer->seeFrame(seen);
        observer->seeEnergies(energies);
    }
    return forces;
}

} // namespace alder::loop
