#include "pme/pme_forces.hpp"

#include "base/error.hpp"
#include "domain/column_grid.hpp"
#include "math/fixed_sum.hpp"
#include "physics/bspline.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <span>

namespace alder::cuda {

namespace {

double chargeUnitOf(plan::PmePlan const& plan) { return std::ldexp(1.0, -plan.chargeBits); }

/// How far (nm) atoms may move between two changes of hands: a list's buffer is a tenth of it.
constexpr double roomToMove = 0.5;

/// The same two floats by another name.
View<pme::Complex<float>> numbersOf(DeviceBuffer<float2>& waves)
{
    static_assert(sizeof(pme::Complex<float>) == sizeof(float2) && alignof(pme::Complex<float>) <= alignof(float2));
    return {reinterpret_cast<pme::Complex<float>*>(waves.data()), waves.size()};
}

/// Indices of the grids are 32-bit.
bool tooLarge(plan::PmePlan const& plan) { return std::int64_t{plan.grid[0]} * plan.grid[1] * (plan.grid[2] + 2) > std::int64_t{1} << 30; }

} // namespace

std::vector<std::string> PmeForces::cannotDo(plan::PmePlan const& plan)
{
    std::vector<std::string> names;
    if (plan.order < 3 || plan.order > 8) names.push_back(fmt::format("PME splines of order {}", plan.order));
    if (tooLarge(plan)) names.push_back(fmt::format("a PME grid of {} x {} x {}", plan.grid[0], plan.grid[1], plan.grid[2]));
    return names;
}

PmeForces::PmeForces(system::Topology const& topology, plan::PmePlan const& plan, Stream& stream, TransformKind transform,
                     domain::PmeTeam const* team)
    : plan_(plan),
      stream_(stream),
      grid_{plan.grid[0], plan.grid[1], plan.grid[2]},
      influence_(plan),
      share_{grid_, 0, grid_.ny},
      team_(team)
{
    if (team != nullptr && transform == TransformKind::library)
        throw base::RunFailed("cuFFT transforms the grids of one rank alone, and its rounding is not that of several: unset ALDER_GPU_FFT");
    forEachAtom(topology, [&](system::Atom const& atom, std::int64_t) {
        active_ = active_ || sourceOf(atom) != 0;
        netCharge_ += sourceOf(atom);
    });
    if (!active_) return;
    int points = grid_.points(), planeWaves = grid_.waves();
    if (team != nullptr) {
        ranks_ = std::make_unique<GridRanks>(*team, grid_, stream, chosenCarriage());
        lines_ = std::make_unique<LineTransforms>(std::array{grid_.nx, grid_.ny, grid_.nz}, stream);
        share_ = ranks_->waves();
        points = ranks_->points();
        planeWaves = ranks_->planeWaves();
        lineWaves_.resize(static_cast<std::size_t>(share_.waves()));
    } else {
        takeSources(topology);
        transform_ = makeTransform(transform, grid_, stream);
    }
    charges_.resize(static_cast<std::size_t>(points));
    charges_.clear(stream);
    points_.resize(static_cast<std::size_t>(points));
    waves_.resize(static_cast<std::size_t>(planeWaves));
    makeTables(stream);
}

void PmeForces::makeTables(Stream& stream)
{
    influenceTable_.resize(static_cast<std::size_t>(share_.waves()));
    trouble_.resize(1);
    trouble_.clear(stream);
    chargeSums_.resize(chargeSlots);
    chargeSums_.clear(stream);
    moduliX_.upload(influence_.moduli(0), stream);
    moduliY_.upload(influence_.moduli(1), stream);
    moduliZ_.upload(influence_.moduli(2), stream);
}

double PmeForces::sourceOf(system::Atom const& atom) const
{
    return plan_.sum == plan::GridSum::coulomb ? atom.charge : plan_.sourceOfType[static_cast<std::size_t>(atom.type)];
}

/// Gives the home atoms that have a charge, too.
std::vector<std::int32_t> PmeForces::takeSources(system::Topology const& topology)
{
    double const unitsPerCharge = std::pow(physics::bsplineScale(plan_.order), 3) / chargeUnitOf(plan_);
    std::vector<GridSource> sources;
    std::vector<std::int32_t> atoms;
    forEachAtom(topology, [&](system::Atom const& atom, std::int64_t index) {
        double const source = sourceOf(atom);
        if (source == 0 || index >= topology.homeCount()) return;
        atoms.push_back(static_cast<std::int32_t>(index));
        sources.push_back({atoms.back(), static_cast<float>(source * unitsPerCharge)});
    });
    order_.emplace(grid_, sources, stream_);
    return atoms;
}

void PmeForces::takeAtoms(system::Topology const& part, Placed const& at)
{
    if (active_) ranks_->take(planesNear(takeSources(part), at));
}

/// Planes that the splines of these atoms can touch before they change hands again.
std::vector<char> PmeForces::planesNear(std::vector<std::int32_t> const& atoms, Placed const& at) const
{
    double const spacing = domain::faceDistances(at.box).x / grid_.nx;
    int const margin = static_cast<int>(std::min<double>(grid_.nx, std::ceil(roomToMove / spacing)));
    std::vector<char> cells(static_cast<std::size_t>(grid_.nx), 0), planes(cells.size(), 0);
    for (std::int32_t const atom : atoms) {
        auto const fraction = static_cast<std::uint32_t>(at.positions[static_cast<std::size_t>(atom)].x);
        cells[static_cast<std::size_t>(std::uint64_t{fraction} * static_cast<std::uint64_t>(grid_.nx) >> 32)] = 1;
    }
    for (int cell = 0; cell < grid_.nx; ++cell)
        for (int by = -margin; cells[static_cast<std::size_t>(cell)] != 0 && by < margin + plan_.order; ++by)
            planes[static_cast<std::size_t>((cell + by + 2 * grid_.nx) % grid_.nx)] = 1;
    return planes;
}

void PmeForces::adaptTo(physics::Box const& box)
{
    if (!active_) return;
    if (box.a() == box_.a() && box.b() == box_.b() && box.c() == box_.c()) return;
    box_ = box;
    influence_.setBox(box);
    fillInfluence(share_, influence_.law(), {moduliX_.constView(), moduliY_.constView(), moduliZ_.constView(), influenceTable_.view()},
                  stream_);
    physics::ReciprocalCell const& cell = influence_.reciprocal();
    // The raised spline's slope lacks one factor order - 1.
    double const unit = -chargeUnitOf(plan_) * (plan_.order - 1);
    slopes_.set({unit * grid_.nx * cell.aStar, unit * grid_.ny * cell.bStar, unit * grid_.nz * cell.cStar}, stream_);
}

void PmeForces::sort(View<math::FractionVec const> positions)
{
    if (active_) order_->sort(positions, stream_);
}

WaveSums PmeForces::sumsOf(physics::Box const& box, ForceTarget const& target) const
{
    bool const coulomb = plan_.sum == plan::GridSum::coulomb;
    double const background = plan_.uniformEnergyFactor / box.volume();
    math::FixedSum uniform, self, virial;
    uniform.addWhole(background);
    self.addWhole(plan_.selfEnergy);
    virial.add(-0.5 * background);
    return {target,
            static_cast<std::int32_t>(coulomb ? system::Term::coulombRecip : system::Term::ljRecip),
            static_cast<std::int32_t>(coulomb ? system::Term::coulombSR : system::Term::ljSR),
            uniform.units,
            self.units,
            virial.units};
}

SourceViews PmeForces::sources(View<math::FractionVec const> positions)
{
    PlaneWindow const window = ranks_ ? ranks_->window() : PlaneWindow{0, grid_.nx};
    return {order_->sources(), positions, grid_, window, order_->count(), trouble_.view()};
}

void PmeForces::start(View<math::FractionVec const> positions)
{
    if (active_) spreadCharges(plan_.order, sources(positions), ranks_->windowCharges(), stream_);
}

void PmeForces::add(View<math::FractionVec const> positions, physics::Box const& box, ForceTarget const& target)
{
    if (!active_) return;
    adaptTo(box);
    if (ranks_) {
        solveTogether(box, target);
    } else {
        spreadCharges(plan_.order, sources(positions), charges_.view(), stream_);
        solveAlone(box, target);
    }
    View<float const> const potential = ranks_ ? ranks_->windowPotential() : points_.constView();
    gatherForces(plan_.order, sources(positions), potential, slopes_.view(), target.forces, stream_);
}

void PmeForces::solveAlone(physics::Box const& box, ForceTarget const& target)
{
    PileUpViews const pileUp{chargeSums_.view(), trouble_.view(), netCharge_ / chargeUnitOf(plan_)};
    takeCharges(grid_.points(), charges_.view(), points_.view(), static_cast<float>(chargeUnitOf(plan_)), pileUp, stream_);
    transform_->forward(points_.view(), waves_.view());
    solve(share_, waves_.view(), influenceTable_.constView(), influence_.law(), sumsOf(box, target), pileUp, stream_);
    transform_->backward(waves_.view(), points_.view());
}

/// As one rank does, line by line; what differs is who does it.
void PmeForces::solveTogether(physics::Box const& box, ForceTarget const& target)
{
    int const planes = ranks_->planes().count(), lines = share_.count * grid_.halfZ();
    ranks_->sendCharges(charges_.view());
    PileUpViews const pileUp{chargeSums_.view(), trouble_.view(), netCharge_ / chargeUnitOf(plan_)};
    takeCharges(ranks_->points(), charges_.view(), points_.view(), static_cast<float>(chargeUnitOf(plan_)), pileUp, stream_);
    chargeSums_.downloadLater(fetchedSums_, stream_);
    chargeSums_.clear(stream_);
    if (planes > 0) lines_->forwardPlanes(planes, points_.constView(), numbersOf(waves_));
    ranks_->turnToLines(waves_.view(), lineWaves_.view()); // waits for the sums too
    std::int64_t sum = 0;
    domain::Pending summing;
    if (planes > 0) sum = std::accumulate(fetchedSums_.span().begin(), fetchedSums_.span().end(), std::int64_t{0});
    if (team_->solves()) team_->solvers().startSum(std::span(&sum, 1), summing);
    if (lines > 0) lines_->forwardLines(lines, numbersOf(lineWaves_));
    PileUpViews const noSums{{}, trouble_.view(), 0};
    solve(share_, lineWaves_.view(), influenceTable_.constView(), influence_.law(), sumsOf(box, target), noSums, stream_);
    if (lines > 0) lines_->backwardLines(lines, numbersOf(lineWaves_));
    ranks_->turnToPlanes(lineWaves_.view(), waves_.view());
    if (planes > 0) lines_->backwardPlanes(planes, numbersOf(waves_), points_.view());
    ranks_->sendPotential(points_.constView());
    if (!team_->solves()) return;
    team_->solvers().wait(summing);
    if (!(std::abs(static_cast<double>(sum) - pileUp.netUnits) < 2147483648.0)) judge(chargesPiledUp);
}

void PmeForces::check()
{
    if (active_) judge(trouble_.download(stream_).front());
}

void PmeForces::judge(std::int32_t trouble) const
{
    if ((trouble & atomLeftWindow) != 0)
        throw base::RunFailed(
            fmt::format("an atom has moved {:.1f} nm since the pair list was built, farther than its rank has planes of the "
                        "PME grid for: the run is unstable, or nstlist too long",
                        roomToMove));
    if ((trouble & chargesPiledUp) == 0) return;
    double const range = std::ldexp(chargeUnitOf(plan_), 31);
    throw base::RunFailed(
        plan_.sum == plan::GridSum::coulomb
            ? fmt::format("charges pile up on one point of the PME grid, beyond {:g} e: many charged atoms are in one place", range / 2)
            : std::string("dispersion piles up on one point of the LJ-PME grid: many atoms are in one place"));
}

} // namespace alder::cuda
