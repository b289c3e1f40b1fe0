#include "cpu/pme/pme_forces.hpp"

#include "base/error.hpp"
#include "physics/bspline.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>
#include <limits>
#include <omp.h>
#include <span>

namespace alder::cpu {
namespace {

PmeKernels const& kernelsOf(SimdLevel simd)
{
    switch (simd) {
    case SimdLevel::avx512: return pmeKernelsAvx512();
    case SimdLevel::avx2: return pmeKernelsAvx2();
    case SimdLevel::sse41: break;
    }
    return pmeKernelsSse41();
}

int roundedUp(int n, int unit) { return (n + unit - 1) / unit * unit; }

std::size_t size(std::int64_t n) { return static_cast<std::size_t>(n); }

/// Of some planes, and some points of their rows; waves of `rows` lines.
PmeLayout layoutOf(plan::PmePlan const& plan, int lanes, pme::Share planes, pme::Share points, int rows)
{
    PmeLayout l{};
    l.order = plan.order;
    l.nx = plan.grid[0];
    l.ny = plan.grid[1];
    l.nz = plan.grid[2];
    l.firstX = planes.first;
    l.ownX = planes.count();
    l.firstZ = points.first;
    l.ownZ = points.count();
    l.wrapX = l.ownX == l.nx ? l.nx : std::numeric_limits<int>::max();
    l.foldZ = l.ownZ == l.nz ? l.order - 1 : 0;
    l.lanes = lanes;
    // Rows are read and written as one or two quads, four rows at a time: margins of three, from order 5 on of seven.
    l.rowPoints = std::max(roundedUp(l.ownZ - 1 + roundedUp(l.order, 4), 4), 2 * lanes);
    l.planeRows = l.ny - 1 + roundedUp(l.order, 4);
    l.zPairs = (l.ownZ + 2 * lanes - 1) / (2 * lanes);
    l.zBlocks = (l.ownZ + lanes - 1) / lanes;
    l.waveRow = l.ownX == l.nx ? l.zBlocks | 1 : l.zBlocks; // where rows travel, padding would too
    l.waveRows = roundedUp(rows, lanes);
    l.wavePlane = (l.waveRow * l.waveRows) | 1;
    l.halfY = l.ny / 2 + 1;
    l.chargeUnit = std::ldexp(1.0, -plan.chargeBits);
    l.slopeUnit = l.chargeUnit * (l.order - 1);
    return l;
}

std::array<int, 2> pencilsOf(domain::PmeTeam const* team, plan::PmePlan const& plan, int lanes)
{
    if (!team) return {1, 1};
    return team->pencils()[0] > 0 ? team->pencils() : pme::choosePencils(plan.grid, plan.order, lanes, team->count());
}

int placeAmong(pme::GridShares const& shares, domain::PmeTeam const* team)
{
    if (!team) return 0;
    int const place = team->all().rank() - team->first();
    return place >= 0 && place < shares.ranks() ? place : -1;
}

} // namespace

PmeForces::PmeForces(system::Topology const& topology, plan::PmePlan const& plan, SimdLevel simd, int threads, domain::PmeTeam const* team)
    : team_(team && team->all().size() > 1 ? team : nullptr),
      plan_(plan),
      kernels_(kernelsOf(simd)),
      threads_(std::max(threads, 1)),
      shares_(plan.grid, kernels_.lanes, pencilsOf(team_, plan, kernels_.lanes)),
      rank_(placeAmong(shares_, team_)),
      influence_(plan),
      fftX_(plan.grid[0]),
      fftY_(plan.grid[1]),
      fftZ_(plan.grid[2])
{
    int const place = std::max(rank_, 0), i = shares_.alongX(place), j = shares_.alongZ(place);
    layout_ = layoutOf(plan, kernels_.lanes, shares_.planes[size(i)], shares_.points[size(j)], plan.grid[0]);
    lineLayout_ = layoutOf(plan, kernels_.lanes, shares_.planes[size(i)], {0, plan.grid[2]}, shares_.rows[size(j)].count());
    forEachAtom(topology, [&](system::Atom const& atom, std::int64_t) { netCharge_ += sourceOf(atom); });
    if (team_)
        exchange_ = std::make_unique<AtomExchange>(*team_, shares_, plan.grid, threads_);
    else
        takeAtoms(topology, topology.atomCount);
    if (rank_ >= 0) allocate();
}

void PmeForces::allocate()
{
    counts_.resize(size(threads_) * size(layout_.ownX));
    planeStart_.resize(size(layout_.ownX) + 1);
    slabs_ = std::make_unique<ChargeSlabs>(layout_, threads_);
    waves_ = std::make_unique<WaveGrid>(team_, shares_, rank_, layout_, lineLayout_);
    if (shares_.ranks() > 1) margins_ = std::make_unique<MarginExchange>(*team_, shares_, rank_, layout_);
    checks_.resize(size(layout_.ownX));
    potential_.resize(size((layout_.ownX + (shares_.parts[0] > 1 ? layout_.order - 1 : 0)) * layout_.planePoints()));
    influenceTable_.resize(size(waves_->count() * lineLayout_.influencePlane()));
    buffers_.resize(size(threads_));
    threadSums_.resize(size(threads_));
    std::size_t const complexVector = 2 * size(layout_.lanes);
    std::size_t const longest = size(std::max({layout_.nx, layout_.ny, layout_.nz})) * complexVector;
    for (Buffers& b : buffers_) {
        b.plane.resize(size(layout_.ny) * size(layout_.zPairs) * complexVector);
        b.column.resize(size(lineLayout_.zBlocks) * size(layout_.lanes) * complexVector);
        for (auto* line : {&b.line, &b.lineA, &b.lineB, &b.points}) line->resize(longest);
    }
}

double PmeForces::sourceOf(system::Atom const& atom) const
{
    return plan_.sum == plan::GridSum::coulomb ? atom.charge : plan_.sourceOfType[size(atom.type)];
}

void PmeForces::takeAtoms(system::Topology const& local, std::int64_t homeCount)
{
    double const unitsPerCharge = std::pow(physics::bsplineScale(layout_.order), 3) / layout_.chargeUnit;
    charged_.clear();
    charges_.clear();
    forEachAtom(local, [&](system::Atom const& atom, std::int64_t index) {
        double const source = sourceOf(atom);
        if (source == 0 || index >= homeCount) return;
        charged_.push_back(static_cast<std::int32_t>(index));
        charges_.push_back(static_cast<float>(source * unitsPerCharge));
    });
    if (exchange_)
        exchange_->take(charged_, charges_);
    else
        resizeSorted(static_cast<int>(charged_.size()));
}

void PmeForces::start(std::vector<math::FractionVec> const& positions)
{
    if (exchange_) exchange_->start(positions);
}

void PmeForces::resizeSorted(int count)
{
    if (sortedAtom_.size() >= size(count) && sortedX_.size() > 0) return;
    int const room = exchange_ ? count + count / 8 : count;
    std::size_t const padded = size(room) + size(layout_.lanes);
    for (auto* array : {&sortedX_, &sortedY_, &sortedZ_}) array->resize(padded);
    for (auto* array : {&sortedCharge_, &slopeX_, &slopeY_, &slopeZ_}) array->resize(padded);
    sortedAtom_.resize(size(room));
}

void PmeForces::fillInfluence(int wave)
{
    pme::Share const rows = shares_.rows[size(shares_.alongZ(rank_))];
    int const ky = waves_->first() + wave;
    float* to = influenceTable_.data() + wave * lineLayout_.influencePlane();
    for (int row = rows.first; row < rows.first + lineLayout_.waveRows; row += layout_.lanes)
        for (int z = 0; z < layout_.nz; ++z)
            for (int x = row; x < row + layout_.lanes; ++x) *to++ = x < layout_.nx ? static_cast<float>(influence_.at(x, ky, z)) : 0.0F;
}

/// By plane. placeOf(i) is an atom as it comes.
template <class PlaceOf> void PmeForces::sortAtoms(int count, PlaceOf const& placeOf)
{
    atomCount_ = count;
    resizeSorted(count);
    std::size_t const planes = size(layout_.ownX);
#pragma omp parallel for num_threads(threads_) schedule(static, 1)
    for (int t = 0; t < threads_; ++t) {
        int* const counts = counts_.data() + size(t) * planes;
        std::fill(counts, counts + planes, 0);
        auto const [begin, end] = pme::shareOf(count, 1, t, threads_);
        for (int i = begin; i < end; ++i) ++counts[planeOf(placeOf(i).place.x, layout_.nx) - layout_.firstX];
    }
    int start = 0;
    for (std::size_t x = 0; x < planes; ++x) {
        planeStart_[x] = start;
        for (int t = 0; t < threads_; ++t) {
            int& mine = counts_[size(t) * planes + x];
            start += mine;
            mine = start - mine;
        }
    }
    planeStart_[planes] = start;
    slabs_->divide(planeStart_);
#pragma omp parallel for num_threads(threads_) schedule(static, 1)
    for (int t = 0; t < threads_; ++t) {
        int* const next = counts_.data() + size(t) * planes;
        auto const [begin, end] = pme::shareOf(count, 1, t, threads_);
        for (int i = begin; i < end; ++i) {
            auto const [place, charge, atom] = placeOf(i);
            std::size_t const to = size(next[planeOf(place.x, layout_.nx) - layout_.firstX]++);
            sortedX_[to] = place.x;
            sortedY_[to] = place.y;
            sortedZ_[to] = place.z;
            sortedCharge_[to] = charge;
            sortedAtom_[to] = atom;
        }
    }
    // Vectors of atoms are read whole: what is beyond the last one must be within this share, and not count.
    for (std::size_t i = size(count); count > 0 && i < size(count + layout_.lanes); ++i) {
        sortedX_[i] = sortedX_[size(count - 1)];
        sortedY_[i] = sortedY_[size(count - 1)];
        sortedZ_[i] = sortedZ_[size(count - 1)];
        sortedCharge_[i] = 0;
    }
}

void PmeForces::spread(std::vector<math::FractionVec> const& positions)
{
    struct Source {
        math::FractionVec place;
        float charge;
        std::int32_t atom;
    };
    if (exchange_) {
        exchange_->receive();
        GridAtom const* const atoms = exchange_->atoms();
        sortAtoms(exchange_->count(), [&](int i) { return Source{atoms[i].place, atoms[i].charge, i}; });
    } else {
        sortAtoms(static_cast<int>(charged_.size()), [&](int i) {
            return Source{positions[size(charged_[size(i)])], charges_[size(i)], charged_[size(i)]};
        });
    }
    ChargeRun const atoms{sortedX_.data(), sortedY_.data(), sortedZ_.data(), sortedCharge_.data(), 0, 0};
#pragma omp parallel for num_threads(threads_) schedule(static, 1)
    for (int t = 0; t < threads_; ++t) slabs_->spread(kernels_, atoms, planeStart_, t);
}

void PmeForces::forwardY(int first, int end)
{
#pragma omp parallel for num_threads(threads_) schedule(dynamic, 1)
    for (int x = first; x < end; ++x) {
        PlaneSources sources = slabs_->sourcesOf(x);
        if (margins_) margins_->addSources(x, sources);
        PmeScratch const scratch = buffers_[size(omp_get_thread_num())].view();
        checks_[size(x)] = kernels_.forwardY(layout_, fftY_.view(), sources, scratch, waves_->byY(), x);
    }
}

void PmeForces::backwardY(int first, int end)
{
#pragma omp parallel for num_threads(threads_) schedule(dynamic, 1)
    for (int x = first; x < end; ++x) {
        PmeScratch const scratch = buffers_[size(omp_get_thread_num())].view();
        kernels_.backwardY(layout_, fftY_.view(), scratch, waves_->byY(), potential_.data() + x * layout_.planePoints(), x);
    }
}

/// Planes that nobody else adds to are transformed while the margins are on their way.
void PmeForces::transformCharges()
{
    int const awaited = margins_ ? margins_->planesAwaited() : 0;
    if (margins_) margins_->startCharges(*slabs_);
    forwardY(awaited, layout_.ownX);
    if (margins_) margins_->finishCharges();
    forwardY(0, awaited);
}

void PmeForces::transformPotential()
{
    int const awaited = margins_ ? margins_->planesAwaited() : 0;
    backwardY(0, awaited);
    if (margins_) margins_->startPotential(potential_.data());
    backwardY(awaited, layout_.ownX);
    if (margins_) margins_->finishPotential(potential_.data());
}

/// Dispersion's are no short formula: computed here, in the program's own instructions, where they are asked for.
void PmeForces::fillVirialFactors(int ky, int row, Buffers& buffers) const
{
    buffers.virialFactor.resize(size(layout_.nz) * size(layout_.lanes));
    double* to = buffers.virialFactor.data();
    for (int z = 0; z < layout_.nz; ++z)
        for (int x = row; x < row + layout_.lanes; ++x) *to++ = influence_.virialFactorAt(std::min(x, layout_.nx - 1), ky, z);
}

/// Lines along z of a wave along y.
void PmeForces::solveLines(int wave, Buffers& buffers, system::ForceSums* sums)
{
    PmeScratch const scratch = buffers.view();
    bool const coulomb = plan_.sum == plan::GridSum::coulomb;
    system::Term const term = coulomb ? system::Term::coulombRecip : system::Term::ljRecip;
    float* const plane = waves_->lines(wave);
    float const* const influence = influenceTable_.data() + wave * lineLayout_.influencePlane();
    pme::Share const rows = shares_.rows[size(shares_.alongZ(rank_))];
    int const ky = waves_->first() + wave;
    for (int row = 0; row < rows.count(); row += layout_.lanes) {
        float const* const factors = influence + std::int64_t{row} * layout_.nz;
        if (!sums) {
            kernels_.solveZ(lineLayout_, fftZ_.view(), scratch, plane, row, factors, nullptr, nullptr);
            continue;
        }
        int const x = rows.first + row;
        LineWaves waves{};
        waves.cStarZ = influence_.reciprocal().cStar.z;
        waves.beta = plan_.beta;
        if (!coulomb) fillVirialFactors(ky, x, buffers);
        waves.virialFactor = coulomb ? nullptr : buffers.virialFactor.data();
        for (int l = 0; l < layout_.lanes; ++l) {
            math::Vec3d const m = influence_.wave(std::min(x + l, layout_.nx - 1), ky, 0);
            waves.mx[l] = m.x;
            waves.my[l] = m.y;
            waves.mz0[l] = m.z;
        }
        LineSums lines;
        kernels_.solveZ(lineLayout_, fftZ_.view(), scratch, plane, row, factors, &waves, &lines);
        for (int l = 0; l < layout_.lanes && x + l < rows.end; ++l) {
            // Only half of the waves along y are stored; the other half are their complex conjugates.
            double const twice = ky == 0 || 2 * ky == layout_.ny ? 1 : 2;
            double const e = twice * lines.energy[l];
            math::Mat3d const waveTensor = twice * virialOf(lines, l, x + l, ky);
            sums->of(term).add(e);
            sums->virial.add(0.5 * (waveTensor + math::Mat3d{{-e, 0, 0}, {0, -e, 0}, {0, 0, -e}}));
        }
    }
}

/// Along x, along z, times the influence function, and back. A wave's plane stays in cache for all of it, unless others hold part of its
/// lines along z.
void PmeForces::solve(system::ForceSums* sums, bool newBox)
{
    for (system::ForceSums& part : threadSums_) part = {};
    auto const forEachWave = [&](auto&& visit) {
#pragma omp parallel for num_threads(threads_) schedule(dynamic, 1)
        for (int w = 0; w < waves_->count(); ++w) visit(w, size(omp_get_thread_num()));
    };
    auto const intoX = [&](int w, std::size_t t) {
        waves_->arriveForX(w);
        kernels_.forwardX(layout_, fftX_.view(), buffers_[t].view(), waves_->plane(w));
    };
    auto const alongZ = [&](int w, std::size_t t) {
        if (newBox) fillInfluence(w);
        solveLines(w, buffers_[t], sums ? &threadSums_[t] : nullptr);
    };
    auto const outOfX = [&](int w, std::size_t t) {
        kernels_.backwardX(layout_, fftX_.view(), buffers_[t].view(), waves_->plane(w));
        waves_->leaveFromX(w);
    };
    waves_->turnToX();
    if (!waves_->alongZ()) {
        forEachWave([&](int w, std::size_t t) {
            intoX(w, t);
            alongZ(w, t);
            outOfX(w, t);
        });
    } else {
        forEachWave([&](int w, std::size_t t) {
            intoX(w, t);
            waves_->leaveForZ(w);
        });
        waves_->turnToZ();
        forEachWave([&](int w, std::size_t t) {
            waves_->arriveForZ(w);
            alongZ(w, t);
            waves_->leaveFromZ(w);
        });
        waves_->turnFromZ();
        forEachWave([&](int w, std::size_t t) {
            waves_->arriveFromZ(w);
            outOfX(w, t);
        });
    }
    waves_->turnToY();
    if (sums)
        for (system::ForceSums const& part : threadSums_) sums->add(part);
}

/// Sum over a line's waves of e v m outer m. On an even grid the highest wave along an axis, n/2, is also -n/2, and the sign decides
/// what it adds off the diagonal. The choice is GROMACS's, so that virials agree on coarse grids too: of a wave and its conjugate the one
/// with l > 0 is taken, its x and y parts then being -n/2; where l is 0 or n/2 both count, and what differs cancels.
math::Mat3d PmeForces::virialOf(LineSums const& lines, int lane, int kx, int ky) const
{
    physics::ReciprocalCell const& cell = influence_.reciprocal();
    int const h = influence_.folded(0, kx), k = influence_.folded(1, ky);
    bool const highestX = 2 * h == -layout_.nx, highestY = 2 * k == -layout_.ny;
    math::Vec3d const plain = cell.vector(highestX ? 0 : h, highestY ? 0 : k, 0);
    math::Vec3d const highest = cell.vector(highestX ? h : 0, highestY ? k : 0, 0);
    math::Vec3d const top = highest + cell.vector(0, 0, 0.5 * layout_.nz);

    math::Mat3d sum{};
    auto const add = [&](WaveSums const& part, math::Vec3d const base) {
        math::Mat3d const cross = outer(base, cell.cStar);
        math::Mat3d const crossed{{cross.x.x, cross.y.x, cross.z.x}, {cross.x.y, cross.y.y, cross.z.y}, {cross.x.z, cross.y.z, cross.z.z}};
        sum = sum + part.v[lane] * outer(base, base) + part.vl[lane] * (cross + crossed) + part.vll[lane] * outer(cell.cStar, cell.cStar);
    };
    add(lines.positive, plain + highest);
    add(lines.negative, plain - highest);
    sum = sum + lines.flat.v[lane] * (outer(plain, plain) + outer(highest, highest));
    return sum + lines.highest.v[lane] * (outer(plain, plain) + outer(top, top));
}

void PmeForces::gather(int thread)
{
    auto const [begin, end] = pme::shareOf(atomCount_, layout_.lanes, thread, threads_);
    if (begin == end) return;
    kernels_.gather(layout_, potential_.data(), {sortedX_.data(), sortedY_.data(), sortedZ_.data(), sortedCharge_.data(), begin, end},
                    {slopeX_.data(), slopeY_.data(), slopeZ_.data()});
}

void PmeForces::returnSlopes(GridVerdict verdict)
{
    GridSlope* const slopes = exchange_->slopes();
#pragma omp parallel for num_threads(threads_) schedule(static)
    for (int i = 0; i < atomCount_; ++i) slopes[sortedAtom_[size(i)]] = {slopeX_[size(i)], slopeY_[size(i)], slopeZ_[size(i)]};
    exchange_->sendBack(verdict);
}

/// F = -dE/dr = -(slope along each grid axis) times the gradient of that grid coordinate.
auto PmeForces::forceOfSlope() const
{
    physics::ReciprocalCell const& cell = influence_.reciprocal();
    double const unit = -layout_.slopeUnit;
    math::Vec3d const a = unit * layout_.nx * cell.aStar, b = unit * layout_.ny * cell.bStar, c = unit * layout_.nz * cell.cStar;
    return [a, b, c](double x, double y, double z) { return math::forceUnits({a.x * x, a.y * x + b.y * y, a.z * x + b.z * y + c.z * z}); };
}

/// Of home atoms: on a lone rank from what was gathered, else from what others have sent.
void PmeForces::addForces(std::vector<math::ForceUnits>& forces) const
{
    auto const force = forceOfSlope();
    if (exchange_) {
        for (AtomExchange::Solved const& part : exchange_->solved()) {
#pragma omp parallel for num_threads(threads_) schedule(static)
            for (std::size_t i = 0; i < part.atoms.size(); ++i) {
                GridSlope const& slope = part.slopes[i];
                forces[size(part.atoms[i])] += force(slope.x, slope.y, slope.z);
            }
        }
        return;
    }
#pragma omp parallel for num_threads(threads_) schedule(static)
    for (int i = 0; i < atomCount_; ++i) forces[size(sortedAtom_[size(i)])] += force(slopeX_[size(i)], slopeY_[size(i)], slopeZ_[size(i)]);
}

/// A wrapped point changes the sum of all points by 16 e (for 28 bits), and smooth splines leave neighbors of a piled-up point in the
/// outer half of the range; wraps of both signs that cancel and have no such neighbor at all are the only ones not seen.
void PmeForces::beginCheck()
{
    check_ = {};
    double const range = std::ldexp(layout_.chargeUnit, 31);
    double sum = 0;
    for (PlaneCheck const& plane : checks_) {
        sum += plane.sum;
        if (!(plane.least > -range / 2 && plane.largest < range / 2)) ++check_.pointsOut;
    }
    math::FixedSum charge;
    charge.addWhole(sum);
    check_.charge = charge.units;
    if (!team_) return;
    check_.restless = exchange_->restless() ? 1 : 0;
    static_assert(sizeof(GridCheck) == 3 * sizeof(std::int64_t));
    team_->solvers().startSum(std::span(&check_.pointsOut, 3), checking_);
}

GridVerdict PmeForces::endCheck()
{
    if (team_) team_->solvers().wait(checking_);
    double const sum = math::FixedSum{check_.charge}.value();
    return {check_.pointsOut > 0 || !(std::abs(sum - netCharge_) < std::ldexp(layout_.chargeUnit, 31)), check_.restless > 0};
}

void PmeForces::refusePileUp() const
{
    throw base::RunFailed(
        plan_.sum == plan::GridSum::coulomb
            ? fmt::format("charges pile up on one point of the PME grid, beyond {:g} e: many charged atoms are in one place",
                          std::ldexp(layout_.chargeUnit, 30))
            : std::string("dispersion piles up on one point of the LJ-PME grid: many atoms are in one place"));
}

/// What no wave has: once for all ranks.
void PmeForces::addWholeSystem(system::ForceSums& sums) const
{
    bool const coulomb = plan_.sum == plan::GridSum::coulomb;
    double const background = plan_.uniformEnergyFactor / box_.volume();
    sums.of(coulomb ? system::Term::coulombRecip : system::Term::ljRecip).addWhole(background);
    sums.of(coulomb ? system::Term::coulombSR : system::Term::ljSR).addWhole(plan_.selfEnergy);
    for (math::FixedSum* diagonal : {&sums.virial.xx, &sums.virial.yy, &sums.virial.zz}) diagonal->add(-0.5 * background);
}

void PmeForces::add(std::vector<math::FractionVec> const& positions, physics::Box const& box, std::vector<math::ForceUnits>& forces,
                    system::ForceSums* sums, base::Clock& clock)
{
    bool const newBox = !(box.a() == box_.a() && box.b() == box_.b() && box.c() == box_.c());
    box_ = box;
    if (newBox) influence_.setBox(box);
    std::array<double, 6> time{};
    GridVerdict verdict;
    time.fill(base::now());
    if (rank_ >= 0) {
        spread(positions);
        time[1] = base::now();
        transformCharges();
        beginCheck();
        time[2] = base::now();
        solve(sums, newBox);
        time[3] = base::now();
        transformPotential();
        time[4] = base::now();
#pragma omp parallel for num_threads(threads_) schedule(static, 1)
        for (int t = 0; t < threads_; ++t) gather(t);
    } else if (team_ && team_->solves()) {
        beginCheck();
    }
    if (!team_ || team_->solves()) verdict = endCheck();
    if (exchange_) {
        if (rank_ >= 0) returnSlopes(verdict);
        verdict = exchange_->finish();
    }
    if (verdict.piledUp) refusePileUp();
    addForces(forces);
    time[5] = base::now();
    clock.add(base::Part::pmeSpread, time[1] - time[0]);
    clock.add(base::Part::pmeFft, time[2] - time[1] + time[4] - time[3]);
    clock.add(base::Part::pmeSolve, time[3] - time[2]);
    clock.add(base::Part::pmeGather, time[5] - time[4]);
    if (sums && (!team_ || rank_ == 0)) addWholeSystem(*sums);
}

} // namespace alder::cpu
