#pragma once
// A file as one string.

#include "base/error.hpp"

#include <string>

namespace alder::deck {

/// Reads all of a file; a fault and false where it cannot be read.
bool readWholeFile(std::string const& path, std::string& bytes, base::FaultList& faults);

} // namespace alder::deck
