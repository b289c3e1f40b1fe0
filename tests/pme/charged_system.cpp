#include "pme/charged_system.hpp"

#include "physics/bspline.hpp"
#include "physics/dispersion_ewald.hpp"
#include "physics/ewald.hpp"
#include "pme/influence.hpp"

#include <cmath>
#include <complex>
#include <fftw3.h>
#include <random>

namespace alder::test {
namespace {

using Complex = std::complex<double>;
using physics::pi;

std::size_t index(std::int64_t i) { return static_cast<std::size_t>(i); }

/// Spline values and slopes of one atom along one axis, by order at run time.
struct AxisSpline {
    int cell;
    std::vector<double> theta, slope;
    AxisSpline(std::int32_t fraction, int n, int order) : theta(index(order)), slope(index(order))
    {
        double const u = static_cast<double>(static_cast<std::uint32_t>(fraction)) / 4294967296.0 * n;
        cell = static_cast<int>(u);
        double const f = u - cell;
        std::vector<double> lower(index(order));
        lower[0] = 1 - f;
        lower[1] = f;
        for (int k = 3; k < order; ++k) physics::raiseBspline(k, f, lower.data());
        theta = lower;
        physics::raiseBspline(order, f, theta.data());
        for (int j = 0; j < order; ++j) {
            theta[index(j)] *= physics::bsplineScale(order);
            slope[index(j)] = (j > 0 ? lower[index(j - 1)] : 0) - (j < order - 1 ? lower[index(j)] : 0);
            slope[index(j)] *= physics::bsplineScale(order - 1);
        }
    }
};

struct GridTransform {
    std::array<int, 3> n;
    std::vector<Complex> values;
    explicit GridTransform(std::array<int, 3> size) : n(size), values(index(std::int64_t{size[0]} * size[1] * size[2])) {}
    Complex& at(int x, int y, int z) { return values[index((std::int64_t{x % n[0]} * n[1] + y % n[1]) * n[2] + z % n[2])]; }
    void transform(int sign)
    {
        auto* const data = reinterpret_cast<fftw_complex*>(values.data());
        fftw_plan const plan = fftw_plan_dft_3d(n[0], n[1], n[2], data, data, sign, FFTW_ESTIMATE);
        fftw_execute(plan);
        fftw_destroy_plan(plan);
    }
};

} // namespace

system::Topology ChargedSystem::topology() const
{
    system::Topology topology;
    system::MoleculeType type;
    type.name = "charges";
    for (double const q : charges) {
        system::Atom atom;
        atom.charge = q;
        atom.type = static_cast<int>(type.atoms.size()); // so that sources can be given one by one
        type.atoms.push_back(atom);
    }
    type.exclusionStart.assign(charges.size() + 1, 0);
    topology.types.push_back(type);
    topology.blocks.push_back({0, 1, 0, 0});
    topology.atomCount = static_cast<std::int64_t>(charges.size());
    topology.moleculeCount = 1;
    return topology;
}

double ChargedSystem::netCharge() const
{
    double sum = 0;
    for (double const q : charges) sum += q;
    return sum;
}

double ChargedSystem::sumOfSquares() const
{
    double sum = 0;
    for (double const q : charges) sum += q * q;
    return sum;
}

ChargedSystem randomCharges(int count, Shape shape, double extra, unsigned seed)
{
    ChargedSystem system;
    system.box = shape == Shape::rectangular ? physics::Box({1.7, 0, 0}, {0, 2.1, 0}, {0, 0, 1.9})
                                             : physics::Box({1.8, 0, 0}, {0.6, 1.9, 0}, {-0.5, 0.8, 2.0});
    std::mt19937 random(seed);
    while (static_cast<int>(system.positions.size()) < count) {
        math::FractionVec const r{static_cast<std::int32_t>(random()), static_cast<std::int32_t>(random()),
                                  static_cast<std::int32_t>(random())};
        bool free = true;
        for (math::FractionVec const& other : system.positions) free = free && math::norm(system.box.difference(r, other)) > 0.12;
        if (free) system.positions.push_back(r);
    }
    for (int i = 0; i < count; ++i) system.charges.push_back(i % 2 == 0 ? 1.0 : -1.0);
    if (count > 6) { // a water-like triple: sums to zero
        system.charges[2] = -0.8476;
        system.charges[3] = 0.4238;
        system.charges[4] = 0.4238;
        system.charges[5] = 0;
    }
    if (system.netCharge() != 0 && count > 6) system.charges[6] -= system.netCharge();
    system.charges[0] += extra;
    return system;
}

plan::PmePlan planFor(ChargedSystem const& system, int order, std::array<int, 3> grid, double beta)
{
    plan::PmePlan plan;
    plan.active = true;
    plan.order = order;
    plan.grid = grid;
    plan.beta = beta;
    plan.electricFactor = physics::coulombConstant;
    plan.uniformEnergyFactor = physics::netChargeEnergyTimesVolume(system.netCharge(), beta, plan.electricFactor);
    plan.selfEnergy = physics::ewaldSelfEnergy(system.sumOfSquares(), beta, plan.electricFactor);
    return plan;
}

plan::PmePlan dispersionPlan(ChargedSystem const& system, int order, std::array<int, 3> grid, double beta)
{
    plan::PmePlan plan = planFor(system, order, grid, beta);
    plan.sum = plan::GridSum::dispersion;
    plan.electricFactor = 1;
    plan.chargeBits = 32;
    plan.sourceOfType = system.charges;
    plan.uniformEnergyFactor = physics::uniformDispersionTimesVolume(system.netCharge(), beta);
    plan.selfEnergy = physics::dispersionSelfEnergy(system.sumOfSquares(), beta);
    return plan;
}

Reciprocal directSum(ChargedSystem const& system, double beta)
{
    Reciprocal result;
    result.forces.resize(system.charges.size());
    physics::ReciprocalCell const cell(system.box);
    double const volume = system.box.volume(), f = physics::coulombConstant;
    double const largest = beta * std::sqrt(std::log(1e16)) / pi;
    // |h| = |m.a| <= |m| |a|
    int const hMax = static_cast<int>(largest * math::norm(system.box.a())) + 1,
              kMax = static_cast<int>(largest * math::norm(system.box.b())) + 1;
    int const lMax = static_cast<int>(largest * math::norm(system.box.c())) + 1;
    std::vector<math::Vec3d> r;
    for (auto const& p : system.positions) r.push_back(system.box.toPosition(p));
    for (int h = -hMax; h <= hMax; ++h)
        for (int k = -kMax; k <= kMax; ++k)
            for (int l = -lMax; l <= lMax; ++l) {
                math::Vec3d const m = cell.vector(h, k, l);
                double const m2 = math::norm2(m);
                if ((h == 0 && k == 0 && l == 0) || m2 > largest * largest) continue;
                Complex s = 0;
                for (std::size_t i = 0; i < r.size(); ++i) s += system.charges[i] * std::polar(1.0, 2 * pi * math::dot(m, r[i]));
                double const factor = f / (2 * pi * volume) * std::exp(-pi * pi * m2 / (beta * beta)) / m2;
                double const energy = factor * std::norm(s);
                result.energy += energy;
                double const v = 2 * (pi * pi / (beta * beta) + 1 / m2);
                result.virial = result.virial + 0.5 * energy * (v * math::outer(m, m) + math::Mat3d{{-1, 0, 0}, {0, -1, 0}, {0, 0, -1}});
                for (std::size_t i = 0; i < r.size(); ++i) {
                    // dE/dr_i = factor 2 Re(conj(S) q_i 2 pi i m exp(2 pi i m.r_i))
                    double const im = std::imag(std::conj(s) * std::polar(1.0, 2 * pi * math::dot(m, r[i])));
                    result.forces[i] += (4 * pi * factor * system.charges[i] * im) * m;
                }
            }
    double const q = system.netCharge();
    double const background = -pi * f * q * q / (2 * beta * beta * volume);
    result.energy += background;
    result.virial = result.virial + (-0.5 * background) * math::Mat3d{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    return result;
}

Reciprocal plainPme(ChargedSystem const& system, plan::PmePlan const& plan)
{
    Reciprocal result;
    pme::Influence influence(plan);
    influence.setBox(system.box);
    auto const n = plan.grid;
    GridTransform grid(n);
    std::vector<std::array<AxisSpline, 3>> splines;
    for (auto const& p : system.positions)
        splines.push_back({AxisSpline(p.x, n[0], plan.order), AxisSpline(p.y, n[1], plan.order), AxisSpline(p.z, n[2], plan.order)});
    auto const forPoints = [&](std::size_t atom, auto&& visit) {
        auto const& [x, y, z] = splines[atom];
        for (int i = 0; i < plan.order; ++i)
            for (int j = 0; j < plan.order; ++j)
                for (int k = 0; k < plan.order; ++k) visit(grid.at(x.cell + i, y.cell + j, z.cell + k), index(i), index(j), index(k));
    };
    for (std::size_t a = 0; a < system.charges.size(); ++a)
        forPoints(a, [&](Complex& point, std::size_t i, std::size_t j, std::size_t k) {
            point += system.charges[a] * splines[a][0].theta[i] * splines[a][1].theta[j] * splines[a][2].theta[k];
        });
    grid.transform(FFTW_FORWARD);
    for (int x = 0; x < n[0]; ++x)
        for (int y = 0; y < n[1]; ++y)
            for (int z = 0; z < n[2]; ++z) {
                double const g = influence.at(x, y, z);
                result.energy += 0.5 * g * std::norm(grid.at(x, y, z));
                grid.at(x, y, z) *= g;
            }
    grid.transform(FFTW_BACKWARD);
    for (std::size_t a = 0; a < system.charges.size(); ++a) {
        auto const &x = splines[a][0], &y = splines[a][1], &z = splines[a][2];
        math::Vec3d slope;
        forPoints(a, [&](Complex& point, std::size_t i, std::size_t j, std::size_t k) {
            slope += point.real() * math::Vec3d{x.slope[i] * y.theta[j] * z.theta[k], x.theta[i] * y.slope[j] * z.theta[k],
                                                x.theta[i] * y.theta[j] * z.slope[k]};
        });
        auto const& cell = influence.reciprocal();
        result.forces.push_back(-system.charges[a] *
                                (n[0] * slope.x * cell.aStar + n[1] * slope.y * cell.bStar + n[2] * slope.z * cell.cStar));
    }
    result.energy += plan.uniformEnergyFactor / system.box.volume();
    return result;
}

Reciprocal engine(ChargedSystem const& system, plan::PmePlan const& plan, cpu::SimdLevel simd, int threads)
{
    cpu::PmeForces pme(system.topology(), plan, simd, threads);
    std::vector<math::ForceUnits> forces(system.charges.size());
    system::ForceSums sums;
    base::Clock clock;
    pme.add(system.positions, system.box, forces, &sums, clock);
    Reciprocal result;
    result.energy = sums.of(plan.sum == plan::GridSum::coulomb ? system::Term::coulombRecip : system::Term::ljRecip).value();
    result.virial = sums.virial.value();
    for (auto const& f : forces) result.forces.push_back(math::forceValue(f));
    return result;
}

std::vector<math::ForceUnits> engineForces(ChargedSystem const& system, plan::PmePlan const& plan, cpu::SimdLevel simd, int threads)
{
    cpu::PmeForces pme(system.topology(), plan, simd, threads);
    std::vector<math::ForceUnits> forces(system.charges.size());
    base::Clock clock;
    pme.add(system.positions, system.box, forces, nullptr, clock);
    return forces;
}

double relativeError(std::vector<math::Vec3d> const& a, std::vector<math::Vec3d> const& b)
{
    double difference = 0, size = 0;
    for (std::size_t i = 0; i < a.size(); ++i) {
        difference += math::norm2(a[i] - b[i]);
        size += math::norm2(b[i]);
    }
    return std::sqrt(difference / size);
}

double largestDifference(math::Mat3d const& a, math::Mat3d const& b)
{
    math::Mat3d const d = a + (-1.0) * b;
    double largest = 0;
    for (math::Vec3d const& row : {d.x, d.y, d.z})
        for (double const v : {row.x, row.y, row.z}) largest = std::max(largest, std::abs(v));
    return largest;
}

std::vector<cpu::SimdLevel> levels()
{
    std::vector<cpu::SimdLevel> found;
    for (auto const level : {cpu::SimdLevel::sse41, cpu::SimdLevel::avx2, cpu::SimdLevel::avx512})
        if (cpu::supported(level)) found.push_back(level);
    return found;
}

} // namespace alder::test
