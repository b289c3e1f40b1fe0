#include "cpu/pme/pme_forces.hpp"

#include "base/error.hpp"
#include "physics/bspline.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>
#include <omp.h>

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

PmeLayout layoutOf(plan::PmePlan const& plan, int lanes)
{
    PmeLayout l{};
    l.order = plan.order;
    l.nx = plan.grid[0];
    l.ny = plan.grid[1];
    l.nz = plan.grid[2];
    l.lanes = lanes;
    // Rows are read and written as one or two quads, four rows at a time: margins of three, from order 5 on of seven.
    l.rowPoints = std::max(roundedUp(l.nz - 1 + roundedUp(l.order, 4), 4), 2 * lanes);
    l.planeRows = l.ny - 1 + roundedUp(l.order, 4);
    l.zPairs = (l.nz + 2 * lanes - 1) / (2 * lanes);
    l.zBlocks = (l.nz + lanes - 1) / lanes;
    l.waveRow = 2 * l.zPairs + 1;
    l.waveRows = roundedUp(l.nx, lanes);
    l.wavePlane = (l.waveRow * l.waveRows) | 1;
    l.halfY = l.ny / 2 + 1;
    l.chargeUnit = std::ldexp(1.0, -plan.chargeBits);
    l.slopeUnit = l.chargeUnit * (l.order - 1);
    return l;
}

std::size_t size(std::int64_t n) { return static_cast<std::size_t>(n); }

/// The grid plane of a fraction.
int planeOf(std::int32_t fraction, int n)
{
    return static_cast<int>(static_cast<std::uint64_t>(static_cast<std::uint32_t>(fraction)) * static_cast<std::uint64_t>(n) >> 32);
}

/// [begin, end) of a thread's share of n things, in units.
std::array<int, 2> shareOf(int n, int unit, int thread, int threads)
{
    std::int64_t const units = (n + unit - 1) / unit;
    auto const bound = [&](int t) { return static_cast<int>(std::min<std::int64_t>(n, units * t / threads * unit)); };
    return {bound(thread), bound(thread + 1)};
}

} // namespace

PmeForces::PmeForces(system::Topology const& topology, plan::PmePlan const& plan, SimdLevel simd, int threads, domain::PmeTeam const* team)
    : plan_(plan),
      kernels_(kernelsOf(simd)),
      threads_(std::max(threads, 1)),
      layout_(layoutOf(plan, kernels_.lanes)),
      influence_(plan),
      fftX_(plan.grid[0]),
      fftY_(plan.grid[1]),
      fftZ_(plan.grid[2])
{
    if (team && team->all().size() > 1) throw base::RunFailed("PME over several ranks is not there yet");
    double const unitsPerCharge = std::pow(physics::bsplineScale(layout_.order), 3) / layout_.chargeUnit;
    forEachAtom(topology, [&](system::Atom const& atom, std::int64_t index) {
        double const source = plan_.sum == plan::GridSum::coulomb ? atom.charge : plan_.sourceOfType[size(atom.type)];
        if (source == 0) return;
        charged_.push_back(static_cast<std::int32_t>(index));
        charges_.push_back(static_cast<float>(source * unitsPerCharge));
        netCharge_ += source;
    });
    std::size_t const padded = charged_.size() + size(layout_.lanes);
    for (auto* array : {&sortedX_, &sortedY_, &sortedZ_}) array->resize(padded);
    for (auto* array : {&sortedCharge_, &slopeX_, &slopeY_, &slopeZ_}) array->resize(padded);
    sortedAtom_.resize(charged_.size());
    counts_.resize(size(threads_) * size(layout_.nx));
    planeStart_.resize(size(layout_.nx) + 1);
    slabs_.resize(size(threads_));
    checks_.resize(size(layout_.nx));
    waves_.resize(size(layout_.halfY * layout_.wavePlaneFloats()));
    potential_.resize(size(layout_.nx * layout_.planePoints()));
    influenceTable_.resize(size(layout_.halfY * layout_.influencePlane()));
    buffers_.resize(size(threads_));
    threadSums_.resize(size(threads_));
    std::size_t const complexVector = 2 * size(layout_.lanes);
    std::size_t const longest = size(std::max({layout_.nx, layout_.ny, layout_.nz})) * complexVector;
    for (Buffers& b : buffers_) {
        b.plane.resize(size(layout_.ny) * size(layout_.zPairs) * complexVector);
        b.column.resize(size(layout_.zBlocks) * size(layout_.lanes) * complexVector);
        for (auto* line : {&b.line, &b.lineA, &b.lineB, &b.points}) line->resize(longest);
    }
}

void PmeForces::takeAtoms(system::Topology const&, std::int64_t) {}

void PmeForces::start(std::vector<math::FractionVec> const&) {}

void PmeForces::fillInfluence(int ky)
{
    float* to = influenceTable_.data() + ky * layout_.influencePlane();
    for (int row = 0; row < layout_.waveRows; row += layout_.lanes)
        for (int z = 0; z < layout_.nz; ++z)
            for (int x = row; x < row + layout_.lanes; ++x) *to++ = x < layout_.nx ? static_cast<float>(influence_.at(x, ky, z)) : 0.0F;
}

void PmeForces::countByPlane(std::vector<math::FractionVec> const& positions, int thread)
{
    int* const counts = counts_.data() + size(thread) * size(layout_.nx);
    std::fill(counts, counts + layout_.nx, 0);
    auto const [begin, end] = shareOf(static_cast<int>(charged_.size()), 1, thread, threads_);
    for (int i = begin; i < end; ++i) ++counts[planeOf(positions[size(charged_[size(i)])].x, layout_.nx)];
}

/// Where each thread's atoms of each plane go, and which planes each thread spreads: about the same number of atoms each.
void PmeForces::assignSlabs()
{
    int start = 0;
    for (int x = 0; x < layout_.nx; ++x) {
        planeStart_[size(x)] = start;
        for (int t = 0; t < threads_; ++t) {
            int& count = counts_[size(t) * size(layout_.nx) + size(x)];
            int const mine = count;
            count = start;
            start += mine;
        }
    }
    planeStart_[size(layout_.nx)] = start;
    int plane = 0;
    for (int t = 0; t < threads_; ++t) {
        Slab& slab = slabs_[size(t)];
        slab.first = plane;
        std::int64_t const target = std::int64_t{start} * (t + 1) / threads_;
        while (plane < layout_.nx && (t == threads_ - 1 || planeStart_[size(plane) + 1] <= target)) ++plane;
        slab.end = plane;
        std::size_t const points = slab.end > slab.first ? size((slab.end - slab.first + layout_.order - 1) * layout_.planePoints()) : 0;
        if (slab.charges.size() < points) slab.charges.resize(points + points / 8);
    }
}

void PmeForces::sortByPlane(std::vector<math::FractionVec> const& positions, int thread)
{
    int* const next = counts_.data() + size(thread) * size(layout_.nx);
    auto const [begin, end] = shareOf(static_cast<int>(charged_.size()), 1, thread, threads_);
    for (int i = begin; i < end; ++i) {
        std::int32_t const atom = charged_[size(i)];
        math::FractionVec const r = positions[size(atom)];
        std::size_t const to = size(next[planeOf(r.x, layout_.nx)]++);
        sortedX_[to] = r.x;
        sortedY_[to] = r.y;
        sortedZ_[to] = r.z;
        sortedCharge_[to] = charges_[size(i)];
        sortedAtom_[to] = atom;
    }
}

void PmeForces::spreadSlab(int thread)
{
    Slab& slab = slabs_[size(thread)];
    if (slab.end == slab.first) return;
    std::size_t const points = size((slab.end - slab.first + layout_.order - 1) * layout_.planePoints());
    std::memset(slab.charges.data(), 0, points * sizeof(std::int32_t));
    ChargeRun const atoms{sortedX_.data(),
                          sortedY_.data(),
                          sortedZ_.data(),
                          sortedCharge_.data(),
                          planeStart_[size(slab.first)],
                          planeStart_[size(slab.end)]};
    kernels_.spread(layout_, atoms, slab.charges.data(), slab.first);
}

PlaneSources PmeForces::sourcesOf(int x) const
{
    PlaneSources sources{};
    for (Slab const& slab : slabs_) {
        if (slab.end == slab.first) continue;
        int const planes = slab.end - slab.first + layout_.order - 1;
        for (int local = (x - slab.first + layout_.nx) % layout_.nx; local < planes; local += layout_.nx)
            sources.plane[sources.count++] = slab.charges.data() + local * layout_.planePoints();
    }
    return sources;
}

/// Dispersion's are no short formula: computed here, in the program's own instructions, where they are asked for.
void PmeForces::fillVirialFactors(int ky, int row, Buffers& buffers) const
{
    buffers.virialFactor.resize(size(layout_.nz) * size(layout_.lanes));
    double* to = buffers.virialFactor.data();
    for (int z = 0; z < layout_.nz; ++z)
        for (int x = row; x < row + layout_.lanes; ++x) *to++ = influence_.virialFactorAt(std::min(x, layout_.nx - 1), ky, z);
}

void PmeForces::solvePlane(int ky, Buffers& buffers, system::ForceSums* sums)
{
    PmeScratch const scratch = buffers.view();
    bool const coulomb = plan_.sum == plan::GridSum::coulomb;
    system::Term const term = coulomb ? system::Term::coulombRecip : system::Term::ljRecip;
    float* const plane = waves_.data() + ky * layout_.wavePlaneFloats();
    float const* const influence = influenceTable_.data() + ky * layout_.influencePlane();
    kernels_.forwardX(layout_, fftX_.view(), scratch, plane);
    for (int row = 0; row < layout_.waveRows; row += layout_.lanes) {
        float const* const factors = influence + std::int64_t{row} * layout_.nz;
        if (!sums) {
            kernels_.solveZ(layout_, fftZ_.view(), scratch, plane, row, factors, nullptr, nullptr);
            continue;
        }
        LineWaves waves{};
        waves.cStarZ = influence_.reciprocal().cStar.z;
        waves.beta = plan_.beta;
        if (!coulomb) fillVirialFactors(ky, row, buffers);
        waves.virialFactor = coulomb ? nullptr : buffers.virialFactor.data();
        for (int l = 0; l < layout_.lanes; ++l) {
            math::Vec3d const m = influence_.wave(std::min(row + l, layout_.nx - 1), ky, 0);
            waves.mx[l] = m.x;
            waves.my[l] = m.y;
            waves.mz0[l] = m.z;
        }
        LineSums lines;
        kernels_.solveZ(layout_, fftZ_.view(), scratch, plane, row, factors, &waves, &lines);
        for (int l = 0; l < layout_.lanes && row + l < layout_.nx; ++l) {
            // Only half of the waves along y are stored; the other half are their complex conjugates.
            double const twice = ky == 0 || 2 * ky == layout_.ny ? 1 : 2;
            double const e = twice * lines.energy[l];
            math::Mat3d const waveTensor = twice * virialOf(lines, l, row + l, ky);
            sums->of(term).add(e);
            sums->virial.add(0.5 * (waveTensor + math::Mat3d{{-e, 0, 0}, {0, -e, 0}, {0, 0, -e}}));
        }
    }
    kernels_.backwardX(layout_, fftX_.view(), scratch, plane);
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

void PmeForces::gatherForces(std::vector<math::ForceUnits>& forces, int thread)
{
    auto const [begin, end] = shareOf(static_cast<int>(charged_.size()), layout_.lanes, thread, threads_);
    if (begin == end) return;
    kernels_.gather(layout_, potential_.data(), {sortedX_.data(), sortedY_.data(), sortedZ_.data(), sortedCharge_.data(), begin, end},
                    {slopeX_.data(), slopeY_.data(), slopeZ_.data()});
    // F = -dE/dr = -(slope along each grid axis) times the gradient of that grid coordinate.
    physics::ReciprocalCell const& cell = influence_.reciprocal();
    double const unit = -layout_.slopeUnit;
    math::Vec3d const a = unit * layout_.nx * cell.aStar, b = unit * layout_.ny * cell.bStar, c = unit * layout_.nz * cell.cStar;
    for (std::size_t i = size(begin); i < size(end); ++i) {
        double const x = slopeX_[i], y = slopeY_[i], z = slopeZ_[i];
        forces[size(sortedAtom_[i])] += math::forceUnits({a.x * x, a.y * x + b.y * y, a.z * x + b.z * y + c.z * z});
    }
}

/// A wrapped point changes the sum of all points by 16 e (for 28 bits), and smooth splines leave neighbors of a piled-up point in the
/// outer half of the range; wraps of both signs that cancel and have no such neighbor at all are the only ones not seen.
void PmeForces::checkGrid() const
{
    double sum = 0;
    float least = 0, largest = 0;
    for (PlaneCheck const& plane : checks_) {
        sum += plane.sum;
        least = std::min(least, plane.least);
        largest = std::max(largest, plane.largest);
    }
    double const range = std::ldexp(layout_.chargeUnit, 31);
    if (least > -range / 2 && largest < range / 2 && std::abs(sum - netCharge_) < range) return;
    throw base::RunFailed(
        plan_.sum == plan::GridSum::coulomb
            ? fmt::format("charges pile up on one point of the PME grid, beyond {:g} e: many charged atoms are in one place", range / 2)
            : std::string("dispersion piles up on one point of the LJ-PME grid: many atoms are in one place"));
}

void PmeForces::add(std::vector<math::FractionVec> const& positions, physics::Box const& box, std::vector<math::ForceUnits>& forces,
                    system::ForceSums* sums, base::Clock& clock)
{
    bool const newBox = !(box.a() == box_.a() && box.b() == box_.b() && box.c() == box_.c());
    box_ = box;
    if (newBox) influence_.setBox(box);
    std::array<double, 7> time{};
    time[0] = base::now();
#pragma omp parallel for num_threads(threads_) schedule(static, 1)
    for (int t = 0; t < threads_; ++t) countByPlane(positions, t);
    assignSlabs();
#pragma omp parallel num_threads(threads_)
    {
        int const me = omp_get_thread_num();
        PmeScratch const scratch = buffers_[size(me)].view();
        threadSums_[size(me)] = {};
#pragma omp for schedule(static, 1)
        for (int t = 0; t < threads_; ++t) sortByPlane(positions, t);
#pragma omp for schedule(static, 1)
        for (int t = 0; t < threads_; ++t) spreadSlab(t);
#pragma omp master
        time[1] = base::now();
#pragma omp for schedule(dynamic, 1)
        for (int x = 0; x < layout_.nx; ++x)
            checks_[size(x)] = kernels_.forwardY(layout_, fftY_.view(), sourcesOf(x), scratch, waves_.data(), x);
#pragma omp master
        time[2] = base::now();
#pragma omp for schedule(dynamic, 1)
        for (int ky = 0; ky < layout_.halfY; ++ky) {
            if (newBox) fillInfluence(ky);
            solvePlane(ky, buffers_[size(me)], sums ? &threadSums_[size(me)] : nullptr);
        }
#pragma omp master
        time[3] = base::now();
#pragma omp for schedule(dynamic, 1)
        for (int x = 0; x < layout_.nx; ++x)
            kernels_.backwardY(layout_, fftY_.view(), scratch, waves_.data(), potential_.data() + x * layout_.planePoints(), x);
#pragma omp master
        time[4] = base::now();
#pragma omp for schedule(static, 1)
        for (int t = 0; t < threads_; ++t) gatherForces(forces, t);
    }
    checkGrid();
    time[5] = base::now();
    clock.add(base::Part::pmeSpread, time[1] - time[0]);
    clock.add(base::Part::pmeFft, time[2] - time[1] + time[4] - time[3]);
    clock.add(base::Part::pmeSolve, time[3] - time[2]);
    clock.add(base::Part::pmeGather, time[5] - time[4]);
    if (!sums) return;
    for (system::ForceSums const& part : threadSums_) sums->add(part);
    bool const coulomb = plan_.sum == plan::GridSum::coulomb;
    double const background = plan_.uniformEnergyFactor / box.volume();
    sums->of(coulomb ? system::Term::coulombRecip : system::Term::ljRecip).addWhole(background);
    sums->of(coulomb ? system::Term::coulombSR : system::Term::ljSR).addWhole(plan_.selfEnergy);
    for (math::FixedSum* diagonal : {&sums->virial.xx, &sums->virial.yy, &sums->virial.zz}) diagonal->add(-0.5 * background);
}

} // namespace alder::cpu
