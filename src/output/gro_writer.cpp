#include "output/gro_writer.hpp"

#include "base/error.hpp"
#include "output/storage/durable_file.hpp"

#include <fmt/format.h>

#include <iterator>

namespace alder::output {

namespace {

bool oneResidue(system::MoleculeType const& type)
{
    for (system::Atom const& atom : type.atoms)
        if (atom.residue != type.atoms.front().residue) return false;
    return true;
}

/// Readers take columns, not words: a value too long for its column would shift all after it.
std::string fitted(std::string const& name) { return name.size() > 5 ? name.substr(0, 5) : name; }

std::string boxLine(physics::Box const& box)
{
    math::Vec3d const a = box.a(), b = box.b(), c = box.c();
    std::string line = fmt::format("{:10.5f}{:10.5f}{:10.5f}", a.x, b.y, c.z);
    if (!box.rectangular()) line += fmt::format("{:10.5f}{:10.5f}{:10.5f}{:10.5f}{:10.5f}{:10.5f}", a.y, a.z, b.x, b.z, c.x, c.y);
    return line + "\n";
}

} // namespace

std::string groText(system::Topology const& topology, GroFrame const& frame)
{
    auto const n = static_cast<std::size_t>(topology.atomCount);
    bool const moving = !frame.velocities.empty();
    if (frame.positions.size() != n || (moving && frame.velocities.size() != n))
        throw base::RunFailed("a .gro frame must hold every atom of the topology");
    std::string title = frame.title;
    for (char& c : title)
        if (c == '\n' || c == '\r') c = ' ';
    std::string text = fmt::format("{}{}t= {:.5f}\n{:5}\n", title, title.empty() ? "" : " ", frame.time, n);
    int const width = frame.decimals + 5;
    text.reserve(text.size() + n * static_cast<std::size_t>(22 + 6 * width));
    auto const out = std::back_inserter(text);
    auto const triple = [&](math::Vec3d v, int decimals) {
        fmt::format_to(out, "{:{}.{}f}{:{}.{}f}{:{}.{}f}", v.x, width, decimals, v.y, width, decimals, v.z, width, decimals);
    };
    std::int64_t molecule = 0;
    system::forEachMolecule(topology, [&](system::MoleculeType const& type, std::int64_t first) {
        bool const single = oneResidue(type);
        ++molecule;
        for (std::size_t i = 0; i < type.atoms.size(); ++i) {
            system::Atom const& atom = type.atoms[i];
            std::size_t const index = static_cast<std::size_t>(first) + i;
            std::int64_t const residue = single ? molecule : atom.residue;
            fmt::format_to(out, "{:5}{:<5}{:>5}{:5}", residue % 100000, fitted(atom.residueName), fitted(atom.name), (index + 1) % 100000);
            triple(frame.positions[index], frame.decimals);
            if (moving) triple(frame.velocities[index], frame.decimals + 1);
            text += '\n';
        }
    });
    return text + boxLine(frame.box);
}

void writeGro(std::string const& path, system::Topology const& topology, GroFrame const& frame)
{
    replaceFile(path, groText(topology, frame));
}

} // namespace alder::output
