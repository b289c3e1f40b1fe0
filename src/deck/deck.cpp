#include "deck/deck.hpp"

#include "deck/gro_reader.hpp"
#include "deck/groups/atom_groups.hpp"
#include "deck/groups/index_reader.hpp"
#include "deck/input_hash.hpp"
#include "deck/mass_repartition.hpp"
#include "deck/mdp_reader.hpp"
#include "deck/mdp_text.hpp"
#include "deck/topology_reader.hpp"
#include "plan/option_rules.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace alder::deck {

namespace {

/// What the .mdp tells the topology: its `define = -DNAME -DNAME=value` and `include = -Ifolder`.
TopologyRequest topologyRequest(std::string const& file, MdpContent const& mdp, base::FaultList& faults)
{
    TopologyRequest request;
    request.file = file;
    request.constraints = mdp.options.constraints;
    request.constraintsAt = mdp.options.placeOf("constraints");
    request.morse = mdp.options.morse;
    auto const read = [&](char const* key, std::string const& text, char letter, std::vector<std::string>& values) {
        for (std::string const& word : splitBlanks(text)) {
            if (word.size() > 2 && word[0] == '-' && word[1] == letter)
                values.push_back(word.substr(2));
            else
                faults.refuse(mdp.options.placeOf(key), fmt::format("'{}' in {} is no -{} option", word.substr(0, 60), key, letter),
                              fmt::format("write {} = -{}...", key, letter));
        }
    };
    read("define", mdp.defines, 'D', request.defines);
    read("include", mdp.includes, 'I', request.includeDirs);
    return request;
}

/// Names in the coordinate file that differ from the topology's: the order of atoms may differ too, which nothing else would tell.
void compareNames(Configuration const& configuration, system::Topology const& topology, base::FaultList& faults)
{
    std::int64_t different = 0, first = 0;
    std::string expected;
    system::forEachAtom(topology, [&](system::Atom const& atom, std::int64_t i) {
        if (std::string_view(atom.name).substr(0, 5) == configuration.atomNames[static_cast<std::size_t>(i)].view()) return;
        if (different++ == 0) {
            first = i;
            expected = atom.name;
        }
    });
    if (different > 0)
        faults.warn({configuration.file, 0},
                    fmt::format("{} atom names differ from the topology's, first that of atom {}: {} for {}", different, first + 1,
                                configuration.atomNames[static_cast<std::size_t>(first)].view(), expected),
                    "the topology's are used; check that both list the atoms in one order");
}

bool sameCount(Configuration const& configuration, system::Topology const& topology, base::FaultList& faults)
{
    if (static_cast<std::int64_t>(configuration.size()) == topology.atomCount) return true;
    faults.refuse({configuration.file, 2},
                  fmt::format("there are {} atoms here and {} in the topology", configuration.size(), topology.atomCount),
                  "correct [ molecules ], or give the coordinates that belong to it");
    return false;
}

bool holdsAtoms(system::Topology const& topology)
{
    return topology.uses(system::Kind::positionRestraint) || topology.uses(system::Kind::flatBottomRestraint);
}

/// Center of mass of the reference positions of held atoms. As grompp has it, each molecule type counts once in each block of
/// [ molecules ], with the first molecule.
math::Vec3d centerOfReference(system::Topology const& topology)
{
    math::Vec3d sum;
    double mass = 0;
    for (system::MoleculeBlock const& block : topology.blocks) {
        if (block.count == 0) continue;
        system::MoleculeType const& type = topology.types[static_cast<std::size_t>(block.type)];
        std::vector<bool> held(type.atoms.size(), false);
        for (system::Kind const kind : {system::Kind::positionRestraint, system::Kind::flatBottomRestraint}) {
            bool const once = kind == system::Kind::flatBottomRestraint;
            for (std::int32_t const atom : type.of(kind).atoms) {
                auto const i = static_cast<std::size_t>(atom);
                if (once && held[i]) continue;
                held[i] = true;
                auto const& r = topology.restraintReference[static_cast<std::size_t>(block.firstAtom) + i];
                sum += type.atoms[i].mass * math::Vec3d{r[0], r[1], r[2]};
                mass += type.atoms[i].mass;
            }
        }
    }
    return mass > 0 ? (1.0 / mass) * sum : math::Vec3d{};
}

/// In box vectors.
std::array<double, 3> fractionsOf(math::Vec3d r, physics::Box const& box)
{
    double const w = r.z / box.c().z;
    double const v = (r.y - w * box.c().y) / box.b().y;
    return {(r.x - v * box.b().x - w * box.c().x) / box.a().x, v, w};
}

/// Splits references into what stays and what moves with the box, which was `box` when they were written. Along axes without periodicity
/// nothing moves.
void scaleReferences(plan::RunOptions const& options, physics::Box const& box, system::Topology& topology)
{
    plan::RefcoordScaling const scaling = options.refcoordScaling;
    if (scaling == plan::RefcoordScaling::no || options.pbc == plan::Pbc::no) return;
    math::Vec3d const center = scaling == plan::RefcoordScaling::com ? centerOfReference(topology) : math::Vec3d{};
    for (std::array<double, 3>& r : topology.restraintReference) {
        math::Vec3d moving = scaling == plan::RefcoordScaling::all ? math::Vec3d{r[0], r[1], r[2]} : center;
        if (options.pbc == plan::Pbc::xy) moving.z = 0;
        topology.restraintFractions.push_back(fractionsOf(moving, box));
        r = {r[0] - moving.x, r[1] - moving.y, r[2] - moving.z};
    }
}

void readReference(Deck& deck, DeckFiles const& files, CoordinateReader const& read, base::FaultList& faults)
{
    system::Topology& topology = deck.topology;
    if (files.reference.empty()) {
        if (holdsAtoms(topology)) {
            bool const flat = !topology.uses(system::Kind::positionRestraint);
            auto const kind = flat ? system::Kind::flatBottomRestraint : system::Kind::positionRestraint;
            faults.refuse(topology.firstUse[static_cast<std::size_t>(kind)], "positions are restrained, to no reference",
                          "give a configuration with -r: the one of -c where atoms are to stay where they are");
        }
        return;
    }
    Configuration const reference = read(files.reference, faults);
    if (!reference.whole || !sameCount(reference, topology, faults)) return;
    topology.restraintReference.reserve(reference.size());
    for (math::Vec3d const r : reference.positions) topology.restraintReference.push_back({r.x, r.y, r.z});
    scaleReferences(deck.options, reference.box, topology);
}

/// Resolves every group that the .mdp names.
void resolveGroups(Deck& deck, MdpContent const& mdp, IndexGroups const* index, base::FaultList& faults)
{
    plan::RunOptions& options = deck.options;
    GroupSource const source{deck.topology, index};
    deck.topology.temperatureGroups = temperatureGroups(options, source, faults);
    deck.topology.freezeGroups = freezeGroups(options, source, faults);
    deck.energyGroups = energyGroups(mdp.energyGroups, options, source, faults);
    for (auto const& [key, names] : mdp.groupsNamed) groupsExist(key, names, options, source, faults);
    if (!options.commGroups.empty() && !groupsExist("comm-grps", options.commGroups, options, source, faults))
        options.onlyRunRefuses.refuse(options.placeOf("comm-grps"), "the motion of a part of the system cannot be removed by itself",
                                      "leave comm-grps out");
    else if (options.commGroups.size() > 1 && options.commMode != plan::CommMode::none)
        options.onlyRunRefuses.refuse(options.placeOf("comm-grps"), "the motion of several groups cannot be removed each by itself",
                                      "leave comm-grps out");
    if (options.distanceRestraints.kind == plan::DistanceRestraining::no && deck.topology.uses(system::Kind::distanceRestraint))
        faults.warn(deck.topology.firstUse[static_cast<std::size_t>(system::Kind::distanceRestraint)],
                    "[ distance_restraints ] have no effect", "disre is no");
    std::size_t const groups = std::max<std::size_t>(1, deck.topology.temperatureGroups.count());
    if (mdp.annealingWords > 0 && mdp.annealingWords != groups)
        faults.refuse(options.placeOf("annealing"), fmt::format("annealing has {} values for {} groups", mdp.annealingWords, groups),
                      "give one a group");
}

void startFrom(Configuration const& configuration, system::State& state, std::int64_t initStep)
{
    state.step = initStep;
    state.box = configuration.box;
    state.positions.reserve(configuration.size());
    for (math::Vec3d const r : configuration.positions) state.positions.push_back(state.box.toFraction(r));
    state.velocities = configuration.velocities;
    state.velocities.resize(configuration.size());
}

} // namespace

Deck readDeck(DeckFiles const& files, CoordinateReader const& read)
{
    Deck deck;
    base::FaultList faults;
    MdpContent const mdp = readMdp(files.mdp, faults);
    deck.options = mdp.options;
    Configuration const configuration = read(files.coordinates, faults);
    deck.topology = readTopology(topologyRequest(files.topology, mdp, faults), faults);
    deck.title = deck.topology.title;

    plan::checkOptions(deck.options, faults);
    plan::checkCutoffInBox(deck.options, configuration.box, {files.coordinates, configuration.boxLine}, faults);
    // Groups and counts of a topology that could not be read would only add noise.
    if (deck.topology.atomCount > 0) {
        // A line that could not be read is one fault, not a wrong number of atoms too.
        if (configuration.whole && sameCount(configuration, deck.topology, faults) && !configuration.atomNames.empty())
            compareNames(configuration, deck.topology, faults);
        IndexGroups index;
        if (!files.index.empty()) index = readIndex(files.index, deck.topology.atomCount, faults);
        resolveGroups(deck, mdp, files.index.empty() ? nullptr : &index, faults);
        readReference(deck, files, read, faults);
        repartitionMasses(deck.options, deck.topology, faults); // references have their center by the masses of the topology
    }
    faults.throwIfAny();

    deck.hasVelocities = !configuration.velocities.empty();
    startFrom(configuration, deck.state, deck.options.initStep);
    for (base::Fault const& warning : faults.warnings()) deck.warnings.warn(warning.place, warning.what, warning.instead);
    deck.inputHash = inputHash(mdp.canonicalText, deck.topology, deck.state);
    return deck;
}

} // namespace alder::deck
