#include "plan/option_rules.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace alder::plan {

namespace {

bool dynamical(Integrator integrator) { return !minimizes(integrator) && integrator != Integrator::nm && integrator != Integrator::tpi; }

/// "the line of the first of these keys that was given"
base::Place placeOfEither(RunOptions const& o, char const* first, char const* second)
{
    return o.lines.contains(first) ? o.placeOf(first) : o.placeOf(second);
}

void checkCutoffs(RunOptions const& o, base::FaultList& faults)
{
    double const longest = std::max(o.rcoulomb, o.rvdw);
    if (o.rcoulomb <= 0) faults.refuse(o.placeOf("rcoulomb"), fmt::format("rcoulomb is {}", o.rcoulomb), "write a length above 0, in nm");
    if (o.rvdw <= 0) faults.refuse(o.placeOf("rvdw"), fmt::format("rvdw is {}", o.rvdw), "write a length above 0, in nm");
    if (o.rcoulomb != o.rvdw && !(o.coulombType == CoulombType::pme && o.vdwType != VdwType::pme && o.rcoulomb > o.rvdw))
        faults.refuse(placeOfEither(o, "rvdw", "rcoulomb"), fmt::format("rcoulomb is {} and rvdw {}", o.rcoulomb, o.rvdw),
                      o.vdwType == VdwType::pme ? "make them equal" : "make them equal; only with PME may rcoulomb be longer");
    if (o.nstlist <= 0) faults.refuse(o.placeOf("nstlist"), fmt::format("nstlist is {}", o.nstlist), "write a number of steps above 0");
    if (o.verletBufferTolerance == 0)
        faults.refuse(o.placeOf("verlet-buffer-tolerance"), "a pair list without any error has no finite buffer",
                      "write a tolerance above 0, or -1 for rlist as given");
    if (o.verletBufferTolerance < 0 && o.rlist < longest)
        faults.refuse(o.placeOf("rlist"), fmt::format("rlist is {}, shorter than the cutoff of {}", o.rlist, longest),
                      "make rlist at least as long");
}

void checkCoulomb(RunOptions const& o, base::FaultList& faults)
{
    if (o.coulombModifier != Modifier::none && o.coulombModifier != Modifier::potentialShift)
        faults.refuse(o.placeOf("coulomb-modifier"), "this coulomb-modifier is not supported", "write Potential-shift or None");
    if (o.epsilonR < 0)
        faults.refuse(o.placeOf("epsilon-r"), fmt::format("epsilon-r is {}", o.epsilonR), "write 1 or more, or 0 for infinite");
    if (o.coulombType == CoulombType::pme) {
        if (o.epsilonR == 0)
            faults.refuse(o.placeOf("epsilon-r"), "PME with an infinite epsilon-r computes nothing",
                          "write epsilon-r = 1, or coulombtype = Cut-off");
        if (o.epsilonSurface < 0)
            faults.refuse(o.placeOf("epsilon-surface"), fmt::format("epsilon-surface is {}", o.epsilonSurface),
                          "write 0 for conducting surroundings, 1 for vacuum");
        if (o.ewald3dc)
            faults.warn(o.placeOf("ewald-geometry"), "the correction for slabs is meant for matter with a gap along z",
                        "leave room in the box above and below the slab");
        if (!(o.ewaldRtol > 0 && o.ewaldRtol < 1))
            faults.refuse(o.placeOf("ewald-rtol"), fmt::format("ewald-rtol is {}", o.ewaldRtol),
                          "write a number between 0 and 1, such as 1e-5");
    }
    if (o.coulombType == CoulombType::pme || o.vdwType == VdwType::pme) {
        bool const given = o.fourierGrid[0] > 0 && o.fourierGrid[1] > 0 && o.fourierGrid[2] > 0;
        if (!given && o.fourierSpacing <= 0)
            faults.refuse(o.placeOf("fourierspacing"), fmt::format("fourierspacing is {}", o.fourierSpacing),
                          "write a length above 0, in nm");
        for (std::size_t d = 0; d < 3; ++d)
            if (o.fourierGrid[d] < 0)
                faults.refuse(o.placeOf(d == 0   ? "fourier-nx"
                                        : d == 1 ? "fourier-ny"
                                                 : "fourier-nz"),
                              "this is no number of grid points", "write 0 to let fourierspacing decide, or a positive number");
    }
    if (o.coulombType == CoulombType::reactionField) {
        if (o.epsilonR == 0 || (o.epsilonRf != 0 && o.epsilonRf < o.epsilonR))
            faults.refuse(placeOfEither(o, "epsilon-rf", "epsilon-r"),
                          fmt::format("epsilon-rf {} is below epsilon-r {}", o.epsilonRf,
                                      o.epsilonR == 0 ? "infinity" : fmt::format("{}", o.epsilonR)),
                          "make epsilon-rf at least epsilon-r, or 0 for infinite");
        else if (o.epsilonRf == o.epsilonR)
            faults.warn(o.placeOf("epsilon-rf"), "a reaction field with epsilon-rf = epsilon-r is no reaction field",
                        "write epsilon-rf = 0 for infinite");
    }
}

void checkLjPme(RunOptions const& o, base::FaultList& faults)
{
    if (o.vdwModifier != Modifier::none && o.vdwModifier != Modifier::potentialShift)
        faults.refuse(placeOfEither(o, "vdw-modifier", "vdwtype"), "vdwtype = PME and this vdw-modifier exclude each other",
                      "write vdw-modifier = Potential-shift or None");
    if (!(o.ewaldRtolLj >= 1e-9 && o.ewaldRtolLj < 1))
        faults.refuse(o.placeOf("ewald-rtol-lj"), fmt::format("ewald-rtol-lj is {}", o.ewaldRtolLj),
                      "write a number from 1e-9 to below 1, such as 1e-3");
}

void checkVdw(RunOptions const& o, base::FaultList& faults)
{
    if (o.vdwType == VdwType::pme) return checkLjPme(o, faults);
    bool const legacy = o.vdwType == VdwType::shift || o.vdwType == VdwType::switched;
    if (legacy && o.vdwModifier != Modifier::none && o.vdwModifier != Modifier::potentialShift)
        faults.refuse(placeOfEither(o, "vdw-modifier", "vdwtype"),
                      fmt::format("vdwtype = {} and this vdw-modifier exclude each other", o.vdwTypeWord),
                      "write vdwtype = Cut-off with vdw-modifier = Force-switch or Potential-switch");
    bool const switches = legacy || o.vdwModifier == Modifier::potentialSwitch || o.vdwModifier == Modifier::forceSwitch;
    if (!switches) return;
    if (o.rvdwSwitch >= o.rvdw || o.rvdwSwitch < 0)
        faults.refuse(o.placeOf("rvdw-switch"), fmt::format("rvdw-switch is {} with rvdw {}", o.rvdwSwitch, o.rvdw),
                      "write a length from 0 to below rvdw");
    else if (o.rvdwSwitch == 0)
        faults.warn(placeOfEither(o, "rvdw-switch", "vdw-modifier"), "the switch of the van der Waals potential begins at 0",
                    "write rvdw-switch, such as rvdw - 0.1");
}

void checkDynamics(RunOptions const& o, base::FaultList& faults)
{
    if (o.nsteps < -1)
        faults.refuse(o.placeOf("nsteps"), fmt::format("nsteps is {}", o.nsteps), "write a number of steps, or -1 for no end");
    if (o.initStep < 0) faults.refuse(o.placeOf("init-step"), fmt::format("init-step is {}", o.initStep), "write 0 or more");
    if (o.genVel && o.continuation)
        faults.refuse(placeOfEither(o, "gen-vel", "continuation"), "gen-vel = yes contradicts continuation = yes", "choose one of the two");
    if (o.genVel && o.genTemp < 0)
        faults.refuse(o.placeOf("gen-temp"), fmt::format("gen-temp is {}", o.genTemp), "write a temperature in K");
    if (o.integrator == Integrator::lbfgs && (o.coulombType == CoulombType::cutoff || o.vdwType == VdwType::cutoff) && o.rvdw != 0)
        faults.warn(o.placeOf("integrator"), "l-bfgs gains less where forces jump at the cutoff",
                    "write PME, and vdwtype = Switch or Shift");
    if (o.genVel && !dynamical(o.integrator))
        faults.warn(o.placeOf("gen-vel"), "this integrator moves without velocities", "leave gen-vel out");
    if (o.thermostat != Thermostat::no)
        for (TemperatureGroup const& group : o.temperatureGroups)
            if (group.reference < 0)
                faults.refuse(o.placeOf("ref-t"), fmt::format("ref-t of group '{}' is {}", group.name, group.reference),
                              "write a temperature in K");
    if (o.barostat != Barostat::no && o.tauP <= 0)
        faults.refuse(o.placeOf("tau-p"), fmt::format("tau-p is {}", o.tauP), "write a time above 0, in ps");
    if (o.commMode != CommMode::none && o.nstcomm < 0)
        faults.warn(o.placeOf("nstcomm"), fmt::format("nstcomm is {}", o.nstcomm), fmt::format("{} is used", -o.nstcomm));
}

} // namespace

void checkOptions(RunOptions const& options, base::FaultList& faults)
{
    checkCutoffs(options, faults);
    checkCoulomb(options, faults);
    checkVdw(options, faults);
    checkDynamics(options, faults);
}

double greatestCutoff(physics::Box const& box)
{
    math::Vec3d const a = box.a(), b = box.b(), c = box.c();
    double const halfShortest = 0.5 * std::sqrt(std::min({math::norm2(a), math::norm2(b), math::norm2(c)}));
    double const diagonal = std::min({a.x, std::abs(b.y - c.y), c.z});
    return std::min(halfShortest, diagonal);
}

void checkCutoffInBox(RunOptions const& options, physics::Box const& box, base::Place boxPlace, base::FaultList& faults)
{
    if (!(box.volume() > 0)) return; // the reader of the coordinates has said so
    double const greatest = greatestCutoff(box);
    double const cutoff = std::max(options.rcoulomb, options.rvdw);
    double const reach = options.verletBufferTolerance < 0 ? std::max(options.rlist, cutoff) : cutoff;
    if (reach >= greatest)
        faults.refuse(std::move(boxPlace),
                      fmt::format("the {} of {} nm does not fit into this box, which allows less than {:.6g} nm",
                                  reach > cutoff ? "rlist" : "cutoff", reach, greatest),
                      "enlarge the box or shorten rcoulomb, rvdw and rlist");
}

} // namespace alder::plan
