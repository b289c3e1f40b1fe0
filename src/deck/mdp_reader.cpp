#include "deck/mdp_reader.hpp"

#include "deck/mdp_text.hpp"
#include "deck/text_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <initializer_list>
#include <utility>

namespace alder::deck {

namespace {

template <class T> using Words = std::initializer_list<std::pair<std::string_view, T>>;

/// The enumerator of a canonical word.
template <class T> T choose(std::string const& word, Words<T> words, T otherwise)
{
    for (auto const& [name, value] : words)
        if (name == word) return value;
    return otherwise;
}

void readRunControl(MdpText const& text, plan::RunOptions& o)
{
    using enum plan::Integrator;
    o.integrator = choose<plan::Integrator>(text.word("integrator", "md"),
                                            {{"md", md},
                                             {"mdvv", mdVv},
                                             {"mdvvavek", mdVvAvek},
                                             {"sd", sd},
                                             {"bd", bd},
                                             {"steep", steep},
                                             {"cg", cg},
                                             {"lbfgs", lbfgs},
                                             {"nm", nm},
                                             {"tpi", tpi},
                                             {"tpic", tpi},
                                             {"mimic", mimic}},
                                            md);
    o.tinit = text.real("tinit", 0);
    o.dt = text.real("dt", 0.001);
    o.nsteps = text.integer("nsteps", 0);
    o.initStep = text.integer("init-step", 0);
    o.commMode = choose<plan::CommMode>(text.word("comm-mode", "linear"),
                                        {{"none", plan::CommMode::none},
                                         {"angular", plan::CommMode::angular},
                                         {"linear", plan::CommMode::linear},
                                         {"linearaccelerationcorrection", plan::CommMode::linearAcceleration}},
                                        plan::CommMode::linear);
    o.nstcomm = text.integer("nstcomm", 100);
    o.commGroups = text.list("comm-grps");
    o.continuation = text.yes("continuation", false);
    o.emtol = text.real("emtol", 10);
    o.emstep = text.real("emstep", 0.01);
    o.nstcgsteep = text.integer("nstcgsteep", 1000);
    o.nbfgscorr = static_cast<int>(std::clamp<std::int64_t>(text.integer("nbfgscorr", 10), -1, 1000));
    o.massRepartitionFactor = text.real("mass-repartition-factor", 1);
    o.genVel = text.yes("gen-vel", false);
    o.genTemp = text.real("gen-temp", 300);
    o.genSeed = text.integer("gen-seed", -1);
    o.ldSeed = text.integer("ld-seed", -1);
    o.bdFriction = text.real("bd-fric", 0);
}

void readMultipleTimeSteps(MdpText const& text, plan::RunOptions& o)
{
    o.mts = text.yes("mts", false);
    o.mtsLevels = text.integer("mts-levels", 2);
    o.mtsLevel2Factor = text.integer("mts-level2-factor", 2);
    if (text.find("mts-level2-forces")) o.mtsLevel2Forces = text.list("mts-level2-forces");
}

void readOutput(MdpText const& text, plan::RunOptions& o)
{
    o.nstxout = text.integer("nstxout", 0);
    o.nstvout = text.integer("nstvout", 0);
    o.nstfout = text.integer("nstfout", 0);
    o.nstxoutCompressed = text.integer("nstxout-compressed", 0);
    o.nstlog = text.integer("nstlog", 1000);
    o.nstenergy = text.integer("nstenergy", 1000);
    o.nstcalcenergy = text.integer("nstcalcenergy", 100);
}

plan::Modifier modifierOf(std::string const& word)
{
    using enum plan::Modifier;
    return choose<plan::Modifier>(word,
                                  {{"none", none},
                                   {"potentialshift", potentialShift},
                                   {"potentialshiftverlet", potentialShift},
                                   {"potentialswitch", potentialSwitch},
                                   {"forceswitch", forceSwitch},
                                   {"exactcutoff", exactCutoff}},
                                  potentialShift);
}

std::string writtenOr(MdpText const& text, std::string_view key, std::string_view fallback)
{
    MdpEntry const* entry = text.find(key);
    return entry ? entry->value : std::string(fallback);
}

void readPairs(MdpText const& text, plan::RunOptions& o, base::FaultList& faults)
{
    o.nstlist = text.integer("nstlist", 10);
    o.verletBufferTolerance = text.real("verlet-buffer-tolerance", 0.005);
    o.rlist = text.real("rlist", 1);
    o.pbc = choose<plan::Pbc>(text.word("pbc", "xyz"),
                              {{"xyz", plan::Pbc::xyz}, {"xy", plan::Pbc::xy}, {"no", plan::Pbc::no}, {"screw", plan::Pbc::screw}},
                              plan::Pbc::xyz);
    o.periodicMolecules = text.yes("periodic-molecules", false);

    using enum plan::CoulombType;
    o.coulombType = choose<plan::CoulombType>(
        text.word("coulombtype", "cutoff"),
        {{"cutoff", cutoff}, {"reactionfield", reactionField}, {"reactionfieldzero", reactionField}, {"pme", pme}}, other);
    o.coulombTypeWord = writtenOr(text, "coulombtype", "Cut-off");
    o.coulombModifier = modifierOf(text.word("coulomb-modifier", "potentialshift"));
    o.rcoulomb = text.real("rcoulomb", 1);
    o.rcoulombSwitch = text.real("rcoulomb-switch", 0);
    o.epsilonR = text.real("epsilon-r", 1);
    o.epsilonRf = text.real("epsilon-rf", 0);
    if (text.word("coulombtype", "cutoff") == "reactionfieldzero" && o.epsilonRf != 0) {
        faults.warn(text.placeOf("epsilon-rf"), "coulombtype = Reaction-Field-zero means epsilon-rf = 0, which is used",
                    "write epsilon-rf = 0");
        o.epsilonRf = 0;
    }

    if (o.coulombType == reactionField && o.epsilonRf == 1 && o.epsilonR != 1) {
        faults.warn(text.placeOf("epsilon-rf"), "epsilon-rf = 1 with another epsilon-r is the old meaning of the two",
                    "they are exchanged");
        std::swap(o.epsilonR, o.epsilonRf);
    }
    o.vdwType = choose<plan::VdwType>(text.word("vdwtype", "cutoff"),
                                      {{"cutoff", plan::VdwType::cutoff},
                                       {"pme", plan::VdwType::pme},
                                       {"shift", plan::VdwType::shift},
                                       {"switch", plan::VdwType::switched}},
                                      plan::VdwType::other);
    o.vdwTypeWord = writtenOr(text, "vdwtype", "Cut-off");
    o.vdwModifier = modifierOf(text.word("vdw-modifier", "potentialshift"));
    o.rvdw = text.real("rvdw", 1);
    o.rvdwSwitch = text.real("rvdw-switch", 0);
    using enum plan::DispersionCorrection;
    o.dispersionCorrection = choose<plan::DispersionCorrection>(
        text.word("dispcorr", "no"),
        {{"no", no}, {"ener", ener}, {"enerpres", enerPres}, {"allener", allEner}, {"allenerpres", allEnerPres}}, no);
}

void readEwald(MdpText const& text, plan::RunOptions& o)
{
    o.fourierSpacing = text.real("fourierspacing", 0.12);
    static constexpr std::array<std::string_view, 3> axes{"fourier-nx", "fourier-ny", "fourier-nz"};
    for (std::size_t d = 0; d < 3; ++d) {
        std::int64_t const n = text.integer(axes[d], 0);
        o.fourierGrid[d] = n > 100000 || n < -1 ? -1 : static_cast<int>(n);
    }
    std::int64_t const order = text.integer("pme-order", 4);
    o.pmeOrder = order > 1000 || order < 0 ? 0 : static_cast<int>(order);
    o.ewaldRtol = text.real("ewald-rtol", 1e-5);
    o.ewaldRtolLj = text.real("ewald-rtol-lj", 1e-3);
    o.ewald3dc = text.word("ewald-geometry", "3d") == "3dc";
    o.epsilonSurface = text.real("epsilon-surface", 0);
    o.ljPmeLorentzBerthelot = text.word("lj-pme-comb-rule", "geometric") == "lorentzberthelot";
}

void readCoupling(MdpText const& text, plan::RunOptions& o, base::FaultList& faults)
{
    using enum plan::Thermostat;
    o.thermostat = choose<plan::Thermostat>(text.word("tcoupl", "no"),
                                            {{"no", no},
                                             {"berendsen", berendsen},
                                             {"yes", berendsen},
                                             {"nosehoover", noseHoover},
                                             {"andersen", andersen},
                                             {"andersenmassive", andersenMassive},
                                             {"vrescale", vRescale}},
                                            no);
    o.nsttcouple = text.integer("nsttcouple", -1);
    std::vector<std::string> const names = text.list("tc-grps");
    std::vector<double> const tau = text.reals("tau-t"), reference = text.reals("ref-t");
    // Malformed numbers have been refused one by one; counting them too would only confuse.
    std::size_t const taus = text.list("tau-t").size(), references = text.list("ref-t").size();
    if (names.size() != taus || names.size() != references) {
        std::string_view const at = text.find("tc-grps") ? "tc-grps" : text.find("ref-t") ? "ref-t" : "tau-t";
        faults.refuse(text.placeOf(at),
                      fmt::format("tc-grps names {} groups, tau-t has {} values and ref-t {}", names.size(), taus, references),
                      "give one tau-t and one ref-t for each group");
    } else if (tau.size() == taus && reference.size() == references) {
        for (std::size_t g = 0; g < names.size(); ++g) o.temperatureGroups.push_back({names[g], tau[g], reference[g]});
    }
    using B = plan::Barostat;
    o.barostat = choose<B>(text.word("pcoupl", "no"),
                           {{"no", B::no},
                            {"berendsen", B::berendsen},
                            {"isotropic", B::berendsen},
                            {"parrinellorahman", B::parrinelloRahman},
                            {"mttk", B::mttk},
                            {"crescale", B::cRescale}},
                           B::no);
    o.nstpcouple = text.integer("nstpcouple", -1);
    o.tauP = text.real("tau-p", 1);
    o.nhChainLength = static_cast<int>(std::clamp<std::int64_t>(text.integer("nh-chain-length", 10), 0, 1000));
    std::string const type = text.word("pcoupltype", "isotropic");
    using P = plan::PressureCoupling;
    o.pressureCoupling = choose<P>(type,
                                   {{"isotropic", P::isotropic},
                                    {"semiisotropic", P::semiisotropic},
                                    {"anisotropic", P::anisotropic},
                                    {"surfacetension", P::surfaceTension}},
                                   P::isotropic);
    std::size_t const needed = type == "isotropic" ? 1 : type == "anisotropic" ? 6 : 2;
    if (o.barostat == B::no) return;
    o.compressibility = text.reals("compressibility");
    o.referencePressure = text.reals("ref-p");
    o.compressibility.resize(std::min(needed, o.compressibility.size()));
    o.referencePressure.resize(std::min(needed, o.referencePressure.size()));
    for (std::string_view key : {"compressibility", "ref-p"}) {
        std::size_t const given = text.list(key).size();
        base::Place const place = text.placeOf(text.find(key) ? key : "pcoupl");
        if (given < needed)
            faults.refuse(place, fmt::format("'{}' has {} values", key, given), fmt::format("{} pressure coupling needs {}", type, needed));
        else if (given > needed) // older decks give more; GROMACS took the first ones until 2020
            faults.warn(place, fmt::format("'{}' has {} values", key, given),
                        fmt::format("{} pressure coupling takes the first {}", type, needed));
    }
}

void readRestraints(MdpText const& text, plan::RunOptions& o)
{
    using R = plan::RefcoordScaling;
    o.refcoordScaling = choose<R>(text.word("refcoord-scaling", "no"), {{"no", R::no}, {"all", R::all}, {"com", R::com}}, R::no);
    using D = plan::DistanceRestraining;
    o.distanceRestraints.kind =
        choose<D>(text.word("disre", "no"), {{"no", D::no}, {"simple", D::simple}, {"ensemble", D::ensemble}}, D::no);
    o.distanceRestraints.equalWeights = text.word("disre-weighting", "conservative") == "equal";
    o.distanceRestraints.mixed = text.yes("disre-mixed", false);
    o.distanceRestraints.forceConstant = text.real("disre-fc", 1000);
    o.distanceRestraints.tau = text.real("disre-tau", 0);
}

/// Four numbers for each axis that has a field.
void readElectricField(MdpText const& text, plan::RunOptions& o, base::FaultList& faults)
{
    static constexpr std::array<char const*, 3> keys{"electric-field-x", "electric-field-y", "electric-field-z"};
    for (std::size_t d = 0; d < 3; ++d) {
        std::vector<double> const values = text.reals(keys[d]);
        if (values.size() != text.list(keys[d]).size() || values.empty()) continue; // malformed numbers have been refused
        if (values.size() == 4)
            o.electricField[d] = {values[0], values[1], values[2], values[3]};
        else if (values.size() != 1 || values[0] != 0)
            faults.refuse(text.placeOf(keys[d]), fmt::format("{} has {} values", keys[d], values.size()),
                          "write its amplitude (V/nm), omega (1/ps), t0 and sigma (ps)");
    }
}

/// A name and three words, yes or no, for each group.
void readFreezeGroups(MdpText const& text, plan::RunOptions& o, base::FaultList& faults)
{
    std::vector<std::string> const names = text.list("freezegrps"), words = text.list("freezedim");
    if (words.size() != 3 * names.size()) return; // judgeTriples() has said so
    for (std::size_t g = 0; g < names.size(); ++g) {
        plan::FreezeGroup group{names[g], {}};
        for (std::size_t d = 0; d < 3; ++d) {
            std::string const word = canonical(words[3 * g + d]);
            char const first = word.empty() ? ' ' : word.front();
            group.axes[d] = first == 'y';
            if (first != 'y' && first != 'n')
                faults.refuse(text.placeOf("freezedim"),
                              fmt::format("'{}' in freezedim is neither Y nor N", words[3 * g + d].substr(0, 60)),
                              "write Y or N for each axis of each group");
        }
        o.freezeGroups.push_back(group);
    }
}

void readConstraints(MdpText const& text, plan::RunOptions& o)
{
    using enum plan::Constraints;
    o.constraints = choose<plan::Constraints>(
        text.word("constraints", "none"),
        {{"none", none}, {"hbonds", hBonds}, {"allbonds", allBonds}, {"hangles", hAngles}, {"allangles", allAngles}}, none);
    o.constraintAlgorithm = text.word("constraint-algorithm", "lincs");
    o.lincsOrder = static_cast<int>(std::clamp<std::int64_t>(text.integer("lincs-order", 4), -1, 1000));
    o.lincsIter = static_cast<int>(std::clamp<std::int64_t>(text.integer("lincs-iter", 1), -1, 1000));
    o.shakeTol = text.real("shake-tol", 1e-4);
    o.lincsWarnAngle = text.real("lincs-warnangle", 30);
    o.morse = text.yes("morse", false);
}

plan::Annealing annealingOf(std::string const& word)
{
    using enum plan::Annealing;
    return choose<plan::Annealing>(canonical(word), {{"no", no}, {"single", single}, {"periodic", periodic}}, no);
}

/// One group's schedule is sound: it has begun when the run begins, time goes forward, no temperature is below 0.
bool soundSchedule(MdpText const& text, plan::TemperatureGroup const& group, double tinit, base::FaultList& faults)
{
    auto const refuse = [&](char const* key, std::string what, std::string instead) {
        faults.refuse(text.placeOf(key), fmt::format("{} of group '{}' {}", key, group.name, what), std::move(instead));
        return false;
    };
    std::vector<double> const &times = group.annealingTimes, &temperatures = group.annealingTemperatures;
    if (times.size() < 2) return refuse("annealing-npoints", "is below 2", "give a start and an end");
    if (times.front() > tinit + 1e-9)
        return refuse("annealing-time", fmt::format("begins at {} ps, after the run does", times.front()), "begin at tinit or before");
    for (std::size_t i = 1; i < times.size(); ++i)
        if (times[i] < times[i - 1])
            return refuse("annealing-time", fmt::format("goes back from {} to {} ps", times[i - 1], times[i]), "put the points in order");
    for (double const t : temperatures)
        if (t < 0) return refuse("annealing-temp", fmt::format("is {} K", t), "write a temperature in K");
    bool const loops = group.annealing == plan::Annealing::periodic;
    if (loops && !(times.back() > 0)) return refuse("annealing-time", "makes a period of no length", "end after 0");
    if (loops && temperatures.front() != temperatures.back())
        faults.warn(text.placeOf("annealing-temp"),
                    fmt::format("the temperature of group '{}' jumps where its schedule begins anew", group.name),
                    "make the first and the last temperature equal");
    return true;
}

/// Schedules of annealing: as many points as said, a time and a temperature for each; no more groups than there are words.
void readAnnealing(MdpText const& text, plan::RunOptions& o, base::FaultList& faults)
{
    std::vector<std::string> const words = text.list("annealing");
    bool any = false;
    for (std::string const& word : words) {
        std::string const form = canonical(word);
        if (form != "no" && form != "single" && form != "periodic") {
            faults.refuse(text.placeOf("annealing"), fmt::format("'{}' is no kind of annealing", word.substr(0, 60)),
                          "write no, single or periodic for each group");
            return;
        }
        any = any || form != "no";
    }
    if (!any) return;
    std::vector<double> const points = text.reals("annealing-npoints"), times = text.reals("annealing-time"),
                              temperatures = text.reals("annealing-temp");
    double sum = 0;
    bool good = points.size() == words.size();
    for (double n : points) {
        sum += n;
        good = good && n >= 0 && n == std::floor(n);
    }
    auto const count = [&](char const* key) { return static_cast<double>(text.list(key).size()); };
    if (!good || count("annealing-time") != sum || count("annealing-temp") != sum) {
        faults.refuse(text.placeOf("annealing"),
                      "annealing-npoints, annealing-time and annealing-temp don't give a schedule for each group",
                      "give a number of points for each group, and a time and a temperature for each point");
        return;
    }
    if (times.size() != temperatures.size() || static_cast<double>(times.size()) != sum) return; // numbers refused one by one
    std::size_t first = 0;
    for (std::size_t g = 0; g < words.size(); ++g) {
        auto const from = static_cast<std::ptrdiff_t>(first), to = from + static_cast<std::ptrdiff_t>(points[g]);
        first = static_cast<std::size_t>(to);
        if (g >= o.temperatureGroups.size()) continue;
        plan::TemperatureGroup& group = o.temperatureGroups[g];
        group.annealing = annealingOf(words[g]);
        if (group.annealing == plan::Annealing::no) continue;
        group.annealingTimes.assign(times.begin() + from, times.begin() + to);
        group.annealingTemperatures.assign(temperatures.begin() + from, temperatures.begin() + to);
        if (!soundSchedule(text, group, o.tinit, faults)) group.annealing = plan::Annealing::no;
    }
}

/// Three values for each group of the other key.
void judgeTriples(MdpText const& text, char const* groups, char const* values, base::FaultList& faults)
{
    std::size_t const wanted = 3 * text.list(groups).size(), found = text.list(values).size();
    if (wanted != found)
        faults.refuse(text.placeOf(text.find(groups) ? groups : values),
                      fmt::format("{} has {} values for {} groups", values, found, wanted / 3), "give three for each group");
}

/// True where each of the value's words is a harmless one, numbers by value.
bool passes(MdpEntry const& entry)
{
    std::vector<std::string> const harmless = splitBlanks(entry.key->harmless);
    for (std::string const& part : splitBlanks(entry.value)) {
        bool good = false;
        for (std::string const& pass : harmless) {
            double a = 0, b = 0;
            good = good || canonical(part) == canonical(pass) || (readReal(part, a) && readReal(pass, b) && a == b);
        }
        if (!good) return false;
    }
    return true;
}

void judgeVerdicts(MdpText const& text, plan::RunOptions& o, base::FaultList& faults)
{
    for (auto const& [name, entry] : text.entries()) {
        Verdict const verdict = entry.key->verdict;
        if ((verdict != Verdict::refused && verdict != Verdict::runOnly) || passes(entry)) continue;
        std::string const instead = entry.key->harmless.empty()
                                        ? fmt::format("leave '{}' out", name)
                                        : fmt::format("write {} = {}", name, splitBlanks(entry.key->harmless).front());
        base::FaultList& where = verdict == Verdict::refused ? faults : o.onlyRunRefuses;
        where.refuse({text.file(), entry.line}, fmt::format("{} = {} is not supported ({})", name, entry.value, entry.key->remark),
                     instead);
    }
}

/// Keys that change how long a run is, what it writes or how an input is found, and not one bit of the trajectory.
bool decidesTrajectory(std::string const& name, MdpEntry const& entry)
{
    static constexpr std::array<std::string_view, 9> free{
        "nsteps", "nstxout", "nstvout", "nstfout", "nstlog", "nstenergy", "nstxout-compressed", "include", "define"};
    return entry.key->verdict == Verdict::done && std::find(free.begin(), free.end(), name) == free.end();
}

} // namespace

MdpContent readMdpText(std::string const& file, std::string_view bytes, base::FaultList& faults)
{
    MdpText const text(file, bytes, faults);
    MdpContent content;
    plan::RunOptions& o = content.options;
    o.mdpFile = file;
    for (auto const& [name, entry] : text.entries()) {
        o.lines[name] = entry.line;
        if (decidesTrajectory(name, entry)) content.canonicalText += fmt::format("{}={}\n", name, canonical(entry.value));
    }
    readRunControl(text, o);
    readMultipleTimeSteps(text, o);
    readOutput(text, o);
    readPairs(text, o, faults);
    readEwald(text, o);
    readCoupling(text, o, faults);
    readConstraints(text, o);
    judgeVerdicts(text, o, faults);
    readAnnealing(text, o, faults);
    judgeTriples(text, "freezegrps", "freezedim", faults);
    judgeTriples(text, "acc-grps", "accelerate", faults);
    readRestraints(text, o);
    readElectricField(text, o, faults);
    readFreezeGroups(text, o, faults);
    content.annealingWords = text.list("annealing").size();
    for (char const* key : {"user1-grps", "user2-grps", "compressed-x-grps", "acc-grps"})
        if (text.find(key)) content.groupsNamed.emplace_back(key, text.list(key));
    content.energyGroups = text.list("energygrps");
    if (MdpEntry const* entry = text.find("include")) content.includes = entry->value;
    if (MdpEntry const* entry = text.find("define")) content.defines = entry->value;
    return content;
}

MdpContent readMdp(std::string const& file, base::FaultList& faults)
{
    std::string bytes;
    if (!readWholeFile(file, bytes, faults)) return {};
    return readMdpText(file, bytes, faults);
}

} // namespace alder::deck
