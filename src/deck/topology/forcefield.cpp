#include "deck/topology/forcefield.hpp"

#include "deck/mdp_keys.hpp"
#include "deck/topology/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>

namespace alder::deck {

using system::Kind;
using system::ParameterSet;

namespace {

constexpr int anyType = -1;
constexpr TypeNames noTypes{-2, -2, -2, -2, -2};

bool isLetter(char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0; }
bool isDigit(char c) { return c >= '0' && c <= '9'; }
bool isSingleLetter(std::string_view word) { return word.size() == 1 && isLetter(word[0]); }
bool isSingleDigit(std::string_view word) { return word.size() == 1 && isDigit(word[0]); }

TypeNames reversed(TypeNames types, std::size_t count)
{
    std::reverse(types.begin(), types.begin() + static_cast<std::ptrdiff_t>(count));
    return types;
}

TypeNames tableKey(TypeNames const& types, std::size_t count) { return std::min(types, reversed(types, count)); }

void tooFew(TopologyLine const& line, base::FaultList& faults, std::string_view form)
{
    faults.refuse(line.place(), "too few words on this line", fmt::format("write {}", form));
}

/// The number of a selector that may be a word: 1 for the first of `words`.
std::int64_t selector(std::string_view word, std::vector<std::string_view> const& words)
{
    for (std::size_t i = 0; i < words.size(); ++i)
        if (canonical(words[i]) == canonical(word)) return static_cast<std::int64_t>(i) + 1;
    std::int64_t number = 0;
    return toInteger(word, number) ? number : 0;
}

} // namespace

void ForceField::read(Section section, TopologyLine const& line, base::FaultList& faults)
{
    switch (section) {
    case Section::defaults: readDefaults(line, faults); break;
    case Section::atomtypes: readAtomType(line, faults); break;
    case Section::bondtypes:
    case Section::constrainttypes:
    case Section::angletypes: readBondedType(section, line, faults); break;
    case Section::dihedraltypes: readDihedralType(line, faults); break;
    case Section::pairtypes:
    case Section::nonbondParams: readLjType(section, line, faults); break;
    case Section::cmaptypes: readCmapType(line, faults); break;
    default: break; // implicit solvent parameters: GROMACS skips them since 2019
    }
}

void ForceField::readDefaults(TopologyLine const& line, base::FaultList& faults)
{
    auto const& words = line.words;
    if (hasDefaults_) {
        faults.refuse(line.place(), "a second line of [ defaults ]", "keep one: a topology has one force field");
        return;
    }
    hasDefaults_ = true;
    if (words.size() < 2) {
        tooFew(line, faults, "nbfunc comb-rule gen-pairs fudgeLJ fudgeQQ");
        return;
    }
    std::int64_t const function = selector(words[0], {"LJ", "Buckingham"});
    if (function == 2)
        faults.refuse(line.place(), "nbfunc 2 (Buckingham) is not supported", "use a Lennard-Jones force field (nbfunc 1)");
    else if (function != 1)
        faults.refuse(line.place(), fmt::format("nbfunc {} is not known", shown(words[0])), "write 1 (Lennard-Jones)");
    std::int64_t const rule = selector(words[1], {"Geometric", "Arithmetic", "GeomSigEps"});
    if (rule < 1 || rule > 3)
        faults.refuse(line.place(), fmt::format("combination rule {} is not known", shown(words[1])), "write 1, 2 or 3");
    else
        combinationRule_ = static_cast<int>(rule);
    if (words.size() > 2) {
        generatePairs_ = words[2][0] == 'y' || words[2][0] == 'Y';
        if (!generatePairs_ && canonical(words[2].substr(0, 1)) != "n")
            faults.warn(line.place(), fmt::format("gen-pairs {} counts as no", shown(words[2])), "write yes or no");
    }
    double power = 12;
    std::array<double*, 3> const numbers{&fudgeLj_, &fudgeQQ_, &power};
    for (std::size_t i = 0; i < numbers.size() && i + 3 < words.size(); ++i)
        if (!toReal(words[i + 3], *numbers[i])) {
            faults.refuse(line.place(), fmt::format("{} is no number", shown(words[i + 3])), "write fudgeLJ and fudgeQQ as numbers");
            return;
        }
    if (power != 12) faults.refuse(line.place(), fmt::format("repulsion power {} is not supported", power), "use a force field with r^-12");
}

void ForceField::readAtomType(TopologyLine const& line, base::FaultList& faults)
{
    auto const& w = line.words;
    constexpr std::string_view form = "name [bonded type] [atomic number] mass charge particle-type and two parameters";
    if (w.size() < 6) {
        tooFew(line, faults, form);
        return;
    }
    // The optional columns are known by where the particle type stands, and by whether the second word begins like a name.
    bool const both = isSingleLetter(w[5]);
    bool const neither = !both && isSingleLetter(w[3]);
    bool const bondedName = both || (!neither && isLetter(w[1][0]));
    bool const atomicNumber = both || (!neither && !bondedName);
    std::size_t at = 1 + (bondedName ? 1U : 0U);
    std::int64_t element = 0;
    if (w.size() < at + (atomicNumber ? 1U : 0U) + 5) {
        tooFew(line, faults, form);
        return;
    }
    if (atomicNumber && !toInteger(w[at], element)) {
        faults.refuse(line.place(), fmt::format("{} is no atomic number", shown(w[at])), fmt::format("write {}", form));
        return;
    }
    if (atomicNumber) ++at;
    AtomType type;
    type.name = std::string(w[0]);
    std::array<std::pair<std::size_t, double*>, 4> const numbers{
        {{at, &type.mass}, {at + 1, &type.charge}, {at + 3, &type.first}, {at + 4, &type.second}}};
    for (auto const& [index, value] : numbers)
        if (!toReal(w[index], *value)) {
            faults.refuse(line.place(), fmt::format("{} is no number", shown(w[index])), fmt::format("write {}", form));
            return;
        }
    std::string_view const particle = w[at + 2];
    type.particle = static_cast<char>(std::toupper(static_cast<unsigned char>(particle[0])));
    if (type.particle == 'D') type.particle = 'V'; // an old word for virtual sites
    if (particle.size() != 1 || std::string_view("ANSBV").find(type.particle) == std::string_view::npos) {
        faults.refuse(line.place(), fmt::format("particle type {} is not known", shown(particle)),
                      "write A (atom), S, B, N or V (virtual site)");
        return;
    }
    std::string_view const bonded = bondedName ? w[1] : w[0];
    if (isSingleDigit(w[0]) || isSingleDigit(bonded)) {
        faults.refuse(line.place(), "an atom type cannot be named by a single digit", "give it a name with a letter");
        return;
    }
    type.bonded = bondedTypeIndex_.emplace(std::string(bonded), static_cast<int>(bondedTypeIndex_.size())).first->second;
    auto const [known, added] = atomTypeIndex_.emplace(type.name, static_cast<int>(atomTypes_.size()));
    if (added) {
        atomTypes_.push_back(std::move(type));
        return;
    }
    faults.warn(line.place(), fmt::format("atom type {} was defined before and is now replaced", shown(w[0])), "define it once");
    atomTypes_[static_cast<std::size_t>(known->second)] = std::move(type);
}

std::optional<int> ForceField::typeOf(std::string_view name) const
{
    auto const found = atomTypeIndex_.find(std::string(name));
    if (found == atomTypeIndex_.end()) return std::nullopt;
    return found->second;
}

bool ForceField::readTypes(TopologyLine const& line, std::span<std::string_view const> names, TypeNames& types,
                           base::FaultList& faults) const
{
    types = noTypes;
    for (std::size_t i = 0; i < names.size(); ++i) {
        auto const found = bondedTypeIndex_.find(std::string(names[i]));
        if (found == bondedTypeIndex_.end()) {
            faults.refuse(line.place(), fmt::format("bonded type {} is not known", shown(names[i])), "define it in [ atomtypes ]");
            return false;
        }
        types[i] = found->second;
    }
    return true;
}

void ForceField::readBondedType(Section section, TopologyLine const& line, base::FaultList& faults)
{
    std::size_t const count = section == Section::angletypes ? 3 : 2;
    auto const& w = line.words;
    std::int64_t function = 0;
    if (w.size() <= count) {
        tooFew(line, faults, fmt::format("{} types, a function type and its parameters", count));
        return;
    }
    std::optional<Kind> const kind = toInteger(w[count], function) ? kindOf(section, function) : std::nullopt;
    if (!kind) {
        faults.refuse(line.place(), fmt::format("function type {} is not known in [ {} ]", shown(w[count]), nameOf(section)),
                      fmt::format("write one of {}", functionTypesOf(section)));
        return;
    }
    BondedType entry;
    if (!readTypes(line, std::span(w).first(count), entry.types, faults)) return;
    ParameterCounts const counts = countsOf(*kind);
    ParameterFind const find = readParameters(line, count + 1, counts, entry.parameters, faults);
    if (find == ParameterFind::none && counts.a > 0) tooFew(line, faults, fmt::format("{} parameters", counts.a));
    if (find == ParameterFind::given) add(*kind, entry, false, line, faults);
}

void ForceField::readDihedralType(TopologyLine const& line, base::FaultList& faults)
{
    auto const& w = line.words;
    // Two types name the inner atoms of a proper or the outer ones of an improper dihedral; the others may be of any type.
    bool const two = w.size() >= 3 && isSingleDigit(w[2]);
    std::size_t const count = two ? 2 : 4;
    std::int64_t function = 0;
    if (w.size() <= count || !toInteger(w[count], function)) {
        faults.refuse(line.place(), "neither two nor four types stand before the function type",
                      "write 2 or 4 types, then the function type");
        return;
    }
    std::optional<Kind> const kind = kindOf(Section::dihedraltypes, function);
    if (!kind) {
        faults.refuse(line.place(), fmt::format("function type {} is not known in [ dihedraltypes ]", shown(w[count])),
                      fmt::format("write one of {}", functionTypesOf(Section::dihedraltypes)));
        return;
    }
    std::array<std::string_view, 4> names{"X", "X", "X", "X"};
    if (two && function == 2) {
        names[0] = w[0];
        names[3] = w[1];
    } else if (two) {
        names[1] = w[0];
        names[2] = w[1];
    } else {
        std::copy_n(w.begin(), 4, names.begin());
    }
    BondedType entry;
    entry.types = noTypes;
    for (std::size_t i = 0; i < names.size(); ++i) {
        TypeNames one;
        if (names[i] == "X")
            entry.types[i] = anyType;
        else if (readTypes(line, std::span(names).subspan(i, 1), one, faults))
            entry.types[i] = one[0];
        else
            return;
    }
    ParameterCounts const counts = countsOf(*kind);
    ParameterFind const find = readParameters(line, count + 1, counts, entry.parameters, faults);
    if (find == ParameterFind::none) tooFew(line, faults, fmt::format("{} parameters", counts.a));
    if (find == ParameterFind::given) add(*kind, entry, function == 9, line, faults);
}

/// Enters a set of parameters. Type 9 dihedrals gather the terms of one torsion from lines that follow each other; any other second
/// definition replaces the first, with a warning where it differs.
void ForceField::add(Kind kind, BondedType const& entry, bool repeats, TopologyLine const& line, base::FaultList& faults)
{
    TypeTable& table = tables_[static_cast<std::size_t>(kind)];
    auto const count = static_cast<std::size_t>(system::infoOf(kind).atoms);
    bool const continues = repeats && !table.entries.empty() && table.entries.back().types == entry.types;
    std::vector<std::size_t>& known = table.byTypes[tableKey(entry.types, count)];
    bool fresh = known.empty() || repeats;
    bool differs = false;
    for (std::size_t const k : known) {
        if (table.entries[k].parameters == entry.parameters)
            fresh = false;
        else
            differs = true;
    }
    if (differs && repeats && !continues)
        faults.refuse(line.place(), "a second block of type 9 dihedral parameters for the same types",
                      "put all terms of a torsion on lines that follow each other");
    if (differs && !repeats) {
        faults.warn(line.place(), fmt::format("these {} parameters replace those given before", system::infoOf(kind).name),
                    kind == Kind::properDihedral ? "use function type 9 for several terms" : "define them once");
        for (std::size_t const k : known) table.entries[k].parameters = entry.parameters;
    }
    if (!fresh) return;
    known.push_back(table.entries.size());
    table.entries.push_back(entry);
}

void ForceField::readLjType(Section section, TopologyLine const& line, base::FaultList& faults)
{
    auto const& w = line.words;
    std::int64_t function = 0;
    if (w.size() < 3) {
        tooFew(line, faults, "two atom types, a function type and two parameters");
        return;
    }
    if (!toInteger(w[2], function) || function < 1 || function > (section == Section::pairtypes ? 2 : 1)) {
        faults.refuse(line.place(), fmt::format("function type {} is not supported in [ {} ]", shown(w[2]), nameOf(section)),
                      "write 1 (Lennard-Jones)");
        return;
    }
    std::array<int, 2> types{};
    for (std::size_t i = 0; i < 2; ++i) {
        std::optional<int> const type = typeOf(w[i]);
        if (!type) {
            faults.refuse(line.place(), fmt::format("atom type {} is not known", shown(w[i])), "define it in [ atomtypes ]");
            return;
        }
        types[i] = *type;
    }
    ParameterSet p{};
    ParameterFind const find = readParameters(line, 3, {2, section == Section::pairtypes ? 2 : 0, -1}, p, faults);
    if (find == ParameterFind::none) tooFew(line, faults, "two parameters");
    if (find != ParameterFind::given) return;
    auto& table = section == Section::pairtypes ? pairs_ : nonbonded_;
    auto const [known, added] = table.emplace(keyOf(types[0], types[1]), LjNumbers{p[0], p[1]});
    if (added || known->second == LjNumbers{p[0], p[1]}) return;
    faults.warn(line.place(), "these parameters replace those given before for the same types", "define them once");
    known->second = {p[0], p[1]};
}

void ForceField::readCmapType(TopologyLine const& line, base::FaultList& faults)
{
    auto const& w = line.words;
    std::int64_t function = 0, rows = 0, columns = 0;
    if (w.size() < 8 || !toInteger(w[5], function) || !toInteger(w[6], rows) || !toInteger(w[7], columns)) {
        tooFew(line, faults, "five types, 1, the grid's size twice, and its values");
        return;
    }
    TypeNames types;
    if (!readTypes(line, std::span(w).first(5), types, faults)) return;
    std::size_t const given = w.size() - 8;
    if (function != 1 || rows != columns || rows < 1 || rows > 1000) {
        faults.refuse(line.place(), fmt::format("CMAP function {} on a grid of {} x {}", function, rows, columns),
                      "write function type 1 and a square grid");
        return;
    }
    auto const wanted = static_cast<std::size_t>(rows * rows);
    if (given != wanted && given != 2 * wanted) {
        faults.refuse(line.place(), fmt::format("{} CMAP values where {} are expected", given, wanted), "write the whole grid");
        return;
    }
    if (!cmapGrids_.empty() && cmapGrids_[0].size() != wanted) {
        faults.refuse(line.place(), "CMAP grids of different sizes", "use one size for all");
        return;
    }
    std::vector<double> grid(given);
    for (std::size_t i = 0; i < given; ++i)
        if (!toReal(w[8 + i], grid[i])) {
            faults.refuse(line.place(), fmt::format("CMAP value {} is no number", shown(w[8 + i])), "write numbers");
            return;
        }
    auto const half = grid.begin() + static_cast<std::ptrdiff_t>(wanted);
    if (given > wanted && !std::equal(grid.begin(), half, half)) warnOfStateB(line, faults);
    grid.resize(wanted);
    cmapTypes_.push_back(types);
    cmapGrids_.push_back(std::move(grid));
}

ForceField::PairKey ForceField::keyOf(int a, int b)
{
    return (static_cast<PairKey>(std::max(a, b)) << 32U) | static_cast<PairKey>(std::min(a, b));
}

/// Rule 1: geometric means of C6 and of C12. Rules 2 and 3: arithmetic or geometric mean of sigma, geometric mean of epsilon. A negative
/// sigma says that there is no attraction; it stays negative in the mean (GROMACS manual, "nonbonded parameters").
LjNumbers ForceField::combine(AtomType const& a, AtomType const& b) const
{
    if (combinationRule_ == 1) return {std::sqrt(a.first * b.first), std::sqrt(a.second * b.second)};
    double sigma = combinationRule_ == 2 ? (std::fabs(a.first) + std::fabs(b.first)) * 0.5 : std::sqrt(std::fabs(a.first * b.first));
    if (a.first < 0 || b.first < 0) sigma = -sigma;
    return {sigma, std::sqrt(a.second * b.second)};
}

LjNumbers ForceField::rawBetween(int typeA, int typeB) const
{
    auto const set = nonbonded_.find(keyOf(typeA, typeB));
    if (set != nonbonded_.end()) return set->second;
    return combine(atomTypes_[static_cast<std::size_t>(typeA)], atomTypes_[static_cast<std::size_t>(typeB)]);
}

LjNumbers ForceField::toC6C12(LjNumbers numbers) const
{
    if (combinationRule_ == 1) return numbers;
    // V = 4 epsilon ((sigma/r)^12 - (sigma/r)^6)
    double const sigma2 = numbers[0] * numbers[0];
    double const sigma6 = sigma2 * sigma2 * sigma2;
    return {numbers[0] < 0 ? 0.0 : 4 * numbers[1] * sigma6, 4 * numbers[1] * sigma6 * sigma6};
}

LjNumbers ForceField::ljBetween(int typeA, int typeB) const { return toC6C12(rawBetween(typeA, typeB)); }

std::optional<LjNumbers> ForceField::pairBetween(int typeA, int typeB) const
{
    auto const set = pairs_.find(keyOf(typeA, typeB));
    if (set != pairs_.end()) return toC6C12(set->second);
    if (!generatePairs_) return std::nullopt;
    LjNumbers numbers = rawBetween(typeA, typeB);
    if (combinationRule_ == 1) numbers[0] *= fudgeLj_; // of sigma and epsilon only the latter is scaled
    numbers[1] *= fudgeLj_;
    return toC6C12(numbers);
}

std::vector<ParameterSet> ForceField::find(Kind kind, std::span<int const> atomTypes) const
{
    TypeTable const& table = tables_[static_cast<std::size_t>(kind)];
    if (table.entries.empty()) return {};
    TypeNames sought = noTypes;
    for (std::size_t i = 0; i < atomTypes.size(); ++i) sought[i] = atomTypes_[static_cast<std::size_t>(atomTypes[i])].bonded;
    bool const wildcards =
        kind == Kind::properDihedral || kind == Kind::ryckaertBellemans || kind == Kind::improperDihedral || kind == Kind::periodicImproper;
    if (wildcards) {
        auto const [found, added] = dihedralsFound_.try_emplace({kind, sought});
        if (added) found->second = findDihedral(table, sought, kind == Kind::properDihedral);
        return found->second;
    }
    auto const found = table.byTypes.find(tableKey(sought, atomTypes.size()));
    if (found == table.byTypes.end()) return {};
    BondedType const& entry = table.entries[found->second.front()];
    ParameterSet parameters = entry.parameters;
    // The weight of a linear angle belongs to its first atom.
    if (kind == Kind::linearAngle && entry.types != sought) parameters[0] = 1 - parameters[0];
    return {parameters};
}

/// The first entry with the most types that are not wildcards wins, each entry tried forward, then backward; further terms of a proper
/// dihedral are the lines right after it with the same types.
std::vector<ParameterSet> ForceField::findDihedral(TypeTable const& table, TypeNames const& sought, bool several) const
{
    int best = -1;
    std::size_t at = 0;
    TypeNames const backward = reversed(sought, 4);
    auto const matches = [](TypeNames const& types, TypeNames const& atoms) {
        int exact = 0;
        for (std::size_t i = 0; i < 4; ++i) {
            if (types[i] == anyType) continue;
            if (types[i] != atoms[i]) return -1;
            ++exact;
        }
        return exact;
    };
    for (std::size_t e = 0; e < table.entries.size() && best < 4; ++e) {
        int const exact = std::max(matches(table.entries[e].types, sought), matches(table.entries[e].types, backward));
        if (exact > best) {
            best = exact;
            at = e;
        }
    }
    if (best < 0) return {};
    std::vector<ParameterSet> sets{table.entries[at].parameters};
    for (std::size_t e = at + 1; several && e < table.entries.size() && table.entries[e].types == table.entries[at].types; ++e)
        sets.push_back(table.entries[e].parameters);
    return sets;
}

std::optional<int> ForceField::findCmap(std::span<int const> atomTypes) const
{
    TypeNames sought = noTypes;
    for (std::size_t i = 0; i < atomTypes.size(); ++i) sought[i] = atomTypes_[static_cast<std::size_t>(atomTypes[i])].bonded;
    auto const found = std::find(cmapTypes_.begin(), cmapTypes_.end(), sought);
    if (found == cmapTypes_.end()) return std::nullopt;
    return static_cast<int>(found - cmapTypes_.begin());
}

} // namespace alder::deck
