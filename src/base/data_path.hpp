#pragma once
// Where the files that come with alder lie: `validation` and `inputs`.

#include <filesystem>
#include <string_view>
#include <vector>

namespace alder::base {

/// Folders in which dataFolder() looks for `name`, first match wins: $ALDER_DATA, share/alder beside the folder of the running program
/// (so an installed tree can be moved), the source tree of a program that still lies in its build folder, share/alder of the prefix
/// given at configure time.
std::vector<std::filesystem::path> dataCandidates(std::string_view name);

/// The first of dataCandidates() that exists. Throws RunFailed naming all of them where none does.
std::filesystem::path dataFolder(std::string_view name);

} // namespace alder::base
