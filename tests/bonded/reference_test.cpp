// Bonded forces against GROMACS in double precision, kind by kind.

#include "bonded/bonded_lists.hpp"
#include "plan/supported.hpp"
#include "reference_terms.hpp"
#include "small_system.hpp"

#include <gtest/gtest.h>

#include <string>

namespace alder::tests {
namespace {

using system::Kind;

struct KindName {
    template <class Param> std::string operator()(Param const& info) const
    {
        std::string name;
        for (char const c : std::string(system::infoOf(info.param.kind).name))
            if (std::isalnum(static_cast<unsigned char>(c))) name += c;
        return name + std::to_string(info.index);
    }
};

class Reference : public testing::TestWithParam<ReferenceTerms> {};

TEST_P(Reference, EnergyForcesAndVirialAgree)
{
    ReferenceTerms const& reference = GetParam();
    Entries entries{reference.kind, reference.entries};
    if (reference.kind == Kind::cmap) entries.rows[0].push_back(0);
    system::Topology topology = moleculesWith({entries}, 6);
    for (std::size_t i = 0; i < 6; ++i) topology.types[0].atoms[i].charge = referenceCharges[i];
    physics::Box const box({referenceBox, 0, 0}, {0, referenceBox, 0}, {0, 0, referenceBox});
    std::vector<math::FractionVec> positions;
    for (std::size_t i = 0; i < 6; ++i) {
        auto const& r = referencePositions[i];
        positions.push_back(box.toFraction({r[0], r[1], r[2]}));
        std::array<double, 3> target = r; // where position restraints were set: 0.01, 0.02, 0.03 nm off, to and fro
        for (std::size_t d = 0; d < 3; ++d) target[d] += 0.01 * static_cast<double>(d + 1) * ((i + d) % 2 ? 1 : -1);
        topology.restraintReference.push_back(target);
    }
    bool const pair = reference.kind == Kind::pair14 || reference.kind == Kind::pair14Charges || reference.kind == Kind::pairNonbonded;
    Evaluated const got(topology, planWithEpsilon(pair ? 2 : 1), box, positions);

    system::Term const coulomb = reference.kind == Kind::pairNonbonded ? system::Term::coulombSR : system::Term::coulomb14;
    // Energies, forces and virials are sums of terms rounded to 6e-8. GROMACS takes pairs from a spline table, and CMAP from natural
    // splines: parts of 1e-6 there. Restraint references are rounded to 1e-9 nm.
    double const scale = pair || reference.kind == Kind::cmap ? 1e-6 : 1e-9;
    bool const held = reference.kind == Kind::positionRestraint || reference.kind == Kind::flatBottomRestraint;
    double const force = held ? 1e-6 : reference.kind == Kind::cmap ? 2e-4 : 3e-7;
    double const work = held ? 3e-6 : reference.kind == Kind::cmap ? 3e-5 : 5e-7;
    EXPECT_NEAR(got.sums.of(system::infoOf(reference.kind).term).value(), reference.energy, scale * std::abs(reference.energy) + 2e-7);
    EXPECT_NEAR(got.sums.of(coulomb).value(), reference.coulomb, scale * std::abs(reference.coulomb) + 2e-7);
    for (std::size_t i = 0; i < 6; ++i) {
        math::Vec3d const f = math::forceValue(got.forces[i]);
        std::array<double, 3> const component{f.x, f.y, f.z};
        for (std::size_t d = 0; d < 3; ++d)
            EXPECT_NEAR(component[d], reference.forces[i][d], scale * std::abs(reference.forces[i][d]) + force) << i;
    }
    math::Mat3d const v = got.sums.virial.value();
    std::array<double, 9> const virial{v.x.x, v.x.y, v.x.z, v.y.x, v.y.y, v.y.z, v.z.x, v.z.y, v.z.z};
    for (std::size_t d = 0; d < 9; ++d) EXPECT_NEAR(virial[d], reference.virial[d], scale * std::abs(reference.virial[d]) + work) << d;
}

INSTANTIATE_TEST_SUITE_P(Kinds, Reference, testing::ValuesIn(referenceTerms()), KindName{});

TEST(Supported, KindsWithForcesAreThoseThatAreListed)
{
    for (std::size_t k = 0; k < system::kindCount; ++k) {
        auto const kind = static_cast<Kind>(k);
        EXPECT_EQ(plan::treatmentOf(kind) == plan::Treatment::force, bonded::isListed(kind)) << system::infoOf(kind).name;
    }
}

TEST(Supported, EveryListedKindHasAReference)
{
    for (std::size_t k = 0; k < system::kindCount; ++k) {
        bool found = false;
        for (ReferenceTerms const& reference : referenceTerms()) found = found || reference.kind == static_cast<Kind>(k);
        EXPECT_EQ(found, bonded::isListed(static_cast<Kind>(k))) << system::infoOf(static_cast<Kind>(k)).name;
    }
}

} // namespace
} // namespace alder::tests
