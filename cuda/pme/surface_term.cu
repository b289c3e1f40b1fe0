#include "pme/surface_term.hpp"

#include "device/language.hpp"
#include "device/launch.hpp"
#include "device/warp_sums.hpp"
#include "math/fixed_sum.hpp"
#include "physics/surface_dipole.hpp"
#include "system/molecule_parts.hpp"
#include "system/sums.hpp"

#include <vector>

namespace alder::cuda {

namespace {

constexpr int atomThreads = 128;
/// Moments are summed in units of 2^-34, as on the CPU.
constexpr double momentScale = 1024;

struct SurfaceViews {
    View<math::FractionVec const> positions;
    View<DipoleShare const> shares;
    View<std::int64_t> moments;
    int count;
    bool slab;
};

__device__ std::int64_t momentUnits(double moment)
{
    math::FixedSum sum;
    sum.addWhole(momentScale * moment);
    return sum.units;
}

__device__ void addMoment(View<std::int64_t> moments, int index, std::int64_t units)
{
    std::int64_t const sum = sumOverWarp(units);
    if (threadIdx.x % warpLanes == 0) addUnits(moments, index, sum);
}

__global__ void __launch_bounds__(atomThreads) surfaceMoments(SurfaceViews views, View<physics::Box const> cell)
{
    physics::Box const box = cell[0];
    int const i = static_cast<int>(blockIdx.x) * atomThreads + static_cast<int>(threadIdx.x);
    std::int64_t x = 0, y = 0, z = 0, zz = 0;
    if (i < views.count) {
        DipoleShare const share = views.shares[i];
        math::FractionVec const r = views.positions[i];
        if (views.slab) {
            double const height = box.toPosition(r).z;
            z = momentUnits(share.charge * height);
            zz = momentUnits(share.charge * height * height);
        } else {
            math::Vec3d const place = share.from < 0 ? box.toPosition(r) : box.difference(r, views.positions[share.from]);
            x = momentUnits(share.carried * place.x);
            y = momentUnits(share.carried * place.y);
            z = momentUnits(share.carried * place.z);
        }
    }
    if (!views.slab) {
        addMoment(views.moments, 0, x);
        addMoment(views.moments, 1, y);
    }
    addMoment(views.moments, 2, z);
    if (views.slab) addMoment(views.moments, 3, zz);
}

__device__ double momentOf(std::int64_t units) { return math::FixedSum{units}.value() / momentScale; }

/// Under strain E goes with the inverse of the volume, and with the squares of lengths along z, or along M.
__device__ void addSums(SurfaceViews const& views, plan::SurfacePlan const& plan, physics::Box const& box, math::Vec3d dipole,
                        View<std::int64_t> sums)
{
    double const scale = plan.factor / box.volume();
    double const energy = views.slab ? scale * physics::slabMoment(dipole.z, plan.netCharge, momentOf(views.moments[3]), box.c().z)
                                     : scale * math::norm2(dipole);
    math::FixedSum whole;
    whole.addWhole(energy);
    addUnits(sums, static_cast<int>(system::Term::coulombRecip), whole.units);
    math::Mat3d virial = views.slab ? math::Mat3d{{0, 0, 0}, {0, 0, 0}, {0, 0, energy}} : scale * math::outer(dipole, dipole);
    virial.x.x -= 0.5 * energy;
    virial.y.y -= 0.5 * energy;
    virial.z.z -= 0.5 * energy;
    math::FixedTensor tensor;
    tensor.add(virial);
    math::FixedSum const elements[9] = {tensor.xx, tensor.xy, tensor.xz, tensor.yx, tensor.yy, tensor.yz, tensor.zx, tensor.zy, tensor.zz};
    for (int n = 0; n < 9; ++n) addUnits(sums, static_cast<int>(system::termCount) + n, elements[n].units);
}

template <bool wanted>
__global__ void __launch_bounds__(atomThreads)
    surfaceForces(SurfaceViews views, plan::SurfacePlan plan, View<physics::Box const> cell, ForceTarget target)
{
    physics::Box const box = cell[0];
    int const i = static_cast<int>(blockIdx.x) * atomThreads + static_cast<int>(threadIdx.x);
    if (i >= views.count) return;
    double const net = plan.netCharge;
    math::Vec3d dipole{0, 0, momentOf(views.moments[2])};
    if (!views.slab) {
        dipole.x = momentOf(views.moments[0]);
        dipole.y = momentOf(views.moments[1]);
    }
    double const charge = views.shares[i].charge;
    if (charge != 0) {
        math::Vec3d field = dipole;
        if (net != 0) field.z -= net * box.toPosition(views.positions[i]).z;
        math::ForceUnits const units = math::forceUnits(-2 * (plan.factor / box.volume()) * charge * field);
        std::int64_t const at = 3 * std::int64_t{i};
        if (!views.slab) {
            addUnits(target.forces, at, units.x);
            addUnits(target.forces, at + 1, units.y);
        }
        addUnits(target.forces, at + 2, units.z);
    }
    if (wanted && i == 0) addSums(views, plan, box, dipole, target.sums);
}

} // namespace

SurfaceTerm::SurfaceTerm(system::Topology const& topology, plan::SurfacePlan const& plan, Stream& stream) : plan_(plan), stream_(stream)
{
    std::vector<std::vector<DipoleShare>> byType; // `from` within the molecule
    for (system::MoleculeType const& type : topology.types) {
        std::vector<DipoleShare>& shares = byType.emplace_back(type.atoms.size());
        for (std::size_t i = 0; i < shares.size(); ++i) shares[i].charge = shares[i].carried = type.atoms[i].charge;
        auto const links = system::partsOf(type).links;
        for (auto link = links.rbegin(); link != links.rend(); ++link) { // each atom after all that hangs on it
            DipoleShare const& share = shares[static_cast<std::size_t>(link->atom)];
            if (link->from >= 0) shares[static_cast<std::size_t>(link->from)].carried += share.carried;
            shares[static_cast<std::size_t>(link->atom)].from = link->from;
        }
    }
    std::vector<DipoleShare> shares;
    shares.reserve(static_cast<std::size_t>(topology.atomCount));
    for (system::MoleculeBlock const& block : topology.blocks)
        for (std::int64_t m = 0; m < block.count; ++m) {
            auto const first = static_cast<std::int32_t>(shares.size());
            for (DipoleShare share : byType[static_cast<std::size_t>(block.type)]) {
                if (share.from >= 0) share.from += first;
                shares.push_back(share);
            }
        }
    shares_.upload(shares, stream);
    moments_.resize(4);
}

void SurfaceTerm::add(View<math::FractionVec const> positions, physics::Box const& box, ForceTarget const& target)
{
    auto const count = static_cast<int>(shares_.size());
    if (count == 0) return;
    adaptTo(box);
    moments_.clear(stream_);
    SurfaceViews const views{positions, shares_.constView(), moments_.view(), count, plan_.surroundings == plan::Surroundings::slab};
    LaunchShape const grid{.grid = static_cast<unsigned>((count + atomThreads - 1) / atomThreads), .block = atomThreads};
    launch<surfaceMoments>(grid, stream_, views, box_.view());
    if (target.wanted)
        launch<surfaceForces<true>>(grid, stream_, views, plan_, box_.view(), target);
    else
        launch<surfaceForces<false>>(grid, stream_, views, plan_, box_.view(), target);
}

} // namespace alder::cuda
