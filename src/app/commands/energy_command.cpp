#include "app/commands/commands.hpp"
#include "app/deck_options.hpp"
#include "app/single_point/comparison.hpp"
#include "app/single_point/single_point.hpp"
#include "output/json_reports.hpp"
#include "physics/constants.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <cmath>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <memory>

namespace alder::app {

namespace {

struct EnergyOptions {
    deck::DeckFiles files;
    HardwareOptions hardware;
    std::string json, forces, compare;
    double tolerance = 2e-5;
};

void printEnergies(SinglePoint const& point)
{
    fmt::print("{} atoms\n", point.deck.topology.atomCount);
    for (auto const& [name, value] : namedTerms(point)) fmt::print("  {:<20} {:>20.8f} kJ/mol\n", name, value);
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
    std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(path.c_str(), "w"), std::fclose);
    if (!file) throw base::RunFailed(fmt::format("{}: cannot be opened for writing", path));
    for (math::Vec3d const f : forces) fmt::print(file.get(), "{:.10g} {:.10g} {:.10g}\n", f.x, f.y, f.z);
    if (std::fflush(file.get()) != 0 || std::ferror(file.get()) != 0)
        throw base::RunFailed(fmt::format("{}: writing failed: is the disk full?", path));
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

nlohmann::json readReference(std::string const& path)
{
    std::ifstream in(path);
    if (!in) base::refuseInput({path, 0}, "cannot be read", "give a JSON file with \"terms\": {name: kJ/mol}");
    nlohmann::json reference = nlohmann::json::parse(in, nullptr, false);
    if (reference.is_discarded() || !reference.contains("terms") || !reference["terms"].is_object())
        base::refuseInput({path, 0}, "is no energy reference", "give a JSON file with \"terms\": {name: kJ/mol}");
    return reference;
}

/// Which reference terms a single point is judged by: potential terms it knows by name, and the virial where the reference asks.
std::vector<Expectation> expectationsOf(nlohmann::json const& reference, double tolerance)
{
    std::vector<Expectation> expectations;
    double sum = 0, largestVirial = 0;
    auto const isPotentialTerm = [](std::string const& name) {
        if (name == "Potential") return true;
        for (std::size_t t = 0; t < system::termCount; ++t)
            if (name == nameOf(static_cast<system::Term>(t))) return true;
        return false;
    };
    for (auto const& [name, value] : reference["terms"].items()) {
        if (!value.is_number()) continue;
        if (isPotentialTerm(name) && name != "Potential") sum += std::fabs(value.get<double>());
        if (name.rfind("Vir-", 0) == 0) largestVirial = std::max(largestVirial, std::fabs(value.get<double>()));
    }
    std::string const source = reference.value("engine", std::string());
    for (auto const& [name, value] : reference["terms"].items())
        if (value.is_number() && isPotentialTerm(name))
            expectations.push_back({name, value.get<double>(), tolerance, 0.01 * tolerance * sum + 2e-3, source});
    if (reference.value("check_virial", false))
        for (auto const& [name, value] : reference["terms"].items())
            if (value.is_number() && name.rfind("Vir-", 0) == 0)
                expectations.push_back({name, value.get<double>(), 0, 10 * tolerance * largestVirial + 2e-3, source});
    return expectations;
}

int runEnergy(EnergyOptions const& options)
{
    SinglePoint const point = computeSinglePoint(options.files, chooseHardware(options.hardware));
    if (!options.json.empty()) {
        output::EnergyReport report;
        report.atoms = point.deck.topology.atomCount;
        report.terms = point.terms;
        report.energies = point.energies;
        report.velocities = point.hasVelocities();
        report.leapFrogKinetic = point.leapFrogKinetic;
        output::writeEnergyJson(options.json, report);
    }
    if (!options.forces.empty()) writeForces(options.forces, point.forces);
    if (options.compare.empty()) {
        printEnergies(point);
        return exitDone;
    }
    auto const expectations = expectationsOf(readReference(options.compare), options.tolerance);
    return printVerdicts(compare(valuesOf(point), expectations)) ? exitDone : exitFailed;
}

} // namespace

void addEnergy(CLI::App& app, Command& chosen)
{
    CLI::App* command = app.add_subcommand("energy", "Energies, virial and forces of one configuration, as given");
    auto options = std::make_shared<EnergyOptions>();
    addDeckOptions(*command, options->files);
    addHardwareOptions(*command, options->hardware);
    command->add_option("--json", options->json, "Write terms (kJ/mol), virial and pressure to this file")->type_name("FILE");
    command->add_option("--forces", options->forces, "Write forces (kJ/mol/nm), an atom a line, to this file")->type_name("FILE");
    command->add_option("--compare", options->compare, "Hold the terms against this reference.json; fail on the first out of tolerance")
        ->type_name("FILE");
    command->add_option("--tolerance", options->tolerance, "Relative tolerance of --compare")
        ->check(CLI::PositiveNumber)
        ->capture_default_str();
    command->callback([options, &chosen] { chosen = [options] { return runEnergy(*options); }; });
}

} // namespace alder::app
