#pragma once
// What will be done, decided once from what was asked, and const from then on. No room below reads .mdp words.

#include "base/error.hpp"
#include "math/vec3.hpp"
#include "plan/run_options.hpp"
#include "system/state.hpp"
#include "system/topology.hpp"

#include <array>
#include <cstdint>
#include <vector>

namespace alder::plan {

enum class CoulombForm : std::uint8_t { none, reactionField, ewald };
enum class VdwForm : std::uint8_t { none, cut, potentialSwitch, forceSwitch, ewald };
/// How C6 of unlike atoms follows from C6 (and C12) of like ones, on the grid of LJ-PME.
enum class GridCombination : std::uint8_t { geometric, lorentzBerthelot };

/// Everything the pair kernels need to know of the potential. V in kJ/mol, r in nm.
struct PairPlan {
    CoulombForm coulomb = CoulombForm::none;
    VdwForm vdw = VdwForm::cut;
    double rcoulomb = 0, rvdw = 0, rvdwSwitch = 0;
    double electricFactor = 0; ///< f / epsilon_r, kJ/mol nm e^-2
    /// Coulomb, reaction field (plain cut-off is krf = 0):  qq (1/r + krf r^2 - crf)
    double krf = 0, crf = 0;
    /// Coulomb, Ewald real space:  qq (erfc(beta r)/r - ewaldShift)
    double beta = 0, ewaldShift = 0;
    /// LJ cut: c12 (1/r^12 + repulsionShift) - c6 (1/r^6 + dispersionShift)
    double dispersionShift = 0, repulsionShift = 0;
    /// LJ, Ewald: LJ cut, plus what the grid has put in, taken out again: gridC6 ((1 - G(ljBeta r))/r^6 + gridShift)
    double ljBeta = 0, gridShift = 0;
    GridCombination gridCombination = GridCombination::geometric;

    double listCutoff = 0;           ///< outer list radius, nm
    double innerListCutoff = 0;      ///< pruned list radius, nm
    std::int64_t listInterval = 10;  ///< steps between list builds
    std::int64_t pruneInterval = 10; ///< steps between prunings, a divisor of listInterval
    bool exactLists = false;         ///< rebuild when a displacement exceeds the buffer; then no pair is ever missed
    /// A single point that has virtual sites out of place: pairs see them where the deck puts them, all else where they belong
    /// (docs/decisions/0006).
    bool sitesAsGiven = false;
    int latticeBits = 22;  ///< kernel coordinates are multiples of 2^-latticeBits nm
    int forceBits = 12;    ///< pair forces are rounded to 2^-forceBits kJ/mol/nm
    bool wideSums = false; ///< sum pair forces in 64 bits from the start (minimization); the same integers where 32 bits hold them
};

/// What a grid sums over all images: charges by 1/r, or dispersion by -1/r^6 (physics/ewald.hpp, physics/dispersion_ewald.hpp).
enum class GridSum : std::uint8_t { coulomb, dispersion };

struct PmePlan {
    bool active = false;
    GridSum sum = GridSum::coulomb;
    int order = 4;
    std::array<int, 3> grid{0, 0, 0};
    double beta = 0;                  ///< 1/nm
    double electricFactor = 0;        ///< kJ/mol nm e^-2; dispersion: 1, or -1 where this grid's part of C6 is repulsive
    double uniformEnergyFactor = 0;   ///< over the volume, the energy of the wave m = 0: of a net charge, -pi f (sum q)^2/(2 beta^2)
    double selfEnergy = 0;            ///< kJ/mol: of charges, -f beta/sqrt(pi) sum q^2
    int chargeBits = 28;              ///< the charge grid counts in 2^-chargeBits e: at 28 bits a point holds +-8 e
    std::vector<double> sourceOfType; ///< dispersion: an atom's "charge" by type of the topology, sqrt(kJ/mol nm^6); empty: its charge
};

/// What is around the crystal of cells that an Ewald sum makes (physics/surface_dipole.hpp).
enum class Surroundings : std::uint8_t { conducting, dielectric, slab };

struct SurfacePlan {
    Surroundings surroundings = Surroundings::conducting;
    double factor = 0;    ///< energy times volume over the dipole's square, kJ/mol nm e^-2
    double netCharge = 0; ///< slab, e
};

/// Long-range dispersion correction: energy = energyFactor / V + energyConstant, added to each diagonal of the virial = virialFactor / V.
struct DispersionPlan {
    double energyFactor = 0, virialFactor = 0; ///< kJ/mol nm^3
    double energyConstant = 0;                 ///< kJ/mol; not zero where the potential is shifted inside the cut-off
    bool energy = false, pressure = false;
};

struct TemperatureGroupPlan {
    double reference = 0, tau = 0, degreesOfFreedom = 0; ///< K, ps
    Annealing annealing = Annealing::no;
    std::vector<double> annealingTimes = {}, annealingTemperatures = {}; ///< ps, K
};

/// Pressure coupling. Tensors are in bar and 1/bar; an element of compressibility that is 0 leaves that element of the box alone.
struct BarostatPlan {
    Barostat kind = Barostat::no;
    PressureCoupling type = PressureCoupling::isotropic;
    std::int64_t interval = 10; ///< steps
    double tau = 1;             ///< ps
    math::Mat3d compressibility{}, reference{};
    bool skewed = false;    ///< the box the deck starts from is no rectangular one
    double startLength = 1; ///< nm: the longest diagonal element of the box the deck starts from, which sets the box mass
    RefcoordScaling refcoordScaling = RefcoordScaling::no;
};

/// How distances are kept during a run. Which ones: bonds of the topology by `bonds`, and all that [ constraints ] lists.
struct ConstraintPlan {
    Constraints bonds = Constraints::none;
    bool shake = false; ///< else LINCS
    int lincsOrder = 4, lincsIterations = 1;
    double shakeTolerance = 1e-4; ///< relative
    double warnAngle = 30;        ///< degrees
};

/// Multiple time stepping: the forces that are computed every `interval` steps only, and then act as an impulse for all of these steps.
struct SlowForces {
    std::int64_t interval = 1; ///< steps; 1: every force acts every step
    bool grid = false;         ///< PME, LJ-PME and what depends on the surroundings of the cell
    bool nonbonded = false;    ///< pairs within the cutoff
    bool pairs14 = false, dihedrals = false, angles = false;
    [[nodiscard]] bool any() const { return interval > 1; }
};

struct DynamicsPlan {
    Integrator integrator = Integrator::md;
    double dt = 0, tinit = 0;
    std::int64_t steps = 0; ///< -1: no end
    std::int64_t initStep = 0;
    Thermostat thermostat = Thermostat::no;
    std::int64_t coupleInterval = 10;
    int chainLength = 1; ///< of Nose-Hoover
    BarostatPlan barostat;
    ConstraintPlan constraints;
    SlowForces slow;
    double bdFriction = 0;                       ///< amu/ps; 0: mass / tau of the group
    std::vector<std::array<bool, 3>> frozenAxes; ///< by freeze group of the topology, none of the first; empty: nothing is frozen
    std::vector<TemperatureGroupPlan> groups;    ///< at least one
    double degreesOfFreedom = 0;                 ///< of all groups
    double mass = 0;                             ///< of the system, amu
    bool removeComm = false;
    std::int64_t commInterval = 100;
    std::uint64_t seed = 0; ///< of the stochastic thermostat
    bool constrainStart = true;
    double emtol = 10, emstep = 0.01;
    std::int64_t steepestInterval = 1000; ///< of conjugate gradients: every so many steps go along the forces; 0: none
    int bfgsCorrections = 10;             ///< steps that L-BFGS remembers
};

struct ElectricFieldPlan {
    bool active = false;
    std::array<ElectricField, 3> axes;
};

/// Distance restraints, by what they are at this moment. Not active: those of the topology are left out.
struct DistanceRestraintPlan {
    bool active = false;
    bool equalWeights = false;   ///< every pair of a restraint gets the same share of its force; else the force is the energy's slope
    double forceConstant = 1000; ///< kJ/mol/nm^2, times each restraint's own factor
};

struct OutputPlan {
    /// Frames hold positions always, velocities and forces where asked; one stride (design section 1).
    std::int64_t frameInterval = 0, energyInterval = 0, logInterval = 0; ///< 0: first and last step only
    bool velocities = false, forces = false;
};

struct RunPlan {
    PairPlan pairs;
    PmePlan pme;
    std::vector<PmePlan> dispersionGrids; ///< LJ-PME: their energies add up; one grid for geometric C6
    SurfacePlan surface;
    DispersionPlan dispersion;
    ElectricFieldPlan electricField;
    DistanceRestraintPlan distanceRestraints;
    DynamicsPlan dynamics;
    OutputPlan output;
    std::int64_t energyInterval = 100; ///< nstcalcenergy
    base::FaultList notes;             ///< warnings and notes to print before the run
};

/// What will be run with the plan: a single-point energy judges only what enters forces; mdrun judges all.
enum class Purpose : std::uint8_t { energy, dynamics };

/// Choices of the command line that enter the plan.
struct RunRequest {
    Purpose purpose = Purpose::dynamics;
    bool exactLists = false;
    std::optional<std::int64_t> steps;   ///< -nsteps
    std::optional<std::int64_t> nstlist; ///< -nstlist
};

/// Decides. Throws InputRefused with every reason found, each at its file and line.
RunPlan makePlan(RunOptions const& options, system::Topology const& topology, physics::Box const& box, RunRequest const& request);

/// What one step does.
struct StepPlan {
    std::int64_t step = 0;
    bool buildList = false, prune = false, energies = false, couple = false, removeComm = false;
    bool frame = false, energyFrame = false, logLine = false, checkpoint = false, last = false;
    bool slowForces = true;      ///< a step of the forces that SlowForces names
    bool couplePressure = false; ///< the barostat acts at the end of this step
    bool kinetic =
        false; ///< sum kinetic energies of the velocities this step makes and hand them over, and the heat of stochastic dynamics
    [[nodiscard]] bool virial() const { return energies || couplePressure; } ///< sum the virial
};

/// Who makes the factors of thermostats: the loop, to which kinetic energies are then handed over before, or the back end by itself.
enum class CoupledBy : std::uint8_t { loop, backend };

/// The schedule: flags by step, a pure function of the plan and the step (except in exact mode, where the engine adds list builds).
class Schedule {
public:
    explicit Schedule(RunPlan const& plan, CoupledBy thermostats = CoupledBy::loop);
    [[nodiscard]] StepPlan at(std::int64_t step) const;
    /// True where the run may stop and restart with the same bits.
    [[nodiscard]] bool listStep(std::int64_t step) const;

private:
    RunPlan const& plan_;
    CoupledBy thermostats_;
};

} // namespace alder::plan
