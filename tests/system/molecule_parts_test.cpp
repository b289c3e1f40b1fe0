// Which atoms of a molecule hang together, by each kind of link that binds.

#include "system/molecule_parts.hpp"

#include <algorithm>
#include <gtest/gtest.h>

namespace alder::system {
namespace {

/// By atom, the first atom of its part. Fails where an atom comes before the one that it follows, or twice.
std::vector<std::int32_t> partOf(MoleculeType const& type)
{
    std::vector<std::int32_t> part(type.atoms.size(), -1);
    for (MoleculeParts::Link const& link : partsOf(type).links) {
        auto const atom = static_cast<std::size_t>(link.atom);
        EXPECT_EQ(part[atom], -1);
        part[atom] = link.from < 0 ? link.atom : part[static_cast<std::size_t>(link.from)];
        EXPECT_GE(part[atom], 0);
    }
    EXPECT_TRUE(std::none_of(part.begin(), part.end(), [](std::int32_t p) { return p < 0; }));
    return part;
}

TEST(MoleculeParts, areBoundByEveryKindOfLink)
{
    MoleculeType type;
    type.atoms.resize(12);
    type.of(Kind::bond) = {{2, 1, 0, 2}, {0, 0}};
    type.of(Kind::constraint) = {{2, 3}, {0}};
    type.of(Kind::settle) = {{5, 6, 7}, {0}};
    type.of(Kind::virtualSite3) = {{8, 5, 6, 7}, {0}};
    type.of(Kind::virtualSiteN) = {{10, 9, 10, 11}, {0, 0}};
    // Angles and pairs bind nothing.
    type.of(Kind::angle) = {{3, 4, 5}, {0}};
    type.of(Kind::pair14) = {{0, 11}, {0}};
    EXPECT_EQ(partOf(type), (std::vector<std::int32_t>{0, 0, 0, 0, 4, 5, 5, 5, 5, 9, 9, 9}));
}

// Each link is kept by the first atom of the term that binds it, whichever way it is gone along.
TEST(MoleculeParts, areKeptByFirstAtomsOfTerms)
{
    MoleculeType type;
    type.atoms.resize(5);
    type.of(Kind::bond) = {{1, 0, 1, 2, 3, 2}, {0, 0, 0}};
    std::vector<std::int32_t> keepers(5, -1);
    for (MoleculeParts::Link const& link : partsOf(type).links) keepers[static_cast<std::size_t>(link.atom)] = link.keeper;
    EXPECT_EQ(keepers, (std::vector<std::int32_t>{0, 1, 1, 3, 4}));
}

TEST(MoleculeParts, carryTheChargeOfWhatHangsOnThem)
{
    MoleculeType type;
    for (double const charge : {0.5, -0.25, 0.125, -0.375, 1.0}) type.atoms.emplace_back().charge = charge;
    type.of(Kind::bond) = {{1, 0, 1, 2, 3, 2}, {0, 0, 0}};
    std::vector<double> carried(5);
    for (DipoleArm const& arm : dipoleArmsOf(type)) carried[static_cast<std::size_t>(arm.link.atom)] = arm.carried;
    EXPECT_EQ(carried, (std::vector<double>{0, -0.5, -0.25, -0.375, 1}));
}

TEST(MoleculeParts, ofLoneAtomsAreThese)
{
    MoleculeType type;
    type.atoms.resize(2);
    EXPECT_EQ(partOf(type), (std::vector<std::int32_t>{0, 1}));
}

} // namespace
} // namespace alder::system
