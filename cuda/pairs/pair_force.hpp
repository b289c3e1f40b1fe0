#pragma once
// The force of a pair in single precision, from the formulas of physics/pair_potential.hpp: the same operations in every kernel, so that
// it does not matter which one meets the pair.

#include "pairs/kernel_constants.hpp"
#include "pairs/slots.hpp"
#include "physics/pair_potential.hpp"

namespace alder::cuda {

/// pairs::KernelConstants for kernels that work with 1/r instead of 2/r: all differences are powers of two. A GPU's rsqrtf is right to 2
/// units in the last place, and takes no Newton step.
struct ForceConstants {
    float quantum2; ///< nm^2 a squared lattice unit
    float coulombCutoff2, ljCutoff2;
    float chargeFactor, sixFactor, twelveFactor; ///< make forces over lattice units, in quanta
    float smooth;
    float polynomialScale;
    float polynomial[pairs::mostCoefficients];
    float switchStart, inverseSwitchWidth;
    float sixA, sixB, twelveA, twelveB;
    float gridPolynomial[pairs::gridCoefficients];
    /// Sums of squared forces, in quanta, up to this cannot have overflowed. With F_k the forces of one lane's pairs in an entry and the
    /// sum of F_k^2 up to B^2, a lane's sum for an i atom over its 16 items is at most 4 B, over 4 lanes 16 B; for a j atom over 8 clusters
    /// sqrt(8) B, over 8 lanes 22.7 B: B = 9.1e7 keeps both under 2^31.
    float safeSquare;
};

/// A float whose mulAdd is fused: what -fmad=false leaves to the source to spell.
struct Real {
    float v;
    friend __device__ Real operator+(Real a, Real b) { return {a.v + b.v}; }
    friend __device__ Real operator-(Real a, Real b) { return {a.v - b.v}; }
    friend __device__ Real operator-(Real a) { return {-a.v}; }
    friend __device__ Real operator*(Real a, Real b) { return {a.v * b.v}; }
    friend __device__ Real mulAdd(Real a, Real b, Real c) { return {fmaf(a.v, b.v, c.v)}; }
    friend __device__ Real mulSub(Real a, Real b, Real c) { return {fmaf(a.v, b.v, -c.v)}; }
    friend __device__ Real subMul(Real a, Real b, Real c) { return {fmaf(-a.v, b.v, c.v)}; }
};

/// A flavour that the compiler knows.
template <pairs::CoulombFlavour coulomb_, pairs::LjFlavour lj_, pairs::ParameterFlavour parameters_> struct StaticFlavour {
    static constexpr pairs::CoulombFlavour coulomb = coulomb_;
    static constexpr pairs::LjFlavour lj = lj_;
    static constexpr pairs::ParameterFlavour parameters = parameters_;
};

/// What a pair is made of: products and table entries with the factors of ForceConstants in them.
struct PairParameters {
    Real qq, six, twelve, gridSix;
};

template <int count> __device__ inline Real powerSum(float const (&coefficients)[count], int degree, Real t)
{
    Real sum = mulAdd(Real{coefficients[degree]}, t, Real{coefficients[degree - 1]});
    ALDER_UNROLL
    for (int k = degree - 2; k >= 0; --k) sum = mulAdd(sum, t, Real{coefficients[k]});
    return sum;
}

template <class Flavour>
__device__ inline Real ljForce(ForceConstants const& c, Flavour const& flavour, Real r2, Real inverse, PairParameters const& p)
{
    using pairs::LjFlavour;
    Real const inverse2 = inverse * inverse, inverse6 = inverse2 * inverse2 * inverse2;
    Real const plain = physics::ljForceOverR(inverse2, inverse6, p.six, p.twelve);
    if (flavour.lj == LjFlavour::cut || flavour.lj == LjFlavour::ewald) return plain;
    bool const within = r2.v < c.ljCutoff2;
    if (flavour.lj == LjFlavour::cutShort) return {within ? plain.v : 0.0F};
    Real const beyond{fmaxf((r2 * inverse).v - c.switchStart, 0.0F)};
    Real force;
    if (flavour.lj == LjFlavour::forceSwitch) {
        Real const twelfth = physics::forceSwitchOverR(beyond, inverse, Real{c.twelveA}, Real{c.twelveB});
        Real const sixth = physics::forceSwitchOverR(beyond, inverse, Real{c.sixA}, Real{c.sixB});
        force = plain + (p.twelve * twelfth - p.six * sixth);
    } else {
        Real const x = beyond * Real{c.inverseSwitchWidth};
        // V = c12/r^12 - c6/r^6 in terms of 12 c12 and 6 c6
        Real const energy = inverse6 * mulSub(p.twelve * Real{1.0F / 12}, inverse6, p.six * Real{1.0F / 6});
        Real const factor = physics::switchFactor(x, Real{1.0F}, Real{6.0F}, Real{10.0F}, Real{15.0F});
        Real const slope = physics::switchSlope(x, Real{1.0F}, Real{30.0F});
        force = mulAdd(plain, factor, energy * (slope * Real{c.inverseSwitchWidth}) * inverse);
    }
    return {within ? force.v : 0.0F};
}

/// F over the distance in lattice units, in quanta, before the cutoff. `inverse` is 1/r in nm, 0 of an excluded pair.
template <class Flavour>
__device__ inline float forceOverR(ForceConstants const& c, Flavour const& flavour, Real r2, Real inverse, PairParameters const& p)
{
    using pairs::CoulombFlavour;
    Real const t = mulSub(r2, Real{c.polynomialScale}, Real{1.0F});
    Real smooth{c.smooth};
    if (flavour.coulomb == CoulombFlavour::ewald11) smooth = powerSum(c.polynomial, 11, t);
    if (flavour.coulomb == CoulombFlavour::ewald19) smooth = powerSum(c.polynomial, 19, t);
    Real force = physics::coulombForceOverR(p.qq, inverse, inverse * inverse, smooth);
    // What the grid has of the pair's dispersion is taken out again, of excluded pairs too.
    if (flavour.lj == pairs::LjFlavour::ewald) force = mulAdd(p.gridSix, powerSum(c.gridPolynomial, pairs::gridCoefficients - 1, t), force);
    return (force + ljForce(c, flavour, r2, inverse, p)).v;
}

/// The tables of Lennard-Jones parameters, 6 c6 and 12 c12, and 6 c6 of the grid; row-major.
struct LjTables {
    View<LjPair const> pairs;
    View<float const> grid; ///< LJ-PME only
    int typeCount;
};

/// What i brings to a pair, factors folded in.
struct PairSide {
    float charge;
    LjPair lj;         ///< products
    std::int32_t type; ///< tables; of i times the number of types
};

template <class Flavour>
__device__ inline PairParameters parametersOf(Flavour const& flavour, LjTables const& tables, PairSide const& i, PairSide const& j)
{
    PairParameters p{{i.charge * j.charge}, {0.0F}, {0.0F}, {0.0F}};
    if (flavour.parameters == pairs::ParameterFlavour::geometric) {
        p.six = {i.lj.six * j.lj.six};
        p.twelve = {i.lj.twelve * j.lj.twelve};
        p.gridSix = p.six;
    } else {
        LjPair const found = tables.pairs[i.type + j.type];
        p.six = {found.six};
        p.twelve = {found.twelve};
        if (flavour.lj == pairs::LjFlavour::ewald) p.gridSix = {tables.grid[i.type + j.type]};
    }
    return p;
}

struct PairState {
    bool interacts, exists;
};

/// F/r of a pair of slots; 0 beyond the cutoff, and of pairs that are not there.
template <class Flavour>
__device__ inline float pairForce(ForceConstants const& c, Flavour const& flavour, float units2, PairState pair, PairParameters const& p)
{
    // A pair that is not there is out of reach: cheaper than a second condition at the end.
    float const r2 = pair.exists ? units2 * c.quantum2 : 1e30F;
    float const inverse = pair.interacts ? rsqrtf(r2) : 0.0F;
    float const force = forceOverR(c, flavour, Real{r2}, Real{inverse}, p);
    return r2 < c.coulombCutoff2 ? force : 0.0F;
}

} // namespace alder::cuda
