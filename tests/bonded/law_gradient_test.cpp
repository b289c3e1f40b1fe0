// Every law's forces against central differences of its energy, at random and at awkward geometries.

#include "bonded/laws.hpp"
#include "bonded/prepared_parameters.hpp"
#include "physics/flat_bottom.hpp"

#include <gtest/gtest.h>

#include <functional>
#include <random>
#include <vector>

namespace alder::tests {
namespace {

using math::Vec3d;
using system::Kind;
using system::ParameterSet;

/// A term's energy and the forces on all of its atoms, from their positions.
struct Whole {
    double energy;
    std::vector<Vec3d> forces;
};
using Term = std::function<Whole(std::vector<Vec3d> const&)>;

template <Kind kind> Term distanceTerm(ParameterSet written)
{
    return [p = bonded::prepare(kind, written)](std::vector<Vec3d> const& r) {
        Vec3d const d = r[0] - r[1];
        auto const v = bonded::Law<kind>::at(norm(d), p.data());
        Vec3d const f = physics::radialForce(d, norm(d), v.slope);
        return Whole{v.energy, {f, -f}};
    };
}
template <Kind kind> Term angleTerm(ParameterSet written)
{
    return [p = bonded::prepare(kind, written)](std::vector<Vec3d> const& r) {
        auto const v = bonded::Law<kind>::at(r[0] - r[1], r[2] - r[1], p.data());
        return Whole{v.energy, {v.forceI, -(v.forceI + v.forceK), v.forceK}};
    };
}
template <Kind kind> Term dihedralTerm(ParameterSet written)
{
    return [p = bonded::prepare(kind, written)](std::vector<Vec3d> const& r) {
        auto const v = bonded::Law<kind>::at(physics::DihedralGeometry<double>(r[0] - r[1], r[2] - r[1], r[2] - r[3]), p.data());
        return Whole{v.energy, {v.forceI, -(v.forceI + v.forceK + v.forceL), v.forceK, v.forceL}};
    };
}
/// Two vectors, from the first atom to the second and from the third to the fourth.
Term vectorAngleTerm(ParameterSet written)
{
    return [p = bonded::prepare(Kind::angleRestraint, written)](std::vector<Vec3d> const& r) {
        auto const v = bonded::Law<Kind::angleRestraint>::at(r[1] - r[0], r[3] - r[2], p.data());
        return Whole{v.energy, {-v.forceI, v.forceI, -v.forceK, v.forceK}};
    };
}
/// The second atom, held about the first.
Term flatBottomTerm(int geometry, double radius, double k)
{
    return [=](std::vector<Vec3d> const& r) {
        auto const v = physics::flatBottom(r[1] - r[0], physics::countedAxes<double>(geometry), radius, k);
        return Whole{v.energy, {-v.force, v.force}};
    };
}
Term pairTerm(ParameterSet p)
{
    return [p](std::vector<Vec3d> const& r) {
        Vec3d const d = r[0] - r[1];
        auto const v = physics::plainPair(norm2(d), p[0], p[1], p[2]);
        return Whole{v.lj + v.coulomb, {v.forceFactor * d, -v.forceFactor * d}};
    };
}

struct Case {
    char const* name;
    int atoms;
    Term term;
};

std::vector<Case> const& cases()
{
    static std::vector<Case> const all{
        {"bond", 2, distanceTerm<Kind::bond>({0.15, 3e5})},
        {"g96Bond", 2, distanceTerm<Kind::g96Bond>({0.15, 5e6})},
        {"morse", 2, distanceTerm<Kind::morse>({0.15, 300, 20})},
        {"cubicBond", 2, distanceTerm<Kind::cubicBond>({0.15, 2e4, -2})},
        {"fene", 2, distanceTerm<Kind::fene>({0.6, 3000})},
        {"restraintInside", 2, distanceTerm<Kind::restraintBond>({0.3, 0.31, 0.4, 1000})},
        {"restraintOutside", 2, distanceTerm<Kind::restraintBond>({0.01, 0.02, 0.4, 1000})},
        {"restraintFar", 2, distanceTerm<Kind::restraintBond>({0.01, 0.02, 0.03, 1000})},
        {"pair", 2, pairTerm({1e-3, 1e-6, 30})},
        {"angle", 3, angleTerm<Kind::angle>({109.5, 400})},
        {"g96Angle", 3, angleTerm<Kind::g96Angle>({109.5, 400})},
        {"crossBondBond", 3, angleTerm<Kind::crossBondBond>({0.15, 0.14, 500})},
        {"crossBondAngle", 3, angleTerm<Kind::crossBondAngle>({0.15, 0.14, 0.25, 500})},
        {"ureyBradley", 3, angleTerm<Kind::ureyBradley>({109.5, 400, 0.24, 3e4})},
        {"quarticAngle", 3, angleTerm<Kind::quarticAngle>({109.5, 1, 20, 300, -40, 50})},
        {"restrictedAngle", 3, angleTerm<Kind::restrictedAngle>({109.5, 40})},
        {"proper0", 4, dihedralTerm<Kind::properDihedral>({0, 3, 0})},
        {"proper1", 4, dihedralTerm<Kind::properDihedral>({30, 12, 1})},
        {"proper3", 4, dihedralTerm<Kind::properDihedral>({180, 12, 3})},
        {"proper6", 4, dihedralTerm<Kind::properDihedral>({-70, 5, 6})},
        {"properNegative", 4, dihedralTerm<Kind::properDihedral>({40, 5, -2})},
        {"improper", 4, dihedralTerm<Kind::improperDihedral>({35.26, 120})},
        {"ryckaertBellemans", 4, dihedralTerm<Kind::ryckaertBellemans>({9.28, 12.16, -13.12, -3.06, 26.24, -31.5})},
        {"fourier", 4, dihedralTerm<Kind::fourierDihedral>({1.1, 2.2, 3.3, 4.4})},
        {"restrictedDihedral", 4, dihedralTerm<Kind::restrictedDihedral>({150, 10})},
        {"dihedralRestraint", 4, dihedralTerm<Kind::dihedralRestraint>({95, 30, 80})},
        {"dihedralRestraintWrapped", 4, dihedralTerm<Kind::dihedralRestraint>({-170, 25, 80})},
        {"angleRestraint1", 4, vectorAngleTerm({60, 80, 1})},
        {"angleRestraint2", 4, vectorAngleTerm({35, 80, 2})},
        {"sphere", 2, flatBottomTerm(1, 0.05, 900)},
        {"sphereInverted", 2, flatBottomTerm(1, -0.4, 900)},
        {"cylinder", 2, flatBottomTerm(2, 0.05, 900)},
        {"layerX", 2, flatBottomTerm(3, 0.01, 900)},
        {"layerY", 2, flatBottomTerm(4, -0.4, 900)},
        {"layerZ", 2, flatBottomTerm(5, 0.01, 900)},
        {"cylinderX", 2, flatBottomTerm(6, -0.4, 900)},
        {"cylinderY", 2, flatBottomTerm(7, 0.02, 900)},
        {"cylinderZ", 2, flatBottomTerm(8, 0.02, 900)},
        {"combined", 4, dihedralTerm<Kind::combinedBendingTorsion>({20, 1, 2, -3, 4, 0.5})},
    };
    return all;
}

/// -dV/dx by central differences of eighth order.
double slopeForce(Term const& term, std::vector<Vec3d> r, std::size_t atom, int component, double h)
{
    auto const at = [&](double step) {
        std::vector<Vec3d> moved = r;
        (component == 0 ? moved[atom].x : component == 1 ? moved[atom].y : moved[atom].z) += step;
        return term(moved).energy;
    };
    auto const odd = [&](int n) { return at(n * h) - at(-n * h); };
    return -(odd(1) * 4 / 5 - odd(2) / 5 + odd(3) * 4 / 105 - odd(4) / 280) / h;
}

double component(Vec3d v, int c) { return c == 0 ? v.x : c == 1 ? v.y : v.z; }

void expectGradient(Case const& c, std::vector<Vec3d> const& r, double tolerance, double h)
{
    Whole const whole = c.term(r);
    double scale = 0;
    for (Vec3d const& f : whole.forces) scale = std::max(scale, norm(f));
    for (std::size_t a = 0; a < r.size(); ++a)
        for (int d = 0; d < 3; ++d)
            EXPECT_NEAR(component(whole.forces[a], d), slopeForce(c.term, r, a, d, h), tolerance * (scale + 1)) << c.name << " atom " << a;
}

/// A chain of atoms with bonds of about 0.12 to 0.2 nm, no angle within 20 degrees of straight.
std::vector<Vec3d> chain(std::mt19937& random, int atoms)
{
    std::normal_distribution<double> normal;
    std::uniform_real_distribution<double> length(0.12, 0.2);
    std::vector<Vec3d> r{{0, 0, 0}};
    Vec3d last{};
    while (static_cast<int>(r.size()) < atoms) {
        Vec3d d{normal(random), normal(random), normal(random)};
        d = (1 / norm(d)) * d;
        if (r.size() > 1 && std::abs(dot(d, last)) > 0.94) continue;
        last = d;
        r.push_back(r.back() + length(random) * d);
    }
    return r;
}

TEST(LawGradient, RandomGeometries)
{
    std::mt19937 random(7);
    for (Case const& c : cases())
        for (int n = 0; n < 20; ++n) {
            std::vector<Vec3d> const r = chain(random, c.atoms);
            if (std::string(c.name) == "restrictedDihedral") {
                physics::DihedralGeometry<double> const g(r[0] - r[1], r[2] - r[1], r[2] - r[3]);
                if (std::abs(g.sine) < 0.3) continue; // its wall grows as 1/sin^3: differences lose their digits there
            }
            expectGradient(c, r, 1e-8, 1e-4);
        }
}

/// cis, trans and 1e-9 from either; and either sign of a right angle.
TEST(LawGradient, DihedralsAtCisAndTrans)
{
    for (Case const& c : cases()) {
        if (c.atoms != 4 || std::string(c.name) == "restrictedDihedral") continue;
        for (double const phi : {0.0, 1e-9, -1e-9, physics::pi, physics::pi - 1e-9, 1e-9 - physics::pi, 1.57, -1.57}) {
            if (std::string(c.name) == "improper" && std::abs(std::abs(phi - 35.26 * physics::pi / 180) - physics::pi) < 0.01) continue;
            std::vector<Vec3d> const r{{0.1, 0.1, 0}, {0, 0, 0}, {0, 0, 0.15}, {0.1 * std::cos(phi) + 0.01, 0.1 * std::sin(phi), 0.2}};
            expectGradient(c, r, 1e-8, 1e-4);
        }
    }
}

TEST(LawGradient, AnglesNearStraightAndFolded)
{
    for (Case const& c : cases()) {
        if (c.atoms != 3 || std::string(c.name) == "restrictedAngle") continue;
        for (double const off : {1e-2, 1e-3})
            for (double const side : {-1.0, 1.0}) {
                std::vector<Vec3d> const r{{0.15, 0, 0}, {0, 0, 0}, {side * 0.14, off * 0.14, 0}};
                // Within a distance h of the line the third derivative is 1/off^3: the step goes with it.
                expectGradient(c, r, 1e-6, 1e-3 * off);
            }
    }
}

TEST(Geometry, AngleIsExactEverywhere)
{
    for (double const angle : {0.0, 1e-12, 1e-8, 1e-4, 0.5, 1.5, 3.0, physics::pi - 1e-4, physics::pi - 1e-8}) {
        physics::AngleGeometry<double> const g({0.2, 0, 0}, {0.3 * std::cos(angle), 0, 0.3 * std::sin(angle)});
        EXPECT_NEAR(g.angle(), angle, 4e-16 * (1 + angle));
    }
}

TEST(Geometry, DihedralHasTheSignOfTheConvention)
{
    // Looking from j to k, l is turned clockwise from i by 60 degrees: +60.
    double const phi = physics::pi / 3;
    Vec3d const k{0, 0, 0.15}, l{0.1 * std::cos(phi), 0.1 * std::sin(phi), 0.15};
    physics::DihedralGeometry<double> const g(Vec3d{0.1, 0, 0}, k, k - l);
    EXPECT_NEAR(g.angle(), phi, 1e-15);
    EXPECT_NEAR(g.cosine, 0.5, 1e-15);
    EXPECT_NEAR(g.sine, std::sqrt(3.0) / 2, 1e-15);
}

/// Where geometry loses its meaning, forces stay finite.
TEST(Geometry, CollinearAtomsGiveFiniteForces)
{
    std::vector<Vec3d> const straight{{-0.15, 0, 0}, {0, 0, 0}, {0.15, 0, 0}, {0.25, 0.1, 0}};
    std::vector<Vec3d> const folded{{0.15, 0, 0}, {0, 0, 0}, {0.15, 0, 0}, {0.25, 0.1, 0}};
    std::vector<Vec3d> const together{{0, 0, 0}, {0, 0, 0}, {0.15, 0, 0}, {0.25, 0.1, 0}};
    for (Case const& c : cases()) {
        std::string const name = c.name;
        if (name == "restrictedAngle" || name == "restrictedDihedral" || name == "pair") continue; // these have walls there
        for (auto const* r : {&straight, &folded, &together}) {
            // A bond of no length has no cosine with another.
            if (r == &together && (name == "g96Angle" || name == "combined")) continue;
            Whole const whole = c.term(std::vector<Vec3d>(r->begin(), r->begin() + c.atoms));
            EXPECT_TRUE(std::isfinite(whole.energy)) << name;
            for (Vec3d const& f : whole.forces) EXPECT_TRUE(std::isfinite(norm2(f))) << name;
        }
    }
}

} // namespace
} // namespace alder::tests
