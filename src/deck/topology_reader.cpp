#include "deck/topology_reader.hpp"

#include "deck/mdp_keys.hpp"
#include "deck/topology/assembly.hpp"
#include "deck/topology/forcefield.hpp"
#include "deck/topology/molecule.hpp"
#include "deck/topology/sections.hpp"
#include "deck/topology/text.hpp"

#include <fmt/format.h>

#include <unordered_map>

namespace alder::deck {

namespace {

constexpr std::size_t mostFaults = 200; ///< a text that is no topology at all would bury the user in faults

class Reader {
public:
    Reader(SourceText const& text, base::FaultList& faults) : text_(text), faults_(faults), molecules_(deck_.forceField, faults) {}
    TopologyDraft run();

private:
    void header(TopologyLine const& line);
    void content(TopologyLine const& line);
    void readMoleculeType(TopologyLine const& line);
    void readMolecules(TopologyLine const& line);
    [[nodiscard]] std::optional<std::size_t> moleculeOf(std::string_view name) const;
    void checkComplete();

    SourceText const& text_;
    base::FaultList& faults_;
    TopologyDraft deck_;
    MoleculeReader molecules_;
    std::unordered_map<std::string, std::size_t> moleculeIndex_;
    std::optional<Section> section_;
    SectionSet seen_;
    bool skipping_ = false; ///< the section is refused as a whole
    bool saidLost_ = false;
    SaidOnce said_;
    std::int64_t atoms_ = 0;
};

TopologyDraft Reader::run()
{
    std::size_t const before = faults_.faults().size();
    std::vector<std::string_view> words;
    for (SourceText::Line const& line : text_.lines) {
        splitWords(line.text, words);
        TopologyLine const now{text_, line, words, said_};
        if (line.text.front() == '[')
            header(now);
        else
            content(now);
        if (faults_.faults().size() >= before + mostFaults) {
            faults_.refuse(now.place(), "too many faults to go on", "mend those above first");
            return std::move(deck_);
        }
    }
    checkComplete();
    return std::move(deck_);
}

void Reader::header(TopologyLine const& line)
{
    std::string_view name = std::string_view(line.line.text).substr(1);
    name = trim(name.substr(0, name.find(']')));
    std::optional<Section> const section = sectionOf(name);
    skipping_ = true;
    if (!section) {
        faults_.refuse(line.place(), fmt::format("unknown section [ {} ]", shown(name)),
                       fmt::format("did you mean [ {} ]?", nearest(name, sectionNames())));
        return;
    }
    std::string const order = orderFault(*section, seen_);
    if (!order.empty()) {
        faults_.refuse(line.place(), order, "move the section");
        return;
    }
    section_ = section;
    seen_.set(static_cast<std::size_t>(*section));
    skipping_ = false;
    if (*section == Section::intermolecularInteractions) {
        faults_.refuse(line.place(), "[ intermolecular_interactions ] is not supported",
                       "put the interacting molecules into one molecule type");
        skipping_ = true;
        return;
    }
    bool const inMolecule = *section > Section::moleculetype && *section != Section::system && *section != Section::molecules;
    if (inMolecule && seen_[static_cast<std::size_t>(Section::molecules)] && deck_.molecules.size() == deck_.readBeforeMolecules) {
        faults_.refuse(line.place(), fmt::format("[ {} ] after [ molecules ]", nameOf(*section)), "move it to its molecule type");
        skipping_ = true;
    }
    if (*section == Section::molecules) deck_.readBeforeMolecules = deck_.molecules.size();
}

void Reader::content(TopologyLine const& line)
{
    if (skipping_) return;
    if (!section_) {
        if (!saidLost_) faults_.warn(line.place(), "text before the first [ section ] is ignored", "begin comments with ';'");
        saidLost_ = true;
        return;
    }
    if (*section_ < Section::moleculetype) {
        deck_.forceField.read(*section_, line, faults_);
    } else if (*section_ == Section::moleculetype) {
        readMoleculeType(line);
    } else if (*section_ == Section::system) {
        deck_.title = line.line.text;
    } else if (*section_ == Section::molecules) {
        readMolecules(line);
    } else if (!deck_.molecules.empty()) {
        molecules_.read(*section_, line, deck_.molecules.back());
    }
}

void Reader::readMoleculeType(TopologyLine const& line)
{
    MoleculeDraft molecule;
    molecule.name = std::string(line.words[0]);
    molecule.place = line.place();
    if (line.words.size() < 2 || !toInteger(line.words[1], molecule.exclusionBonds) || molecule.exclusionBonds < 0 ||
        molecule.exclusionBonds > 1000000) {
        faults_.refuse(line.place(), "a molecule type needs a name and nrexcl", "write for example: SOL 2");
        molecule.exclusionBonds = 0;
    }
    if (!moleculeIndex_.emplace(molecule.name, deck_.molecules.size()).second)
        faults_.refuse(line.place(), fmt::format("molecule type {} is defined a second time", shown(molecule.name)), "rename one of them");
    deck_.molecules.push_back(std::move(molecule));
}

/// The type of exactly that name; else the only one that differs in case alone.
std::optional<std::size_t> Reader::moleculeOf(std::string_view name) const
{
    auto const exact = moleculeIndex_.find(std::string(name));
    if (exact != moleculeIndex_.end()) return exact->second;
    std::optional<std::size_t> found;
    for (std::size_t m = 0; m < deck_.molecules.size(); ++m) {
        if (canonical(deck_.molecules[m].name) != canonical(name)) continue;
        if (found) return std::nullopt;
        found = m;
    }
    return found;
}

void Reader::readMolecules(TopologyLine const& line)
{
    auto const& w = line.words;
    std::int64_t count = 0;
    if (w.size() < 2 || !toInteger(w[1], count) || count < 0) {
        faults_.refuse(line.place(), "a line of [ molecules ] needs a name and a count", "write for example: SOL 1000");
        return;
    }
    if (w.size() > 2)
        faults_.warn(line.place(), fmt::format("{} after the count is ignored", shown(w[2])), "write one molecule type a line");
    std::optional<std::size_t> const type = moleculeOf(w[0]);
    if (!type) {
        std::vector<std::string_view> names;
        for (MoleculeDraft const& m : deck_.molecules) names.push_back(m.name);
        faults_.refuse(line.place(), fmt::format("no molecule type {}", shown(w[0])),
                       fmt::format("did you mean {}?", nearest(w[0], names)));
        return;
    }
    auto const size = static_cast<std::int64_t>(deck_.molecules[*type].atoms.size());
    if (size == 0) {
        faults_.refuse(line.place(), fmt::format("molecule type {} has no atoms", shown(w[0])), "give it an [ atoms ] section");
        return;
    }
    std::int64_t added = 0;
    if (__builtin_mul_overflow(count, size, &added) || __builtin_add_overflow(atoms_, added, &atoms_)) {
        faults_.refuse(line.place(), fmt::format("{} molecules are more atoms than can be numbered", count), "correct the count");
        atoms_ = 0;
        return;
    }
    deck_.blocks.push_back({*type, count, line.place()});
}

void Reader::checkComplete()
{
    base::Place const file{text_.files.empty() ? std::string() : text_.files[0], 0};
    if (text_.files.empty()) return; // the file could not be read, which has been said
    if (!deck_.forceField.hasDefaults()) faults_.refuse(file, "no [ defaults ]", "include a force field");
    if (!seen_[static_cast<std::size_t>(Section::molecules)])
        faults_.refuse(file, "no [ molecules ] section was found", "list the molecules; is an #ifdef left open?");
    else if (atoms_ == 0 && faults_.empty())
        faults_.refuse(file, "[ molecules ] lists no molecules", "give at least one a count above zero");
}

} // namespace

SourceText preprocess(TopologyRequest const& request, base::FaultList& faults)
{
    return preprocess(PreprocessRequest{request.file, request.defines, request.includeDirs}, faults);
}

system::Topology readTopology(SourceText const& text, TopologyRequest const& request, base::FaultList& faults)
{
    TopologyDraft draft = Reader(text, faults).run();
    if (request.morse) faults.refuse({request.file, 0}, "morse = yes is not supported", "write Morse bonds (type 3) in the topology");
    if (request.constraints == plan::Constraints::hAngles || request.constraints == plan::Constraints::allAngles) {
        faults.refuse(request.constraintsAt, "constraints = h-angles and all-angles are not supported", "write h-bonds or all-bonds");
        return assemble(draft, plan::Constraints::allBonds, text, faults);
    }
    return assemble(draft, request.constraints, text, faults);
}

system::Topology readTopology(TopologyRequest const& request, base::FaultList& faults)
{
    return readTopology(preprocess(request, faults), request, faults);
}

} // namespace alder::deck
