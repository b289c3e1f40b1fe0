#pragma once
// The periodic cell, and positions as fractions of it.

#include "math/vec3.hpp"

namespace alder::physics {

/// Box vectors as rows a, b, c in GROMACS's lower-triangular form: a = (ax,0,0), b = (bx,by,0), c = (cx,cy,cz), nm.
/// A position r = u a + v b + w c is stored as (u,v,w) in units of 2^-32: adding 1 to a fraction changes no bit, so an atom never
/// leaves the box, and the difference of two fractions is that of the nearest image along each vector.
class Box {
public:
    Box() = default;
    ALDER_HD Box(math::Vec3d a, math::Vec3d b, math::Vec3d c) : a_(a), b_(b), c_(c) {}

    [[nodiscard]] ALDER_HD math::Vec3d a() const { return a_; }
    [[nodiscard]] ALDER_HD math::Vec3d b() const { return b_; }
    [[nodiscard]] ALDER_HD math::Vec3d c() const { return c_; }
    [[nodiscard]] ALDER_HD bool rectangular() const { return b_.x == 0 && c_.x == 0 && c_.y == 0; }
    [[nodiscard]] ALDER_HD double volume() const { return a_.x * b_.y * c_.z; } ///< nm^3

    /// nm -> fractions. Any image is accepted.
    [[nodiscard]] ALDER_HD math::FractionVec toFraction(math::Vec3d r) const
    {
        double const w = r.z / c_.z;
        double const v = (r.y - w * c_.y) / b_.y;
        double const u = (r.x - v * b_.x - w * c_.x) / a_.x;
        return {units(u), units(v), units(w)};
    }
    /// A displacement in nm as fractions, rounded to nearest; the inverse of displacement().
    [[nodiscard]] ALDER_HD math::FractionVec toFractionStep(math::Vec3d d) const { return toFraction(d); }
    /// fractions -> nm, in the cell that has its corner at the origin: each fraction read as [0,1).
    [[nodiscard]] ALDER_HD math::Vec3d toPosition(math::FractionVec f) const
    {
        return combine(positive(f.x), positive(f.y), positive(f.z));
    }
    /// The vector (nm) that a difference of fractions stands for: each fraction read as [-1/2, 1/2).
    [[nodiscard]] ALDER_HD math::Vec3d displacement(math::FractionVec d) const { return combine(d.x * unit, d.y * unit, d.z * unit); }
    /// r_i - r_j, nearest image along each box vector, nm.
    [[nodiscard]] ALDER_HD math::Vec3d difference(math::FractionVec i, math::FractionVec j) const
    {
        return displacement(math::wrappingDifference(i, j));
    }

private:
    static constexpr double unit = 1.0 / 4294967296.0;
    static ALDER_HD std::int32_t units(double u)
    {
        double const wrapped = u - std::floor(u); // [0,1]
        return static_cast<std::int32_t>(static_cast<std::uint32_t>(static_cast<std::uint64_t>(std::llrint(wrapped * 4294967296.0))));
    }
    static ALDER_HD double positive(std::int32_t f) { return static_cast<double>(static_cast<std::uint32_t>(f)) * unit; }
    [[nodiscard]] ALDER_HD math::Vec3d combine(double u, double v, double w) const
    {
        return {u * a_.x + v * b_.x + w * c_.x, v * b_.y + w * c_.y, w * c_.z};
    }
    math::Vec3d a_, b_, c_;
};

} // namespace alder::physics
