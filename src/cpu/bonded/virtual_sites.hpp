#pragma once
// Places virtual sites, and hands the forces on them to the atoms that make them.

#include "bonded/virtual_site_lists.hpp"
#include "math/fixed_sum.hpp"
#include "physics/box.hpp"
#include "system/sums.hpp"

#include <vector>

namespace alder::cpu {

/// Threads take whole molecules, so sites that share atoms never meet; what is handed on is rounded to integers, so that the bits do not
/// depend on how.
class VirtualSites {
public:
    /// The topology must outlive this.
    VirtualSites(system::Topology const& topology, int threads);
    [[nodiscard]] bool empty() const { return runs_.empty(); }
    /// Sets the positions of all sites from those of the atoms. Throws RunFailed, naming the site, where a construction has no place.
    void construct(std::vector<math::FractionVec>& positions, physics::Box const& box) const;
    /// Gives each site of `positions` (all in place) the velocity that those of the atoms imply, over `dt` back.
    void setVelocities(std::vector<math::FractionVec> const& positions, std::vector<math::Vec3d>& velocities, physics::Box const& box,
                       double dt) const;
    /// What it changes of a virial that forces on sites at `given` act at `positions`: -1/2 sum of the way from one to the other outer F.
    void addDisplacedVirial(std::vector<math::FractionVec> const& given, std::vector<math::FractionVec> const& positions,
                            physics::Box const& box, std::vector<math::ForceUnits> const& forces, math::FixedTensor& virial) const;
    /// The longest way (nm) from a site of `given` to that of `positions`.
    [[nodiscard]] double largestDisplacement(std::vector<math::FractionVec> const& given, std::vector<math::FractionVec> const& positions,
                                             physics::Box const& box) const;
    /// Moves the forces on sites to the atoms; the sites' become zero. What that changes of the virial is added to `sums` unless null.
    void spread(std::vector<math::FractionVec> const& positions, physics::Box const& box, std::vector<math::ForceUnits>& forces,
                system::ForceSums* sums) const;

private:
    struct Run {
        std::size_t type = 0;
        std::int64_t firstAtom = 0, copies = 0, stride = 0;
    };
    template <class Visit> void forEachSite(Visit&& visit) const;
    system::Topology const& topology_;
    std::vector<std::vector<bonded::VirtualSite>> types_;
    std::vector<Run> runs_;
    int threads_;
};

} // namespace alder::cpu
