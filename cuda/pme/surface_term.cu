#include "pme/surface_term.hpp"

#include "device/language.hpp"
#include "device/launch.hpp"
#include "device/warp_sums.hpp"
#include "math/fixed_sum.hpp"
#include "physics/surface_dipole.hpp"
#include "system/sums.hpp"

#include <vector>

namespace alder::cuda {

namespace {

constexpr int atomThreads = 128;
/// Moments are summed in units of 2^-34, as on the CPU.
constexpr double momentScale = 1024;

struct SurfaceViews {
    View<math::FractionVec const> positions;
    View<double const> charges;
    View<domain::PlacedArm const> arms;
    View<std::int64_t> moments;
    int atoms, armCount;
    bool slab;
    /// What moments are summed over.
    [[nodiscard]] __host__ __device__ int count() const { return slab ? atoms : armCount; }
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
    if (i < views.count() && views.slab) {
        double const height = box.toPosition(views.positions[i]).z, charge = views.charges[i];
        z = momentUnits(charge * height);
        zz = momentUnits(charge * height * height);
    } else if (i < views.count()) {
        domain::PlacedArm const arm = views.arms[i];
        math::FractionVec const r = views.positions[arm.atom];
        math::Vec3d const place = arm.from < 0 ? box.toPosition(r) : box.difference(r, views.positions[arm.from]);
        x = momentUnits(arm.carried * place.x);
        y = momentUnits(arm.carried * place.y);
        z = momentUnits(arm.carried * place.z);
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
    if (i >= views.atoms && i > 0) return;
    double const net = plan.netCharge;
    math::Vec3d dipole{0, 0, momentOf(views.moments[2])};
    if (!views.slab) {
        dipole.x = momentOf(views.moments[0]);
        dipole.y = momentOf(views.moments[1]);
    }
    double const charge = i < views.atoms ? static_cast<double>(views.charges[i]) : 0;
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

SurfaceTerm::SurfaceTerm(system::Topology const& whole, plan::SurfacePlan const& plan, Stream& stream, domain::Communicator* ranks)
    : plan_(plan),
      stream_(stream),
      ranks_(ranks),
      parts_(whole, plan.surroundings),
      moments_(4)
{
    if (ranks_ == nullptr) takeAtoms(whole);
}

void SurfaceTerm::takeAtoms(system::Topology const& part)
{
    domain::DipolePart const found = parts_.of(part);
    charges_.upload(found.charges, stream_);
    arms_.upload(found.arms, stream_);
}

void SurfaceTerm::add(View<math::FractionVec const> positions, physics::Box const& box, ForceTarget const& target)
{
    adaptTo(box);
    moments_.clear(stream_);
    SurfaceViews const views{positions,
                             charges_.constView(),
                             arms_.constView(),
                             moments_.view(),
                             static_cast<int>(charges_.size()),
                             static_cast<int>(arms_.size()),
                             plan_.surroundings == plan::Surroundings::slab};
    auto const each = [](int count) {
        return LaunchShape{.grid = blocksFor(static_cast<std::size_t>(count), atomThreads), .block = atomThreads};
    };
    launch<surfaceMoments>(each(views.count()), stream_, views, box_.view());
    if (ranks_ != nullptr) {
        std::vector<std::int64_t> moments = moments_.download(stream_);
        ranks_->sum(moments);
        moments_.upload(moments, stream_);
    }
    if (target.wanted && (ranks_ == nullptr || ranks_->first()))
        launch<surfaceForces<true>>(each(views.atoms), stream_, views, plan_, box_.view(), target);
    else
        launch<surfaceForces<false>>(each(views.atoms), stream_, views, plan_, box_.view(), target);
}

} // namespace alder::cuda
