#pragma once
// The energies of a run, out of its trajectory file.

#include "math/vec3.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace alder::output {

/// Records of /energies (docs/files.md), all that are whole.
struct EnergyRecords {
    struct Column {
        std::string name; ///< as `gmx energy` prints it
        std::string unit; ///< as the file has it: "kJ mol-1", "K", "bar"
        std::vector<double> values;
    };
    struct Tensor {
        std::string name, unit;
        std::vector<math::Mat3d> values;
    };

    std::string madeBy;      ///< "alder 0.1.0"
    std::int64_t atoms = 0;  ///< of the trajectory
    std::int64_t frames = 0; ///< whole frames beside the records
    bool closed = true;      ///< false: the run that writes the file goes on, or was killed
    std::vector<std::int64_t> steps;
    std::vector<double> times;   ///< ps
    std::vector<Column> columns; ///< by name, as the file sorts them
    std::vector<Tensor> tensors; ///< row by row

    /// Nothing (null) where the file has no such column.
    [[nodiscard]] Column const* find(std::string const& name) const;
};

/// Reads a file that is closed, live or killed. Throws base::InputRefused with the reason where it cannot be read or holds no energies.
EnergyRecords readEnergies(std::string const& path);

} // namespace alder::output
