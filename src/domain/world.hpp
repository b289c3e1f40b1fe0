#pragma once
// The ranks of this run. The only room that knows MPI.

#include <string>

namespace alder::domain {

/// MPI is started only where a launcher (mpirun, srun) started this process, so that a plain `alder mdrun` needs no MPI runtime.
class World {
public:
    World();
    ~World();
    World(World const&) = delete;
    World& operator=(World const&) = delete;

    [[nodiscard]] bool started() const { return started_; }
    [[nodiscard]] int rank() const { return rank_; }
    [[nodiscard]] int size() const { return size_; }

    /// Ends all ranks with this status, where they cannot all be brought to end by themselves.
    [[noreturn]] void abort(int status) const;

private:
    bool started_ = false;
    int rank_ = 0, size_ = 1;
};

/// Whether this MPI library sends from and receives into a GPU's memory.
bool takesDeviceMemory();

/// "Open MPI v4.1.4, ..." in one line.
std::string mpiLibrary();

} // namespace alder::domain
