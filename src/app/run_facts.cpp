#include "app/run_facts.hpp"

#include "app/run_names.hpp"
#include "base/allocation.hpp"
#include "base/build_info.hpp"
#include "base/digest.hpp"
#include "gpu/driver.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <unistd.h>

namespace alder::app {

namespace {

std::string processorField(char const* name)
{
    std::ifstream in("/proc/cpuinfo");
    for (std::string line; std::getline(in, line);)
        if (line.rfind(name, 0) == 0 && line.find(':') != std::string::npos) return line.substr(line.find(':') + 2);
    return "unknown";
}

char const* nameOf(plan::Thermostat thermostat)
{
    switch (thermostat) {
    case plan::Thermostat::no: return "none";
    case plan::Thermostat::vRescale: return "v-rescale";
    case plan::Thermostat::berendsen: return "Berendsen";
    case plan::Thermostat::noseHoover: return "Nose-Hoover";
    case plan::Thermostat::andersen: return "Andersen";
    case plan::Thermostat::andersenMassive: return "Andersen, massive";
    }
    return "";
}

char const* nameOf(plan::Barostat barostat)
{
    switch (barostat) {
    case plan::Barostat::no: return "none";
    case plan::Barostat::berendsen: return "Berendsen";
    case plan::Barostat::cRescale: return "C-rescale";
    case plan::Barostat::parrinelloRahman: return "Parrinello-Rahman";
    case plan::Barostat::mttk: return "MTTK";
    }
    return "";
}

std::string barostatText(plan::BarostatPlan const& barostat)
{
    if (barostat.kind == plan::Barostat::no) return nameOf(barostat.kind);
    char const* const types[] = {"isotropic", "semi-isotropic", "anisotropic", "surface tension"};
    math::Mat3d const& p = barostat.reference;
    return fmt::format("{}, {}, {} {} {} bar, tau {} ps, every {} steps", nameOf(barostat.kind),
                       types[static_cast<std::size_t>(barostat.type)], p.x.x, p.y.y, p.z.z, barostat.tau, barostat.interval);
}

std::string referenceText(plan::TemperatureGroupPlan const& group)
{
    switch (group.annealing) {
    case plan::Annealing::no: break;
    case plan::Annealing::single:
    case plan::Annealing::periodic:
        return fmt::format("annealed from {} to {} K{}", group.annealingTemperatures.front(), group.annealingTemperatures.back(),
                           group.annealing == plan::Annealing::periodic ? ", again and again" : "");
    }
    return fmt::format("{} K", group.reference);
}

std::string coulombText(plan::RunPlan const& plan)
{
    plan::PairPlan const& p = plan.pairs;
    switch (p.coulomb) {
    case plan::CoulombForm::none: return "none (no charges)";
    case plan::CoulombForm::reactionField:
        return fmt::format("reaction field, rcoulomb {} nm, krf {:.6g} nm^-3, crf {:.6g} nm^-1", p.rcoulomb, p.krf, p.crf);
    case plan::CoulombForm::ewald:
        return fmt::format("PME, rcoulomb {} nm, beta {:.6f} nm^-1, order {}, grid {} x {} x {}", p.rcoulomb, p.beta, plan.pme.order,
                           plan.pme.grid[0], plan.pme.grid[1], plan.pme.grid[2]);
    }
    return {};
}

std::string surroundingsText(plan::SurfacePlan const& surface)
{
    switch (surface.surroundings) {
    case plan::Surroundings::conducting: return {};
    case plan::Surroundings::dielectric: return fmt::format("dielectric, {:.6g} kJ/mol nm e^-2 M^2/V", surface.factor);
    case plan::Surroundings::slab:
        return fmt::format("slab with a net charge of {:.4g} e, {:.6g} kJ/mol nm e^-2 M_z^2/V", surface.netCharge, surface.factor);
    }
    return {};
}

std::string vdwText(plan::RunPlan const& plan)
{
    plan::PairPlan const& p = plan.pairs;
    switch (p.vdw) {
    case plan::VdwForm::none: return "none";
    case plan::VdwForm::cut:
        return fmt::format("cut at {} nm{}", p.rvdw, p.dispersionShift != 0 || p.repulsionShift != 0 ? ", potential shifted to zero" : "");
    case plan::VdwForm::ewald:
        return fmt::format("PME, rvdw {} nm{}, beta {:.6f} nm^-1, {} grid{} for {} C6", p.rvdw,
                           p.dispersionShift != 0 ? ", potential shifted to zero" : "", p.ljBeta, plan.dispersionGrids.size(),
                           plan.dispersionGrids.size() == 1 ? "" : "s",
                           p.gridCombination == plan::GridCombination::geometric ? "geometric" : "Lorentz-Berthelot");
    case plan::VdwForm::potentialSwitch: return fmt::format("potential switched off from {} to {} nm", p.rvdwSwitch, p.rvdw);
    case plan::VdwForm::forceSwitch: return fmt::format("force switched off from {} to {} nm", p.rvdwSwitch, p.rvdw);
    }
    return {};
}

} // namespace

std::string hostName()
{
    char name[256] = {};
    return gethostname(name, sizeof name - 1) == 0 ? name : "unknown";
}

std::string processorName() { return processorField("model name"); }
std::string processorMake() { return processorField("vendor_id"); }

output::Machine thisMachine(Hardware const& hardware)
{
    base::BuildInfo const& build = base::buildInfo();
    return {arithmeticOf(hardware), processorMake(), fmt::format("{} ({})", build.version, build.compiler)};
}

std::vector<std::pair<std::string, std::string>> planFacts(plan::RunPlan const& plan, system::Topology const& topology)
{
    plan::PairPlan const& pairs = plan.pairs;
    plan::DynamicsPlan const& dynamics = plan.dynamics;
    std::vector<std::pair<std::string, std::string>> facts{
        {"atoms", fmt::format("{}", topology.atomCount)},
        {"molecules", fmt::format("{}", topology.moleculeCount)},
        {"time step (ps)", fmt::format("{}", dynamics.dt)},
        {"steps", dynamics.steps < 0 ? "no end" : fmt::format("{}", dynamics.steps)},
        {"Coulomb", coulombText(plan)},
        {"Lennard-Jones", vdwText(plan)},
        {"pair list",
         fmt::format("{}built every {} steps at {:.3f} nm, pruned every {} steps to {:.3f} nm", pairs.exactLists ? "exact, " : "",
                     pairs.listInterval, pairs.listCutoff, pairs.pruneInterval, pairs.innerListCutoff)},
        {"rounding", fmt::format("pair distances to 2^-{} nm, pair forces to 2^-{} kJ/mol/nm", pairs.latticeBits, pairs.forceBits)},
        {"thermostat", nameOf(dynamics.thermostat)},
        {"barostat", barostatText(dynamics.barostat)},
    };
    if (plan.surface.surroundings != plan::Surroundings::conducting) facts.emplace_back("surroundings", surroundingsText(plan.surface));
    for (std::size_t g = 0; g < dynamics.groups.size(); ++g) {
        plan::TemperatureGroupPlan const& group = dynamics.groups[g];
        std::string const name = g < topology.temperatureGroups.names.size() ? topology.temperatureGroups.names[g] : "System";
        facts.emplace_back("group " + name, fmt::format("{} degrees of freedom{}", group.degreesOfFreedom,
                                                        dynamics.thermostat == plan::Thermostat::no
                                                            ? ""
                                                            : fmt::format(", {}, tau {} ps", referenceText(group), group.tau)));
    }
    if (dynamics.thermostat == plan::Thermostat::vRescale || dynamics.barostat.kind == plan::Barostat::cRescale)
        facts.emplace_back("seed", fmt::format("{}", dynamics.seed));
    return facts;
}

std::vector<std::pair<std::string, std::string>> restartFacts(plan::RunPlan const& plan)
{
    if (plan.pairs.exactLists) return {{"dt", fmt::format("{}", plan.dynamics.dt)}, {"exact lists", "yes"}};
    return {{"dt", fmt::format("{}", plan.dynamics.dt)},
            {"exact lists", "no"},
            {"list interval", fmt::format("{}", plan.pairs.listInterval)},
            {"list cutoff", fmt::format("{}", plan.pairs.listCutoff)}};
}

std::string stateDigest(system::State const& state)
{
    base::Digest digest;
    digest.addArray(state.positions);
    digest.addArray(state.velocities);
    digest.addArray(std::vector<math::Vec3d>{state.box.a(), state.box.b(), state.box.c()}); // positions are fractions of it
    return digest.hex();
}

namespace {

output::GpuFacts factsOf(gpu::Device const& device)
{
    gpu::DriverFacts driver = gpu::driverFacts(device.uuid);
    output::GpuFacts facts;
    facts.name = device.name;
    facts.computeCapability = fmt::format("{}.{}", device.major, device.minor);
    facts.uuid = device.uuid;
    facts.memory = static_cast<double>(device.memory) / (1024.0 * 1024.0 * 1024.0);
    if (!device.migProfile.empty()) facts.slice = device.migProfile;
    facts.driver = std::move(driver.version);
    facts.cuda = gpu::devices().runtime;
    facts.powerLimit = driver.powerLimit;
    facts.clock = driver.clock;
    return facts;
}

output::TimedSetup timedSetup(RunStart const& start, engine::Backend const& backend)
{
    auto const& [options, stop, hardware, deck, plan, ranks] = start;
    output::TimedSetup setup;
    setup.deck = deck.title.empty() ? options.files.topology : deck.title;
    setup.atoms = deck.topology.atomCount;
    setup.dt = plan.dynamics.dt;
    setup.rcoulomb = plan.pairs.rcoulomb;
    setup.rvdw = plan.pairs.rvdw;
    setup.place = !hardware.onGpu ? "cpu" : gpu::provider() == gpu::Provider::emulated ? "emulated-gpu" : "gpu";
    setup.ranks = ranks.size();
    setup.pmeRanks = backend.pmeRanks();
    setup.threads = hardware.cpu.threads;
    setup.host = hostName();
    setup.processor = processorName();
    setup.processors = ranks.share().allowed;
    if (!hardware.onGpu) return setup;
    setup.gpus = std::max<std::int64_t>(hardware.count.gpus, 1);
    setup.gpu = factsOf(hardware.device);
    if (plan.pme.active || !plan.dispersionGrids.empty())
        setup.transform = arithmeticOf(hardware).find("cuFFT") == std::string::npos ? "own" : "cufft";
    return setup;
}

} // namespace

output::RunRecord makeRunRecord(RunStart const& start, engine::Backend const& backend)
{
    auto const& [options, stop, hardware, deck, plan, ranks] = start;
    base::BuildInfo const& build = base::buildInfo();
    RunNames const names(options.name);
    output::RunRecord record;
    record.version = std::string(build.version);
    record.title = deck.title;
    record.commandLine = options.commandLine;
    record.inputHash = deck.inputHash;
    record.build = {
        {"revision", std::string(build.revision)}, {"compiler", std::string(build.compiler)}, {"type", std::string(build.buildType)}};
    record.hardware = {{"host", hostName()},
                       {"CPU", processorName()},
                       {"SIMD", std::string(nameOf(hardware.cpu.simd))},
                       {"threads", fmt::format("{}", hardware.cpu.threads)},
                       {"ranks", fmt::format("{}", ranks.size())},
                       {"back end", backend.describe()}};
    if (ranks.size() > 1) {
        domain::NodeShare const& share = ranks.share();
        record.hardware.emplace_back("ranks on this host", fmt::format("{}", share.ranks));
        record.hardware.emplace_back("binding",
                                     fmt::format("as the launcher left it: {} of {} processors to rank 0, nothing pinned by alder",
                                                 share.allowed, share.processors));
    }
    for (auto& fact : base::readAllocation().facts()) record.hardware.push_back(std::move(fact));
    if (hardware.onGpu) record.hardware.emplace_back("GPU", fmt::format("{} ({})", hardware.device.name, arithmeticOf(hardware)));
    record.setup = timedSetup(start, backend);
    record.files = {{"parameters", options.files.mdp},
                    {"start", options.files.coordinates},
                    {"topology", options.files.topology},
                    {"trajectory", names.trajectory},
                    {"checkpoint", names.checkpoint},
                    {"log", names.log},
                    {"report", names.json},
                    {"final configuration", names.configuration}};
    record.plan = planFacts(plan, deck.topology);
    if (double const factor = deck.options.massRepartitionFactor; factor > 1)
        record.plan.emplace_back("masses", fmt::format("repartitioned: no bound atom is lighter than {} times the lightest was", factor));
    return record;
}

} // namespace alder::app
