#pragma once
// Kernel coordinates: whole multiples of one quantum, so that differences are exact.

#include "physics/box.hpp"

#include <cmath>
#include <cstdint>

namespace alder::pairs {

using LatticeVec = math::Vec3<std::int32_t>;

/// The box vectors rounded to integers N of q = 2^-bits nm (relative error 1e-8 at 10 nm and 22 bits). An atom at fractions u (units of
/// 2^-32) has coordinate X = (u_a N_a + u_b N_b + u_c N_c + 2^31) >> 32, in exact 64-bit arithmetic. Adding a whole box vector to u adds
/// exactly N to X, so a difference of two coordinates does not depend on which atom carries a shift, nor on how long ago the atom
/// was last wrapped into the box.
class Lattice {
public:
    Lattice() = default;
    Lattice(physics::Box const& box, int bits)
        : quantum_(std::ldexp(1.0, -bits)),
          a_(units(box.a().x, bits)),
          bx_(units(box.b().x, bits)),
          by_(units(box.b().y, bits)),
          cx_(units(box.c().x, bits)),
          cy_(units(box.c().y, bits)),
          cz_(units(box.c().z, bits))
    {}

    [[nodiscard]] ALDER_HD double quantum() const { return quantum_; } ///< nm

    [[nodiscard]] ALDER_HD LatticeVec coordinate(math::Vec3l u) const
    {
        constexpr std::int64_t half = std::int64_t{1} << 31;
        return {static_cast<std::int32_t>((u.x * a_ + u.y * bx_ + u.z * cx_ + half) >> 32),
                static_cast<std::int32_t>((u.y * by_ + u.z * cy_ + half) >> 32), static_cast<std::int32_t>((u.z * cz_ + half) >> 32)};
    }
    /// a, b, c box vectors along.
    [[nodiscard]] ALDER_HD LatticeVec shift(int a, int b, int c) const
    {
        return {static_cast<std::int32_t>(a * a_ + b * bx_ + c * cx_), static_cast<std::int32_t>(b * by_ + c * cy_),
                static_cast<std::int32_t>(c * cz_)};
    }

private:
    static std::int64_t units(double length, int bits) { return std::llrint(std::ldexp(length, bits)); }
    double quantum_ = 0;
    std::int64_t a_ = 0, bx_ = 0, by_ = 0, cx_ = 0, cy_ = 0, cz_ = 0;
};

} // namespace alder::pairs
