#pragma once
// The command line as a GROMACS user's fingers type it: long names with one dash or two, values that begin with a minus.

#include <string>
#include <vector>

namespace alder::app {

/// CLI11 takes long names with two dashes only, and reads "-1" as a flag. "-deffnm md" becomes "--deffnm=md"-like tokens:
/// one-dash long names gain a dash, and a negative number is joined to the name before it by '='.
std::vector<std::string> normalizeArguments(int count, char const* const* values);

/// What to say of an mdrun flag that GROMACS knows and alder refuses; empty for any other.
std::string refusalOfGromacsFlag(std::string const& argument);

} // namespace alder::app
