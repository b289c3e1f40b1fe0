#pragma once
// Systems for the pair tests, and the sum over all pairs and images that they are checked against.

#include "cpu/pairs/pair_forces.hpp"
#include "pairs/pair_law.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <random>
#include <set>
#include <vector>

namespace alder::test {

struct Sample {
    system::Topology topology;
    physics::Box box;
    std::vector<math::FractionVec> positions;
};

/// Molecules of `charges.size()` atoms in a row, each excluded from those up to `nrexcl` bonds away; LJ type t has the given c6, c12
/// with geometric mixing, but for the pair (0, 1), which gets its own.
struct SampleRecipe {
    std::int64_t molecules = 100;
    std::vector<double> charges{-0.8, 0.4, 0.4};
    std::vector<int> types{0, 1, 1};
    std::vector<double> c6{2.6e-3, 0}, c12{2.6e-6, 0};
    bool mixedPair = false; ///< makes the matrices no product of one number a type
    int nrexcl = 2;
    double spacing = 0.1;    ///< of the atoms of a molecule, nm
    double closest = 0.25;   ///< of atoms of different molecules, nm
    double filledHeight = 1; ///< part of the box, along c, that molecules are put into
    unsigned seed = 7;
};

/// Calls visit(coulomb, vdw, recipe) for each combination of forms that has any interaction, with parameters that are products and with
/// a table of them.
template <class Visit> void forEachForm(Visit&& visit)
{
    using plan::CoulombForm, plan::VdwForm;
    for (CoulombForm const coulomb : {CoulombForm::none, CoulombForm::reactionField, CoulombForm::ewald})
        for (VdwForm const vdw : {VdwForm::none, VdwForm::cut, VdwForm::potentialSwitch, VdwForm::forceSwitch, VdwForm::ewald})
            for (bool const mixed : {false, true}) {
                if (coulomb == CoulombForm::none && vdw == VdwForm::none) continue;
                SampleRecipe recipe;
                recipe.molecules = 60;
                recipe.c6[1] = mixed ? 1e-4 : 0;
                recipe.c12[1] = mixed ? 1e-8 : 0;
                recipe.mixedPair = mixed;
                visit(coulomb, vdw, recipe);
            }
}

inline system::Topology makeTopology(SampleRecipe const& recipe)
{
    system::Topology t;
    auto const n = recipe.c6.size();
    t.nonbonded.typeCount = static_cast<int>(n);
    for (std::size_t a = 0; a < n; ++a) {
        t.nonbonded.typeNames.push_back("T" + std::to_string(a));
        for (std::size_t b = 0; b < n; ++b) {
            double const other = recipe.mixedPair && a + b == 1 ? 0.7 : 1;
            t.nonbonded.c6.push_back(other * std::sqrt(recipe.c6[a] * recipe.c6[b]));
            t.nonbonded.c12.push_back(other * std::sqrt(recipe.c12[a] * recipe.c12[b]));
        }
    }
    system::MoleculeType type;
    type.name = "M";
    auto const size = static_cast<int>(recipe.charges.size());
    for (int i = 0; i < size; ++i) {
        system::Atom atom;
        atom.charge = recipe.charges[static_cast<std::size_t>(i)];
        atom.type = recipe.types[static_cast<std::size_t>(i)];
        atom.mass = 10;
        type.atoms.push_back(atom);
        type.exclusionStart.push_back(static_cast<std::int32_t>(type.exclusions.size()));
        for (int j = 0; j < size; ++j)
            if (j != i && std::abs(i - j) <= recipe.nrexcl) type.exclusions.push_back(j);
    }
    type.exclusionStart.push_back(static_cast<std::int32_t>(type.exclusions.size()));
    t.types.push_back(type);
    t.blocks.push_back({0, recipe.molecules, 0, 0});
    t.atomCount = recipe.molecules * size;
    t.moleculeCount = recipe.molecules;
    return t;
}

/// Rods in random directions, none closer to another than recipe.closest.
inline Sample makeSample(SampleRecipe const& recipe, physics::Box const& box)
{
    Sample sample{makeTopology(recipe), box, {}};
    std::mt19937 random(recipe.seed);
    std::uniform_real_distribution<double> uniform(0, 1);
    std::normal_distribution<double> normal;
    auto const size = recipe.charges.size();
    std::vector<math::FractionVec> rod(size);
    for (std::int64_t m = 0; m < recipe.molecules; ++m) {
        for (int attempt = 0;; ++attempt) {
            math::Vec3d const direction{normal(random), normal(random), normal(random)};
            math::Vec3d const step = recipe.spacing / math::norm(direction) * direction;
            double const u = uniform(random), v = uniform(random), w = recipe.filledHeight * uniform(random);
            math::Vec3d const start = u * box.a() + v * box.b() + w * box.c();
            bool free = true;
            for (std::size_t k = 0; k < size; ++k) {
                rod[k] = box.toFraction(start + static_cast<double>(k) * step);
                for (math::FractionVec const& other : sample.positions)
                    free = free && math::norm(box.difference(rod[k], other)) > recipe.closest;
            }
            if (free || attempt > 300) break;
        }
        sample.positions.insert(sample.positions.end(), rod.begin(), rod.end());
    }
    return sample;
}

struct BruteSums {
    std::vector<math::Vec3d> forces;
    double lj = 0, coulomb = 0;
    math::Mat3d virial;
    double size = 0; ///< sum of absolute values: what rounding errors are measured against
    std::int64_t pairs = 0;
};

/// Every pair and image within the cutoff, in double precision.
inline BruteSums bruteForce(Sample const& sample, plan::PairPlan const& plan)
{
    pairs::AtomTable const atoms(sample.topology, plan);
    pairs::PairLaw const law(plan);
    auto const n = static_cast<std::int32_t>(sample.positions.size());
    BruteSums sums;
    sums.forces.resize(sample.positions.size());
    for (std::int32_t i = 0; i < n; ++i) {
        std::set<std::int32_t> excluded;
        atoms.forEachExcluded(i, [&](std::int32_t k) { excluded.insert(k); });
        for (std::int32_t j = i + 1; j < n; ++j) {
            auto const &ki = atoms.kind(i), &kj = atoms.kind(j);
            pairs::PairCharges const charges{plan.electricFactor * ki.charge * kj.charge, atoms.c6(ki.ljType, kj.ljType),
                                             atoms.c12(ki.ljType, kj.ljType), excluded.contains(j), atoms.gridC6(ki.ljType, kj.ljType)};
            math::Vec3d const nearest =
                sample.box.difference(sample.positions[static_cast<std::size_t>(i)], sample.positions[static_cast<std::size_t>(j)]);
            for (int a = -1; a <= 1; ++a)
                for (int b = -1; b <= 1; ++b)
                    for (int c = -1; c <= 1; ++c) {
                        math::Vec3d const d = nearest + a * sample.box.a() + b * sample.box.b() + c * sample.box.c();
                        double const r2 = math::norm2(d);
                        if (r2 >= law.cutoff2()) continue;
                        pairs::PairTerms const terms = law.at(r2, charges);
                        sums.lj += terms.lj;
                        sums.coulomb += terms.coulomb;
                        sums.virial = sums.virial + (-0.5 * terms.forceOverR) * math::outer(d, d);
                        sums.forces[static_cast<std::size_t>(i)] += terms.forceOverR * d;
                        sums.forces[static_cast<std::size_t>(j)] += -terms.forceOverR * d;
                        sums.size += std::fabs(terms.lj) + std::fabs(terms.coulomb) + std::fabs(terms.forceOverR * r2);
                        ++sums.pairs;
                    }
        }
    }
    if (plan.coulomb == plan::CoulombForm::reactionField) sums.coulomb -= 0.5 * plan.electricFactor * plan.crf * atoms.chargeSquareSum();
    return sums;
}

inline std::vector<math::ForceUnits> forcesOf(cpu::PairForces& pairs, std::vector<math::FractionVec> const& positions)
{
    std::vector<math::ForceUnits> forces(positions.size());
    pairs.addForces(positions, forces);
    return forces;
}

/// rms of the difference over rms of the reference, or over 100 kJ/mol/nm where atoms hardly meet: the error of the Ewald polynomial is
/// the same at all distances.
inline double relativeError(std::vector<math::ForceUnits> const& forces, std::vector<math::Vec3d> const& reference)
{
    double difference = 0, square = 0;
    for (std::size_t i = 0; i < reference.size(); ++i) {
        difference += math::norm2(math::forceValue(forces[i]) - reference[i]);
        square += math::norm2(reference[i]);
    }
    return std::sqrt(difference / std::max(square, 1e4 * static_cast<double>(reference.size())));
}

inline std::vector<cpu::SimdLevel> levelsHere()
{
    std::vector<cpu::SimdLevel> levels;
    for (cpu::SimdLevel const level : {cpu::SimdLevel::sse41, cpu::SimdLevel::avx2, cpu::SimdLevel::avx512})
        if (cpu::supported(level)) levels.push_back(level);
    return levels;
}

inline plan::PairPlan makePlan(plan::CoulombForm coulomb, plan::VdwForm vdw, double cutoff)
{
    plan::PairPlan plan;
    plan.coulomb = coulomb;
    plan.vdw = vdw;
    plan.rcoulomb = plan.rvdw = cutoff;
    plan.rvdwSwitch = 0.8 * cutoff;
    plan.electricFactor = physics::coulombConstant;
    plan.krf = 0.5 / (cutoff * cutoff * cutoff);
    plan.crf = 1 / cutoff + plan.krf * cutoff * cutoff;
    plan.beta = 3.1234 / cutoff;
    plan.ewaldShift = std::erfc(plan.beta * cutoff) / cutoff;
    plan.ljBeta = 3.35 / cutoff; // ewald-rtol-lj 1e-3
    if (vdw == plan::VdwForm::ewald) plan.gridShift = -physics::dispersionOnGrid(cutoff * cutoff, plan.ljBeta);
    if (vdw == plan::VdwForm::cut || vdw == plan::VdwForm::ewald) {
        plan.dispersionShift = -std::pow(cutoff, -6);
        plan.repulsionShift = -std::pow(cutoff, -12);
    }
    plan.listCutoff = cutoff + 0.1;
    plan.innerListCutoff = cutoff + 0.05;
    plan.forceBits = 16;
    return plan;
}

} // namespace alder::test
