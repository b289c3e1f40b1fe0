#pragma once
// Trajectories to be read: ours, and other H5MD 1.1 files.

#include "math/vec3.hpp"
#include "output/storage/hdf5_objects.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace alder::output {

/// One frame, whatever the units and number format of the file.
struct TrajectoryFrame {
    std::int64_t step = 0;
    double time = 0;                     ///< ps
    std::optional<math::Mat3d> box;      ///< nm, one vector a row; nothing where the file has no box
    std::vector<math::Vec3d> positions;  ///< nm
    std::vector<math::Vec3d> velocities; ///< nm/ps; empty where the file has none
};

/// Opens a file, closed, live or killed, and checks its layout. What is read: the particles group `trajectory`, or the only one; position
/// with its step and time; velocity at the same frames; box/edges, fixed or by frame, three lengths or three vectors. Lengths and times must
/// say their unit.
class H5mdReader {
public:
    /// Throws base::InputRefused with the first thing that keeps the file from being read.
    explicit H5mdReader(std::string path);

    [[nodiscard]] std::int64_t atoms() const { return atoms_; }
    [[nodiscard]] std::int64_t frames() const { return frames_; }
    /// Frame `index` from 0. Throws base::RunFailed where it cannot be read.
    [[nodiscard]] TrajectoryFrame frame(std::int64_t index) const;

private:
    /// Step or time of each frame: a number a frame, or even strides.
    struct Progress {
        Hdf5Handle values; ///< not open: even strides
        double offset = 0, increment = 0;
        [[nodiscard]] double at(std::uint64_t index) const;
    };
    [[noreturn]] void refuse(std::string const& what, std::string const& instead) const;
    void openFileOf();
    void openParticles();
    void openElements();
    void requireSameFrames(std::string const& element) const;
    void openBox();
    [[nodiscard]] Progress progressOf(std::string const& element, std::string const& name) const;
    [[nodiscard]] std::vector<math::Vec3d> vectors(Hdf5Handle const& dataset, std::uint64_t row, double unit) const;
    [[nodiscard]] math::Mat3d boxOf(std::uint64_t row) const;
    /// nm, ps or nm/ps in one of what the dataset counts in.
    [[nodiscard]] double unitOf(Hdf5Handle const& dataset, std::string const& called) const;

    std::string path_;
    Hdf5Handle file_, particles_;
    Hdf5Handle positions_, velocities_, edges_;
    Progress step_, time_;
    double positionUnit_ = 1, velocityUnit_ = 1, edgesUnit_ = 1, timeUnit_ = 1;
    bool edgesByFrame_ = false;
    std::int64_t atoms_ = 0, frames_ = 0;
};

/// True for an HDF5 file, by its first bytes.
bool looksLikeH5md(std::string const& path);

} // namespace alder::output
