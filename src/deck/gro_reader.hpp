#pragma once
// Coordinates in .gro format.

#include "base/error.hpp"
#include "physics/box.hpp"

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace alder::deck {

/// The five characters that a .gro gives to a name, blanks trimmed.
struct GroName {
    std::array<char, 5> letters{};
    [[nodiscard]] std::string_view view() const
    {
        std::size_t n = 0;
        while (n < letters.size() && letters[n] != '\0') ++n;
        return {letters.data(), n};
    }
};

/// One configuration.
struct Configuration {
    std::string file;
    std::string title;
    bool whole = false;                           ///< read to its end without a fault
    std::vector<GroName> atomNames, residueNames; ///< empty where the file gives none
    std::vector<std::int32_t> residueNumbers;     ///< as written, wrapped at 100,000
    std::vector<math::Vec3d> positions;           ///< nm
    std::vector<math::Vec3d> velocities;          ///< nm/ps; empty where the file gives none
    physics::Box box;
    std::int64_t boxLine = 0; ///< line of the box
    [[nodiscard]] std::size_t size() const { return positions.size(); }
};

/// Reads the file. Columns are as wide as the distance of the decimal points on the first atom line says. A fault for each thing wrong.
Configuration readGro(std::string const& file, base::FaultList& faults);
Configuration readGroText(std::string const& file, std::string_view text, base::FaultList& faults);

/// The configurations of a file that holds several, one after the other.
class GroFrames {
public:
    /// A fault where the file cannot be read; there are no frames then.
    GroFrames(std::string file, base::FaultList& faults);
    ~GroFrames();
    GroFrames(GroFrames const&) = delete;
    GroFrames& operator=(GroFrames const&) = delete;
    [[nodiscard]] bool more();
    /// The next one; after a fault there is no next.
    Configuration next(base::FaultList& faults);

private:
    struct Text;
    std::unique_ptr<Text> text_;
};

/// What stands after `name=` in a title as GROMACS writes it, "water t= 12.00000 step= 6000"; the last where there are several.
std::optional<double> titleValue(std::string_view title, std::string_view name);

} // namespace alder::deck
