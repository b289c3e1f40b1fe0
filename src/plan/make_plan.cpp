#include "plan/coupling_rules.hpp"
#include "plan/integrator_rules.hpp"
#include "plan/intervals.hpp"
#include "plan/multiple_time_steps.hpp"
#include "plan/option_rules.hpp"
#include "plan/run_plan.hpp"
#include "plan/supported.hpp"

#include "plan/degrees_of_freedom.hpp"
#include "plan/long_range/dispersion.hpp"
#include "plan/long_range/dispersion_grids.hpp"
#include "plan/long_range/ewald_rules.hpp"
#include "plan/long_range/surface_term.hpp"
#include "plan/pairs/pair_plan.hpp"
#include "plan/pairs/verlet_buffer.hpp"
#include "plan/restraint_rules.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

namespace alder::plan {

namespace {

/// What alder's engine has no formula for, whatever the purpose.
void refuseForces(RunOptions const& o, base::FaultList& faults)
{
    // GROMACS 2022 refuses these too ("only full pbc or pbc=xy with walls"); what would stand for them there stands here.
    if (o.pbc == Pbc::no)
        faults.refuse(o.placeOf("pbc"), "vacuum is not supported: a box has neighbors on all sides",
                      "write pbc = xyz and give a box that is longer than the molecule by twice the cutoff, so that it reaches no image");
    else if (o.pbc == Pbc::xy)
        faults.refuse(o.placeOf("pbc"), "periodicity in two directions, with walls or without, is not supported",
                      "write pbc = xyz and give a box with a gap along z, with PME ewald-geometry = 3dc");
    else if (o.pbc != Pbc::xyz)
        faults.refuse(o.placeOf("pbc"), "only full periodicity is supported", "write pbc = xyz");
    if (o.periodicMolecules)
        faults.refuse(o.placeOf("periodic-molecules"), "molecules bonded to their own image are not supported",
                      "write periodic-molecules = no");
    if (o.coulombType == CoulombType::other)
        faults.refuse(o.placeOf("coulombtype"), fmt::format("coulombtype = {} is not supported", o.coulombTypeWord),
                      "write PME, Reaction-Field or Cut-off");
    if (o.vdwType == VdwType::other)
        faults.refuse(o.placeOf("vdwtype"), fmt::format("vdwtype = {} is not supported", o.vdwTypeWord),
                      "write Cut-off, with a vdw-modifier where wanted, or PME");
    if (o.morse)
        faults.refuse(o.placeOf("morse"), "bonds as Morse potentials are not supported",
                      "write morse = no, or bonds of type 3 in the topology");
}

void refuseKinds(system::Topology const& topology, base::FaultList& faults)
{
    for (std::size_t k = 0; k < system::kindCount; ++k) {
        auto const kind = static_cast<system::Kind>(k);
        if (!topology.uses(kind) || treatmentOf(kind) != Treatment::refused) continue;
        system::KindInfo const& info = system::infoOf(kind);
        faults.refuse(topology.firstUse[k],
                      fmt::format("{} ([ {} ] of type {}) is not supported", info.name, info.section, info.functionType),
                      "leave such entries out");
    }
}

/// The first constraint of a kind that no solver can keep: of no length, of an atom without mass, of a frozen atom.
void refuseConstrainedAtoms(RunOptions const& o, system::Topology const& topology, base::FaultList& faults)
{
    bool frozen = false, impossible = false;
    system::forEachMolecule(topology, [&](system::MoleculeType const& type, std::int64_t first) {
        for (system::Kind const kind : {system::Kind::constraint, system::Kind::constraintNoExclusion}) {
            system::InteractionList const& list = type.of(kind);
            for (std::size_t k = 0; k < list.atoms.size(); ++k) {
                std::int64_t const atom = first + list.atoms[k];
                double const length = topology.parametersOf(kind)[static_cast<std::size_t>(list.parameters[k / 2])][0];
                bool const massless = !(type.atoms[static_cast<std::size_t>(list.atoms[k])].mass > 0);
                if (!impossible && (massless || !(length > 0)))
                    faults.refuse(topology.firstUse[static_cast<std::size_t>(kind)],
                                  fmt::format("the constraint of atom {} in molecule type {} {}", list.atoms[k] + 1, type.name,
                                              massless ? "moves an atom without mass" : fmt::format("has a length of {} nm", length)),
                                  "give masses and lengths above 0, or leave it out");
                impossible = impossible || massless || !(length > 0);
                if (frozen || topology.freezeGroups.names.empty() || topology.freezeGroups.of(atom) == 0) continue;
                faults.refuse(o.placeOf("freezegrps"), fmt::format("atom {} is frozen and has a constraint", atom + 1),
                              "write constraints = none, or freeze other atoms");
                frozen = true;
            }
        }
    });
}

/// Two lengths for one distance. Twice the same is one constraint.
void refuseContradictions(system::Topology const& topology, base::FaultList& faults)
{
    for (system::MoleculeType const& type : topology.types) {
        std::map<std::pair<std::int32_t, std::int32_t>, double> known;
        for (system::Kind const kind : {system::Kind::constraint, system::Kind::constraintNoExclusion}) {
            system::InteractionList const& list = type.of(kind);
            for (std::size_t e = 0; e < list.size(); ++e) {
                std::int32_t const a = list.atoms[2 * e], b = list.atoms[2 * e + 1];
                double const length = topology.parametersOf(kind)[static_cast<std::size_t>(list.parameters[e])][0];
                auto const [at, added] = known.try_emplace(std::minmax(a, b), length);
                if (added || at->second == length) continue;
                faults.refuse(topology.firstUse[static_cast<std::size_t>(kind)],
                              fmt::format("the distance of atoms {} and {} in molecule type {} is constrained to {} nm and to {} nm", a + 1,
                                          b + 1, type.name, at->second, length),
                              "keep one of the two (bonds become constraints by the .mdp too)");
                return;
            }
        }
    }
}

/// What the solvers of constraints cannot do; only where there is something for them to solve.
void refuseConstraints(RunOptions const& o, system::Topology const& topology, base::FaultList& faults)
{
    if (!constrainsDistances(topology)) return;
    if (o.constraintAlgorithm == "shake") {
        if (!(o.shakeTol > 0))
            faults.refuse(o.placeOf("shake-tol"), fmt::format("shake-tol is {}", o.shakeTol),
                          "write a relative tolerance above 0, such as 1e-4");
    } else if (o.lincsOrder < 0 || o.lincsIter < 0)
        faults.refuse(o.placeOf(o.lincsOrder < 0 ? "lincs-order" : "lincs-iter"),
                      fmt::format("lincs-order is {}, lincs-iter {}", o.lincsOrder, o.lincsIter),
                      "write numbers from 0 up, such as 4 and 1");
    refuseConstrainedAtoms(o, topology, faults);
    refuseContradictions(topology, faults);
}

void refuseMinimization(RunOptions const& o, system::Topology const& topology, base::FaultList& faults)
{
    if (o.emtol <= 0 || o.emstep <= 0)
        faults.refuse(o.placeOf(o.emtol <= 0 ? "emtol" : "emstep"), fmt::format("emtol is {}, emstep {}", o.emtol, o.emstep),
                      "write numbers above 0");
    if (o.integrator == Integrator::cg && constrainsDistances(topology) && o.constraintAlgorithm == "shake")
        faults.refuse(o.placeOf("constraint-algorithm"), "cg moves farther than SHAKE can mend", "write constraint-algorithm = LINCS");
    if (o.integrator != Integrator::lbfgs) return;
    if (o.nbfgscorr < 1)
        faults.refuse(o.placeOf("nbfgscorr"), fmt::format("nbfgscorr is {}", o.nbfgscorr), "write a number above 0, such as 10");
    for (system::Kind const kind : {system::Kind::settle, system::Kind::constraint, system::Kind::constraintNoExclusion})
        if (topology.uses(kind)) {
            faults.refuse(o.placeOf("integrator"), fmt::format("l-bfgs cannot keep constraints ({})", system::infoOf(kind).name),
                          "write integrator = cg or steep, or constraints = none and define = -DFLEXIBLE for flexible water");
            return;
        }
}

void refuseRun(RunOptions const& o, system::Topology const& topology, base::FaultList& faults)
{
    faults.append(o.onlyRunRefuses);
    refuseIntegrator(o, topology, faults);
    if (minimizes(o.integrator)) refuseMinimization(o, topology, faults);
    if (!movesInTime(o.integrator)) return;
    refuseMultipleTimeSteps(o, faults);
    refuseCouplings(o, faults);
    if (o.commMode == CommMode::angular || o.commMode == CommMode::linearAcceleration)
        faults.refuse(o.placeOf("comm-mode"), "only the linear motion of the whole system can be removed",
                      "write comm-mode = Linear or None");
}

ConstraintPlan makeConstraints(RunOptions const& o)
{
    ConstraintPlan c;
    c.bonds = o.constraints;
    c.shake = o.constraintAlgorithm == "shake";
    c.lincsOrder = o.lincsOrder;
    c.lincsIterations = o.lincsIter;
    c.shakeTolerance = o.shakeTol;
    c.warnAngle = o.lincsWarnAngle;
    return c;
}

DynamicsPlan makeDynamics(RunOptions const& o, system::Topology const& topology, RunRequest const& request)
{
    DynamicsPlan d;
    d.integrator = o.integrator;
    d.dt = o.dt;
    d.tinit = o.tinit;
    d.steps = request.steps.value_or(o.nsteps);
    d.initStep = o.initStep;
    bool const ownBath = o.integrator == Integrator::sd || o.integrator == Integrator::bd;
    d.thermostat = movesInTime(o.integrator) && !ownBath ? o.thermostat : Thermostat::no;
    d.chainLength = o.integrator == Integrator::mdVv && d.thermostat == Thermostat::noseHoover ? o.nhChainLength : 1;
    d.bdFriction = o.bdFriction;
    d.constrainStart = !o.continuation;
    d.constraints = makeConstraints(o);
    d.emtol = o.emtol;
    d.emstep = o.emstep;
    d.steepestInterval = std::max<std::int64_t>(0, o.nstcgsteep);
    d.bfgsCorrections = o.nbfgscorr;
    d.removeComm = o.commMode != CommMode::none && o.nstcomm != 0;
    d.commInterval = std::max<std::int64_t>(1, std::abs(o.nstcomm));

    DegreesOfFreedom const freedom = degreesOfFreedom(o, topology);
    d.degreesOfFreedom = freedom.total;
    for (std::size_t g = 0; g < freedom.byGroup.size(); ++g) {
        TemperatureGroupPlan group;
        group.degreesOfFreedom = freedom.byGroup[g];
        group.tau = g < o.temperatureGroups.size() ? o.temperatureGroups[g].tau : -1;
        group.reference = g < o.temperatureGroups.size() ? o.temperatureGroups[g].reference : 0;
        if (g < o.temperatureGroups.size()) {
            group.annealing = o.temperatureGroups[g].annealing;
            group.annealingTimes = o.temperatureGroups[g].annealingTimes;
            group.annealingTemperatures = o.temperatureGroups[g].annealingTemperatures;
        }
        d.groups.push_back(group);
    }
    d.coupleInterval = couplingInterval(o);
    if (d.thermostat == Thermostat::andersen || d.thermostat == Thermostat::andersenMassive) d.coupleInterval = 1;
    system::forEachAtom(topology, [&](system::Atom const& atom, std::int64_t) { d.mass += atom.mass; });
    d.seed = static_cast<std::uint64_t>(o.ldSeed);
    return d;
}

/// True for integrators that start from the configuration given: minimizers rebuild virtual sites before anything else.
bool moves(Integrator integrator)
{
    return integrator == Integrator::md || integrator == Integrator::mdVv || integrator == Integrator::mdVvAvek ||
           integrator == Integrator::sd || integrator == Integrator::bd;
}

/// Runs one of the rooms' own plans, and keeps its refusals beside the others.
template <class Make> void gather(base::FaultList& faults, Make&& make)
{
    try {
        make();
    } catch (base::InputRefused const& refused) {
        for (base::Fault const& fault : refused.faults()) faults.refuse(fault.place, fault.what, fault.instead);
    }
}

} // namespace

RunPlan makePlan(RunOptions const& options, system::Topology const& topology, physics::Box const& box, RunRequest const& request)
{
    RunOptions asked = options;
    if (request.nstlist) asked.nstlist = *request.nstlist;

    base::FaultList faults, toldBefore;
    checkOptions(asked, toldBefore);
    checkCutoffInBox(asked, box, asked.placeOf("rcoulomb"), toldBefore);
    for (base::Fault const& fault : toldBefore.faults()) faults.refuse(fault.place, fault.what, fault.instead);
    refuseForces(asked, faults);
    refuseKinds(topology, faults);
    refuseDistanceRestraints(asked, topology, faults);
    if (request.purpose == Purpose::dynamics) {
        refuseRun(asked, topology, faults);
        refuseFreezing(asked, topology, faults);
        refuseConstraints(asked, topology, faults);
    }
    faults.throwIfAny();

    RunPlan plan;
    gather(faults, [&] { plan.pairs = makePairPlan(asked, topology, box); });
    gather(faults, [&] { plan.pme = makePmePlan(asked, topology, box); });
    // Where both use the grid, its faults are told once.
    if (asked.coulombType != CoulombType::pme || plan.pme.active)
        gather(faults, [&] { plan.dispersionGrids = makeDispersionGrids(asked, topology, box); });
    gather(faults, [&] { plan.surface = makeSurfacePlan(asked, topology); });
    gather(faults, [&] { plan.dispersion = makeDispersionPlan(asked, topology, plan.pairs); });
    faults.throwIfAny();
    plan.pairs.exactLists = request.exactLists;
    plan.dynamics = makeDynamics(asked, topology, request);
    addRestraintsAndFields(asked, plan);
    // Minimizers have no pressure to couple; a single point reports what it is given.
    if (request.purpose == Purpose::dynamics && movesInTime(asked.integrator)) {
        noteIntegrator(asked, plan);
        plan.dynamics.barostat = makeBarostat(asked, box);
        noteCouplings(asked, plan);
    }
    setIntervals(asked, plan);
    if (request.purpose == Purpose::dynamics && movesInTime(asked.integrator)) setSlowForces(asked, plan, faults);
    faults.throwIfAny();
    ListChoice const list = chooseList(asked, topology, box, plan.pairs, request);
    plan.pairs.listCutoff = list.listCutoff;
    plan.pairs.innerListCutoff = list.innerListCutoff;
    plan.pairs.listInterval = list.listInterval;
    plan.pairs.pruneInterval = list.pruneInterval;
    plan.pairs.latticeBits = latticeBitsFor(list.listCutoff, box);
    plan.pairs.sitesAsGiven = request.purpose == Purpose::energy && asked.coulombType == CoulombType::pme && moves(asked.integrator);
    // One configuration is computed once: its forces are taken in double precision and rounded as finely as sums allow, on a lattice as
    // fine as its box allows, so that they can serve as a reference for the kernels of a run. Minimizers that learn from small differences
    // of forces get the same: rounded to 2^-12 kJ/mol/nm they stop some way above a small emtol.
    bool const learns = asked.integrator == Integrator::cg || asked.integrator == Integrator::lbfgs;
    if (request.purpose == Purpose::energy || learns) {
        plan.pairs.wideSums = true;
        plan.pairs.forceBits = 24;
        plan.pairs.latticeBits = finestLatticeBits(box);
    }
    return plan;
}

} // namespace alder::plan
