#include "output/h5md_reader.hpp"

#include "base/error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <filesystem>
#include <sstream>
#include <string_view>

namespace alder::output {

namespace {

namespace fs = std::filesystem;

struct Unit {
    std::string_view name;
    double factor;
};
constexpr std::array<Unit, 6> lengths{{{"nm", 1}, {"angstrom", 0.1}, {"a", 0.1}, {"\xc3\x85", 0.1}, {"pm", 1e-3}, {"m", 1e9}}};
constexpr std::array<Unit, 4> times{{{"ps", 1}, {"fs", 1e-3}, {"ns", 1e3}, {"s", 1e12}}};

template <std::size_t n> std::optional<double> factorOf(std::array<Unit, n> const& units, std::string const& name)
{
    for (Unit const& unit : units)
        if (unit.name == name) return unit.factor;
    return {};
}

/// "nm", "ps", "nm ps-1", "Angstrom/ps" in nm, ps and nm/ps.
std::optional<double> factorOf(std::string text)
{
    std::transform(text.begin(), text.end(), text.begin(), [](unsigned char c) { return c == '/' ? ' ' : std::tolower(c); });
    std::istringstream words(text);
    std::string first, second, more;
    words >> first >> second;
    if (words >> more) return {};
    std::optional<double> const length = factorOf(lengths, first);
    if (second.empty()) return length ? length : factorOf(times, first);
    if (second.ends_with("-1")) second.resize(second.size() - 2);
    std::optional<double> const time = factorOf(times, second);
    return length && time ? std::optional(*length / *time) : std::nullopt;
}

/// True where an element has values by frame.
bool holds(Hdf5Handle const& parent, std::string const& element)
{
    return exists(parent, element) && !isDataset(parent, element) && exists(parent, element + "/value");
}

} // namespace

bool looksLikeH5md(std::string const& path) { return fs::is_regular_file(path) && isHdf5(path); }

void H5mdReader::refuse(std::string const& what, std::string const& instead) const { base::refuseInput({path_, 0}, what, instead); }

H5mdReader::H5mdReader(std::string path) : path_(std::move(path))
{
    if (!fs::is_regular_file(path_)) refuse("no such file", "name a trajectory (.h5md)");
    if (!isHdf5(path_)) refuse("is no HDF5 file", "name a trajectory (.h5md)");
    try {
        openFileOf();
        openParticles();
        openElements();
        openBox();
    } catch (Hdf5Fault const& reason) {
        refuse(fmt::format("cannot be read ({})", reason.what()), "give a whole H5MD file; alder repair mends those of a killed run");
    }
}

void H5mdReader::openFileOf()
{
    try {
        file_ = openFile(path_, FileAccess::readSwmr);
    } catch (Hdf5Fault const&) {
        file_ = openFile(path_, FileAccess::read); // structures older than HDF5 1.10 know no SWMR
    }
    if (!exists(file_, "h5md") || !exists(file_, "particles"))
        refuse("is an HDF5 file, but no H5MD trajectory", "name a trajectory (.h5md)");
}

void H5mdReader::openParticles()
{
    Hdf5Handle const all = openGroup(file_, "particles");
    std::vector<std::string> names = namesIn(all);
    std::erase_if(names, [&](std::string const& name) { return isDataset(all, name) || !holds(all, name + "/position"); });
    if (names.empty()) refuse("holds no positions by frame", "give a trajectory with particles/trajectory/position/value");
    bool const usual = std::find(names.begin(), names.end(), "trajectory") != names.end();
    if (!usual && names.size() > 1)
        refuse(fmt::format("holds {} groups of particles, {} and others", names.size(), names.front()),
               "call the one that is meant 'trajectory'");
    particles_ = openGroup(all, usual ? "trajectory" : names.front());
}

void H5mdReader::openElements()
{
    positions_ = openDataset(particles_, "position/value");
    Shape const shape = shapeOf(positions_);
    if (shape.size() != 3 || shape[2] != 3) refuse("positions are not frames x atoms x 3", "give positions in three dimensions");
    frames_ = static_cast<std::int64_t>(shape[0]);
    atoms_ = static_cast<std::int64_t>(shape[1]);
    positionUnit_ = unitOf(positions_, "position/value");
    step_ = progressOf("position", "step");
    time_ = progressOf("position", "time");
    if (exists(particles_, "position/time")) {
        Hdf5Handle const time = openDataset(particles_, "position/time");
        if (hasAttribute(time, "unit")) timeUnit_ = unitOf(time, "position/time");
    }
    // A live file's rows may be one ahead of its steps (docs/files.md).
    if (step_.values.open()) frames_ = std::min(frames_, static_cast<std::int64_t>(shapeOf(step_.values).at(0)));
    if (time_.values.open()) frames_ = std::min(frames_, static_cast<std::int64_t>(shapeOf(time_.values).at(0)));
    if (frames_ == 0) refuse("holds no whole frame", "give a trajectory with one at least");
    if (!holds(particles_, "velocity")) return;
    velocities_ = openDataset(particles_, "velocity/value");
    velocityUnit_ = unitOf(velocities_, "velocity/value");
    Shape const moving = shapeOf(velocities_);
    if (moving.size() != 3 || moving[1] != shape[1] || moving[2] != 3)
        refuse("velocities are not those of the positions", "give both by atom");
    requireSameFrames("velocity");
}

/// Elements that go with positions frame by frame.
void H5mdReader::requireSameFrames(std::string const& element) const
{
    Shape const shape = shapeOf(openDataset(particles_, element + "/value"));
    bool same = !shape.empty() && static_cast<std::int64_t>(shape[0]) >= frames_;
    if (same && exists(particles_, element + "/step")) {
        Progress const own = progressOf(element, "step");
        for (std::int64_t i = 0; same && i < frames_; ++i)
            same = own.at(static_cast<std::uint64_t>(i)) == step_.at(static_cast<std::uint64_t>(i));
    }
    if (!same) refuse(fmt::format("'{}' is given at other steps than 'position'", element), "write both at one stride");
}

void H5mdReader::openBox()
{
    if (!exists(particles_, "box/edges")) return;
    edgesByFrame_ = holds(particles_, "box/edges");
    edges_ = openDataset(particles_, edgesByFrame_ ? "box/edges/value" : "box/edges");
    edgesUnit_ = hasAttribute(edges_, "unit") ? unitOf(edges_, "box/edges") : positionUnit_;
    Shape shape = shapeOf(edges_);
    if (edgesByFrame_) {
        requireSameFrames("box/edges");
        shape.erase(shape.begin());
    }
    if (shape != Shape{3} && shape != Shape{3, 3})
        refuse("box/edges is neither three lengths nor three vectors", "give it by frame, or fixed");
}

H5mdReader::Progress H5mdReader::progressOf(std::string const& element, std::string const& name) const
{
    Progress progress;
    progress.increment = 1;
    if (!exists(particles_, element + "/" + name)) return progress;
    Hdf5Handle values = openDataset(particles_, element + "/" + name);
    if (!shapeOf(values).empty()) {
        progress.values = std::move(values);
        return progress;
    }
    readAll(values, {}, Number::float64, &progress.increment);
    if (hasAttribute(values, "offset")) readNumber(values, "offset", Number::float64, &progress.offset);
    return progress;
}

double H5mdReader::Progress::at(std::uint64_t index) const
{
    double value = offset + increment * static_cast<double>(index);
    if (values.open()) readRows(values, index, 1, Number::float64, &value);
    return value;
}

double H5mdReader::unitOf(Hdf5Handle const& dataset, std::string const& called) const
{
    if (!hasAttribute(dataset, "unit")) refuse(fmt::format("{} does not say its unit", called), "give it an attribute 'unit', such as nm");
    std::string const unit = readText(dataset, "unit");
    std::optional<double> const factor = factorOf(unit);
    if (!factor) refuse(fmt::format("{} has the unit '{:.40}'", called, unit), "write nm or Angstrom, ps or fs, nm ps-1 or Angstrom ps-1");
    return *factor;
}

std::vector<math::Vec3d> H5mdReader::vectors(Hdf5Handle const& dataset, std::uint64_t row, double unit) const
{
    std::vector<math::Vec3d> all(static_cast<std::size_t>(atoms_));
    readRows(dataset, row, 1, Number::float64, all.data());
    for (math::Vec3d& v : all) v = unit * v;
    return all;
}

math::Mat3d H5mdReader::boxOf(std::uint64_t row) const
{
    std::array<double, 9> v{};
    Shape const shape = shapeOf(edges_);
    if (edgesByFrame_)
        readRows(edges_, row, 1, Number::float64, v.data());
    else
        readAll(edges_, shape, Number::float64, v.data());
    if (shape.size() == (edgesByFrame_ ? 2U : 1U)) v = {v[0], 0, 0, 0, v[1], 0, 0, 0, v[2]};
    return edgesUnit_ * math::Mat3d{{v[0], v[1], v[2]}, {v[3], v[4], v[5]}, {v[6], v[7], v[8]}};
}

TrajectoryFrame H5mdReader::frame(std::int64_t index) const
{
    auto const row = static_cast<std::uint64_t>(index);
    try {
        TrajectoryFrame frame;
        frame.step = static_cast<std::int64_t>(step_.at(row));
        frame.time = timeUnit_ * time_.at(row);
        if (edges_.open()) frame.box = boxOf(row);
        frame.positions = vectors(positions_, row, positionUnit_);
        if (velocities_.open()) frame.velocities = vectors(velocities_, row, velocityUnit_);
        return frame;
    } catch (Hdf5Fault const& reason) {
        throw base::RunFailed(fmt::format("{}: cannot read frame {}: {}", path_, index, reason.what()));
    }
}

} // namespace alder::output
