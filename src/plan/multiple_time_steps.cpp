#include "plan/multiple_time_steps.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <string_view>

namespace alder::plan {

namespace {

using system::Kind;

std::string lower(std::string word)
{
    std::transform(word.begin(), word.end(), word.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return word;
}

bool known(std::string const& word)
{
    static constexpr std::array<std::string_view, 7> words{"longrange-nonbonded", "nonbonded", "pair", "dihedral", "angle", "pull", "awh"};
    return std::find(words.begin(), words.end(), lower(word)) != words.end();
}

bool waits(RunOptions const& o, std::string_view group)
{
    return std::any_of(o.mtsLevel2Forces.begin(), o.mtsLevel2Forces.end(), [&](std::string const& word) { return lower(word) == group; });
}

/// One stride that has to hit the steps on which all forces are known.
struct Stride {
    char const* key;
    std::int64_t steps;
};

} // namespace

void refuseMultipleTimeSteps(RunOptions const& o, base::FaultList& faults)
{
    if (!o.mts) return;
    if (o.integrator != Integrator::md && o.integrator != Integrator::sd)
        faults.refuse(o.placeOf("integrator"), "multiple time stepping goes with the integrators md and sd", "write md, or mts = no");
    if (o.mtsLevels != 2) faults.refuse(o.placeOf("mts-levels"), fmt::format("mts-levels is {}", o.mtsLevels), "write 2");
    if (o.mtsLevel2Factor < 2 || o.mtsLevel2Factor > 1000)
        faults.refuse(o.placeOf("mts-level2-factor"), fmt::format("mts-level2-factor is {}", o.mtsLevel2Factor),
                      "write a number of steps above 1, such as 2");
    for (std::string const& word : o.mtsLevel2Forces)
        if (!known(word))
            faults.refuse(o.placeOf("mts-level2-forces"),
                          fmt::format("'{}' in mts-level2-forces is no group of forces", word.substr(0, 60)),
                          "write longrange-nonbonded nonbonded pair dihedral angle, or some of these");
    if ((o.coulombType == CoulombType::pme || o.vdwType == VdwType::pme) && !waits(o, "longrange-nonbonded"))
        faults.refuse(o.placeOf("mts-level2-forces"), "forces of the grid must be among those that wait",
                      "add longrange-nonbonded to mts-level2-forces");
}

void setSlowForces(RunOptions const& o, RunPlan& plan, base::FaultList& faults)
{
    if (!o.mts) return;
    DynamicsPlan const& d = plan.dynamics;
    SlowForces slow;
    slow.interval = o.mtsLevel2Factor;
    slow.grid = waits(o, "longrange-nonbonded");
    slow.nonbonded = waits(o, "nonbonded");
    slow.pairs14 = waits(o, "pair");
    slow.dihedrals = waits(o, "dihedral");
    slow.angles = waits(o, "angle");

    std::vector<Stride> strides{{"nstcalcenergy", plan.energyInterval},
                                {"nstenergy", plan.output.energyInterval},
                                {"nstlog", plan.output.logInterval},
                                {"init-step", d.initStep}};
    // The last step tells its energies.
    if (d.steps >= 0) strides.push_back({"nsteps", d.steps});
    if (plan.output.forces) strides.push_back({"nstfout", plan.output.frameInterval});
    if (d.barostat.kind != Barostat::no) strides.push_back({"nstpcouple", d.barostat.interval});
    if (slow.nonbonded) strides.push_back({"nstlist", o.nstlist});
    for (Stride const& stride : strides)
        if (stride.steps % slow.interval != 0)
            faults.refuse(o.placeOf(stride.key),
                          fmt::format("{} is {}, and all forces are known every {} steps only", stride.key, stride.steps, slow.interval),
                          fmt::format("write a multiple of mts-level2-factor, such as {}",
                                      std::max<std::int64_t>(1, (stride.steps + slow.interval - 1) / slow.interval) * slow.interval));
    plan.dynamics.slow = slow;
}

bool isSlow(SlowForces const& slow, Kind kind)
{
    switch (kind) {
    case Kind::pair14:
    case Kind::pair14Charges:
    case Kind::pairNonbonded: return slow.pairs14;
    case Kind::angle:
    case Kind::g96Angle:
    case Kind::ureyBradley:
    case Kind::quarticAngle:
    case Kind::restrictedAngle: return slow.angles;
    case Kind::properDihedral:
    case Kind::improperDihedral:
    case Kind::ryckaertBellemans:
    case Kind::periodicImproper:
    case Kind::fourierDihedral:
    case Kind::restrictedDihedral:
    case Kind::combinedBendingTorsion:
    case Kind::cmap: return slow.dihedrals;
    default: return false;
    }
}

std::bitset<system::kindCount> kindsThatWait(SlowForces const& slow, bool waiting)
{
    std::bitset<system::kindCount> kinds;
    for (std::size_t k = 0; k < kinds.size(); ++k) kinds[k] = isSlow(slow, static_cast<Kind>(k)) == waiting;
    return kinds;
}

} // namespace alder::plan
