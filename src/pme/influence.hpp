#pragma once
// The influence function of the grid: what turns the charge grid's waves into the potential's.

#include "physics/dispersion_ewald.hpp"
#include "physics/ewald.hpp"
#include "plan/run_plan.hpp"

#include <array>
#include <vector>

namespace alder::pme {

/// Of a wave m (1/nm, not 0) in a given box, without what the grid does to it. On host and device.
struct WaveLaw {
    plan::GridSum sum;
    double beta, electricFactor, volume;
    physics::ReciprocalCell reciprocal;
    WaveLaw(plan::PmePlan const& plan, physics::Box const& box)
        : sum(plan.sum),
          beta(plan.beta),
          electricFactor(plan.electricFactor),
          volume(box.volume()),
          reciprocal(box)
    {}
    /// What multiplies |S(m)|^2/2 in the energy, kJ/mol e^-2.
    [[nodiscard]] ALDER_HD double factor(double m2) const
    {
        return sum == plan::GridSum::coulomb ? physics::reciprocalFactor(m2, beta, volume, electricFactor)
                                             : electricFactor * physics::dispersionReciprocalFactor(m2, beta, volume);
    }
    /// What a wave's energy is multiplied with, times m_i m_j, in its derivative with respect to strain (nm^2).
    [[nodiscard]] ALDER_HD double virialFactor(double m2) const
    {
        return sum == plan::GridSum::coulomb ? physics::reciprocalVirialFactor(m2, beta)
                                             : physics::dispersionReciprocalVirialFactor(m2, beta);
    }
    /// Signed wave number of index i of n along an axis: the upper half is the negative waves.
    [[nodiscard]] static ALDER_HD int folded(int i, int n) { return 2 * i < n ? i : i - n; }
};

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
        return law_.factor(math::norm2(wave(x, y, z))) * modulus(0, x) * modulus(1, y) * modulus(2, z);
    }
    /// WaveLaw::virialFactor() there; 0 for the constant wave.
    [[nodiscard]] double virialFactorAt(int x, int y, int z) const
    {
        if (x == 0 && y == 0 && z == 0) return 0;
        return law_.virialFactor(math::norm2(wave(x, y, z)));
    }
    /// The wave vector m (1/nm) that grid indices stand for.
    [[nodiscard]] math::Vec3d wave(int x, int y, int z) const { return reciprocal().vector(folded(0, x), folded(1, y), folded(2, z)); }
    [[nodiscard]] int folded(std::size_t axis, int i) const { return WaveLaw::folded(i, plan_.grid[axis]); }
    [[nodiscard]] physics::ReciprocalCell const& reciprocal() const { return law_.reciprocal; }
    [[nodiscard]] WaveLaw const& law() const { return law_; }
    [[nodiscard]] std::vector<double> const& moduli(std::size_t axis) const { return moduli_[axis]; }

private:
    [[nodiscard]] double modulus(std::size_t axis, int i) const { return moduli_[axis][static_cast<std::size_t>(i)]; }
    plan::PmePlan plan_;
    WaveLaw law_;
    std::array<std::vector<double>, 3> moduli_;
};

} // namespace alder::pme
