#pragma once
// The checkpoint: all that a run needs to go on with the same bits. An HDF5 file made in memory, with a CRC of our own behind it,
// written whole or not at all, and the one before it kept.

#include "observe/energy_averages.hpp"
#include "system/state.hpp"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace alder::output {

/// What decides the bits besides the input: a run that goes on elsewhere goes on, but with other bits.
struct Machine {
    std::string simd;         ///< "AVX2+FMA"
    std::string cpuMake;      ///< "AuthenticAMD"
    std::string buildVersion; ///< "0.1.0 (GCC 12.2)"
};

struct CheckpointContent {
    system::State state;
    double time = 0; ///< ps
    std::string inputHash;
    Machine machine;
    std::uint64_t seed = 0; ///< of random numbers, as drawn where the deck says -1
    /// What of the plan a restart must share: "dt" "0.002", "nstlist" "20" ...; in order, in full precision.
    std::vector<std::pair<std::string, std::string>> facts;
    std::int64_t frames = 0, energyFrames = 0;              ///< in the trajectory at this step
    std::int64_t logBytes = 0;                              ///< length of the log at this step
    std::vector<std::pair<std::string, std::string>> files; ///< role and name: "trajectory" "md.h5md"
    observe::EnergyAverages::Memory averages;
};

/// md.cpt.h5 -> md_prev.cpt.h5
std::string previousCheckpoint(std::string const& path);

/// Throws base::RunFailed with file and reason; the earlier checkpoints are then untouched.
void writeCheckpoint(std::string const& path, CheckpointContent const& content);

struct CheckpointRead {
    CheckpointContent content;
    std::string path; ///< the file it came from: `path`, or the one before it
    std::string note; ///< one line where the one before it had to serve; else empty
};
/// Verifies the CRC; falls back to the previous one. Throws base::RunFailed where neither is whole, base::InputRefused for what is no
/// checkpoint.
CheckpointRead readCheckpoint(std::string const& path);
/// One file, no fallback.
CheckpointContent readOneCheckpoint(std::string const& path);

/// Throws base::InputRefused where the checkpoint is of another input. (A user who forces it leaves this call out.)
void requireSameInput(CheckpointRead const& read, std::string const& inputHash);
/// One line where going on here, with these facts of the plan, changes bits; else empty.
std::string bitsChangeNote(CheckpointContent const& content, Machine const& here,
                           std::vector<std::pair<std::string, std::string>> const& facts);

} // namespace alder::output
