#include "plan/pairs/verlet_buffer.hpp"

#include "physics/dispersion_ewald.hpp"
#include "physics/pair_potential.hpp"
#include "plan/integrator_rules.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>

namespace alder::plan {

using physics::pi;
using system::Kind;

namespace {

/// Variance along one direction (nm^2) of an atom's displacement during a list's life, by kind of motion: free in three dimensions, or
/// on the sphere about the atom it is bound to.
struct Spread {
    double free = 0, bound = 0;
    [[nodiscard]] double total() const { return free + bound; }
};

/// Dawson's integral exp(-x^2) integral_0^x exp(t^2) dt, by Simpson's rule: the integrand is smooth and at most 1.
double dawson(double x)
{
    constexpr int panels = 200;
    double const h = x / panels;
    double sum = 0;
    for (int i = 0; i <= panels; ++i) {
        double const t = h * i;
        sum += (i == 0 || i == panels ? 1 : i % 2 ? 4 : 2) * std::exp(t * t - x * x);
    }
    return sum * h / 3;
}

/// How far an atom of mass m goes that is held at a distance d from one of mass M, in time t at temperature T.
///
/// The centre of mass moves freely: variance kT t^2/(m + M). About it the atom turns on an arm a = d M/(m + M) with the variance
/// s^2 = kT t^2/m M/(m + M) of the arc in each of two directions, were the arc straight. It is not: an angle x with the density
/// x/w exp(-x^2/2w), w = s^2/a^2, takes the atom no further than the chord, chord^2 = 2 a^2 (1 - cos x). The mean of cos x is
/// 1 - sqrt(2 w) D(sqrt(w/2)) with Dawson's integral D, so that the variance in each of two directions is a^2 sqrt(2 w) D(sqrt(w/2)):
/// s^2 for small w, a^2 (any direction) for large w, with a largest value of 1.285 a^2 at w = 4.5, which is kept from there on because
/// the list's life passes through it.
Spread boundSpread(double kTt2, double mass, double partnerMass, double distance)
{
    double const share = partnerMass / (mass + partnerMass);
    double const arm = distance * share;
    double const w = std::min(kTt2 / mass * share / (arm * arm), 4.5);
    return {kTt2 / (mass + partnerMass), arm * arm * std::sqrt(2 * w) * dawson(std::sqrt(0.5 * w))};
}

/// Brings the displacement along the pair axis of an atom that has two degrees of freedom, with a random orientation to the axis, to
/// a Gaussian: its density is sqrt(pi/2)/(2 s) erfc(x/(sqrt(2) s)), which factor/(sqrt(2 pi) s) exp(-(x + shift)^2/2 s^2) touches at x
/// with value and slope, and exceeds elsewhere. With E = exp(-x^2/2 s^2), C = erfc(x/(sqrt(2) s)), the logarithmic slopes
///   -sqrt(2/pi)/s E/C = -(x + shift)/s^2       give  shift = sqrt(2/pi) s E/C - x,
/// and the values                                give  factor = pi/2 C exp((x + shift)^2/2 s^2).
struct TouchingGaussian {
    double shift = 0, factor = 1;
    TouchingGaussian(double variance, double x)
    {
        double const s = std::sqrt(variance);
        double const c = std::max(std::erfc(x / (std::sqrt(2.0) * s)), 1e-300);
        double const moved = std::sqrt(2 / pi) * s * std::exp(-0.5 * x * x / variance) / c;
        shift = moved - x;
        factor = 0.5 * pi * c * std::exp(std::min(0.5 * moved * moved / variance, 700.0));
    }
};

/// The energy that one pair brings, times the length over which such pairs are spread along their axis, nm kJ/mol.
///
/// A pair at distance l + y when the list is made (l: its radius) is not listed. Displacements along the axis bring it to the distance
/// rc - z with the Gaussian density of variance s^2 about l + y. Within the cut-off it would have the energy of the potential less its
/// value at rc: d1 z + d2 z^2/2 + d3 z^3/6, with d1 = -V', d2 = V'', d3 = -V''' at rc. Both integrals, over z > 0 and y > 0, of
/// z^n/n! G(b + y + z), b = l - rc, are one over u = y + z of u^(n+1)/(n+1)! G(b + u), the moments of the Gaussian's tail:
///   d1/2  [(b^2 + s^2) Q - b s g]
///   d2/6  [s (b^2 + 2 s^2) g - b (b^2 + 3 s^2) Q]
///   d3/24 [(b^4 + 6 b^2 s^2 + 3 s^4) Q - b s (b^2 + 5 s^2) g]
/// Q = 1/2 erfc(b/(sqrt(2) s)), g = exp(-b^2/2 s^2)/sqrt(2 pi).  (GROMACS manual, "Molecular dynamics: energy drift and pair-list
/// buffering".)
double pairDrift(double d1, double d2, double d3, double b, double variance)
{
    double const s2 = variance, s = std::sqrt(s2), b2 = b * b;
    double const q = 0.5 * std::erfc(b / (std::sqrt(2.0) * s));
    double const g = std::exp(-0.5 * b2 / s2) / std::sqrt(2 * pi);
    return d1 / 2 * ((b2 + s2) * q - b * s * g) + d2 / 6 * (s * (b2 + 2 * s2) * g - b * (b2 + 3 * s2) * q) +
           d3 / 24 * ((b2 * b2 + 6 * b2 * s2 + 3 * s2 * s2) * q - b * s * (b2 + 5 * s2) * g);
}

/// Lists hold pairs of clusters, each cluster whole once any of its atoms comes within the radius l. Of the pairs just outside l only
/// those are missing whose other atoms are outside too. An atom of a cluster has, of the sphere of radius l about it, only the part on the
/// surface of the whole cluster to itself: (1/n) of the area at distance l about the hull of the cluster, by Steiner's formula
/// 4 pi l^2 + 2 M l + A. For a regular tetrahedron of edge e (four atoms, the fewest that any kernel takes on either side, so that the
/// estimate holds for all of them): mean curvature M = 1/2 6 e (pi - acos(1/3)), area A = sqrt(3) e^2; e is the mean distance of atoms.
double exposedPart(double listCutoff, double atomDistance)
{
    constexpr double clusterSize = 4;
    double const e = atomDistance, l = listCutoff;
    double const curvature = 3 * e * (pi - std::acos(1.0 / 3)), area = std::sqrt(3.0) * e * e;
    return std::min(1.0, (1 + (2 * curvature * l + area) / (4 * pi * l * l)) / clusterSize);
}

/// The heaviest atom that each atom of a molecule is bound to by a constraint, and the distance.
struct Partner {
    double mass = 0, distance = 0;
};

std::vector<Partner> partnersOf(system::Topology const& topology, system::MoleculeType const& type)
{
    std::vector<Partner> partners(type.atoms.size());
    auto const bind = [&](std::int32_t i, std::int32_t j, double distance) {
        auto const one = [&](std::int32_t a, std::int32_t b) {
            double const mass = type.atoms[static_cast<std::size_t>(b)].mass;
            Partner& partner = partners[static_cast<std::size_t>(a)];
            if (distance > 0 && mass > partner.mass) partner = {mass, distance};
        };
        one(i, j);
        one(j, i);
    };
    for (Kind const kind : {Kind::constraint, Kind::constraintNoExclusion}) {
        system::InteractionList const& list = type.of(kind);
        for (std::size_t e = 0; e < list.size(); ++e)
            bind(list.atoms[2 * e], list.atoms[2 * e + 1], topology.parametersOf(kind)[static_cast<std::size_t>(list.parameters[e])][0]);
    }
    system::InteractionList const& settles = type.of(Kind::settle);
    for (std::size_t e = 0; e < settles.size(); ++e) {
        auto const& p = topology.parametersOf(Kind::settle)[static_cast<std::size_t>(settles.parameters[e])];
        bind(settles.atoms[3 * e], settles.atoms[3 * e + 1], p[0]);
        bind(settles.atoms[3 * e], settles.atoms[3 * e + 2], p[0]);
    }
    return partners;
}

/// What each atom of a molecule moves like a free mass of: its own, and of a site that of its place, whose velocity is the sum of
/// c v of the atoms: 1/m = sum c^2/m. Where a construction is not linear, no more than the lightest of them is certain.
std::vector<double> movingMasses(system::Topology const& topology, system::MoleculeType const& type)
{
    std::vector<double> masses;
    for (system::Atom const& atom : type.atoms) masses.push_back(atom.mass);
    auto const massOf = [&](std::int32_t atom) -> double& { return masses[static_cast<std::size_t>(atom)]; };
    // Sites made from sites: those they need come to a mass on an earlier pass.
    for (std::size_t pass = 0; pass <= system::kindCount; ++pass)
        for (std::size_t k = static_cast<std::size_t>(Kind::virtualSite1); k <= static_cast<std::size_t>(Kind::virtualSiteN); ++k) {
            auto const kind = static_cast<Kind>(k);
            system::InteractionList const& list = type.of(kind);
            auto const width = static_cast<std::size_t>(system::infoOf(kind).atoms);
            std::map<std::int32_t, double> inverse;
            for (std::size_t e = 0; e < list.size(); ++e) {
                std::int32_t const* const atoms = list.atoms.data() + e * width;
                if (type.atoms[static_cast<std::size_t>(atoms[0])].mass > 0) continue;
                system::ParameterSet const& p = topology.parametersOf(kind)[static_cast<std::size_t>(list.parameters[e])];
                auto const add = [&](std::int32_t atom, double c) { inverse[atoms[0]] += c * c / std::max(massOf(atom), 1e-3); };
                auto const lightest = [&] {
                    double least = massOf(atoms[1]);
                    for (std::size_t a = 2; a < width; ++a) least = std::min(least, massOf(atoms[a]));
                    inverse[atoms[0]] = 1 / std::max(least, 1e-3);
                };
                switch (kind) {
                case Kind::virtualSite1: add(atoms[1], 1); break;
                case Kind::virtualSite2:
                    add(atoms[1], 1 - p[0]);
                    add(atoms[2], p[0]);
                    break;
                case Kind::virtualSite3:
                    add(atoms[1], 1 - p[0] - p[1]);
                    add(atoms[2], p[0]);
                    add(atoms[3], p[1]);
                    break;
                case Kind::virtualSiteN: add(atoms[1], p[1]); break;
                default: lightest();
                }
            }
            for (auto const& [site, sum] : inverse) massOf(site) = 1 / sum;
        }
    return masses;
}

} // namespace

PairDrift::PairDrift(system::Topology const& topology, double volume, PairPlan const& pairs, Motion motion)
    : pairs_(pairs),
      volume_(volume),
      motion_(motion),
      nonbonded_(topology.nonbonded)
{
    if (pairs.vdw != VdwForm::none) cutoff_ = pairs.rvdw;
    if (pairs.coulomb != CoulombForm::none) cutoff_ = std::max(cutoff_, pairs.rcoulomb);
    sortAtoms(topology);
}

void PairDrift::sortAtoms(system::Topology const& topology)
{
    std::map<std::tuple<double, double, int, double, double>, double> counts;
    for (system::MoleculeBlock const& block : topology.blocks) {
        system::MoleculeType const& type = topology.types[static_cast<std::size_t>(block.type)];
        std::vector<Partner> const partners = partnersOf(topology, type);
        std::vector<double> const masses = movingMasses(topology, type);
        for (std::size_t i = 0; i < type.atoms.size(); ++i) {
            system::Atom const& atom = type.atoms[i];
            atoms_ += static_cast<double>(block.count);
            double const n = static_cast<double>(block.count);
            double const mass = masses[i] > 0 ? masses[i] : 1.0;
            counts[{mass, atom.charge, atom.type, partners[i].mass, partners[i].distance}] += n;
        }
    }
    for (auto const& [key, count] : counts) {
        auto const& [mass, charge, type, partnerMass, distance] = key;
        sorts_.push_back({mass, charge, type, partnerMass, distance, count});
    }
}

/// Of 1/r^power as it is computed.
PairDrift::Slopes PairDrift::ljSlopes(int power) const
{
    double const rc = pairs_.rvdw, width = rc - pairs_.rvdwSwitch, p = power;
    double const v = std::pow(rc, -p);
    double const third = p * (p + 1) * (p + 2) * v / (rc * rc * rc);
    if (pairs_.vdw == VdwForm::forceSwitch && width > 0) {
        physics::ForceSwitch const f(p, pairs_.rvdwSwitch, rc);
        // The force and its slope vanish at rc; -V''' is the force's second derivative.
        return {0, 0, third + 2 * f.a + 6 * f.b * width};
    }
    // Close to rc the switch is 10 ((rc - r)/width)^3.
    if (pairs_.vdw == VdwForm::potentialSwitch && width > 0) return {0, 0, 60 * v / (width * width * width)};
    // The grid has the rest of the attraction: what is left is G(x) r^-6, x = beta r, with the slope -exp(-x^2) (x^6 + 3 x^4 + 6 x^2 + 6) r^-7.
    if (pairs_.vdw == VdwForm::ewald && power == 6) {
        double const x2 = pairs_.ljBeta * pairs_.ljBeta * rc * rc;
        return {std::exp(-x2) * (((x2 + 3) * x2 + 6) * x2 + 6) * v / rc, 0, 0};
    }
    return {p * v / rc, p * (p + 1) * v / (rc * rc), third};
}

/// Of qq = 1, times f/epsilon_r.
PairDrift::Slopes PairDrift::coulombSlopes() const
{
    double const rc = pairs_.rcoulomb, f = pairs_.electricFactor;
    if (pairs_.coulomb == CoulombForm::reactionField)
        return {f * (1 / (rc * rc) - 2 * pairs_.krf * rc), f * (2 / (rc * rc * rc) + 2 * pairs_.krf), 0};
    if (pairs_.coulomb != CoulombForm::ewald) return {};
    // V = erfc(br)/r, with G = 2b/sqrt(pi) exp(-b^2 r^2):  -V' = erfc/r^2 + G/r,  V'' = 2 erfc/r^3 + 2 G/r^2 + 2 b^2 G
    double const b = pairs_.beta, c = std::erfc(b * rc), g = 2 * b / std::sqrt(pi) * std::exp(-b * b * rc * rc);
    return {f * (c / (rc * rc) + g / rc), f * (2 * c / (rc * rc * rc) + 2 * g / (rc * rc) + 2 * b * b * g), 0};
}

double PairDrift::at(double listCutoff, std::int64_t steps) const
{
    // The list is used at steps - 1 steps after the one that made it.
    double const life = static_cast<double>(steps - 1) * motion_.dt;
    double const kTt2 = physics::boltzmann * motion_.temperature * (motion_.diffuse ? 2 * life : life * life);
    if (!(kTt2 > 0) || atoms_ == 0) return 0;
    std::vector<Spread> spreads;
    for (Sort const& s : sorts_)
        spreads.push_back(s.bound() ? boundSpread(kTt2, s.mass, s.partnerMass, s.partnerDistance) : Spread{kTt2 / s.mass, 0});
    bool const lj = pairs_.vdw != VdwForm::none;
    Slopes const six = lj ? ljSlopes(6) : Slopes{}, twelve = lj ? ljSlopes(12) : Slopes{}, electric = coulombSlopes();

    double drift = 0;
    for (std::size_t i = 0; i < sorts_.size(); ++i)
        for (std::size_t j = 0; j <= i; ++j) {
            Sort const &a = sorts_[i], &b = sorts_[j];
            double const variance = spreads[i].total() + spreads[j].total();
            auto const touch = [&](double buffer, double d1, double d2, double d3) {
                if (d1 == 0 && d2 == 0 && d3 == 0) return 0.0;
                double shift = 0, factor = 1;
                for (auto const& [sort, spread] : {std::pair(&a, spreads[i]), std::pair(&b, spreads[j])}) {
                    if (!sort->bound() || !(spread.bound > 0)) continue;
                    TouchingGaussian const t(spread.bound, buffer * spread.bound / variance);
                    shift += t.shift;
                    factor *= t.factor;
                }
                return factor * pairDrift(d1, d2, d3, buffer + shift, variance);
            };
            auto const matrix =
                static_cast<std::size_t>(a.type) * static_cast<std::size_t>(nonbonded_.typeCount) + static_cast<std::size_t>(b.type);
            double const c6 = nonbonded_.c6[matrix], c12 = nonbonded_.c12[matrix], qq = a.charge * b.charge;
            double const each = touch(listCutoff - pairs_.rvdw, c12 * twelve.first - c6 * six.first, c12 * twelve.second - c6 * six.second,
                                      c12 * twelve.third - c6 * six.third) +
                                touch(listCutoff - pairs_.rcoulomb, qq * electric.first, qq * electric.second, 0);
            double const number = i == j ? 0.5 * a.count * (a.count - 1) : a.count * b.count;
            // Missing pairs begin a little outside the list's sphere. Magnitudes are added: drifts of unlike sorts could cancel by luck.
            double const radius = listCutoff + std::sqrt(variance);
            drift += std::abs(each * number * 4 * pi * radius * radius / volume_);
        }
    double const exposed = exposedPart(listCutoff, std::cbrt(volume_ / atoms_));
    return drift * exposed * exposed / (static_cast<double>(steps) * motion_.dt * atoms_);
}

double PairDrift::cutoffFor(double tolerance, std::int64_t steps) const
{
    constexpr double resolution = 0.001;
    // The estimate falls with the radius: bisect between the cut-off and one that is far too long.
    std::int64_t low = -1, high = static_cast<std::int64_t>(std::ceil(cutoff_ / resolution)) + 1000;
    while (high - low > 1) {
        std::int64_t const middle = low + (high - low) / 2;
        (at(cutoff_ + static_cast<double>(middle) * resolution, steps) <= tolerance ? high : low) = middle;
    }
    return cutoff_ + static_cast<double>(high) * resolution;
}

double longestListCutoff(physics::Box const& box)
{
    double const half = 0.5 * std::min({norm(box.a()), norm(box.b()), norm(box.c())});
    return std::min({half, box.a().x, box.b().y - std::abs(box.c().y), box.c().z});
}

namespace {

bool isDynamics(Integrator integrator)
{
    switch (integrator) {
    case Integrator::steep:
    case Integrator::cg:
    case Integrator::lbfgs:
    case Integrator::nm:
    case Integrator::tpi: return false;
    default: return true;
    }
}

/// The temperature that sets how fast atoms move: the highest reference of a coupled group, else that of the starting velocities.
double listTemperature(RunOptions const& options)
{
    if (options.thermostat == Thermostat::no && options.integrator != Integrator::sd && options.integrator != Integrator::bd)
        return options.genTemp;
    double highest = 0;
    for (TemperatureGroup const& group : options.temperatureGroups)
        if (group.tau >= 0) {
            highest = std::max(highest, group.reference);
            for (double const annealed : group.annealingTemperatures) highest = std::max(highest, annealed);
        }
    return highest > 0 ? highest : options.genTemp;
}

/// The longest interval between prunings, four to eight steps, that fits a whole number of times; the list's own where none does.
std::int64_t pruneIntervalFor(std::int64_t listInterval)
{
    for (std::int64_t steps = 8; steps >= 4; --steps)
        if (listInterval % steps == 0) return steps;
    return listInterval;
}

} // namespace

ListChoice chooseList(RunOptions const& options, system::Topology const& topology, physics::Box const& box, PairPlan const& pairs,
                      RunRequest const& request)
{
    double cutoff = pairs.vdw != VdwForm::none ? pairs.rvdw : 0;
    if (pairs.coulomb != CoulombForm::none) cutoff = std::max(cutoff, pairs.rcoulomb);
    if (cutoff == 0) cutoff = std::max(pairs.rvdw, pairs.rcoulomb); // nothing interacts: any list is right
    double const longest = std::max(cutoff, longestListCutoff(box));
    std::int64_t const asked = std::max<std::int64_t>(1, request.nstlist.value_or(options.nstlist));
    auto const plain = [&](double radius, std::int64_t steps) { return ListChoice{radius, radius, steps, steps}; };

    // One configuration: nothing moves. The margin covers the rounding of kernel coordinates.
    if (request.purpose == Purpose::energy) return plain(std::min(cutoff + 0.001, longest), 1);
    // A rebuild comes when an atom has moved half the buffer. At 0.1 nm water is rebuilt every 15 to 20 steps of 2 fs; the list holds a
    // third more pairs than the cut-off sphere.
    if (request.exactLists) return plain(std::min(cutoff + 0.1, longest), asked);
    if (options.verletBufferTolerance < 0) return plain(std::max(cutoff, options.rlist), asked);
    // A minimizer takes short steps: a twentieth of the cut-off.
    if (!isDynamics(options.integrator)) return plain(std::min(1.05 * cutoff, longest), asked);
    double const temperature = listTemperature(options);
    // At rest at first there is no telling how fast atoms will get: a tenth of the cut-off.
    if (!(temperature > 0) || !(options.dt > 0)) return plain(std::min(1.1 * cutoff, longest), asked);

    bool const diffuse = options.integrator == Integrator::bd;
    PairDrift const drift(diffuse ? frictionTopology(topology, options) : topology, box.volume(), pairs,
                          PairDrift::Motion{temperature, options.dt, diffuse});
    double const tolerance = options.verletBufferTolerance;
    double const first = drift.cutoffFor(tolerance, asked);
    ListChoice choice = plain(first, asked);
    if (!request.nstlist)
        for (std::int64_t const steps : {40, 32, 24, 20, 16, 12}) {
            if (steps <= asked) break;
            // A longer life pays until the list has half again as many pairs.
            double const radius = drift.cutoffFor(tolerance, steps);
            if (radius > longest || radius * radius * radius > 1.5 * first * first * first) continue;
            choice = plain(radius, steps);
            break;
        }
    choice.pruneInterval = pruneIntervalFor(choice.listInterval);
    if (choice.pruneInterval < choice.listInterval)
        choice.innerListCutoff = std::min(choice.listCutoff, drift.cutoffFor(tolerance, choice.pruneInterval));
    return choice;
}

} // namespace alder::plan
