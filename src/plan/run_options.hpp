#pragma once
// What was asked: the .mdp as typed options, each with the line it came from, and the command line. Made by the deck room; read by
// makePlan() alone. Enumerations list what alder's engine can represent; words that it cannot run are refused by the reader or by
// makePlan(), by name.

#include "base/error.hpp"
#include "math/vec3.hpp"

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace alder::plan {

enum class Integrator : std::uint8_t { md, mdVv, mdVvAvek, sd, bd, steep, cg, lbfgs, nm, tpi, mimic };
enum class CoulombType : std::uint8_t { cutoff, reactionField, pme, other };
enum class VdwType : std::uint8_t { cutoff, pme, shift, switched, other };
enum class Modifier : std::uint8_t { none, potentialShift, potentialSwitch, forceSwitch, exactCutoff };
enum class DispersionCorrection : std::uint8_t { no, ener, enerPres, allEner, allEnerPres };
enum class Thermostat : std::uint8_t { no, vRescale, berendsen, noseHoover, andersen, andersenMassive };
enum class Barostat : std::uint8_t { no, berendsen, cRescale, parrinelloRahman, mttk };
enum class Constraints : std::uint8_t { none, hBonds, allBonds, hAngles, allAngles };
enum class CommMode : std::uint8_t { none, linear, angular, linearAcceleration };
enum class Pbc : std::uint8_t { xyz, xy, no, screw };
enum class PressureCoupling : std::uint8_t { isotropic, semiisotropic, anisotropic, surfaceTension };
enum class RefcoordScaling : std::uint8_t { no, all, com };
enum class Annealing : std::uint8_t { no, single, periodic };

/// True for those that look for the nearest least energy; they have neither velocities nor time.
constexpr bool minimizes(Integrator integrator)
{
    return integrator == Integrator::steep || integrator == Integrator::cg || integrator == Integrator::lbfgs;
}

/// A temperature-coupling group as the .mdp names it.
struct TemperatureGroup {
    std::string name;
    double tau = 0;       ///< ps; negative: not coupled
    double reference = 0; ///< K
    Annealing annealing = Annealing::no;
    std::vector<double> annealingTimes = {}, annealingTemperatures = {}; ///< ps, K; one of each for every point
};

/// Atoms whose coordinates along the marked axes never change.
struct FreezeGroup {
    std::string name;
    std::array<bool, 3> axes{};
};

/// The field along one axis: amplitude cos(omega (t - t0)) exp(-(t - t0)^2 / (2 sigma^2)), constant where omega and sigma are 0.
struct ElectricField {
    double amplitude = 0;     ///< V/nm
    double omega = 0;         ///< 1/ps
    double t0 = 0, sigma = 0; ///< ps
};

enum class DistanceRestraining : std::uint8_t { no, simple, ensemble };

struct DistanceRestraintOptions {
    DistanceRestraining kind = DistanceRestraining::no;
    bool equalWeights = false; ///< else conservative
    bool mixed = false;
    double forceConstant = 1000; ///< kJ/mol/nm^2
    double tau = 0;              ///< ps; 0: no average over time
};

struct RunOptions {
    std::string mdpFile;
    /// Line of each key that was given, keys in canonical form: lower case, '-' for '_' ("tau-t").
    std::map<std::string, std::int64_t> lines;
    [[nodiscard]] base::Place placeOf(std::string const& key) const
    {
        auto const found = lines.find(key);
        return {mdpFile, found == lines.end() ? 0 : found->second};
    }

    // run control
    Integrator integrator = Integrator::md;
    double tinit = 0, dt = 0.001; ///< ps
    std::int64_t nsteps = 0, initStep = 0;
    CommMode commMode = CommMode::linear;
    std::int64_t nstcomm = 100;
    std::vector<std::string> commGroups;
    bool continuation = false;

    // minimization
    double emtol = 10, emstep = 0.01; ///< kJ/mol/nm, nm
    std::int64_t nstcgsteep = 1000;   ///< steepest-descent steps among those of conjugate gradients
    int nbfgscorr = 10;               ///< corrections that L-BFGS keeps

    // multiple time stepping
    bool mts = false;
    std::int64_t mtsLevels = 2, mtsLevel2Factor = 2;
    std::vector<std::string> mtsLevel2Forces{"longrange-nonbonded"}; ///< as written

    // output
    std::int64_t nstxout = 0, nstvout = 0, nstfout = 0, nstxoutCompressed = 0, nstlog = 1000, nstenergy = 1000, nstcalcenergy = 100;

    // pair list and cut-offs
    std::int64_t nstlist = 10;
    double verletBufferTolerance = 0.005; ///< kJ/mol/ps an atom; -1: rlist as given
    double rlist = 1;                     ///< nm
    Pbc pbc = Pbc::xyz;
    bool periodicMolecules = false;

    CoulombType coulombType = CoulombType::cutoff;
    std::string coulombTypeWord = "Cut-off";
    Modifier coulombModifier = Modifier::potentialShift;
    double rcoulomb = 1, rcoulombSwitch = 0, epsilonR = 1, epsilonRf = 0; ///< epsilonRf 0: infinite
    VdwType vdwType = VdwType::cutoff;
    std::string vdwTypeWord = "Cut-off";
    Modifier vdwModifier = Modifier::potentialShift;
    double rvdw = 1, rvdwSwitch = 0;
    DispersionCorrection dispersionCorrection = DispersionCorrection::no;

    // Ewald
    double fourierSpacing = 0.12;
    std::array<int, 3> fourierGrid{0, 0, 0}; ///< 0: from the spacing
    int pmeOrder = 4;
    double ewaldRtol = 1e-5, ewaldRtolLj = 1e-3;
    bool ewald3dc = false;
    double epsilonSurface = 0;
    bool ljPmeLorentzBerthelot = false;

    // coupling
    Thermostat thermostat = Thermostat::no;
    std::int64_t nsttcouple = -1;
    std::vector<TemperatureGroup> temperatureGroups;
    Barostat barostat = Barostat::no;
    std::int64_t nstpcouple = -1;
    double tauP = 1;
    int nhChainLength = 10; ///< of Nose-Hoover
    PressureCoupling pressureCoupling = PressureCoupling::isotropic;
    /// 1/bar and bar, as many as pcoupltype takes: 1, 2 (xy, z) or 6 (xx yy zz xy xz yz)
    std::vector<double> compressibility, referencePressure;
    RefcoordScaling refcoordScaling = RefcoordScaling::no;
    std::int64_t ldSeed = -1; ///< seed of stochastic coupling and of sd and bd; -1: a new one each run
    double bdFriction = 0;    ///< amu/ps; 0: mass / tau-t
    double massRepartitionFactor = 1;
    std::vector<FreezeGroup> freezeGroups;
    std::array<ElectricField, 3> electricField; ///< x, y, z
    DistanceRestraintOptions distanceRestraints;

    // velocities
    bool genVel = false;
    double genTemp = 300;
    std::int64_t genSeed = -1;

    // constraints
    Constraints constraints = Constraints::none;
    std::string constraintAlgorithm = "lincs";
    int lincsOrder = 4, lincsIter = 1;
    double shakeTol = 1e-4;
    double lincsWarnAngle = 30; ///< degrees
    bool morse = false;

    /// Features given in the .mdp that need machinery which `alder mdrun` lacks, but which don't enter the forces of one
    /// configuration; each with its key, for makePlan() to refuse a run and let a single-point energy pass.
    base::FaultList onlyRunRefuses;
};

} // namespace alder::plan
