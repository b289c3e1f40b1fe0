#pragma once
// Configurations from the formats that alder reads: .gro and H5MD.

#include "deck/gro_reader.hpp"

#include <memory>
#include <optional>
#include <string>

namespace alder::app {

/// One configuration for -c and -r: that of a .gro, or the last frame of an H5MD trajectory. A fault for each thing wrong; other formats are
/// refused with the command that converts them.
deck::Configuration readCoordinates(std::string const& file, base::FaultList& faults);

/// A configuration with its place in a trajectory.
struct TrajectoryPoint {
    deck::Configuration configuration;
    std::int64_t step = 0;
    double time = 0; ///< ps
};

/// The frames of a trajectory, first to last.
class FrameSource {
public:
    virtual ~FrameSource() = default;
    /// Nothing after the last. Throws base::InputRefused for a frame that cannot be understood, by its number.
    virtual std::optional<TrajectoryPoint> next() = 0;
};
/// Throws base::InputRefused.
std::unique_ptr<FrameSource> openFrames(std::string const& file);

} // namespace alder::app
