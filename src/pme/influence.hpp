#pragma once
// The influence function of the grid: what turns the charge grid's waves into the potential's.

#include "physics/dispersion_ewald.hpp"
#include "physics/ewald.hpp"
#include "plan/run_plan.hpp"

#include <array>
#include <vector>

namespace alder::pme {

/// With Q(h) the unnormalized transform of the charge grid, the energy is 1/2 sum_h G(h) |Q(h)|^2 and the potential on the grid the
/// unnormalized inverse transform of G(h) Q(h).
class Influence {
public:
    explicit Influence(plan::PmePlan const& plan);
    /// Must be called before at(), and again whenever the box changes.
    void setBox(physics::Box const& box);
    /// G at grid indices (x, y, z), kJ/mol e^-2; 0 for the constant wave, whose energy is PmePlan::uniformEnergyFactor over the volume.
    [[nodiscard]] double at(int x, int y, int z) const
    {
        if (x == 0 && y == 0 && z == 0) return 0;
        double const m2 = math::norm2(wave(x, y, z));
        double const g = sum_ == plan::GridSum::coulomb ? physics::reciprocalFactor(m2, beta_, volume_, electricFactor_)
                                                        : electricFactor_ * physics::dispersionReciprocalFactor(m2, beta_, volume_);
        return g * modulus(0, x) * modulus(1, y) * modulus(2, z);
    }
    /// What a wave's energy is multiplied with, times m_i m_j, in its derivative with respect to strain (nm^2); 0 for the constant wave.
    [[nodiscard]] double virialFactorAt(int x, int y, int z) const
    {
        if (x == 0 && y == 0 && z == 0) return 0;
        double const m2 = math::norm2(wave(x, y, z));
        return sum_ == plan::GridSum::coulomb ? physics::reciprocalVirialFactor(m2, beta_)
                                              : physics::dispersionReciprocalVirialFactor(m2, beta_);
    }
    /// The wave vector m (1/nm) that grid indices stand for: the upper half of each axis is the negative waves.
    [[nodiscard]] math::Vec3d wave(int x, int y, int z) const { return reciprocal_.vector(folded(0, x), folded(1, y), folded(2, z)); }
    /// Signed wave number of index i along an axis.
    [[nodiscard]] int folded(std::size_t axis, int i) const { return 2 * i < grid_[axis] ? i : i - grid_[axis]; }
    [[nodiscard]] physics::ReciprocalCell const& reciprocal() const { return reciprocal_; }

private:
    [[nodiscard]] double modulus(std::size_t axis, int i) const { return moduli_[axis][static_cast<std::size_t>(i)]; }
    plan::GridSum sum_;
    std::array<int, 3> grid_;
    double beta_, electricFactor_, volume_ = 0;
    std::array<std::vector<double>, 3> moduli_;
    physics::ReciprocalCell reciprocal_;
};

} // namespace alder::pme
