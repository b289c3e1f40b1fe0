#include "app/run_names.hpp"

#include "base/error.hpp"
#include "output/checkpoint.hpp"
#include "output/storage/durable_file.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <unistd.h>

namespace alder::app {

RunNames::RunNames(std::string const& name)
    : trajectory(name + ".h5md"),
      log(name + ".log"),
      json(name + ".json"),
      configuration(name + ".gro"),
      checkpoint(name + ".cpt.h5")
{}

void requireWritable(std::string const& name)
{
    std::filesystem::path const path = name;
    std::string const file = path.filename().string();
    if (file.empty() || file == "." || file == "..")
        base::refuseInput({}, fmt::format("-deffnm '{}' names no file", name), "write a name like md or results/md");
    std::filesystem::path const folder = path.has_parent_path() ? path.parent_path() : ".";
    if (!std::filesystem::is_directory(folder))
        base::refuseInput({}, fmt::format("-deffnm {}: there is no folder {}", name, folder.string()), "make it, or write elsewhere");
    if (::access(folder.c_str(), W_OK) != 0)
        base::refuseInput({}, fmt::format("-deffnm {}: the folder {} cannot be written to", name, folder.string()), "write elsewhere");
}

void moveOlderRunAside(RunNames const& names)
{
    for (std::string const& file : {names.checkpoint, output::previousCheckpoint(names.checkpoint), names.json, names.configuration})
        output::moveAside(file);
}

} // namespace alder::app
