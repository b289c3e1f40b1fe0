#include "app/trajectories/coordinates.hpp"

#include "deck/box_check.hpp"
#include "output/h5md_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <string_view>
#include <utility>

namespace alder::app {

namespace {

/// What other programs write, and MDAnalysis reads.
void refuseOtherFormats(std::string const& file, base::FaultList& faults)
{
    static constexpr std::array<std::string_view, 8> others{".trr", ".xtc", ".tng", ".dcd", ".nc", ".ncdf", ".tpr", ".pdb"};
    std::filesystem::path const path = file;
    std::string const ending = path.extension().string();
    if (std::find(others.begin(), others.end(), ending) == others.end()) return;
    std::string const to = std::filesystem::path(path).replace_extension(".h5md").string();
    std::string const convert = fmt::format("import MDAnalysis as m; m.Universe('{}').atoms.write('{}', frames='all')", file, to);
    faults.refuse({file, 0}, fmt::format("{} files are not read", ending),
                  fmt::format("convert it and give {}: python3 -c \"{}\"", to, convert));
}

/// The frame as a configuration; faults point at the file and its frame.
deck::Configuration configurationOf(output::TrajectoryFrame frame, std::string const& file, std::int64_t index, base::FaultList& faults)
{
    std::size_t const before = faults.faults().size();
    deck::Configuration c;
    c.file = file;
    c.positions = std::move(frame.positions);
    c.velocities = std::move(frame.velocities);
    auto const finite = [](math::Vec3d v) { return std::max({std::fabs(v.x), std::fabs(v.y), std::fabs(v.z)}) <= deck::greatestLength; };
    auto const first = [&](std::vector<math::Vec3d> const& values) {
        for (std::size_t i = 0; i < values.size(); ++i)
            if (!finite(values[i]) || std::isnan(norm2(values[i]))) return static_cast<std::int64_t>(i);
        return std::int64_t{-1};
    };
    for (auto const& [values, called] : {std::pair{&c.positions, "position"}, std::pair{&c.velocities, "velocity"}})
        if (std::int64_t const atom = first(*values); atom >= 0)
            faults.refuse(
                {file, 0},
                fmt::format("frame {}: the {} of atom {} is beyond {} or no number", index, called, atom + 1, deck::greatestLength),
                "give nm and nm/ps, with a unit");
    if (!frame.box)
        faults.refuse({file, 0}, fmt::format("frame {} has no box", index), "give particles/trajectory/box/edges");
    else if (auto const box = deck::acceptedBox(*frame.box, {file, 0}, faults))
        c.box = *box;
    c.whole = faults.faults().size() == before;
    return c;
}

class H5mdFrames final : public FrameSource {
public:
    explicit H5mdFrames(std::string const& file) : file_(file), reader_(file) {}
    std::optional<TrajectoryPoint> next() override
    {
        if (index_ >= reader_.frames()) return {};
        output::TrajectoryFrame frame = reader_.frame(index_);
        TrajectoryPoint point{{}, frame.step, frame.time};
        base::FaultList faults;
        point.configuration = configurationOf(std::move(frame), file_, index_, faults);
        faults.throwIfAny();
        ++index_;
        return point;
    }

private:
    std::string file_;
    output::H5mdReader reader_;
    std::int64_t index_ = 0;
};

class GroFrames final : public FrameSource {
public:
    GroFrames(std::string const& file, base::FaultList& faults) : frames_(file, faults) {}
    std::optional<TrajectoryPoint> next() override
    {
        if (!frames_.more()) return {};
        base::FaultList faults;
        TrajectoryPoint point;
        point.configuration = frames_.next(faults);
        faults.throwIfAny();
        std::string const& title = point.configuration.title;
        point.step = static_cast<std::int64_t>(deck::titleValue(title, "step").value_or(static_cast<double>(index_)));
        point.time = deck::titleValue(title, "t").value_or(static_cast<double>(index_));
        ++index_;
        return point;
    }

private:
    deck::GroFrames frames_;
    std::int64_t index_ = 0;
};

} // namespace

deck::Configuration readCoordinates(std::string const& file, base::FaultList& faults)
{
    std::size_t const before = faults.faults().size();
    refuseOtherFormats(file, faults);
    if (faults.faults().size() > before) return {};
    if (!output::looksLikeH5md(file)) return deck::readGro(file, faults);
    try {
        output::H5mdReader const reader(file);
        std::int64_t const last = reader.frames() - 1;
        return configurationOf(reader.frame(last), file, last, faults);
    } catch (base::InputRefused const& refused) {
        for (base::Fault const& fault : refused.faults()) faults.refuse(fault.place, fault.what, fault.instead);
    } catch (base::RunFailed const& failed) {
        faults.refuse({file, 0}, failed.what(), "give a whole H5MD file");
    }
    return {};
}

std::unique_ptr<FrameSource> openFrames(std::string const& file)
{
    base::FaultList faults;
    refuseOtherFormats(file, faults);
    faults.throwIfAny();
    if (output::looksLikeH5md(file)) return std::make_unique<H5mdFrames>(file);
    auto frames = std::make_unique<GroFrames>(file, faults);
    faults.throwIfAny();
    return frames;
}

} // namespace alder::app
