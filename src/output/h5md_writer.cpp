#include "output/h5md_writer.hpp"

#include "base/clock.hpp"
#include "base/error.hpp"
#include "output/repair.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <system_error>
#include <unistd.h>

namespace alder::output {

namespace {

namespace fs = std::filesystem;
using observe::Energies;
using observe::Frame;

static_assert(sizeof(math::Vec3f) == 3 * sizeof(float) && sizeof(math::Mat3d) == 9 * sizeof(double));

// MDAnalysis takes the first group under particles, and asks for this name where it is given no topology.
char const* const particles = "particles/trajectory";

/// Chunks of about 16 kB for small systems, so that a frame of 3 atoms does not cost a page of index each, and of at most 4 MB for large
/// ones, in equal parts of the atoms. Each flush writes a chunk again until it is full, hence not more than 16 kB.
RowLayout atomRows(std::int64_t atoms)
{
    constexpr std::uint64_t small = 16384, large = 4u << 20;
    std::uint64_t const n = static_cast<std::uint64_t>(std::max<std::int64_t>(atoms, 1)), bytes = 12 * n;
    std::uint64_t const parts = (bytes + large - 1) / large;
    return {Number::float32, {static_cast<std::uint64_t>(atoms), 3}, std::max<std::uint64_t>(1, small / bytes), (n + parts - 1) / parts};
}
RowLayout const matrixRows{Number::float64, {3, 3}, 64, 0};
RowLayout const numberRows{Number::float64, {}, 512, 0};
RowLayout const stepRows{Number::int64, {}, 512, 0};

void createIndex(Hdf5Handle const& element)
{
    writeText(createRows(element, "step", stepRows), "unit", "1");
    writeText(createRows(element, "time", numberRows), "unit", "ps");
}
void shareIndex(Hdf5Handle const& file, std::string const& owner, std::string const& element)
{
    link(file, owner + "/step", element + "/step");
    link(file, owner + "/time", element + "/time");
}
void createValue(Hdf5Handle const& element, RowLayout const& layout, std::string const& unit)
{
    writeText(createRows(element, "value", layout), "unit", unit);
}

void createHeader(Hdf5Handle const& file, H5mdInfo const& info)
{
    Hdf5Handle const h5md = createGroup(file, "h5md");
    writeNumbers(h5md, "version", {1, 1});
    writeText(createGroup(h5md, "author"), "name", info.author);
    Hdf5Handle const creator = createGroup(h5md, "creator");
    writeText(creator, "name", "alder");
    writeText(creator, "version", info.creatorVersion);
    Hdf5Handle const units = createGroup(createGroup(h5md, "modules"), "units");
    writeNumbers(units, "version", {1, 0});
}

bool hasBox(H5mdInfo const& info)
{
    return std::any_of(info.periodic.begin(), info.periodic.end(), [](bool p) { return p; });
}

void createParticles(Hdf5Handle const& file, H5mdInfo const& info)
{
    static_cast<void>(createGroup(file, "particles"));
    Hdf5Handle const group = createGroup(file, particles);
    std::string const base = std::string(particles) + "/";
    RowLayout const rows = atomRows(info.atoms);

    Hdf5Handle const position = createGroup(group, "position");
    createValue(position, rows, "nm");
    createIndex(position);
    if (info.velocities) {
        createValue(createGroup(group, "velocity"), rows, "nm ps-1");
        shareIndex(file, base + "position", base + "velocity");
    }
    if (info.forces) {
        createValue(createGroup(group, "force"), rows, "kJ mol-1 nm-1");
        shareIndex(file, base + "position", base + "force");
    }

    Hdf5Handle const box = createGroup(group, "box");
    std::int32_t const dimension = 3;
    writeNumber(box, "dimension", Number::int32, &dimension);
    std::vector<std::string> boundary;
    for (bool periodic : info.periodic) boundary.emplace_back(periodic ? "periodic" : "none");
    writeTexts(box, "boundary", boundary);
    if (hasBox(info)) {
        createValue(createGroup(box, "edges"), matrixRows, "nm");
        shareIndex(file, base + "position", base + "box/edges");
    }

    Shape const all{static_cast<std::uint64_t>(info.atoms)};
    if (!info.species.empty()) writeText(createDataset(group, "species", Number::int32, all, info.species.data()), "unit", "1");
    if (!info.masses.empty()) writeText(createDataset(group, "mass", Number::float32, all, info.masses.data()), "unit", "u");
    if (!info.charges.empty()) writeText(createDataset(group, "charge", Number::float32, all, info.charges.data()), "unit", "e");
}

/// The first element owns step and time; the others share them.
char const* const virialName = "Virial tensor";
char const* const pressureName = "Pressure tensor";
void createEnergies(Hdf5Handle const& file, H5mdInfo const& info)
{
    Hdf5Handle const energies = createGroup(file, "energies");
    Hdf5Handle const virial = createGroup(energies, virialName);
    createValue(virial, matrixRows, "kJ mol-1");
    createIndex(virial);
    std::string const owner = std::string("energies/") + virialName;
    if (info.pressure) {
        createValue(createGroup(energies, pressureName), matrixRows, "bar");
        shareIndex(file, owner, std::string("energies/") + pressureName);
    }
    for (observe::EnergyColumn const& column : info.energies.columns()) {
        createValue(createGroup(energies, column.name), numberRows, column.unit);
        shareIndex(file, owner, "energies/" + column.name);
    }
}

/// Removes a half-made file on the way out of an error.
struct Scrap {
    fs::path path;
    bool keep = false;
    ~Scrap()
    {
        std::error_code ignored;
        if (!keep) fs::remove(path, ignored);
    }
};

char const* const whereHeld = "wait for it to end, or write to another name (-deffnm)";

fs::path scrapName(std::string const& path) { return fmt::format("{}.{}.new", path, ::getpid()); }

[[noreturn]] void failed(std::string const& path, std::string const& doing, std::exception const& reason)
{
    throw base::RunFailed(fmt::format("{}: cannot {}: {}", path, doing, reason.what()));
}

/// Refuses a file that was made for another run, before anything in it is changed.
void requireLayout(std::string const& path, Hdf5Handle const& file, H5mdInfo const& info)
{
    base::FaultList faults;
    auto const refuse = [&](std::string what) {
        faults.refuse({path, 0}, std::move(what), "go on with the input that the file was made for, or write to another name");
    };
    auto const require = [&](std::string const& element, bool wanted, std::string const& called) {
        bool const present = exists(file, element + "/value");
        if (present != wanted) refuse(fmt::format("the file {} {}", present ? "holds" : "does not hold", called));
    };
    std::string const base = std::string(particles) + "/";
    require(base + "position", true, "positions");
    require(base + "velocity", info.velocities, "velocities");
    require(base + "force", info.forces, "forces");
    require(base + "box/edges", hasBox(info), "a box");
    require(std::string("energies/") + virialName, true, "the virial");
    require(std::string("energies/") + pressureName, info.pressure, "the pressure tensor");
    for (observe::EnergyColumn const& column : info.energies.columns())
        require("energies/" + column.name, true, "the energy term " + column.name);
    if (exists(file, "energies") && namesIn(openGroup(file, "energies")).size() > info.energies.size() + (info.pressure ? 2 : 1))
        refuse("the file holds more energy terms than this run has");
    if (exists(file, base + "position/value")) {
        Shape const shape = shapeOf(openDataset(file, base + "position/value"));
        if (shape.size() != 3 || shape[1] != static_cast<std::uint64_t>(info.atoms))
            refuse(fmt::format("the file holds {} atoms, the run {}", shape.size() == 3 ? shape[1] : 0, info.atoms));
    }
    faults.throwIfAny();
}

void requireCounts(std::string const& path, AppendPoint point, std::int64_t frames, std::int64_t energies)
{
    if (frames >= point.frames && energies >= point.energies) return;
    throw base::RunFailed(fmt::format("{}: holds {} frames and {} energies up to step {}, the checkpoint counts {} and {}; the file is not "
                                      "the one this run wrote",
                                      path, frames, energies, point.step, point.frames, point.energies));
}

} // namespace

void H5mdInfo::describeAtoms(system::Topology const& topology)
{
    for (auto* list : {&masses, &charges}) {
        list->clear();
        list->reserve(static_cast<std::size_t>(topology.atomCount));
    }
    species.clear();
    species.reserve(static_cast<std::size_t>(topology.atomCount));
    system::forEachAtom(topology, [&](system::Atom const& atom, std::int64_t) {
        species.push_back(atom.type);
        masses.push_back(static_cast<float>(atom.mass));
        charges.push_back(static_cast<float>(atom.charge));
    });
}

// The file is made whole under another name, closed, and only then given its own name and opened for growing: there is no moment at
// which a kill leaves a file that does not open.
std::unique_ptr<H5mdWriter> H5mdWriter::create(std::string const& path, H5mdInfo const& info, SyncRule rule)
{
    Scrap scrap{scrapName(path)};
    try {
        {
            Hdf5Handle file = createFile(scrap.path.string(), FileFormat::swmr);
            createHeader(file, info);
            createParticles(file, info);
            createEnergies(file, info);
            file.close();
        }
        FileLock lock(scrap.path);
        if (fs::exists(path)) static_cast<void>(FileLock(path, whereHeld)); // refuses where its writer is alive
        moveAside(path);
        renameWhole(scrap.path, path);
        scrap.keep = true;
        return std::unique_ptr<H5mdWriter>(new H5mdWriter(path, info, rule, std::move(lock)));
    } catch (Hdf5Fault const& reason) {
        failed(path, "create", reason);
    }
}

std::unique_ptr<H5mdWriter> H5mdWriter::openForAppend(std::string const& path, H5mdInfo const& info, AppendPoint point, SyncRule rule)
{
    if (!fs::exists(path))
        throw base::RunFailed(
            fmt::format("{}: not found, and the checkpoint goes on with it; bring it back, or begin anew without -cpi", path));
    FileLock lock(path, whereHeld);
    try {
        requireLayout(path, openFile(path, FileAccess::readSwmr), info);
        Cut const cut{point.step, point.frames, point.energies};
        if (!wholeWithin(path, cut)) {
            Scrap scrap{scrapName(path)};
            RepairReport const copied = copyWholeFrames(path, scrap.path.string(), cut);
            requireCounts(path, point, copied.frames, copied.energies);
            FileLock copyLock(scrap.path);
            renameWhole(scrap.path, path);
            scrap.keep = true;
            lock = std::move(copyLock);
        }
        std::unique_ptr<H5mdWriter> writer(new H5mdWriter(path, info, rule, std::move(lock)));
        requireCounts(path, point, writer->frames(), writer->energyFrames());
        return writer;
    } catch (Hdf5Fault const& reason) {
        failed(path, "go on", reason);
    }
}

H5mdWriter::H5mdWriter(std::string path, H5mdInfo const& info, SyncRule rule, FileLock lock)
    : path_(std::move(path)),
      lock_(std::move(lock)),
      rule_(rule),
      atoms_(info.atoms),
      wantsVelocities_(info.velocities),
      wantsForces_(info.forces),
      columns_(info.energies),
      file_(openFile(path_, FileAccess::appendSwmr))
{
    attach(info);
}

// A run that ends by an exception still leaves a file that opens anywhere, unless what is held back can't be written.
H5mdWriter::~H5mdWriter()
{
    try {
        if (file_.open()) flush(file_);
    } catch (Hdf5Fault const&) {
        return; // the handles know, and leave the file alone
    }
}

void H5mdWriter::attach(H5mdInfo const& info)
{
    auto const open = [&](std::string const& element, bool wanted) {
        return wanted ? openDataset(file_, element + "/value") : Hdf5Handle();
    };
    std::string const base = std::string(particles) + "/";
    positions_ = open(base + "position", true);
    velocities_ = open(base + "velocity", info.velocities);
    forces_ = open(base + "force", info.forces);
    edges_ = open(base + "box/edges", hasBox(info));
    virial_ = open(std::string("energies/") + virialName, true);
    pressure_ = open(std::string("energies/") + pressureName, info.pressure);
    for (observe::EnergyColumn const& column : columns_.columns()) energies_.push_back(open("energies/" + column.name, true));
    frameIndex_ = attachIndex(base + "position");
    energyIndex_ = attachIndex(std::string("energies/") + virialName);
}

H5mdWriter::Index H5mdWriter::attachIndex(std::string const& element)
{
    Index index{openDataset(file_, element + "/step"), openDataset(file_, element + "/time"), 0, -1};
    index.rows = shapeOf(index.step).at(0);
    if (index.rows > 0) readRows(index.step, index.rows - 1, 1, Number::int64, &index.lastStep);
    return index;
}

void H5mdWriter::appendIndex(Index& index, std::int64_t step, double time)
{
    writeRow(index.time, index.rows, Number::float64, &time);
    flush(file_); // values and time first, since one flush has no order within: a step that can be read has all that belongs to it
    writeRow(index.step, index.rows, Number::int64, &step);
    flush(file_);
    index.rows += 1;
    index.lastStep = step;
    dirty_ = true;
}

void H5mdWriter::seeFrame(Frame const& frame)
{
    if (frameIndex_.rows > 0 && frame.step <= frameIndex_.lastStep) return;
    auto const n = static_cast<std::size_t>(atoms_);
    if (frame.positions.size() != n || (wantsVelocities_ && frame.velocities.size() != n) || (wantsForces_ && frame.forces.size() != n))
        throw base::RunFailed(
            fmt::format("{}: the frame of step {} lacks positions, velocities or forces of some atoms", path_, frame.step));
    try {
        math::Mat3d const box{frame.box.a(), frame.box.b(), frame.box.c()};
        std::uint64_t const row = frameIndex_.rows;
        if (edges_.open()) writeRow(edges_, row, Number::float64, &box);
        writeRow(positions_, row, Number::float32, frame.positions.data());
        if (wantsVelocities_) writeRow(velocities_, row, Number::float32, frame.velocities.data());
        if (wantsForces_) writeRow(forces_, row, Number::float32, frame.forces.data());
        appendIndex(frameIndex_, frame.step, frame.time);
    } catch (Hdf5Fault const& reason) {
        failed(path_, fmt::format("write the frame of step {}", frame.step), reason);
    }
    unacknowledged_.push_back(frame.step);
    syncWhenDue();
}

void H5mdWriter::seeEnergies(Energies const& energies)
{
    if (!energies.energyFrame || (energyIndex_.rows > 0 && energies.step <= energyIndex_.lastStep)) return;
    try {
        std::vector<double> const values = columns_.valuesOf(energies);
        std::uint64_t const row = energyIndex_.rows;
        for (std::size_t c = 0; c < values.size(); ++c) writeRow(energies_[c], row, Number::float64, &values[c]);
        writeRow(virial_, row, Number::float64, &energies.virial);
        if (pressure_.open()) writeRow(pressure_, row, Number::float64, &energies.pressureTensor);
        appendIndex(energyIndex_, energies.step, energies.time);
    } catch (Hdf5Fault const& reason) {
        failed(path_, fmt::format("write the energies of step {}", energies.step), reason);
    }
    syncWhenDue();
}

void H5mdWriter::syncWhenDue()
{
    if (base::now() - lastSync_ >= rule_.leastInterval) sync();
}

void H5mdWriter::sync()
{
    if (!dirty_) return;
    // The library never syncs: a flush survives the death of the process, and only this survives that of the machine.
    if (::fdatasync(descriptorOf(file_)) != 0) {
        std::string const reason = std::generic_category().message(errno);
        noteFailedWrite(reason);
        throw base::RunFailed(fmt::format("{}: cannot sync: {}", path_, reason));
    }
    lastSync_ = base::now();
    dirty_ = false;
    std::vector<std::int64_t> const steps = std::exchange(unacknowledged_, {});
    if (listener_)
        for (std::int64_t step : steps) listener_(step);
}

void H5mdWriter::finish()
{
    if (!file_.open()) return;
    sync();
    try {
        for (Hdf5Handle* dataset : datasets()) dataset->close();
        file_.close();
    } catch (Hdf5Fault const& reason) {
        failed(path_, "close", reason);
    }
    lock_ = FileLock();
}

std::vector<Hdf5Handle*> H5mdWriter::datasets()
{
    std::vector<Hdf5Handle*> all{&edges_,    &positions_,       &velocities_,      &forces_,           &virial_,
                                 &pressure_, &frameIndex_.step, &frameIndex_.time, &energyIndex_.step, &energyIndex_.time};
    for (Hdf5Handle& dataset : energies_) all.push_back(&dataset);
    return all;
}

} // namespace alder::output
