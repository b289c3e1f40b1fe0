#include "pme/pme_forces.hpp"

#include "base/error.hpp"
#include "math/fixed_sum.hpp"
#include "physics/bspline.hpp"

#include <fmt/format.h>

#include <cmath>

namespace alder::cuda {

namespace {

double chargeUnitOf(plan::PmePlan const& plan) { return std::ldexp(1.0, -plan.chargeBits); }

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

PmeForces::PmeForces(system::Topology const& topology, plan::PmePlan const& plan, Stream& stream, TransformKind transform)
    : plan_(plan),
      stream_(stream),
      grid_{plan.grid[0], plan.grid[1], plan.grid[2]},
      influence_(plan)
{
    double const unitsPerCharge = std::pow(physics::bsplineScale(plan.order), 3) / chargeUnitOf(plan);
    std::vector<GridSource> sources;
    forEachAtom(topology, [&](system::Atom const& atom, std::int64_t index) {
        double const source = plan.sum == plan::GridSum::coulomb ? atom.charge : plan.sourceOfType[static_cast<std::size_t>(atom.type)];
        if (source == 0) return;
        sources.push_back({static_cast<std::int32_t>(index), static_cast<float>(source * unitsPerCharge)});
        netCharge_ += source;
    });
    if (sources.empty()) return;
    order_.emplace(grid_, sources, stream);
    charges_.resize(static_cast<std::size_t>(grid_.points()));
    charges_.clear(stream);
    points_.resize(static_cast<std::size_t>(grid_.points()));
    waves_.resize(static_cast<std::size_t>(grid_.waves()));
    influenceTable_.resize(static_cast<std::size_t>(grid_.waves()));
    piled_.resize(1);
    piled_.clear(stream);
    chargeSums_.resize(chargeSlots);
    chargeSums_.clear(stream);
    moduliX_.upload(influence_.moduli(0), stream);
    moduliY_.upload(influence_.moduli(1), stream);
    moduliZ_.upload(influence_.moduli(2), stream);
    transform_ = makeTransform(transform, grid_, stream);
}

void PmeForces::adaptTo(physics::Box const& box)
{
    if (!order_) return;
    if (box.a() == box_.a() && box.b() == box_.b() && box.c() == box_.c()) return;
    box_ = box;
    influence_.setBox(box);
    fillInfluence(grid_, influence_.law(), {moduliX_.constView(), moduliY_.constView(), moduliZ_.constView(), influenceTable_.view()},
                  stream_);
    physics::ReciprocalCell const& cell = influence_.reciprocal();
    // The raised spline's slope lacks one factor order - 1.
    double const unit = -chargeUnitOf(plan_) * (plan_.order - 1);
    slopes_.set({unit * grid_.nx * cell.aStar, unit * grid_.ny * cell.bStar, unit * grid_.nz * cell.cStar}, stream_);
}

void PmeForces::sort(View<math::FractionVec const> positions)
{
    if (order_) order_->sort(positions, stream_);
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

void PmeForces::add(View<math::FractionVec const> positions, physics::Box const& box, ForceTarget const& target)
{
    if (!order_) return;
    adaptTo(box);
    SourceViews const sources{order_->sources(), positions, grid_, order_->count()};
    PileUpViews const pileUp{chargeSums_.view(), piled_.view(), netCharge_ / chargeUnitOf(plan_)};
    spreadCharges(plan_.order, sources, charges_.view(), stream_);
    takeCharges(grid_, charges_.view(), points_.view(), static_cast<float>(chargeUnitOf(plan_)), pileUp, stream_);
    transform_->forward(points_.view(), waves_.view());
    solve(grid_, waves_.view(), influenceTable_.constView(), influence_.law(), sumsOf(box, target), pileUp, stream_);
    transform_->backward(waves_.view(), points_.view());
    gatherForces(plan_.order, sources, points_.constView(), slopes_.view(), target.forces, stream_);
}

void PmeForces::check()
{
    if (order_) judge(piled_.download(stream_).front());
}

void PmeForces::judge(std::int32_t piled) const
{
    if (piled == 0) return;
    double const range = std::ldexp(chargeUnitOf(plan_), 31);
    throw base::RunFailed(
        plan_.sum == plan::GridSum::coulomb
            ? fmt::format("charges pile up on one point of the PME grid, beyond {:g} e: many charged atoms are in one place", range / 2)
            : std::string("dispersion piles up on one point of the LJ-PME grid: many atoms are in one place"));
}

} // namespace alder::cuda
