#include "app/commands/commands.hpp"
#include "app/options/deck_options.hpp"
#include "app/single_point/comparison.hpp"
#include "app/single_point/single_point.hpp"
#include "output/json_reports.hpp"
#include "output/storage/durable_file.hpp"
#include "physics/constants.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <map>
#include <memory>
#include <optional>

namespace alder::app {

namespace {

struct EnergyOptions {
    deck::DeckFiles files;
    HardwareOptions hardware;
    domain::LayoutWish layout;
    std::string json, forces, compare;
    double tolerance = 2e-5;
    bool forceError = false;
};

void printEnergies(SinglePoint const& point)
{
    fmt::print("{} atoms\n", point.deck.topology.atomCount);
    for (auto const& [name, value] : namedTerms(point)) fmt::print("  {:<20} {:>20.8f} kJ/mol\n", name, value);
    for (auto const& [name, value] : point.groupTerms) fmt::print("  {:<20} {:>20.8f} kJ/mol\n", name, value);
    math::Mat3d const& virial = point.energies.virial;
    for (math::Vec3d const row : {virial.x, virial.y, virial.z})
        fmt::print("  {:<20} {:>20.8f} {:>18.8f} {:>18.8f} kJ/mol\n", "Virial", row.x, row.y, row.z);
    if (!point.hasVelocities()) return;
    fmt::print("  {:<20} {:>20.8f} kJ/mol\n", "Kinetic En.", point.energies.kinetic);
    fmt::print("  {:<20} {:>20.8f} K\n", "Temperature", point.energies.temperature);
    fmt::print("  {:<20} {:>20.8f} bar\n", "Pressure", point.energies.pressure);
}

void writeForces(std::string const& path, std::vector<math::Vec3d> const& forces)
{
    std::string text;
    for (math::Vec3d const f : forces) text += fmt::format("{:.10g} {:.10g} {:.10g}\n", f.x, f.y, f.z);
    output::replaceFile(path, text);
}

std::map<std::string, double> valuesOf(SinglePoint const& point)
{
    std::map<std::string, double> values;
    for (auto const& [name, value] : namedTerms(point)) values[name] = value;
    math::Mat3d const& v = point.energies.virial;
    char const* const axes = "XYZ";
    math::Vec3d const rows[3]{v.x, v.y, v.z};
    for (int i = 0; i < 3; ++i) {
        values[fmt::format("Vir-{}X", axes[i])] = rows[i].x;
        values[fmt::format("Vir-{}Y", axes[i])] = rows[i].y;
        values[fmt::format("Vir-{}Z", axes[i])] = rows[i].z;
    }
    return values;
}

/// What --compare reads of a reference.json.
struct Reference {
    std::map<std::string, double> terms;
    bool checkVirial = false;
    std::string engine;
};

bool isPotentialTerm(std::string const& name)
{
    if (name == "Potential") return true;
    for (std::size_t t = 0; t < system::termCount; ++t)
        if (name == nameOf(static_cast<system::Term>(t))) return true;
    return false;
}

Reference readReference(std::string const& path)
{
    char const* const instead = "give a JSON file with \"terms\": {name: kJ/mol}";
    std::ifstream in(path);
    if (!in || std::filesystem::is_directory(path)) base::refuseInput({path, 0}, "cannot be read", instead);
    try {
        nlohmann::json const json = nlohmann::json::parse(in);
        Reference reference;
        // Only what is judged need be a number: references may hold null for quantities that have no value.
        bool judged = false;
        for (auto const& [name, value] : json.at("terms").items()) {
            if (isPotentialTerm(name)) judged = true;
            if (value.is_number() || isPotentialTerm(name)) reference.terms[name] = value.get<double>();
        }
        if (!judged) base::refuseInput({path, 0}, "holds no term of the potential energy, so there is nothing to compare", instead);
        reference.checkVirial = json.value("check_virial", false);
        reference.engine = json.value("engine", std::string());
        return reference;
    } catch (nlohmann::json::exception const& error) {
        base::refuseInput({path, 0}, fmt::format("is no energy reference ({})", error.what()), instead);
    }
}

/// Which reference terms a single point is judged by: potential terms it knows by name, and the virial where the reference asks.
std::vector<Expectation> expectationsOf(Reference const& reference, double tolerance)
{
    std::vector<Expectation> expectations;
    double sum = 0, largestVirial = 0;
    auto const isVirial = [](std::string const& name) { return name.rfind("Vir-", 0) == 0; };
    for (auto const& [name, value] : reference.terms) {
        if (isPotentialTerm(name) && name != "Potential") sum += std::fabs(value);
        if (isVirial(name)) largestVirial = std::max(largestVirial, std::fabs(value));
    }
    for (auto const& [name, value] : reference.terms)
        if (isPotentialTerm(name)) expectations.push_back({name, value, tolerance, 0.01 * tolerance * sum + 2e-3, reference.engine});
    if (!reference.checkVirial) return expectations;
    for (auto const& [name, value] : reference.terms)
        if (isVirial(name)) expectations.push_back({name, value, 0, 10 * tolerance * largestVirial + 2e-3, reference.engine});
    return expectations;
}

/// Writes and prints what was asked for. Returns the exit status.
int reportEnergies(EnergyOptions const& options, std::optional<Reference> const& reference, SinglePoint const& point,
                   std::optional<double> forceError)
{
    if (!options.json.empty()) {
        output::EnergyReport report;
        report.atoms = point.deck.topology.atomCount;
        report.terms = point.terms;
        report.energies = point.energies;
        report.groupTerms = point.groupTerms;
        report.velocities = point.hasVelocities();
        report.leapFrogKinetic = point.leapFrogKinetic;
        report.forceError = forceError;
        output::writeEnergyJson(options.json, report);
    }
    if (!options.forces.empty()) writeForces(options.forces, point.forces);
    if (!reference) {
        printEnergies(point);
        if (forceError) fmt::print("  {:<20} {:>20.3e} (relative rms)\n", "Force error", *forceError);
        return exitDone;
    }
    auto const expectations = expectationsOf(*reference, options.tolerance);
    return printVerdicts(compare(valuesOf(point), expectations)) ? exitDone : exitFailed;
}

int runEnergy(EnergyOptions const& options, Ranks& ranks)
{
    std::optional<Reference> reference;
    ranks.onFirst([&] {
        if (!options.compare.empty()) reference = readReference(options.compare);
    });
    SinglePoint const point = computeSinglePoint(options.files, chooseHardware(options.hardware, ranks), {ranks, options.layout});
    std::optional<double> forceError;
    if (options.forceError) {
        HardwareOptions onCpu = options.hardware;
        onCpu.nonbonded = "cpu";
        SinglePoint const exact =
            computeSinglePoint(options.files, chooseHardware(onCpu, ranks), {ranks, options.layout}, Accuracy::reference);
        ranks.onFirst([&] { forceError = relativeRms(point.forces, exact.forces); });
    }
    int status = exitDone;
    ranks.onFirst([&] { status = reportEnergies(options, reference, point, forceError); });
    return static_cast<int>(ranks.all().largest(status));
}

} // namespace

void addEnergy(CLI::App& app, Command& chosen)
{
    CLI::App* command = app.add_subcommand("energy", "Energies, virial and forces of one configuration, as given");
    auto options = std::make_shared<EnergyOptions>();
    addDeckOptions(*command, options->files);
    addHardwareOptions(*command, options->hardware);
    addLayoutOptions(*command, options->layout);
    command->add_option("--json", options->json, "Write terms (kJ/mol), virial and pressure to this file")->type_name("FILE");
    command->add_option("--forces", options->forces, "Write forces (kJ/mol/nm), an atom a line, to this file")->type_name("FILE");
    command->add_option("--compare", options->compare, "Hold the terms against this reference.json; fail on the first out of tolerance")
        ->type_name("FILE");
    command->add_flag("--force-error", options->forceError,
                      "Compute the forces once more, on the CPU with Ewald sums to 1e-8, and tell how far the deck's are from them");
    command->add_option("--tolerance", options->tolerance, "Relative tolerance of --compare")
        ->check(above(0, "a number above 0"))
        ->capture_default_str();
    command->callback([options, &chosen] { chosen = [options](Ranks& ranks) { return runEnergy(*options, ranks); }; });
}

} // namespace alder::app
