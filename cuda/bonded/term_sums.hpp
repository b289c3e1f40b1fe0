#pragma once
// Where a thread puts its term: integer forces over atoms, energies and virial, and whether the term failed. Twin of
// cpu/bonded/term_sums.hpp: the same operations, so the same integers.

#include "device/force_target.hpp"
#include "device/language.hpp"
#include "device/warp_sums.hpp"
#include "math/fixed_sum.hpp"
#include "system/sums.hpp"

#include <cmath>
#include <cstdint>

namespace alder::cuda {

/// wanted: energies and virial are summed too.
template <bool wanted> class TermSums {
public:
    __device__ TermSums(View<std::int64_t> forces, View<std::int32_t> failed, std::int32_t term)
        : forces_(forces),
          failed_(failed),
          term_(term)
    {}
    static constexpr bool wantEnergies = wanted;

    __device__ void addEnergy(double energy) { energy_.add(energy); }
    /// Of pairs: Lennard-Jones goes to the first energy, Coulomb to the second.
    __device__ void addSecondEnergy(double energy) { secondEnergy_.add(energy); }
    /// A force f on an atom at r gives -1/2 r outer f.
    __device__ void addVirial(math::Mat3d const& positionsOuterForces) { virial_.add(-0.5 * positionsOuterForces); }

    /// Forces on one to three atoms, and minus their sum, exactly, on the atom that closes the term. False where one is not finite or too
    /// large to be summed: then nothing is added.
    __device__ bool addForces(std::int32_t i, math::Vec3d fi, std::int32_t closing)
    {
        if (!holds(largest(fi))) return fail();
        math::ForceUnits const a = rounded(fi);
        give(i, a);
        give(closing, -a);
        return true;
    }
    __device__ bool addForces(std::int32_t i, math::Vec3d fi, std::int32_t k, math::Vec3d fk, std::int32_t closing)
    {
        if (!holds(larger(largest(fi), largest(fk)))) return fail();
        math::ForceUnits const a = rounded(fi), b = rounded(fk);
        give(i, a);
        give(k, b);
        give(closing, -(a + b));
        return true;
    }
    struct Four {
        std::int32_t i, j, k, l; ///< j closes
    };
    __device__ bool addForces(Four const& atoms, math::Vec3d fi, math::Vec3d fk, math::Vec3d fl)
    {
        if (!holds(larger(larger(largest(fi), largest(fk)), largest(fl)))) return fail();
        math::ForceUnits const a = rounded(fi), b = rounded(fk), c = rounded(fl);
        give(atoms.i, a);
        give(atoms.k, b);
        give(atoms.l, c);
        give(atoms.j, -(a + b + c));
        return true;
    }
    /// The force of the surroundings on one atom.
    __device__ bool addForce(std::int32_t atom, math::Vec3d force)
    {
        if (!holds(largest(force))) return fail();
        give(atom, rounded(force));
        return true;
    }

    [[nodiscard]] __device__ std::int64_t energyUnits() const { return energy_.units; }
    [[nodiscard]] __device__ std::int64_t secondEnergyUnits() const { return secondEnergy_.units; }
    [[nodiscard]] __device__ math::FixedTensor const& virial() const { return virial_; }

private:
    /// 2^33 kJ/mol/nm, as on the CPU.
    static constexpr double largestForce = 8589934592.0;
    static __device__ bool holds(double size) { return size <= largestForce; }
    /// Not-a-number counts as infinite.
    static __device__ double magnitude(double f) { return f == f ? (f < 0 ? -f : f) : HUGE_VAL; }
    static __device__ double larger(double a, double b) { return a > b ? a : b; }
    static __device__ double largest(math::Vec3d f) { return larger(larger(magnitude(f.x), magnitude(f.y)), magnitude(f.z)); }
    static __device__ math::ForceUnits rounded(math::Vec3d f)
    {
        return {__double2ll_rn(f.x * math::forceScale), __double2ll_rn(f.y * math::forceScale), __double2ll_rn(f.z * math::forceScale)};
    }
    __device__ bool fail()
    {
        atomicMin(failed_.pointer(0), term_);
        return false;
    }
    __device__ void give(std::int32_t atom, math::ForceUnits units)
    {
        addUnits(forces_, 3 * std::int64_t{atom}, units.x);
        addUnits(forces_, 3 * std::int64_t{atom} + 1, units.y);
        addUnits(forces_, 3 * std::int64_t{atom} + 2, units.z);
    }

    View<std::int64_t> forces_;
    View<std::int32_t> failed_;
    std::int32_t term_;
    math::FixedSum energy_, secondEnergy_;
    math::FixedTensor virial_;
};

/// Adds the sum of a warp's values at an index; all lanes take part.
inline __device__ void addWarpSum(View<std::int64_t> sums, int index, std::int64_t value)
{
    std::int64_t const sum = sumOverWarp(value);
    if (threadIdx.x % warpLanes == 0 && sum != 0) addUnits(sums, index, sum);
}
inline __device__ void addWarpVirial(View<std::int64_t> sums, math::FixedTensor const& virial)
{
    auto const at = static_cast<int>(system::termCount);
    addWarpSum(sums, at, virial.xx.units);
    addWarpSum(sums, at + 1, virial.xy.units);
    addWarpSum(sums, at + 2, virial.xz.units);
    addWarpSum(sums, at + 3, virial.yx.units);
    addWarpSum(sums, at + 4, virial.yy.units);
    addWarpSum(sums, at + 5, virial.yz.units);
    addWarpSum(sums, at + 6, virial.zx.units);
    addWarpSum(sums, at + 7, virial.zy.units);
    addWarpSum(sums, at + 8, virial.zz.units);
}

} // namespace alder::cuda
