#pragma once
// The trajectory: H5MD 1.1, one file a run. A killed run loses nothing that was acknowledged (docs/files.md).

#include "observe/energy_columns.hpp"
#include "output/storage/durable_file.hpp"
#include "output/storage/hdf5_objects.hpp"

#include <array>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace alder::output {

/// What the file is made for. A file that is appended to must have been made for the same.
struct H5mdInfo {
    std::int64_t atoms = 0;
    std::string author = "unknown";
    std::string creatorVersion;
    bool velocities = false, forces = false;
    bool pressure = true; ///< the pressure tensor; without kinetic energies there is none
    std::array<bool, 3> periodic{true, true, true};
    observe::EnergyColumns energies;
    /// By atom; empty: not written.
    std::vector<std::int32_t> species;
    std::vector<float> masses, charges; ///< u, e
    /// Fills species (index of the atom type), masses and charges.
    void describeAtoms(system::Topology const& topology);
};

/// Where a run that goes on takes up: what belongs to the trajectory at the checkpoint's step. Counts of -1 are not known.
struct AppendPoint {
    std::int64_t step = 0;
    std::int64_t frames = -1, energies = -1;
};

/// A frame is acknowledged when it is on disk. fdatasync costs 2 to 5 ms, so frames that come faster than `leastInterval` share one.
struct SyncRule {
    double leastInterval = 1.0; ///< s; 0: every frame
};

class H5mdWriter : public observe::Observer {
public:
    /// A new file; one of the same name is moved aside (#md.h5md.1#).
    static std::unique_ptr<H5mdWriter> create(std::string const& path, H5mdInfo const& info, SyncRule rule = {});
    /// Goes on with a file, closed or killed: whatever is beyond `point` is removed first, through a repaired copy where it must be.
    /// Throws base::InputRefused where the file was made for something else, base::RunFailed where frames are missing.
    static std::unique_ptr<H5mdWriter> openForAppend(std::string const& path, H5mdInfo const& info, AppendPoint point, SyncRule rule = {});
    ~H5mdWriter() override;

    /// A frame of a step that the file holds already is passed over.
    void seeFrame(observe::Frame const& frame) override;
    void seeEnergies(observe::Energies const& energies) override;

    /// Called with the step of every frame, in order, once it is on disk.
    void onFrameOnDisk(std::function<void(std::int64_t step)> listener) { listener_ = std::move(listener); }
    /// Puts all that was seen on disk and acknowledges it. To be called before a checkpoint is written.
    void sync();
    /// sync(), then closes: from then on any reader opens the file.
    void finish();

    [[nodiscard]] std::int64_t frames() const { return static_cast<std::int64_t>(frameIndex_.rows); }
    [[nodiscard]] std::int64_t energyFrames() const { return static_cast<std::int64_t>(energyIndex_.rows); }
    [[nodiscard]] std::string const& path() const { return path_; }

private:
    /// The step and time datasets that several values share by hard links.
    struct Index {
        Hdf5Handle step, time;
        std::uint64_t rows = 0;
        std::int64_t lastStep = -1;
    };
    H5mdWriter(std::string path, H5mdInfo const& info, SyncRule rule, FileLock lock);
    void attach(H5mdInfo const& info);
    Index attachIndex(std::string const& element);
    void appendIndex(Index& index, std::int64_t step, double time);
    void syncWhenDue();
    [[nodiscard]] std::vector<Hdf5Handle*> datasets();

    std::string path_;
    FileLock lock_;
    SyncRule rule_;
    std::int64_t atoms_;
    bool wantsVelocities_, wantsForces_;
    observe::EnergyColumns columns_;
    Hdf5Handle file_;
    Hdf5Handle edges_, positions_, velocities_, forces_;
    std::vector<Hdf5Handle> energies_; ///< by column
    Hdf5Handle virial_, pressure_;
    Index frameIndex_, energyIndex_;
    std::vector<std::int64_t> unacknowledged_;
    double lastSync_ = 0;
    bool dirty_ = false;
    std::function<void(std::int64_t)> listener_;
};

} // namespace alder::output
