#include "deck/groups/atom_groups.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <functional>
#include <sstream>
#include <unordered_map>

namespace alder::deck {

namespace {

enum class ResidueClass : unsigned char { other, protein, dna, rna, water, ion };

/// Residue names by class, as the residue table of GROMACS 2022 sorts them.
constexpr std::string_view proteins =
    "ABU ACE AIB ALA ARG ARGN ASN ASN1 ASP ASP1 ASPH ASPP ASH CT3 CYS CYS1 CYS2 CYSH DALA GLN GLU GLUH GLUP GLH GLY HIS HIS1 HISA HISB "
    "HISH HISD HISE HISP HSD HSE HSP HYP ILE LEU LSN LYS LYSN LYSH MELEU MET MEVAL NAC NME NHE NH2 PHE PHEH PHEU PHL PRO SER THR TRP "
    "TRPH TRPU TYR TYRH TYRU VAL PGLU HID HIE HIP LYP LYN CYN CYM CYX DAB ORN NALA NGLY NSER NTHR NLEU NILE NVAL NASN NGLN NARG NHID "
    "NHIE NHIP NHISD NHISE NHISH NTRP NPHE NTYR NGLU NASP NLYS NORN NDAB NLYSN NPRO NHYP NCYS NCYS2 NMET NASPH NGLUH CALA CGLY CSER "
    "CTHR CLEU CILE CVAL CASN CGLN CARG CHID CHIE CHIP CHISD CHISE CHISH CTRP CPHE CTYR CGLU CASP CLYS CORN CDAB CLYSN CPRO CHYP CCYS "
    "CCYS2 CMET CASPH CGLUH";
constexpr std::string_view dnas = "DA DG DC DT DA5 DG5 DC5 DT5 DA3 DG3 DC3 DT3 DAN DGN DCN DTN";
constexpr std::string_view rnas = "A U C G RA RU RC RG RA5 RT5 RU5 RC5 RG5 RA3 RT3 RU3 RC3 RG3 RAN RTN RUN RCN RGN";
constexpr std::string_view waters = "SOL WAT HOH OHH TIP T3P T4P T5P T3H";
constexpr std::string_view ions = "K NA CA MG CL ZN CU1 CU LI NA+ RB CS F CL- BR I OH CAL IB+";

std::string upper(std::string_view text)
{
    std::string all;
    for (char c : text) all += static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
    return all;
}

std::unordered_map<std::string, ResidueClass> const& residueTable()
{
    static std::unordered_map<std::string, ResidueClass> const table = [] {
        std::unordered_map<std::string, ResidueClass> classes;
        using Row = std::pair<std::string_view, ResidueClass>;
        for (auto const& [names, kind] :
             std::array{Row{proteins, ResidueClass::protein}, Row{dnas, ResidueClass::dna}, Row{rnas, ResidueClass::rna},
                        Row{waters, ResidueClass::water}, Row{ions, ResidueClass::ion}}) {
            std::istringstream words{std::string(names)};
            for (std::string name; words >> name;) classes[name] = kind;
        }
        return classes;
    }();
    return table;
}

ResidueClass classOf(std::string const& residue)
{
    auto const at = residueTable().find(residue); // with regard to case: Na is no ion, NA is one
    return at == residueTable().end() ? ResidueClass::other : at->second;
}

using Member = std::function<bool(system::MoleculeType const&, system::Atom const&)>;

/// What a default group holds; an empty function for a name that is no class.
Member classMember(std::string const& name)
{
    auto const of = [](ResidueClass wanted) -> Member {
        return [wanted](system::MoleculeType const&, system::Atom const& atom) { return classOf(atom.residueName) == wanted; };
    };
    auto const notOf = [](ResidueClass unwanted) -> Member {
        return [unwanted](system::MoleculeType const&, system::Atom const& atom) { return classOf(atom.residueName) != unwanted; };
    };
    if (name == "SYSTEM") return [](system::MoleculeType const&, system::Atom const&) { return true; };
    if (name == "PROTEIN") return of(ResidueClass::protein);
    if (name == "NON-PROTEIN") return notOf(ResidueClass::protein);
    if (name == "DNA") return of(ResidueClass::dna);
    if (name == "RNA") return of(ResidueClass::rna);
    if (name == "OTHER") return of(ResidueClass::other);
    if (name == "WATER" || name == "SOL") return of(ResidueClass::water);
    if (name == "NON-WATER") return notOf(ResidueClass::water);
    if (name == "ION") return of(ResidueClass::ion);
    if (name == "WATER_AND_IONS")
        return [](system::MoleculeType const&, system::Atom const& atom) {
            ResidueClass const c = classOf(atom.residueName);
            return c == ResidueClass::water || c == ResidueClass::ion;
        };
    return {};
}

std::vector<std::int64_t> atomsThat(system::Topology const& topology, Member const& member)
{
    // Judged once for each atom of a molecule type, not for each of a million molecules.
    std::vector<std::vector<std::int32_t>> chosen(topology.types.size());
    for (std::size_t t = 0; t < topology.types.size(); ++t)
        for (std::size_t i = 0; i < topology.types[t].atoms.size(); ++i)
            if (member(topology.types[t], topology.types[t].atoms[i])) chosen[t].push_back(static_cast<std::int32_t>(i));
    std::vector<std::int64_t> atoms;
    for (system::MoleculeBlock const& block : topology.blocks) {
        auto const& within = chosen[static_cast<std::size_t>(block.type)];
        auto const size = static_cast<std::int64_t>(topology.types[static_cast<std::size_t>(block.type)].atoms.size());
        if (within.empty()) continue;
        for (std::int64_t m = 0; m < block.count; ++m)
            for (std::int32_t i : within) atoms.push_back(block.firstAtom + m * size + i);
    }
    return atoms;
}

std::optional<std::vector<std::int64_t>> lookUp(GroupSource source, std::string_view name)
{
    if (source.index == nullptr) return defaultGroup(source.topology, name);
    IndexGroup const* group = source.index->find(name);
    return group ? std::optional(group->atoms) : std::nullopt;
}

void refuseUnknown(std::string const& key, std::string const& name, plan::RunOptions const& options, GroupSource source,
                   base::FaultList& faults)
{
    std::string const instead = source.index
                                    ? fmt::format("name a group of {}", source.index->file)
                                    : "name System, Protein, Water, a residue name or a molecule type, or give an index file with -n";
    faults.refuse(options.placeOf(key), fmt::format("{}: there is no group '{}'", key, name.substr(0, 60)), instead);
}

} // namespace

std::optional<std::vector<std::int64_t>> defaultGroup(system::Topology const& topology, std::string_view name)
{
    std::string const sought = upper(name);
    Member const residue = [&](system::MoleculeType const&, system::Atom const& atom) { return upper(atom.residueName) == sought; };
    Member const molecule = [&](system::MoleculeType const& type, system::Atom const&) { return upper(type.name) == sought; };
    for (Member const& member : {classMember(sought), residue, molecule}) {
        if (!member) continue;
        std::vector<std::int64_t> atoms = atomsThat(topology, member);
        if (!atoms.empty()) return atoms;
    }
    return std::nullopt;
}

system::AtomGroups temperatureGroups(plan::RunOptions const& options, GroupSource source, base::FaultList& faults)
{
    constexpr std::uint8_t nowhere = 255;
    system::AtomGroups groups;
    if (options.temperatureGroups.size() > 250) {
        faults.refuse(options.placeOf("tc-grps"), fmt::format("tc-grps names {} groups", options.temperatureGroups.size()),
                      "name 250 at most");
        return groups;
    }
    auto const total = static_cast<std::size_t>(source.topology.atomCount);
    std::vector<std::uint8_t> groupOf(total, nowhere);
    std::size_t placed = 0;
    bool clean = true;
    for (plan::TemperatureGroup const& group : options.temperatureGroups) {
        auto const number = static_cast<std::uint8_t>(groups.names.size());
        groups.names.push_back(group.name);
        auto const atoms = lookUp(source, group.name);
        if (!atoms) {
            refuseUnknown("tc-grps", group.name, options, source, faults);
            clean = false;
            continue;
        }
        for (std::int64_t atom : *atoms) {
            std::uint8_t& slot = groupOf[static_cast<std::size_t>(atom)];
            if (slot != nowhere) {
                faults.refuse(options.placeOf("tc-grps"),
                              fmt::format("atom {} is in '{}' and in '{}'", atom + 1, groups.names[slot], group.name),
                              "name groups that share no atom");
                clean = false;
                break;
            }
            slot = number;
            ++placed;
        }
    }
    if (placed < total && clean) {
        bool const couples = options.thermostat != plan::Thermostat::no || options.integrator == plan::Integrator::sd ||
                             options.integrator == plan::Integrator::bd;
        if (couples)
            faults.refuse(options.placeOf(options.temperatureGroups.empty() ? "tcoupl" : "tc-grps"),
                          fmt::format("{} atoms are in no temperature-coupling group", total - placed),
                          "name groups in tc-grps that hold every atom");
        std::replace(groupOf.begin(), groupOf.end(), nowhere, static_cast<std::uint8_t>(groups.names.size()));
        groups.names.emplace_back("rest");
    }
    if (groups.count() > 1) groups.groupOf = std::move(groupOf);
    return groups;
}

namespace {

/// Groups as one .mdp key names them.
struct NamedGroups {
    std::string key;
    std::vector<std::string> names;
};

/// Adds the groups to `groups`, numbered as they come; atoms in none of them keep what stands there. An atom in two is a fault.
void numberAtoms(NamedGroups const& named, plan::RunOptions const& options, GroupSource source, system::AtomGroups& groups,
                 base::FaultList& faults)
{
    if (named.names.size() > 250) {
        faults.refuse(options.placeOf(named.key), fmt::format("{} names {} groups", named.key, named.names.size()), "name 250 at most");
        return;
    }
    std::vector<std::uint8_t> const before = groups.groupOf;
    for (std::string const& name : named.names) {
        auto const number = static_cast<std::uint8_t>(groups.names.size());
        groups.names.push_back(name);
        auto const atoms = lookUp(source, name);
        if (!atoms) {
            refuseUnknown(named.key, name, options, source, faults);
            continue;
        }
        for (std::int64_t atom : *atoms) {
            auto const i = static_cast<std::size_t>(atom);
            if (groups.groupOf[i] != before[i]) {
                faults.refuse(options.placeOf(named.key),
                              fmt::format("atom {} is in '{}' and in '{}'", atom + 1, groups.names[groups.groupOf[i]], name),
                              "name groups that share no atom");
                break;
            }
            groups.groupOf[i] = number;
        }
    }
}

} // namespace

system::AtomGroups freezeGroups(plan::RunOptions const& options, GroupSource source, base::FaultList& faults)
{
    system::AtomGroups groups;
    if (options.freezeGroups.empty()) return groups;
    groups.names.emplace_back("free");
    groups.groupOf.assign(static_cast<std::size_t>(source.topology.atomCount), 0);
    NamedGroups named{"freezegrps", {}};
    for (plan::FreezeGroup const& group : options.freezeGroups) named.names.push_back(group.name);
    numberAtoms(named, options, source, groups, faults);
    return groups;
}

system::AtomGroups energyGroups(std::vector<std::string> const& names, plan::RunOptions const& options, GroupSource source,
                                base::FaultList& faults)
{
    constexpr std::uint8_t nowhere = 255;
    system::AtomGroups groups;
    if (names.empty()) return groups;
    groups.groupOf.assign(static_cast<std::size_t>(source.topology.atomCount), nowhere);
    numberAtoms({"energygrps", names}, options, source, groups, faults);
    bool const rest = std::find(groups.groupOf.begin(), groups.groupOf.end(), nowhere) != groups.groupOf.end();
    std::replace(groups.groupOf.begin(), groups.groupOf.end(), nowhere, static_cast<std::uint8_t>(groups.names.size()));
    if (rest) groups.names.emplace_back("rest");
    return groups;
}

bool groupsExist(std::string const& key, std::vector<std::string> const& names, plan::RunOptions const& options, GroupSource source,
                 base::FaultList& faults)
{
    std::vector<bool> held(static_cast<std::size_t>(source.topology.atomCount), false);
    for (std::string const& name : names) {
        auto const atoms = lookUp(source, name);
        if (!atoms)
            refuseUnknown(key, name, options, source, faults);
        else
            for (std::int64_t atom : *atoms) held[static_cast<std::size_t>(atom)] = true;
    }
    return std::find(held.begin(), held.end(), false) == held.end();
}

} // namespace alder::deck
