#include "base/data_path.hpp"

#include "base/build_info.hpp"
#include "base/error.hpp"

#include <fmt/format.h>

#include <cstdlib>
#include <string>
#include <system_error>

namespace alder::base {

namespace fs = std::filesystem;

std::vector<fs::path> dataCandidates(std::string_view name)
{
    std::vector<fs::path> found;
    if (char const* set = std::getenv("ALDER_DATA"); set != nullptr && *set != '\0') found.push_back(fs::path(set) / name);
    std::error_code unreadable;
    fs::path const program = fs::read_symlink("/proc/self/exe", unreadable);
    if (!unreadable) found.push_back(program.parent_path().parent_path() / "share" / "alder" / name);
    found.push_back(fs::path(buildInfo().sourceFolder) / name);
    found.push_back(fs::path(buildInfo().dataFolder) / name);
    return found;
}

fs::path dataFolder(std::string_view name)
{
    std::string tried;
    for (fs::path const& candidate : dataCandidates(name)) {
        std::error_code absent;
        if (fs::is_directory(candidate, absent)) return candidate;
        tried += fmt::format("\n  {}", candidate.string());
    }
    throw RunFailed(fmt::format("the folder '{}' that comes with alder was not found; set ALDER_DATA to the folder that holds it; tried:{}",
                                name, tried));
}

} // namespace alder::base
