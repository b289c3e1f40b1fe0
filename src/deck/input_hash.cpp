#include "deck/input_hash.hpp"

#include "base/digest.hpp"

#include <cstdint>
#include <type_traits>
#include <vector>

namespace alder::deck {

namespace {

/// Lengths go in before contents, so that no two inputs give the same bytes.
void addText(base::Digest& digest, std::string const& text)
{
    std::uint64_t const size = text.size();
    digest.add(&size, sizeof size);
    digest.add(text);
}
template <class T>
requires std::is_arithmetic_v<T>
void addNumber(base::Digest& digest, T value) { digest.add(&value, sizeof value); }
template <class T> void addSized(base::Digest& digest, std::vector<T> const& values)
{
    addNumber(digest, static_cast<std::uint64_t>(values.size()));
    digest.addArray(values);
}

void addType(base::Digest& digest, system::MoleculeType const& type)
{
    addNumber(digest, static_cast<std::uint64_t>(type.atoms.size()));
    for (system::Atom const& atom : type.atoms) {
        addNumber(digest, atom.type);
        addNumber(digest, atom.charge);
        addNumber(digest, atom.mass);
        addNumber(digest, atom.particle);
    }
    for (system::InteractionList const& list : type.interactions) {
        addSized(digest, list.atoms);
        addSized(digest, list.parameters);
    }
    addSized(digest, type.exclusionStart);
    addSized(digest, type.exclusions);
}

void addTopology(base::Digest& digest, system::Topology const& topology)
{
    addNumber(digest, topology.nonbonded.typeCount);
    addNumber(digest, topology.nonbonded.fudgeQQ);
    addSized(digest, topology.nonbonded.c6);
    addSized(digest, topology.nonbonded.c12);
    addNumber(digest, static_cast<std::uint64_t>(topology.types.size()));
    for (system::MoleculeType const& type : topology.types) addType(digest, type);
    addNumber(digest, static_cast<std::uint64_t>(topology.blocks.size()));
    for (system::MoleculeBlock const& block : topology.blocks) {
        addNumber(digest, block.type);
        addNumber(digest, block.count);
    }
    for (auto const& sets : topology.parameters) addSized(digest, sets);
    for (auto const& grid : topology.cmapGrids) addSized(digest, grid);
    for (std::string const& name : topology.temperatureGroups.names) addText(digest, name);
    addSized(digest, topology.temperatureGroups.groupOf);
    addSized(digest, topology.restraintReference);
    addSized(digest, topology.restraintFractions);
    for (std::string const& name : topology.freezeGroups.names) addText(digest, name);
    addSized(digest, topology.freezeGroups.groupOf);
}

} // namespace

std::string inputHash(std::string const& options, system::Topology const& topology, system::State const& start)
{
    base::Digest digest;
    addText(digest, options);
    addTopology(digest, topology);
    for (math::Vec3d const vector : {start.box.a(), start.box.b(), start.box.c()}) digest.add(&vector, sizeof vector);
    addSized(digest, start.positions);
    addSized(digest, start.velocities);
    return digest.hex();
}

} // namespace alder::deck
