// Writes all files of a run as mdrun does, with made-up numbers that follow from step and atom alone, as often and as fast as it can: for
// tests that kill it, fill its disk, and compare what is left with what the formulas say.
//
//   frame_writer run NAME [atoms=3] [steps=100] [box=cubic|triclinic] [pause=0] [sync=0] [cpi=no|yes] [checkpoint=7] [velocities=yes]
//                         [forces=yes]
//   frame_writer repair FILE
//   frame_writer checkpoint FILE      prints step and counts; fails where the state is not the one of that step
//   frame_writer gro FILE [atoms=3] [box=...]

#include "base/error.hpp"
#include "output/checkpoint.hpp"
#include "output/gro_writer.hpp"
#include "output/h5md_writer.hpp"
#include "output/json_reports.hpp"
#include "output/log_writer.hpp"
#include "output/repair.hpp"

#include <fmt/format.h>

#include <chrono>
#include <cstdio>
#include <map>
#include <string>
#include <thread>

using namespace alder;

namespace {

std::map<std::string, std::string> words;
std::string word(std::string const& name, std::string const& otherwise)
{
    auto const found = words.find(name);
    return found == words.end() ? otherwise : found->second;
}
long number(std::string const& name, long otherwise) { return words.contains(name) ? std::stol(words[name]) : otherwise; }

// The formulas: sixteenths and small integers, so that float and every unit conversion compare exactly or nearly so.
double value(std::int64_t step, std::int64_t atom, int axis, double scale)
{
    return scale * static_cast<double>((step * 7 + atom * 3 + axis) % 160 + 1) / 16.0;
}
math::Vec3d vector(std::int64_t step, std::int64_t atom, double scale)
{
    return {value(step, atom, 0, scale), value(step, atom, 1, scale), value(step, atom, 2, scale)};
}
physics::Box boxOf(std::int64_t step)
{
    double const grow = 1 + static_cast<double>(step % 8) / 64;
    if (word("box", "cubic") == "triclinic") return {{3 * grow, 0, 0}, {0.5, 3.5 * grow, 0}, {-0.75, 1.0, 4 * grow}};
    return {{3 * grow, 0, 0}, {0, 3 * grow, 0}, {0, 0, 3 * grow}};
}

system::Topology topologyOf(std::int64_t atoms)
{
    system::Topology topology;
    topology.title = "made up";
    system::MoleculeType type;
    type.name = "ATM";
    type.atoms = {{"A1", "ATM", 1, 0, 0.5, 39.948, 'A'}};
    topology.types.push_back(type);
    topology.blocks.push_back({0, atoms, 0, 0});
    topology.atomCount = topology.moleculeCount = atoms;
    return topology;
}

system::State stateOf(std::int64_t step, std::int64_t atoms)
{
    system::State state;
    state.step = step;
    state.box = boxOf(step);
    for (std::int64_t a = 0; a < atoms; ++a) {
        auto const bits = [](std::int64_t n) { return static_cast<std::int32_t>(n); };
        state.positions.push_back({bits(step * 1000003 + a), bits(-step - a), bits(a << 20)});
        state.velocities.push_back((1.0 / 3.0) * vector(step, a, 1));
    }
    state.coupling.thermostatIntegral = {static_cast<double>(step) / 3.0};
    return state;
}

observe::Frame frameOf(std::int64_t step, std::int64_t atoms, output::H5mdInfo const& info)
{
    observe::Frame frame;
    frame.step = step;
    frame.time = 0.25 * static_cast<double>(step);
    frame.box = boxOf(step);
    auto const fill = [&](std::vector<math::Vec3f>& out, double scale) {
        for (std::int64_t a = 0; a < atoms; ++a) {
            math::Vec3d const v = vector(step, a, scale);
            out.push_back({static_cast<float>(v.x), static_cast<float>(v.y), static_cast<float>(v.z)});
        }
    };
    fill(frame.positions, 1);
    if (info.velocities) fill(frame.velocities, 2);
    if (info.forces) fill(frame.forces, -4);
    return frame;
}

observe::Energies energiesOf(std::int64_t step)
{
    observe::Energies e;
    e.step = step;
    e.time = 0.25 * static_cast<double>(step);
    e.terms[static_cast<std::size_t>(system::Term::ljSR)] = -100.0 - static_cast<double>(step) / 3;
    e.terms[static_cast<std::size_t>(system::Term::coulombSR)] = 7.0 * static_cast<double>(step);
    e.potential = -100.0 + static_cast<double>(step);
    e.temperature = 300 + static_cast<double>(step % 5);
    e.virial.x.y = static_cast<double>(step);
    e.pressureTensor.z.z = -static_cast<double>(step);
    e.logLine = step % 10 == 0;
    return e;
}

output::CheckpointContent contentOf(std::int64_t step, std::int64_t atoms)
{
    output::CheckpointContent content;
    content.state = stateOf(step, atoms);
    content.time = 0.25 * static_cast<double>(step);
    content.inputHash = "0123456789abcdef";
    content.machine = {"AVX2+FMA", "AuthenticAMD", "test"};
    content.seed = 42;
    content.facts = {{"dt", "0.25"}, {"nstlist", "10"}};
    return content;
}

int run(std::string const& name)
{
    std::int64_t const atoms = number("atoms", 3), steps = number("steps", 100), every = number("checkpoint", 7);
    system::Topology const topology = topologyOf(atoms);
    observe::EnergyColumns const columns({system::Term::ljSR, system::Term::coulombSR}, {});
    output::H5mdInfo info;
    info.atoms = atoms;
    info.velocities = word("velocities", "yes") == "yes";
    info.forces = word("forces", "yes") == "yes";
    info.energies = columns;
    info.describeAtoms(topology);
    output::SyncRule const rule{static_cast<double>(number("sync", 0))};
    std::string const trajectory = name + ".h5md", checkpoint = name + ".cpt.h5";

    std::int64_t first = 0;
    std::unique_ptr<output::H5mdWriter> writer;
    std::unique_ptr<output::LogWriter> log;
    observe::EnergyAverages averages(columns);
    if (word("cpi", "no") == "yes") {
        output::CheckpointRead const read = output::readCheckpoint(checkpoint);
        first = read.content.state.step;
        averages = observe::EnergyAverages(columns, read.content.averages);
        writer = output::H5mdWriter::openForAppend(trajectory, info, {first, read.content.frames, read.content.energyFrames}, rule);
        log = output::LogWriter::openForAppend(name + ".log", columns, read.content.logBytes);
    } else {
        writer = output::H5mdWriter::create(trajectory, info, rule);
        log = output::LogWriter::create(name + ".log", columns);
    }
    writer->onFrameOnDisk([&](std::int64_t step) { log->frameOnDisk(step); });
    for (std::int64_t step = first; step <= steps; ++step) {
        if (step % every == 0) {
            writer->sync();
            output::CheckpointContent content = contentOf(step, atoms);
            content.frames = writer->frames();
            content.energyFrames = writer->energyFrames();
            content.logBytes = log->bytes();
            content.averages = averages.memory();
            output::writeCheckpoint(checkpoint, content);
        }
        writer->seeFrame(frameOf(step, atoms, info));
        if (step % 2 == 0) {
            observe::Energies const energies = energiesOf(step);
            for (observe::Observer* o : {static_cast<observe::Observer*>(writer.get()), static_cast<observe::Observer*>(log.get()),
                                         static_cast<observe::Observer*>(&averages)})
                o->seeEnergies(energies);
        }
        if (number("pause", 0) > 0) std::this_thread::sleep_for(std::chrono::milliseconds(number("pause", 0)));
    }
    writer->finish();
    log->writeAverages(averages);
    output::Performance performance;
    performance.dt = 0.25;
    output::writeRunJson(name + ".json", {}, performance, averages, {});
    return 0;
}

int checkCheckpoint(std::string const& path)
{
    output::CheckpointRead const read = output::readCheckpoint(path);
    system::State const& state = read.content.state;
    system::State const expected = stateOf(state.step, static_cast<std::int64_t>(state.positions.size()));
    bool const same = state.positions == expected.positions && state.velocities == expected.velocities &&
                      state.coupling.thermostatIntegral == expected.coupling.thermostatIntegral && state.box.a() == expected.box.a() &&
                      state.box.b() == expected.box.b() && state.box.c() == expected.box.c();
    fmt::print("{} {} {} {}\n", state.step, read.content.frames, read.content.energyFrames, read.note);
    return same ? 0 : 3;
}

int gro(std::string const& path)
{
    std::int64_t const atoms = number("atoms", 3);
    std::vector<math::Vec3d> positions, velocities;
    for (std::int64_t a = 0; a < atoms; ++a) {
        positions.push_back(vector(5, a, 1));
        velocities.push_back(vector(5, a, -0.25));
    }
    output::writeGro(path, topologyOf(atoms), {"made up", 1.25, boxOf(5), positions, velocities, static_cast<int>(number("decimals", 3))});
    return 0;
}

} // namespace

int main(int argc, char** argv)
{
    if (argc < 3) return 2;
    for (int i = 3; i < argc; ++i) {
        std::string const text = argv[i];
        auto const equals = text.find('=');
        words[text.substr(0, equals)] = equals == std::string::npos ? "" : text.substr(equals + 1);
    }
    std::string const command = argv[1], name = argv[2];
    try {
        if (command == "run") return run(name);
        if (command == "checkpoint") return checkCheckpoint(name);
        if (command == "gro") return gro(name);
        if (command == "repair") {
            fmt::print("{}\n", output::repair(name).text(name));
            return 0;
        }
        return 2;
    } catch (base::InputRefused const& refused) {
        fmt::print(stderr, "{}\n", refused.what());
        return 2;
    } catch (base::RunFailed const& failure) {
        fmt::print(stderr, "{}\n", failure.what());
        return 1;
    }
}
