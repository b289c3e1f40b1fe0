#pragma once
// Places virtual sites on the device, and hands the forces on them to the atoms that make them.

#include "bonded/virtual_site_lists.hpp"
#include "device/buffers.hpp"
#include "device/device_value.hpp"
#include "device/force_target.hpp"
#include "device/stream.hpp"
#include "math/vec3.hpp"
#include "physics/box.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace alder::cuda {

/// A site and the atoms that make it. A site N has its atoms elsewhere: firstWeighted and weightedCount.
struct SiteRecord {
    std::int32_t kind = 0, site = 0;
    std::int32_t atoms[4] = {0, 0, 0, 0};
    std::int32_t firstWeighted = 0, weightedCount = 0;
    double parameters[3] = {0, 0, 0};
};
struct WeightedAtom {
    double weight = 0;
    std::int32_t atom = 0;
};

/// One thread a site, one launch a level: sites that are made from sites are placed after them, and hand their force on before. What is
/// handed on is rounded to integers, so the bits are those of cpu::VirtualSites.
class VirtualSites {
public:
    /// The topology must outlive this. Throws InputRefused where sites are made from each other.
    VirtualSites(system::Topology const& topology, Stream& stream);
    [[nodiscard]] bool empty() const { return levels_.empty(); }
    /// The box from now on, for graphs too that hold some of what follows.
    void adaptTo(physics::Box const& box) { box_.set(box, stream_); }
    /// Sets the positions of all sites from those of the atoms. A site without a place stays where it is and is remembered for check().
    void construct(View<math::FractionVec> positions, physics::Box const& box);
    /// Moves the forces on sites to the atoms; the sites' become zero. What that changes of the virial is added where target wants it.
    void spread(View<math::FractionVec const> positions, physics::Box const& box, ForceTarget const& target);
    /// Gives each site of `positions` (all in place) the velocity that those of the atoms imply, over `dt` back.
    void setVelocities(View<math::FractionVec const> positions, View<math::Vec3d> velocities, physics::Box const& box, double dt);
    /// What it changes of a virial that forces on sites at `given` act at `positions`: -1/2 sum of the way from one to the other outer F.
    void addDisplacedVirial(View<math::FractionVec const> given, View<math::FractionVec const> positions, physics::Box const& box,
                            ForceTarget const& target);
    /// The longest way (nm) from a site of `given` to that of `positions`. Waits for the device.
    [[nodiscard]] double largestDisplacement(View<math::FractionVec const> given, View<math::FractionVec const> positions,
                                             physics::Box const& box);
    /// Waits for the device. Throws RunFailed, naming the site, where a construction had no place.
    void check();
    /// What check() looks at: none where nothing can fail.
    [[nodiscard]] View<std::int32_t const> flag() const { return failed_.size() > 0 ? failed_.constView() : View<std::int32_t const>(); }
    /// check() of a flag that the host has.
    void judge(std::int32_t failed) const;
    /// What of a topology this room cannot compute, by name.
    static std::vector<std::string> cannotDo(system::Topology const& topology);

private:
    struct Level {
        std::int32_t first = 0, count = 0;
    };
    system::Topology const& topology_;
    Stream& stream_;
    DeviceValue<physics::Box> box_;
    std::int64_t atomCount_ = 0;
    std::vector<Level> levels_;
    DeviceBuffer<SiteRecord> sites_; ///< by level
    DeviceBuffer<WeightedAtom> weighted_;
    DeviceBuffer<std::int32_t> failed_;        ///< the lowest site without a place
    DeviceBuffer<math::FractionVec> back_;     ///< where all were dt ago; made when velocities are first asked for
    DeviceBuffer<unsigned long long> largest_; ///< bits of a displacement
};

} // namespace alder::cuda
