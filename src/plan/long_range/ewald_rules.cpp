#include "plan/long_range/ewald_rules.hpp"

#include "physics/dispersion_ewald.hpp"
#include "physics/ewald.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <iterator>

namespace alder::plan {
namespace {

// Sizes that GROMACS picks from. Up to 44 this list, above it base sizes times a power of two that are multiples of four, save 140.
// 45 times a power of two never comes out of its search (seen with 2022.5: 89 points become 96, 179 become 192).
constexpr int smallSizes[] = {6, 8, 10, 12, 14, 16, 20, 24, 25, 28, 32, 36, 40, 42, 44};
constexpr int baseSizes[] = {48, 50, 52, 54, 56, 60, 64, 70, 72, 75, 80, 81, 84};

int goodGridSize(int least)
{
    if (least <= *std::rbegin(smallSizes)) return *std::lower_bound(std::begin(smallSizes), std::end(smallSizes), least);
    int power = 1;
    while (power * *std::rbegin(baseSizes) < least) power *= 2;
    int best = power * *std::rbegin(baseSizes);
    for (int const base : baseSizes) {
        int const size = power * base;
        if (size >= least && size < best && size % 4 == 0 && size != 140) best = size;
    }
    return best;
}

SourceSums chargeSums(system::Topology const& topology)
{
    SourceSums sums;
    for (system::MoleculeBlock const& block : topology.blocks) {
        auto const count = static_cast<double>(block.count);
        for (system::Atom const& atom : topology.types[static_cast<std::size_t>(block.type)].atoms) {
            sums.net += count * atom.charge;
            sums.squares += count * atom.charge * atom.charge;
            sums.absolute += count * std::abs(atom.charge);
            if (count > 0) sums.largest = std::max(sums.largest, std::abs(atom.charge));
        }
    }
    // Charges written with few digits leave a rounding rest that is no net charge.
    if (std::abs(sums.net) < 1e-9 * (1 + sums.absolute)) sums.net = 0;
    return sums;
}

/// The beta where `left`, which falls with it, is rtol; by as many halvings as GROMACS takes.
template <class Left> double bisectBeta(double rtol, Left&& left)
{
    double high = 10;
    int halvings = 61;
    for (; left(high) > rtol; ++halvings) high *= 2;
    double low = 0, beta = high;
    for (int i = 0; i < halvings; ++i) {
        beta = (low + high) / 2;
        (left(beta) > rtol ? low : high) = beta;
    }
    return beta;
}

} // namespace

double ewaldBeta(double rcoulomb, double rtol)
{
    return bisectBeta(rtol, [&](double beta) { return std::erfc(beta * rcoulomb); });
}

double ewaldBetaLj(double rvdw, double rtol)
{
    return bisectBeta(rtol, [&](double beta) { return physics::dispersionScreening(beta * rvdw); });
}

/// Bits after the point of the charge grid's int32. Splines sum to one, so a point holds the mean absolute charge per point times a
/// factor that density fluctuations and the spline's peak set: 5 to 6 in water (0.52 e seen where the mean is 0.097 e). Room is kept for
/// 32 times the mean and for four ions of the largest charge on top of each other, whose peaks are 0.42 q at most.
int chargeGridBits(SourceSums const& sources, std::array<int, 3> grid)
{
    double const mean = sources.absolute / (static_cast<double>(grid[0]) * grid[1] * grid[2]);
    double const room = std::max(32 * mean, 2 * sources.largest);
    int bits = 28;
    while (bits > 0 && std::ldexp(1.0, 31 - bits) < room) --bits;
    return bits;
}

std::array<int, 3> pmeGrid(physics::Box const& box, double spacing, int order, std::array<int, 3> given)
{
    std::array<double, 3> const length{math::norm(box.a()), math::norm(box.b()), math::norm(box.c())};
    std::array<int, 3> grid = given;
    for (std::size_t d = 0; d < 3; ++d)
        if (grid[d] <= 0) grid[d] = goodGridSize(std::max(static_cast<int>(length[d] / spacing + 0.999), 2 * (order - 1)));
    return grid;
}

PmePlan makeGrid(RunOptions const& options, physics::Box const& box)
{
    PmePlan plan;
    base::FaultList faults;
    if (options.pmeOrder < leastPmeOrder || options.pmeOrder > largestPmeOrder)
        faults.refuse(options.placeOf("pme-order"), fmt::format("pme-order = {} is outside what alder interpolates with", options.pmeOrder),
                      "write an order from 3 to 8; 4 is usual");
    bool const allGiven = std::all_of(options.fourierGrid.begin(), options.fourierGrid.end(), [](int n) { return n > 0; });
    if (!allGiven && !(options.fourierSpacing > 0))
        faults.refuse(options.placeOf("fourierspacing"), "PME needs a grid spacing above 0", "write fourierspacing in nm, such as 0.12");
    faults.throwIfAny();

    plan.active = true;
    plan.order = options.pmeOrder;
    plan.grid = pmeGrid(box, options.fourierSpacing, options.pmeOrder, options.fourierGrid);
    // A point takes some 16 bytes in charges, waves, potential and influence function.
    double const points = static_cast<double>(plan.grid[0]) * plan.grid[1] * plan.grid[2];
    if (points > 2147483647.0)
        faults.refuse(options.placeOf("fourierspacing"),
                      fmt::format("the PME grid would have {} x {} x {} points and take {:.0f} GiB", plan.grid[0], plan.grid[1],
                                  plan.grid[2], points * 16 / 1073741824.0),
                      "write a larger fourierspacing, or make the box smaller");
    char const* const names[] = {"fourier-nx", "fourier-ny", "fourier-nz"};
    for (std::size_t d = 0; d < 3; ++d)
        if (plan.grid[d] < 2 * (plan.order - 1))
            faults.refuse(options.placeOf(names[d]),
                          fmt::format("{} = {} is less than 2 (pme-order - 1) = {}", names[d], plan.grid[d], 2 * (plan.order - 1)),
                          "write a larger grid or a lower pme-order");
    faults.throwIfAny();
    return plan;
}

PmePlan makePmePlan(RunOptions const& options, system::Topology const& topology, physics::Box const& box)
{
    if (options.coulombType != CoulombType::pme) return {};
    PmePlan plan;
    base::FaultList faults;
    try {
        plan = makeGrid(options, box);
    } catch (base::InputRefused const& refused) {
        for (base::Fault const& fault : refused.faults()) faults.refuse(fault.place, fault.what, fault.instead);
    }
    if (!(options.ewaldRtol > 0 && options.ewaldRtol < 1))
        faults.refuse(options.placeOf("ewald-rtol"), fmt::format("ewald-rtol = {} cannot be met", options.ewaldRtol),
                      "write a number between 0 and 1, such as 1e-5");
    if (!(options.rcoulomb > 0))
        faults.refuse(options.placeOf("rcoulomb"), "PME needs a cutoff above 0", "write rcoulomb in nm, such as 1.0");
    faults.throwIfAny();

    SourceSums const charges = chargeSums(topology);
    plan.chargeBits = chargeGridBits(charges, plan.grid);
    if (plan.chargeBits < 22)
        faults.refuse(
            options.placeOf("fourierspacing"),
            fmt::format("a grid of {} x {} x {} is too coarse for this system's charges", plan.grid[0], plan.grid[1], plan.grid[2]),
            "write a smaller fourierspacing, such as 0.12");
    faults.throwIfAny();
    plan.beta = ewaldBeta(options.rcoulomb, options.ewaldRtol);
    plan.electricFactor = physics::coulombConstant / options.epsilonR;
    plan.uniformEnergyFactor = physics::netChargeEnergyTimesVolume(charges.net, plan.beta, plan.electricFactor);
    plan.selfEnergy = physics::ewaldSelfEnergy(charges.squares, plan.beta, plan.electricFactor);
    return plan;
}

} // namespace alder::plan
