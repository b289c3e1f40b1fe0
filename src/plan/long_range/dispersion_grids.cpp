#include "plan/long_range/dispersion_grids.hpp"

#include "math/symmetric_eigen.hpp"
#include "physics/dispersion_ewald.hpp"
#include "plan/long_range/ewald_rules.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace alder::plan {
namespace {

/// How many atoms of each type there are.
std::vector<double> countTypes(system::Topology const& topology)
{
    std::vector<double> count(static_cast<std::size_t>(topology.nonbonded.typeCount), 0.0);
    for (system::MoleculeBlock const& block : topology.blocks)
        for (system::Atom const& atom : topology.types[static_cast<std::size_t>(block.type)].atoms)
            count[static_cast<std::size_t>(atom.type)] += static_cast<double>(block.count);
    return count;
}

/// One grid's share of C6: sign c_a c_b.
struct Share {
    double sign = 1;
    std::vector<double> sourceOfType;
};

std::vector<Share> geometricShare(system::Nonbonded const& nonbonded, std::vector<double> const& count)
{
    auto const n = count.size();
    Share share;
    for (std::size_t a = 0; a < n; ++a) share.sourceOfType.push_back(std::sqrt(nonbonded.c6[a * n + a]));
    return {share};
}

std::vector<Share> eigenShares(system::Nonbonded const& nonbonded, std::vector<double> const& count)
{
    constexpr double negligible = 1e-8;
    auto const n = count.size();
    std::vector<std::size_t> attracted; // types that occur and have C6, those with equal parameters once
    std::vector<std::size_t> rowOf(n, n);
    for (std::size_t a = 0; a < n; ++a) {
        if (count[a] == 0 || !(nonbonded.c6[a * n + a] > 0)) continue;
        auto const same = std::find_if(attracted.begin(), attracted.end(), [&](std::size_t b) {
            return nonbonded.c6[a * n + a] == nonbonded.c6[b * n + b] && nonbonded.c12[a * n + a] == nonbonded.c12[b * n + b];
        });
        rowOf[a] = static_cast<std::size_t>(same - attracted.begin());
        if (same == attracted.end()) attracted.push_back(a);
    }
    // In units of each type's own C6 the diagonal is 1 and no element is far from it.
    std::size_t const rows = attracted.size();
    std::vector<double> matrix(rows * rows), scale(rows);
    for (std::size_t i = 0; i < rows; ++i) scale[i] = std::sqrt(nonbonded.c6[attracted[i] * n + attracted[i]]);
    for (std::size_t i = 0; i < rows; ++i)
        for (std::size_t j = 0; j < rows; ++j)
            matrix[i * rows + j] = gridC6(nonbonded, GridCombination::lorentzBerthelot, attracted[i], attracted[j]) / (scale[i] * scale[j]);
    math::SymmetricEigen const eigen = math::symmetricEigen(matrix, rows);
    std::vector<Share> shares;
    for (std::size_t p = 0; p < rows; ++p) {
        double const weight = std::sqrt(std::fabs(eigen.values[p]));
        if (weight * weight < negligible) continue;
        Share share;
        share.sign = std::copysign(1.0, eigen.values[p]);
        for (std::size_t a = 0; a < n; ++a)
            share.sourceOfType.push_back(rowOf[a] < rows ? weight * eigen.vectors[rowOf[a] * rows + p] * scale[rowOf[a]] : 0.0);
        shares.push_back(share);
    }
    return shares;
}

/// The bits that count sources of order 1, and as many more as these are smaller.
int gridBits(SourceSums sums, PmePlan const& plan, RunOptions const& options)
{
    int const exponent = sums.largest > 0 ? static_cast<int>(std::ceil(std::log2(sums.largest))) : 0;
    sums.absolute = std::ldexp(sums.absolute, -exponent);
    sums.largest = std::ldexp(sums.largest, -exponent);
    int const bits = chargeGridBits(sums, plan.grid);
    if (bits < 22) {
        base::FaultList faults;
        faults.refuse(
            options.placeOf("fourierspacing"),
            fmt::format("a grid of {} x {} x {} is too coarse for this system's dispersion", plan.grid[0], plan.grid[1], plan.grid[2]),
            "write a smaller fourierspacing, such as 0.12");
        faults.throwIfAny();
    }
    return bits - exponent;
}

void refuseC6(RunOptions const& options, system::Nonbonded const& nonbonded, std::vector<double> const& count)
{
    base::FaultList faults;
    auto const n = count.size();
    for (std::size_t a = 0; a < n; ++a) {
        double const c6 = nonbonded.c6[a * n + a], c12 = nonbonded.c12[a * n + a];
        if (count[a] == 0 || c6 == 0) continue;
        if (c6 < 0 || (options.ljPmeLorentzBerthelot && !(c12 > 0)))
            faults.refuse(
                options.placeOf("vdwtype"),
                fmt::format("atom type {} has C6 = {} and C12 = {}, which LJ-PME cannot combine", nonbonded.typeNames[a], c6, c12),
                "write vdwtype = Cut-off");
    }
    faults.throwIfAny();
}

} // namespace

double gridC6(system::Nonbonded const& nonbonded, GridCombination combination, std::size_t a, std::size_t b)
{
    auto const n = static_cast<std::size_t>(nonbonded.typeCount);
    double const c6a = nonbonded.c6[a * n + a], c6b = nonbonded.c6[b * n + b];
    if (combination == GridCombination::geometric) return physics::geometricC6(c6a, c6b);
    return physics::lorentzBerthelotC6(c6a, nonbonded.c12[a * n + a], c6b, nonbonded.c12[b * n + b]);
}

std::vector<PmePlan> makeDispersionGrids(RunOptions const& options, system::Topology const& topology, physics::Box const& box)
{
    if (options.vdwType != VdwType::pme) return {};
    std::vector<double> const count = countTypes(topology);
    refuseC6(options, topology.nonbonded, count);
    PmePlan common = makeGrid(options, box);
    common.sum = GridSum::dispersion;
    common.beta = ewaldBetaLj(options.rvdw, options.ewaldRtolLj);

    auto const n = count.size();
    double ownC6 = 0;
    for (std::size_t a = 0; a < n; ++a) ownC6 += count[a] * topology.nonbonded.c6[a * n + a];
    std::vector<PmePlan> plans;
    for (Share const& share :
         options.ljPmeLorentzBerthelot ? eigenShares(topology.nonbonded, count) : geometricShare(topology.nonbonded, count)) {
        SourceSums sums;
        for (std::size_t a = 0; a < n; ++a) {
            double const source = share.sourceOfType[a];
            sums.net += count[a] * source;
            sums.absolute += count[a] * std::fabs(source);
            if (count[a] > 0) sums.largest = std::max(sums.largest, std::fabs(source));
        }
        if (sums.largest == 0) continue;
        PmePlan plan = common;
        plan.electricFactor = share.sign;
        plan.sourceOfType = share.sourceOfType;
        plan.chargeBits = gridBits(sums, plan, options);
        plan.uniformEnergyFactor = share.sign * physics::uniformDispersionTimesVolume(sums.net, plan.beta);
        // All atoms' own parts at once, with the first grid.
        plan.selfEnergy = plans.empty() ? physics::dispersionSelfEnergy(ownC6, plan.beta) : 0;
        plans.push_back(plan);
    }
    return plans;
}

} // namespace alder::plan
