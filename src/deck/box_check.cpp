#include "deck/box_check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace alder::deck {

namespace {

/// The same lattice from vectors that lean by no more than half a cell: what periodicity in fractions needs. The margin leaves boxes
/// alone that lean by exactly half but for their printed digits.
physics::Box reduced(math::Mat3d const& vectors, base::Place const& place, base::FaultList& faults)
{
    math::Vec3d const a = vectors.x;
    math::Vec3d b = vectors.y, c = vectors.z;
    constexpr double half = 0.5 * 1.0005;
    bool changed = false;
    auto const shift = [&](math::Vec3d& vector, math::Vec3d const& by, double leaning, double length) {
        if (std::abs(leaning) <= half * length) return;
        vector = vector - std::round(leaning / length) * by;
        changed = true;
    };
    shift(c, b, c.y, b.y);
    shift(c, a, c.x, a.x);
    shift(b, a, b.x, a.x);
    if (changed)
        faults.warn(place, "the box leans by more than half a vector",
                    fmt::format("the same lattice with b.x {:.6g}, c.x {:.6g}, c.y {:.6g} is used", b.x, c.x, c.y));
    return {a, b, c};
}

} // namespace

std::optional<physics::Box> acceptedBox(math::Mat3d const& vectors, base::Place const& place, base::FaultList& faults)
{
    math::Vec3d const a = vectors.x, b = vectors.y, c = vectors.z;
    auto const large = [](math::Vec3d v) { return std::max({std::abs(v.x), std::abs(v.y), std::abs(v.z)}); };
    if (!(a.x > 0 && b.y > 0 && c.z > 0))
        faults.refuse(place, "the box has a length that is not above 0", "give a periodic box, in nm");
    else if (!(a.y == 0 && a.z == 0 && b.z == 0))
        faults.refuse(place, "the first box vector is not along x, or the second not in the xy plane",
                      "rotate the system (ay, az and bz are 0)");
    else if (!(std::max({large(a), large(b), large(c)}) <= greatestLength) || std::min({a.x, b.y, c.z}) < 1e-3)
        faults.refuse(place, "the box is beyond 0.001 to 100000 nm", "give lengths in nm");
    else
        return reduced(vectors, place, faults);
    return {};
}

} // namespace alder::deck
