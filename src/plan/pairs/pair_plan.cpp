#include "plan/pairs/pair_plan.hpp"

#include "physics/constants.hpp"
#include "physics/dispersion_ewald.hpp"
#include "plan/long_range/ewald_rules.hpp"

#include <algorithm>
#include <cmath>

namespace alder::plan {
namespace {

double largestCharge(system::Topology const& topology)
{
    double largest = 0;
    for (system::MoleculeBlock const& block : topology.blocks)
        for (system::Atom const& atom : topology.types[static_cast<std::size_t>(block.type)].atoms)
            largest = std::max(largest, std::fabs(atom.charge));
    return largest;
}

/// Calls visit(c6, c12) for the pairs of atom types that occur.
template <class Visit> void forEachTypePair(system::Topology const& topology, Visit&& visit)
{
    system::Nonbonded const& all = topology.nonbonded;
    auto const count = static_cast<std::size_t>(all.typeCount);
    std::vector<char> used(count, 0);
    for (system::MoleculeBlock const& block : topology.blocks)
        for (system::Atom const& atom : topology.types[static_cast<std::size_t>(block.type)].atoms)
            used[static_cast<std::size_t>(atom.type)] = 1;
    for (std::size_t a = 0; a < count; ++a)
        for (std::size_t b = 0; b < count; ++b)
            if (used[a] && used[b]) visit(all.c6[a * count + b], all.c12[a * count + b]);
}

/// Reaction field (GROMACS manual, "Coulomb interaction with reaction field"): V = qq (1/r + krf r^2 - crf), zero at the cutoff;
///   krf = (epsilon_rf - epsilon_r) / (2 epsilon_rf + epsilon_r) / rc^3,  crf = 1/rc + krf rc^2;  epsilon_rf = 0 stands for infinity.
void setReactionField(RunOptions const& options, PairPlan& plan)
{
    double const rc = options.rcoulomb, inner = options.epsilonR, outer = options.epsilonRf;
    plan.krf = (outer == 0 ? 0.5 : (outer - inner) / (2 * outer + inner)) / (rc * rc * rc);
    plan.crf = 1 / rc + plan.krf * rc * rc;
}

void setCoulomb(RunOptions const& options, system::Topology const& topology, PairPlan& plan)
{
    plan.rcoulomb = options.rcoulomb;
    plan.electricFactor = options.epsilonR == 0 ? 0 : physics::coulombConstant / options.epsilonR; // epsilon-r = 0 stands for infinity
    if (largestCharge(topology) == 0 || plan.electricFactor == 0) return;
    bool const shifted = options.coulombModifier == Modifier::potentialShift;
    if (options.coulombType == CoulombType::pme) {
        plan.coulomb = CoulombForm::ewald;
        plan.beta = ewaldBeta(options.rcoulomb, options.ewaldRtol);
        plan.ewaldShift = shifted ? std::erfc(plan.beta * options.rcoulomb) / options.rcoulomb : 0;
        return;
    }
    plan.coulomb = CoulombForm::reactionField;
    if (options.coulombType == CoulombType::reactionField)
        setReactionField(options, plan);
    else
        plan.crf = shifted ? 1 / options.rcoulomb : 0;
}

/// With Potential-shift what the grid's part leaves at the cutoff goes too: the sum of both shifts leaves G(beta rc) of -C6/rc^6.
void setLjEwald(RunOptions const& options, PairPlan& plan)
{
    plan.vdw = VdwForm::ewald;
    plan.ljBeta = ewaldBetaLj(options.rvdw, options.ewaldRtolLj);
    plan.gridCombination = options.ljPmeLorentzBerthelot ? GridCombination::lorentzBerthelot : GridCombination::geometric;
    if (options.vdwModifier == Modifier::potentialShift)
        plan.gridShift = -physics::dispersionOnGrid(options.rvdw * options.rvdw, plan.ljBeta);
}

void setLj(RunOptions const& options, system::Topology const& topology, PairPlan& plan)
{
    plan.rvdw = options.rvdw;
    plan.rvdwSwitch = options.rvdwSwitch;
    bool any = false;
    forEachTypePair(topology, [&](double c6, double c12) { any = any || c6 != 0 || c12 != 0; });
    plan.vdw = VdwForm::none;
    if (!any) return;
    plan.vdw = VdwForm::cut;
    // vdwtype Switch and Shift are the older words for these two modifiers.
    if (options.vdwType == VdwType::switched || options.vdwModifier == Modifier::potentialSwitch) plan.vdw = VdwForm::potentialSwitch;
    if (options.vdwType == VdwType::shift || options.vdwModifier == Modifier::forceSwitch) plan.vdw = VdwForm::forceSwitch;
    if (options.vdwType == VdwType::pme) setLjEwald(options, plan);
    bool const plain = plan.vdw == VdwForm::cut || plan.vdw == VdwForm::ewald;
    if (plain && options.vdwModifier == Modifier::potentialShift) {
        plan.dispersionShift = -std::pow(options.rvdw, -6);
        plan.repulsionShift = -std::pow(options.rvdw, -12);
    }
}

} // namespace

int finestLatticeBits(physics::Box const& box)
{
    double const longest = std::max({box.a().x, box.b().y, box.c().z});
    int bits = 24;
    while (bits > 0 && longest > std::ldexp(30.0, 24 - bits)) --bits;
    return bits;
}

int latticeBitsFor(double listCutoff, physics::Box const& box)
{
    double const longest = std::max({box.a().x, box.b().y, box.c().z});
    int bits = 22;
    while (bits > 0 && (2 * listCutoff >= std::ldexp(1.0, 24 - bits) || longest > std::ldexp(120.0, 22 - bits))) --bits;
    return bits;
}

int forceBitsFor(PairPlan const& plan, system::Topology const& topology)
{
    double const charge = plan.coulomb == CoulombForm::none ? 0 : largestCharge(topology);
    double scale = plan.electricFactor * charge * charge / (0.3 * 0.3);
    forEachTypePair(topology, [&](double c6, double c12) {
        if (!(c12 > 0)) return;
        // V = 4 epsilon ((sigma/r)^12 - (sigma/r)^6): sigma^6 = c12/c6, epsilon = c6^2/(4 c12). Without attraction, the distance at which
        // the repulsion is 1 kT (2.5 kJ/mol) serves as sigma.
        double const epsilon = c6 > 0 ? c6 * c6 / (4 * c12) : 2.5;
        double const sigma = c6 > 0 ? std::pow(c12 / c6, 1.0 / 6) : std::pow(c12 / 2.5, 1.0 / 12);
        scale = std::max(scale, 24 * epsilon / sigma);
    });
    if (!(scale > 0)) return 12;
    return std::clamp(22 - static_cast<int>(std::floor(std::log2(scale))), 6, 24);
}

PairPlan makePairPlan(RunOptions const& options, system::Topology const& topology, physics::Box const& box)
{
    PairPlan plan;
    setCoulomb(options, topology, plan);
    setLj(options, topology, plan);
    double cutoff = 0;
    if (plan.vdw != VdwForm::none) cutoff = plan.rvdw;
    if (plan.coulomb != CoulombForm::none) cutoff = std::max(cutoff, plan.rcoulomb);
    if (cutoff == 0) cutoff = std::max(plan.rvdw, plan.rcoulomb);
    plan.listCutoff = plan.innerListCutoff = cutoff;
    plan.listInterval = plan.pruneInterval = std::max<std::int64_t>(1, options.nstlist);
    plan.latticeBits = latticeBitsFor(cutoff, box);
    plan.forceBits = forceBitsFor(plan, topology);
    // A minimizer starts where atoms overlap, and compares energies that must not depend on which sum was taken.
    plan.wideSums = minimizes(options.integrator);
    return plan;
}

} // namespace alder::plan
