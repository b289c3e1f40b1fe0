#include "cpu/pme/surface_term.hpp"

#include "physics/surface_dipole.hpp"

#include <algorithm>

namespace alder::cpu {

namespace {

/// Moments are summed in units of 2^-34: half a unit of each atom, times the moment, then moves no energy by 1e-7 kJ/mol.
constexpr double momentScale = 1024;

std::int64_t unitsOf(double moment)
{
    math::FixedSum sum;
    sum.addWhole(momentScale * moment);
    return sum.units;
}

double momentOf(std::int64_t units) { return math::FixedSum{units}.value() / momentScale; }

} // namespace

SurfaceTerm::SurfaceTerm(system::Topology const& whole, plan::SurfacePlan const& plan, int threads, domain::Communicator* ranks)
    : plan_(plan),
      threads_(std::max(threads, 1)),
      ranks_(ranks),
      parts_(whole, plan.surroundings)
{
    if (ranks_ == nullptr) takeAtoms(whole);
}

void SurfaceTerm::takeAtoms(system::Topology const& part) { part_ = parts_.of(part); }

/// In dielectric surroundings molecules are taken whole.
SurfaceTerm::Moments SurfaceTerm::momentsOfArms(std::vector<math::FractionVec> const& positions, physics::Box const& box) const
{
    std::int64_t sumX = 0, sumY = 0, sumZ = 0;
#pragma omp parallel for num_threads(threads_) schedule(static) reduction(+ : sumX, sumY, sumZ)
    for (std::size_t n = 0; n < part_.arms.size(); ++n) {
        domain::PlacedArm const& arm = part_.arms[n];
        math::FractionVec const& r = positions[static_cast<std::size_t>(arm.atom)];
        math::Vec3d const place = arm.from < 0 ? box.toPosition(r) : box.difference(r, positions[static_cast<std::size_t>(arm.from)]);
        sumX += unitsOf(arm.carried * place.x);
        sumY += unitsOf(arm.carried * place.y);
        sumZ += unitsOf(arm.carried * place.z);
    }
    return {sumX, sumY, sumZ, 0};
}

/// In slabs each atom is taken where the box has it, 0 <= z < L_z, as in GROMACS.
SurfaceTerm::Moments SurfaceTerm::momentsOfSlab(std::vector<math::FractionVec> const& positions, physics::Box const& box) const
{
    std::int64_t first = 0, second = 0;
#pragma omp parallel for num_threads(threads_) schedule(static) reduction(+ : first, second)
    for (std::size_t i = 0; i < part_.charges.size(); ++i) {
        double const height = box.toPosition(positions[i]).z;
        first += unitsOf(part_.charges[i] * height);
        second += unitsOf(part_.charges[i] * height * height);
    }
    return {0, 0, first, second};
}

void SurfaceTerm::start(std::vector<math::FractionVec> const& positions, physics::Box const& box)
{
    moments_ = slab() ? momentsOfSlab(positions, box) : momentsOfArms(positions, box);
    if (ranks_ != nullptr) ranks_->startSum(moments_, pending_);
}

void SurfaceTerm::add(std::vector<math::FractionVec> const& positions, physics::Box const& box, std::vector<math::ForceUnits>& forces,
                      system::ForceSums* sums)
{
    if (ranks_ != nullptr) ranks_->wait(pending_);
    double const scale = plan_.factor / box.volume(), height = box.c().z, net = plan_.netCharge;
    math::Vec3d const dipole{momentOf(moments_[x]), momentOf(moments_[y]), momentOf(moments_[z])};
    auto const count = static_cast<std::int64_t>(part_.charges.size());
#pragma omp parallel for num_threads(threads_) schedule(static)
    for (std::int64_t i = 0; i < count; ++i) {
        auto const atom = static_cast<std::size_t>(i);
        if (part_.charges[atom] == 0) continue;
        math::Vec3d field = dipole;
        if (net != 0) field.z -= net * box.toPosition(positions[atom]).z;
        forces[atom] += math::forceUnits(-2 * scale * part_.charges[atom] * field);
    }
    if (!sums || (ranks_ != nullptr && !ranks_->first())) return;
    // Under strain E goes with the inverse of the volume, and with the squares of lengths along z, or along M.
    double const energy = slab() ? scale * physics::slabMoment(dipole.z, net, momentOf(moments_[zz]), height) : scale * math::norm2(dipole);
    sums->of(system::Term::coulombRecip).addWhole(energy);
    math::Mat3d virial = slab() ? math::Mat3d{{0, 0, 0}, {0, 0, 0}, {0, 0, energy}} : scale * math::outer(dipole, dipole);
    for (double* diagonal : {&virial.x.x, &virial.y.y, &virial.z.z}) *diagonal -= 0.5 * energy;
    sums->virial.add(virial);
}

} // namespace alder::cpu
