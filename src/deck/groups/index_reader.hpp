#pragma once
// Named sets of atoms, as an .ndx lists them.

#include "base/error.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace alder::deck {

struct IndexGroup {
    std::string name;
    std::vector<std::int64_t> atoms; ///< counted from 0, in file order
    std::int64_t line = 0;           ///< of its header
};

struct IndexGroups {
    std::string file;
    std::vector<IndexGroup> groups;
    /// The first group of the name, without regard to case; nullptr where there is none.
    [[nodiscard]] IndexGroup const* find(std::string_view name) const;
};

/// Reads an .ndx. Atom numbers must lie between 1 and atomCount.
IndexGroups readIndex(std::string const& file, std::int64_t atomCount, base::FaultList& faults);
IndexGroups readIndexText(std::string const& file, std::string_view text, std::int64_t atomCount, base::FaultList& faults);

} // namespace alder::deck
