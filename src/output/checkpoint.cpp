#include "output/checkpoint.hpp"

#include "base/error.hpp"
#include "output/storage/crc64.hpp"
#include "output/storage/durable_file.hpp"
#include "output/storage/hdf5_objects.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <filesystem>

namespace alder::output {

namespace {

// The end of the file, behind the HDF5 image, which HDF5 readers pass over: eight letters, the layout's number, the CRC of all before it.
constexpr char magic[8] = {'a', 'l', 'd', 'e', 'r', 'C', 'P', 'T'};
constexpr std::int32_t layoutVersion = 2;
struct Footer {
    char magic[8];
    std::uint64_t imageBytes;
    std::uint64_t crc; ///< of the image and imageBytes
};
static_assert(sizeof(Footer) == 24 && sizeof(math::FractionVec) == 12 && sizeof(math::Vec3d) == 24);

using Pairs = std::vector<std::pair<std::string, std::string>>;

template <class T> void writeNumber(Hdf5Handle const& object, std::string const& name, T value)
{
    output::writeNumber(object, name, numberOf<T>, &value);
}
template <class T> T readNumber(Hdf5Handle const& object, std::string const& name)
{
    T value{};
    output::readNumber(object, name, numberOf<T>, &value);
    return value;
}

void writeList(Hdf5Handle const& parent, std::string const& name, std::vector<double> const& list, std::string const& unit)
{
    writeText(createDataset(parent, name, Number::float64, {list.size()}, list.data()), "unit", unit);
}
std::vector<double> readList(Hdf5Handle const& parent, std::string const& name)
{
    Hdf5Handle const dataset = openDataset(parent, name);
    std::vector<double> list(shapeOf(dataset).at(0));
    readAll(dataset, {list.size()}, Number::float64, list.data());
    return list;
}

/// Ordered names and values as numbered attributes: attribute names must not lose their order, and values may hold any text.
void writePairs(Hdf5Handle const& file, std::string const& name, Pairs const& pairs)
{
    Hdf5Handle const group = createGroup(file, name);
    writeNumber(group, "count", static_cast<std::int64_t>(pairs.size()));
    for (std::size_t i = 0; i < pairs.size(); ++i) {
        writeText(group, fmt::format("name {}", i), pairs[i].first);
        writeText(group, fmt::format("value {}", i), pairs[i].second);
    }
}
Pairs readPairs(Hdf5Handle const& file, std::string const& name)
{
    Hdf5Handle const group = openGroup(file, name);
    Pairs pairs;
    auto const count = readNumber<std::int64_t>(group, "count");
    for (std::int64_t i = 0; i < count; ++i)
        pairs.emplace_back(readText(group, fmt::format("name {}", i)), readText(group, fmt::format("value {}", i)));
    return pairs;
}

std::vector<std::byte> imageOf(CheckpointContent const& content)
{
    Hdf5Handle const file = createMemoryFile();
    writeNumber(file, "layout", layoutVersion);
    writeText(file, "input hash", content.inputHash);
    writeText(file, "simd", content.machine.simd);
    writeText(file, "cpu make", content.machine.cpuMake);
    writeText(file, "build version", content.machine.buildVersion);
    writeNumber(file, "seed", content.seed);
    writeNumber(file, "time", content.time);
    writeNumber(file, "frames", content.frames);
    writeNumber(file, "energy frames", content.energyFrames);
    writeNumber(file, "log bytes", content.logBytes);
    writePairs(file, "plan", content.facts);
    writePairs(file, "files", content.files);

    system::State const& state = content.state;
    Hdf5Handle const group = createGroup(file, "state");
    writeNumber(group, "step", state.step);
    writeNumber(group, "velocities at step", static_cast<std::int32_t>(state.wholeStep)); // else half a step before
    math::Mat3d const box{state.box.a(), state.box.b(), state.box.c()};
    writeText(createDataset(group, "box", Number::float64, {3, 3}, &box), "unit", "nm");
    writeText(createDataset(group, "positions", Number::int32, {state.positions.size(), 3}, state.positions.data()), "unit",
              "2^-32 box vectors");
    writeText(createDataset(group, "velocities", Number::float64, {state.velocities.size(), 3}, state.velocities.data()), "unit",
              "nm ps-1");
    system::CouplingState const& coupling = state.coupling;
    writeList(group, "thermostat integral", coupling.thermostatIntegral, "kJ mol-1");
    writeList(group, "chain position", coupling.chainPosition, "1");
    writeList(group, "chain velocity", coupling.chainVelocity, "ps-1");
    writeText(createDataset(group, "box velocity", Number::float64, {3, 3}, &coupling.boxVelocity), "unit", "nm ps-1");
    writeNumber(group, "barostat integral", coupling.barostatIntegral);

    observe::EnergyAverages::Memory const& memory = content.averages;
    Hdf5Handle const averages = createGroup(file, "averages");
    writeNumber(averages, "count", memory.count);
    writeNumber(averages, "last step", memory.lastStep);
    writeList(averages, "mean", memory.mean, "1");
    writeList(averages, "squares", memory.squares, "1");
    return output::imageOf(file);
}

void readState(Hdf5Handle const& file, system::State& state)
{
    Hdf5Handle const group = openGroup(file, "state");
    state.step = readNumber<std::int64_t>(group, "step");
    state.wholeStep = readNumber<std::int32_t>(group, "velocities at step") != 0;
    math::Mat3d box;
    readAll(openDataset(group, "box"), {3, 3}, Number::float64, &box);
    state.box = physics::Box(box.x, box.y, box.z);
    Hdf5Handle const positions = openDataset(group, "positions"), velocities = openDataset(group, "velocities");
    state.positions.resize(shapeOf(positions).at(0));
    readAll(positions, {state.positions.size(), 3}, Number::int32, state.positions.data());
    state.velocities.resize(shapeOf(velocities).at(0));
    readAll(velocities, {state.velocities.size(), 3}, Number::float64, state.velocities.data());
    system::CouplingState& coupling = state.coupling;
    coupling.thermostatIntegral = readList(group, "thermostat integral");
    coupling.chainPosition = readList(group, "chain position");
    coupling.chainVelocity = readList(group, "chain velocity");
    readAll(openDataset(group, "box velocity"), {3, 3}, Number::float64, &coupling.boxVelocity);
    coupling.barostatIntegral = readNumber<double>(group, "barostat integral");
}

CheckpointContent contentOf(std::span<std::byte const> image)
{
    Hdf5Handle const file = openMemoryFile(image);
    if (auto const layout = readNumber<std::int32_t>(file, "layout"); layout != layoutVersion)
        throw Hdf5Fault(fmt::format("it has layout {}, this alder reads layout {}", layout, layoutVersion));
    CheckpointContent content;
    content.inputHash = readText(file, "input hash");
    content.machine = {readText(file, "simd"), readText(file, "cpu make"), readText(file, "build version")};
    content.seed = readNumber<std::uint64_t>(file, "seed");
    content.time = readNumber<double>(file, "time");
    content.frames = readNumber<std::int64_t>(file, "frames");
    content.energyFrames = readNumber<std::int64_t>(file, "energy frames");
    content.logBytes = readNumber<std::int64_t>(file, "log bytes");
    content.facts = readPairs(file, "plan");
    content.files = readPairs(file, "files");
    readState(file, content.state);
    Hdf5Handle const averages = openGroup(file, "averages");
    content.averages.count = readNumber<std::int64_t>(averages, "count");
    content.averages.lastStep = readNumber<std::int64_t>(averages, "last step");
    content.averages.mean = readList(averages, "mean");
    content.averages.squares = readList(averages, "squares");
    return content;
}

} // namespace

std::string previousCheckpoint(std::string const& path)
{
    std::string const ending = ".cpt.h5";
    bool const usual = path.size() > ending.size() && path.ends_with(ending);
    return usual ? path.substr(0, path.size() - ending.size()) + "_prev" + ending : path + "_prev";
}

void writeCheckpoint(std::string const& path, CheckpointContent const& content)
{
    std::vector<std::byte> bytes;
    try {
        bytes = imageOf(content);
    } catch (Hdf5Fault const& reason) {
        throw base::RunFailed(fmt::format("{}: cannot make the checkpoint: {}", path, reason.what()));
    }
    Footer footer{};
    std::memcpy(footer.magic, magic, sizeof magic);
    footer.imageBytes = bytes.size();
    std::size_t const image = bytes.size();
    bytes.resize(image + sizeof footer);
    std::memcpy(bytes.data() + image, &footer, sizeof footer);
    footer.crc = crc64(std::span(bytes).first(image + offsetof(Footer, crc)));
    std::memcpy(bytes.data() + image, &footer, sizeof footer);
    replaceFileKeeping(path, previousCheckpoint(path), bytes);
}

CheckpointContent readOneCheckpoint(std::string const& path)
{
    std::string const text = readWhole(path);
    auto const bytes = std::as_bytes(std::span(text));
    Footer footer{};
    bool const large = bytes.size() >= sizeof footer;
    if (large) std::memcpy(&footer, bytes.data() + bytes.size() - sizeof footer, sizeof footer);
    std::size_t const image = large ? bytes.size() - sizeof footer : 0;
    if (std::memcmp(footer.magic, magic, sizeof magic) != 0 || footer.imageBytes != image)
        base::refuseInput({path, 0}, "is no checkpoint, or was cut short", "name a checkpoint (.cpt.h5)");
    if (crc64(bytes.first(image + offsetof(Footer, crc))) != footer.crc)
        throw base::RunFailed(fmt::format("{}: the checkpoint is damaged (its checksum is wrong)", path));
    try {
        return contentOf(bytes.first(image));
    } catch (Hdf5Fault const& reason) {
        throw base::RunFailed(fmt::format("{}: cannot read the checkpoint: {}", path, reason.what()));
    }
}

CheckpointRead readCheckpoint(std::string const& path)
{
    std::string const previous = previousCheckpoint(path);
    std::string reason;
    try {
        return {readOneCheckpoint(path), path, {}};
    } catch (std::runtime_error const& failed) { // RunFailed or InputRefused
        if (!std::filesystem::exists(previous)) throw;
        reason = failed.what();
    }
    CheckpointContent content = readOneCheckpoint(previous);
    std::string note = fmt::format("{}; going on from {} (step {})", reason, previous, content.state.step);
    return {std::move(content), previous, std::move(note)};
}

void requireSameInput(CheckpointRead const& read, std::string const& inputHash)
{
    if (read.content.inputHash == inputHash) return;
    base::FaultList faults;
    faults.refuse({read.path, 0},
                  fmt::format("the checkpoint is of another input (hash {:.12}, this one {:.12})", read.content.inputHash, inputHash),
                  "give the input it was made with, or force it if the change is meant");
    faults.throwIfAny();
}

std::string bitsChangeNote(CheckpointContent const& content, Machine const& here, Pairs const& facts)
{
    std::string changes;
    auto const compare = [&](char const* what, std::string const& then, std::string const& now) {
        if (then != now) changes += fmt::format("{}{} {} -> {}", changes.empty() ? "" : ", ", what, then, now);
    };
    compare("SIMD path", content.machine.simd, here.simd);
    compare("CPU make", content.machine.cpuMake, here.cpuMake);
    compare("build", content.machine.buildVersion, here.buildVersion);
    for (auto const& [name, then] : content.facts)
        for (auto const& [same, now] : facts)
            if (name == same) compare(name.c_str(), then, now);
    return changes.empty() ? changes : fmt::format("going on with other bits than the run began with: {}", changes);
}

} // namespace alder::output
