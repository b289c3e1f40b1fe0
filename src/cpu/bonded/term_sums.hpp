#pragma once
// Where one worker's bonded terms go: integer forces over the atoms they touch, energies, virial, and the first term that failed.

#include "math/fixed_sum.hpp"
#include "physics/box.hpp"
#include "system/sums.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <tuple>

namespace alder::cpu {

/// A term whose force is not finite or too large to be summed. Ordered, so that the one reported does not depend on the number of threads.
struct FailedTerm {
    system::Kind kind = system::Kind::count;
    std::array<std::int64_t, 5> atoms{-1, -1, -1, -1, -1};
    [[nodiscard]] bool any() const { return kind != system::Kind::count; }
    friend bool operator<(FailedTerm const& a, FailedTerm const& b) { return std::tie(a.kind, a.atoms) < std::tie(b.kind, b.atoms); }
};

class TermSums {
public:
    /// Forces of atoms from firstAtom on are summed at `forces`. sums: null where forces alone are wanted.
    void start(math::ForceUnits* forces, std::int64_t firstAtom, system::ForceSums* sums)
    {
        forces_ = forces;
        firstAtom_ = firstAtom;
        sums_ = sums;
        failed_ = {};
    }
    [[nodiscard]] bool wantEnergies() const { return sums_ != nullptr; }
    [[nodiscard]] FailedTerm const& failed() const { return failed_; }

    void addEnergy(system::Term term, double energy) { sums_->of(term).add(energy); }
    /// A force f on an atom at r gives -1/2 r outer f.
    void addVirial(math::Mat3d const& positionsOuterForces) { sums_->virial.add(-0.5 * positionsOuterForces); }

    /// Adds forces to N of a term's atoms and minus their sum, exactly, to the atom that closes it: momentum is conserved to the bit.
    template <std::size_t N>
    bool addForces(system::Kind kind, std::array<std::int64_t, N> const& atoms, std::array<math::Vec3d, N> const& forces,
                   std::int64_t closing)
    {
        double largest = 0;
        for (math::Vec3d const& f : forces) largest = fmax(largest, fmax(fmax(magnitude(f.x), magnitude(f.y)), magnitude(f.z)));
        if (!(largest <= largestForce)) {
            fail(kind, atoms, closing);
            return false;
        }
        math::ForceUnits sum;
        for (std::size_t n = 0; n < N; ++n) {
            math::ForceUnits const units = rounded(forces[n]);
            at(atoms[n]) += units;
            sum += units;
        }
        at(closing) += -sum;
        return true;
    }
    /// The same for forces that are rounded already, and known to be sound.
    template <std::size_t N>
    void addUnits(std::array<std::int64_t, N> const& atoms, std::array<math::ForceUnits, N> const& units, std::int64_t closing)
    {
        math::ForceUnits sum;
        for (std::size_t n = 0; n < N; ++n) {
            at(atoms[n]) += units[n];
            sum += units[n];
        }
        at(closing) += -sum;
    }
    /// The force of the surroundings on one atom.
    bool addForce(system::Kind kind, std::int64_t atom, math::Vec3d force)
    {
        if (!(fmax(fmax(magnitude(force.x), magnitude(force.y)), magnitude(force.z)) <= largestForce)) {
            fail(kind, std::array<std::int64_t, 0>{}, atom);
            return false;
        }
        at(atom) += rounded(force);
        return true;
    }

private:
    /// 2^33 kJ/mol/nm: 64 such terms on one atom still sum without wrapping. A 1-4 pair reaches it at about 0.07 nm.
    static constexpr double largestForce = 8589934592.0;

    /// Not-a-number counts as infinite; fmax would drop it.
    static double magnitude(double f) { return f == f ? std::fabs(f) : HUGE_VAL; }
    static double fmax(double a, double b) { return a > b ? a : b; }
    static math::ForceUnits rounded(math::Vec3d f)
    {
        return {std::llrint(f.x * math::forceScale), std::llrint(f.y * math::forceScale), std::llrint(f.z * math::forceScale)};
    }
    template <std::size_t N> void fail(system::Kind kind, std::array<std::int64_t, N> const& atoms, std::int64_t closing)
    {
        FailedTerm term;
        term.kind = kind;
        std::copy(atoms.begin(), atoms.end(), term.atoms.begin());
        term.atoms[N] = closing;
        std::sort(term.atoms.begin(), term.atoms.begin() + N + 1);
        if (!failed_.any() || term < failed_) failed_ = term;
    }

    math::ForceUnits& at(std::int64_t atom) { return forces_[atom - firstAtom_]; }

    math::ForceUnits* forces_ = nullptr;
    std::int64_t firstAtom_ = 0;
    system::ForceSums* sums_ = nullptr;
    FailedTerm failed_;
};

} // namespace alder::cpu
