#include "loop/energy_assembly.hpp"

#include "couple/barostat.hpp"
#include "couple/thermostat.hpp"
#include "physics/constants.hpp"

namespace alder::loop {

namespace {

/// Terms and potential; the dispersion correction is part of both.
void fillPotential(observe::Energies& e, system::ForceSums const& forces, physics::Box const& box)
{
    math::FixedSum potential;
    for (std::size_t t = 0; t < system::termCount; ++t) {
        e.terms[t] = forces.terms[t].value();
        potential.add(forces.terms[t]);
    }
    e.potential = potential.value();
    e.virial = forces.virial.value();
    e.box = box;
}

void fillPressure(observe::Energies& e, math::Mat3d const& kinetic, plan::DispersionPlan const& dispersion)
{
    double const volume = e.box.volume();
    double const toBar = 2.0 / volume * physics::barPerPressureUnit;
    e.pressureTensor = toBar * (kinetic + (-1.0) * e.virial);
    e.pressure = e.pressureTensor.trace() / 3.0;
    e.dispersionPressure = dispersion.pressure ? -toBar * dispersion.virialFactor / volume : 0.0;
}

void fillKinetic(observe::Energies& e, std::vector<math::Mat3d> const& byGroup, plan::DynamicsPlan const& dynamics)
{
    e.kinetic = 0;
    for (std::size_t g = 0; g < byGroup.size(); ++g) {
        double const kinetic = byGroup[g].trace();
        e.kinetic += kinetic;
        e.groupTemperatures.push_back(couple::temperature(kinetic, dynamics.groups[g].degreesOfFreedom));
    }
    e.temperature = couple::temperature(e.kinetic, dynamics.degreesOfFreedom);
    e.total = e.potential + e.kinetic;
}

/// What a changing box makes worth a look. pV and enthalpy are those of the pressure asked for, which fluctuate less than the present one's.
void fillBox(observe::Energies& e, plan::DynamicsPlan const& dynamics)
{
    math::Vec3d const a = e.box.a(), b = e.box.b(), c = e.box.c();
    e.boxX = a.x;
    e.boxY = b.y;
    e.boxZ = c.z;
    e.boxYX = b.x;
    e.boxZX = c.x;
    e.boxZY = c.y;
    e.volume = e.box.volume();
    e.density = dynamics.mass * physics::densityPerAmu / e.volume;
    e.pV = e.volume * dynamics.barostat.reference.trace() / 3.0 / physics::barPerPressureUnit;
    e.enthalpy = e.total + e.pV;
}

math::Mat3d sumOf(std::vector<math::Mat3d> const& tensors)
{
    math::Mat3d all{};
    for (math::Mat3d const& t : tensors) all = all + t;
    return all;
}

} // namespace

math::Mat3d kineticTensor(system::MotionSums const& motion)
{
    math::Mat3d all{};
    for (math::FixedTensor const& group : motion.kinetic) all = all + group.value();
    return all;
}

observe::Energies assembleEnergies(plan::RunPlan const& plan, StepSums const& sums, system::State const& state)
{
    observe::Energies e;
    e.step = state.step;
    e.time = plan.dynamics.tinit + static_cast<double>(state.step) * plan.dynamics.dt;
    fillPotential(e, sums.forces, state.box);
    e.virial = e.virial + sums.constraintVirial.value();

    std::vector<math::Mat3d> kinetic;
    for (std::size_t g = 0; g < sums.after.kinetic.size(); ++g)
        kinetic.push_back(0.5 * (sums.before.kinetic[g].value() + sums.after.kinetic[g].value()));
    fillKinetic(e, kinetic, plan.dynamics);
    fillPressure(e, sumOf(kinetic), plan.dispersion);

    e.conserved = e.total + couple::thermostatEnergy(plan.dynamics, state.coupling, e.time, e.groupTemperatures) +
                  couple::barostatEnergy(plan.dynamics.barostat, state.box, state.coupling);
    if (plan.dynamics.barostat.kind != plan::Barostat::no) fillBox(e, plan.dynamics);
    return e;
}

observe::Energies assembleSinglePoint(plan::RunPlan const& plan, system::ForceSums const& forces, system::MotionSums const& motion,
                                      system::State const& state)
{
    observe::Energies e;
    e.step = state.step;
    fillPotential(e, forces, state.box);
    std::vector<math::Mat3d> kinetic;
    for (math::FixedTensor const& k : motion.kinetic) kinetic.push_back(k.value());
    fillKinetic(e, kinetic, plan.dynamics);
    fillPressure(e, sumOf(kinetic), plan.dispersion);
    e.conserved = e.total;
    return e;
}

} // namespace alder::loop
