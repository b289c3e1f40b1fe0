#pragma once
// Makes a file that opens anywhere out of what a killed writer left.

#include <cstdint>
#include <limits>
#include <string>

namespace alder::output {

struct RepairReport {
    std::int64_t frames = 0;      ///< whole frames in the file now
    std::int64_t energies = 0;    ///< whole energy records in the file now
    std::int64_t partialRows = 0; ///< rows of unfinished frames and records that were left out
    std::int64_t lastStep = -1;   ///< of the last whole frame
    bool changed = false;         ///< false: the file was whole and closed already
    [[nodiscard]] std::string text(std::string const& path) const;
};

/// Copies every whole frame into a new file and puts it in the old one's place once it is on disk. Throws base::InputRefused for what is
/// no H5MD file, base::RunFailed where its writer is alive, the disk is full, or nothing can be read.
RepairReport repair(std::string const& path);

/// How much of a file is kept: rows whose step is at most `lastStep`, and at most so many.
struct Cut {
    std::int64_t lastStep = std::numeric_limits<std::int64_t>::max();
    std::int64_t frames = -1, energies = -1; ///< -1: all
};

/// The copying alone: whole frames of `from` within the cut, into a new file `to`.
RepairReport copyWholeFrames(std::string const& from, std::string const& to, Cut cut);

/// True for a file that was closed by its writer and holds exactly what the cut keeps.
bool wholeWithin(std::string const& path, Cut cut);

} // namespace alder::output
