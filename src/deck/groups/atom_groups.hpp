#pragma once
// The groups that an .mdp names, resolved to atoms: from an .ndx where one is given, else from the groups that every system has.

#include "base/error.hpp"
#include "deck/groups/index_reader.hpp"
#include "plan/run_options.hpp"
#include "system/topology.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace alder::deck {

/// Where groups are looked up. Both must outlive it.
struct GroupSource {
    system::Topology const& topology;
    IndexGroups const* index = nullptr; ///< nullptr: default groups
};

/// The atoms of a group, counted from 0: System, Protein, DNA, RNA, Water (also SOL), Ion, Other and their complements non-Protein,
/// non-Water; Water_and_ions; each residue name; each molecule type. Nothing where no atom is in it or the name is unknown.
std::optional<std::vector<std::int64_t>> defaultGroup(system::Topology const& topology, std::string_view name);

/// Puts the temperature groups into one set in which every atom is in exactly one. Atoms in no group or in two are faults where the
/// thermostat couples; without one, atoms in no group go to a last group, "rest".
system::AtomGroups temperatureGroups(plan::RunOptions const& options, GroupSource source, base::FaultList& faults);

/// Numbers the atoms by freeze group: 0 is free, g + 1 the .mdp's group g. Without freeze groups there are no names. Atoms in two groups
/// are faults.
system::AtomGroups freezeGroups(plan::RunOptions const& options, GroupSource source, base::FaultList& faults);

/// Puts the atoms into energy groups; those in none go to a last group, "rest". Atoms in two are faults. Without energygrps: no names.
system::AtomGroups energyGroups(std::vector<std::string> const& names, plan::RunOptions const& options, GroupSource source,
                                base::FaultList& faults);

/// Faults for groups that an .mdp key names and nobody knows. True where the groups together hold every atom.
bool groupsExist(std::string const& key, std::vector<std::string> const& names, plan::RunOptions const& options, GroupSource source,
                 base::FaultList& faults);

} // namespace alder::deck
