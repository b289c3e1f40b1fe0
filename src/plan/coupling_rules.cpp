#include "plan/coupling_rules.hpp"

#include "plan/intervals.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace alder::plan {

namespace {

bool velocityVerlet(Integrator integrator) { return integrator == Integrator::mdVv || integrator == Integrator::mdVvAvek; }
bool stochastic(Integrator integrator) { return integrator == Integrator::sd || integrator == Integrator::bd; }

char const* nameOf(Thermostat thermostat)
{
    switch (thermostat) {
    case Thermostat::noseHoover: return "Nose-Hoover";
    case Thermostat::berendsen: return "Berendsen";
    case Thermostat::andersen: return "Andersen";
    case Thermostat::andersenMassive: return "Andersen-massive";
    case Thermostat::vRescale: return "V-rescale";
    case Thermostat::no: break;
    }
    return "no";
}

char const* nameOf(Barostat barostat)
{
    switch (barostat) {
    case Barostat::berendsen: return "Berendsen";
    case Barostat::cRescale: return "C-rescale";
    case Barostat::parrinelloRahman: return "Parrinello-Rahman";
    case Barostat::mttk: return "MTTK";
    case Barostat::no: break;
    }
    return "no";
}

void refuseThermostat(RunOptions const& o, base::FaultList& faults)
{
    if (o.thermostat == Thermostat::no || stochastic(o.integrator)) return;
    if (o.thermostat == Thermostat::noseHoover && velocityVerlet(o.integrator) && (o.nhChainLength < 1 || o.nhChainLength > 1000))
        faults.refuse(o.placeOf("nh-chain-length"), fmt::format("nh-chain-length is {}", o.nhChainLength),
                      "write a number above 0, such as 10");
    if (o.nsttcouple == 0)
        faults.refuse(o.placeOf("nsttcouple"), "nsttcouple = 0 would never couple", "write a number of steps above 0, or tcoupl = no");
}

/// The full tensor of the values that pcoupltype takes.
math::Mat3d tensorOf(std::vector<double> const& values, PressureCoupling type)
{
    auto const at = [&](std::size_t i) { return i < values.size() ? values[i] : 0.0; };
    if (type == PressureCoupling::anisotropic) return {{at(0), at(3), at(4)}, {at(3), at(1), at(5)}, {at(4), at(5), at(2)}};
    double const z = type == PressureCoupling::isotropic ? at(0) : at(1);
    return {{at(0), 0, 0}, {0, at(0), 0}, {0, 0, z}};
}

void refuseCompressibility(RunOptions const& o, base::FaultList& faults)
{
    math::Mat3d const beta = tensorOf(o.compressibility, o.pressureCoupling);
    bool const negative = beta.x.x < 0 || beta.y.y < 0 || beta.z.z < 0;
    bool const none = beta.trace() == 0 && beta.x.y <= 0 && beta.x.z <= 0 && beta.y.z <= 0;
    if (negative || none)
        faults.refuse(o.placeOf("compressibility"), "a box that cannot change has no pressure coupling",
                      "write compressibilities of 0 or more, not all 0, in 1/bar (water: 4.5e-5)");
    else if (beta.x.y < 0 || beta.x.z < 0 || beta.y.z < 0)
        faults.refuse(o.placeOf("compressibility"), "a negative compressibility drives the box away from the pressure asked for",
                      "write 0 or more");
}

void refuseBarostat(RunOptions const& o, base::FaultList& faults)
{
    if (o.barostat == Barostat::no) return;
    if (o.barostat == Barostat::mttk)
        faults.refuse(o.placeOf("pcoupl"), "pcoupl = MTTK is not supported", "write C-rescale or Parrinello-Rahman");
    if (o.barostat == Barostat::cRescale && o.pressureCoupling == PressureCoupling::anisotropic)
        faults.refuse(o.placeOf("pcoupltype"), "C-rescale is not defined for pcoupltype = anisotropic",
                      "write pcoupl = Parrinello-Rahman, or pcoupltype = semiisotropic");
    if (o.barostat == Barostat::cRescale && o.thermostat == Thermostat::no && !stochastic(o.integrator))
        faults.refuse(o.placeOf("pcoupl"), "C-rescale needs a temperature, and there is no temperature coupling",
                      "write tcoupl = V-rescale, or another barostat");
    if (o.nstpcouple == 0)
        faults.refuse(o.placeOf("nstpcouple"), "nstpcouple = 0 would never couple", "write a number of steps above 0, or pcoupl = no");
    refuseCompressibility(o, faults);
}

/// Steps of coupling that a time constant must hold for the coupling to be integrated well (GROMACS 2022).
int fewestSteps(Thermostat thermostat) { return thermostat == Thermostat::berendsen ? 5 : thermostat == Thermostat::noseHoover ? 20 : 0; }
int fewestSteps(Barostat barostat) { return barostat == Barostat::parrinelloRahman ? 20 : 10; }

constexpr double binaryMargin = 1e-9;

} // namespace

void refuseCouplings(RunOptions const& options, base::FaultList& faults)
{
    refuseThermostat(options, faults);
    refuseBarostat(options, faults);
}

void noteCouplings(RunOptions const& o, RunPlan& plan)
{
    DynamicsPlan const& d = plan.dynamics;
    if (d.thermostat != Thermostat::no)
        for (TemperatureGroup const& group : o.temperatureGroups) {
            double const interval = static_cast<double>(d.coupleInterval) * d.dt, needed = fewestSteps(d.thermostat) * interval;
            if (group.tau > 0 && group.tau < needed * (1 - binaryMargin))
                plan.notes.warn(o.placeOf("tau-t"),
                                fmt::format("tau-t of group '{}' is {} ps, and {} is integrated well above {:g}", group.name, group.tau,
                                            nameOf(d.thermostat), needed),
                                "lengthen tau-t or shorten nsttcouple");
        }
    if (d.thermostat == Thermostat::noseHoover && d.integrator == Integrator::md && o.nhChainLength != 1 &&
        o.lines.contains("nh-chain-length"))
        plan.notes.warn(o.placeOf("nh-chain-length"), "leap-frog has no chains of thermostats", "one thermostat a group is used");
    if (d.barostat.kind == Barostat::no) return;
    double const interval = static_cast<double>(d.barostat.interval) * d.dt, needed = fewestSteps(d.barostat.kind) * interval;
    if (d.barostat.tau < needed * (1 - binaryMargin))
        plan.notes.warn(
            o.placeOf("tau-p"),
            fmt::format("tau-p is {} ps, and {} is integrated well above {:g}", d.barostat.tau, nameOf(d.barostat.kind), needed),
            "lengthen tau-p or shorten nstpcouple");
    if (d.barostat.kind == Barostat::berendsen)
        plan.notes.warn(o.placeOf("pcoupl"), "the Berendsen barostat samples no ensemble: volumes fluctuate too little",
                        "write C-rescale where fluctuations matter");
    if (d.barostat.kind == Barostat::parrinelloRahman && o.genVel)
        plan.notes.warn(o.placeOf("pcoupl"), "Parrinello-Rahman may swing widely from a start that is far from equilibrium",
                        "equilibrate with C-rescale first");
    if (o.dispersionCorrection == DispersionCorrection::ener || o.dispersionCorrection == DispersionCorrection::allEner)
        plan.notes.warn(o.placeOf("dispcorr"), "the dispersion correction leaves the pressure out, which the barostat works with",
                        "write DispCorr = EnerPres");
    math::Mat3d const& p = d.barostat.reference;
    if (p.x.y != 0 && p.x.z != 0 && p.y.z != 0)
        plan.notes.warn(o.placeOf("ref-p"), "all three shear stresses of ref-p are set", "check that they are meant");
}

BarostatPlan makeBarostat(RunOptions const& o, physics::Box const& box)
{
    BarostatPlan plan;
    plan.kind = o.barostat;
    plan.type = o.pressureCoupling;
    plan.interval = pressureInterval(o);
    plan.tau = o.tauP;
    plan.compressibility = tensorOf(o.compressibility, o.pressureCoupling);
    plan.reference = tensorOf(o.referencePressure, o.pressureCoupling);
    plan.refcoordScaling = o.refcoordScaling;
    plan.skewed = !box.rectangular();
    plan.startLength = std::max({box.a().x, box.b().y, box.c().z});
    return plan;
}

} // namespace alder::plan
