#include "cpu/pme/surface_term.hpp"

#include "physics/surface_dipole.hpp"

#include <algorithm>

namespace alder::cpu {

namespace {
/// Moments are summed in units of 2^-34: half a unit of each molecule, times the moment, then moves no energy by 1e-7 kJ/mol.
constexpr double momentScale = 1024;
} // namespace

SurfaceTerm::SurfaceTerm(system::Topology const& topology, plan::SurfacePlan const& plan, int threads)
    : plan_(plan),
      threads_(std::max(threads, 1))
{
    for (system::MoleculeType const& type : topology.types) parts_.push_back(system::partsOf(type));
    for (system::MoleculeBlock const& block : topology.blocks)
        for (std::int64_t m = 0; m < block.count; ++m) {
            auto const type = static_cast<std::size_t>(block.type);
            molecules_.push_back({static_cast<std::int64_t>(charges_.size()), type});
            for (system::Atom const& atom : topology.types[type].atoms) charges_.push_back(atom.charge);
        }
}

SurfaceTerm::Moments SurfaceTerm::momentsOf(std::vector<math::FractionVec> const& positions, physics::Box const& box) const
{
    std::int64_t x = 0, y = 0, z = 0, zz = 0;
    bool const whole = plan_.surroundings == plan::Surroundings::dielectric;
#pragma omp parallel num_threads(threads_) reduction(+ : x, y, z, zz)
    {
        std::vector<math::Vec3d> place;
        Moments mine;
#pragma omp for schedule(static)
        for (std::size_t m = 0; m < molecules_.size(); ++m) {
            auto const first = static_cast<std::size_t>(molecules_[m].firstAtom);
            auto const& links = parts_[molecules_[m].type].links;
            place.resize(links.size());
            math::Vec3d dipole;
            double second = 0;
            for (system::MoleculeParts::Link const& link : links) {
                auto const i = static_cast<std::size_t>(link.atom), from = static_cast<std::size_t>(link.from);
                place[i] = whole && link.from >= 0 ? place[from] + box.difference(positions[first + i], positions[first + from])
                                                   : box.toPosition(positions[first + i]);
                dipole += charges_[first + i] * place[i];
                second += charges_[first + i] * place[i].z * place[i].z;
            }
            mine.x.addWhole(momentScale * dipole.x);
            mine.y.addWhole(momentScale * dipole.y);
            mine.z.addWhole(momentScale * dipole.z);
            mine.zz.addWhole(momentScale * second);
        }
        x += mine.x.units;
        y += mine.y.units;
        z += mine.z.units;
        zz += mine.zz.units;
    }
    return {{x}, {y}, {z}, {zz}};
}

void SurfaceTerm::add(std::vector<math::FractionVec> const& positions, physics::Box const& box, std::vector<math::ForceUnits>& forces,
                      system::ForceSums* sums) const
{
    Moments const moments = momentsOf(positions, box);
    bool const slab = plan_.surroundings == plan::Surroundings::slab;
    double const scale = plan_.factor / box.volume(), height = box.c().z, net = plan_.netCharge;
    math::Vec3d const dipole =
        slab ? math::Vec3d{0, 0, moments.z.value() / momentScale}
             : math::Vec3d{moments.x.value() / momentScale, moments.y.value() / momentScale, moments.z.value() / momentScale};
    auto const count = static_cast<std::int64_t>(charges_.size());
#pragma omp parallel for num_threads(threads_) schedule(static)
    for (std::int64_t i = 0; i < count; ++i) {
        auto const atom = static_cast<std::size_t>(i);
        if (charges_[atom] == 0) continue;
        math::Vec3d field = dipole;
        if (net != 0) field.z -= net * box.toPosition(positions[atom]).z;
        forces[atom] += math::forceUnits(-2 * scale * charges_[atom] * field);
    }
    if (!sums) return;
    // Under strain E goes with the inverse of the volume, and with the squares of lengths along z, or along M.
    double const energy =
        slab ? scale * physics::slabMoment(dipole.z, net, moments.zz.value() / momentScale, height) : scale * math::norm2(dipole);
    sums->of(system::Term::coulombRecip).addWhole(energy);
    math::Mat3d virial = slab ? math::Mat3d{{0, 0, 0}, {0, 0, 0}, {0, 0, energy}} : scale * math::outer(dipole, dipole);
    for (double* diagonal : {&virial.x.x, &virial.y.y, &virial.z.z}) *diagonal -= 0.5 * energy;
    sums->virial.add(virial);
}

} // namespace alder::cpu
