#pragma once
// Sites whose place follows from atoms: where they are, and how the force on them acts on those atoms. nm, kJ/mol.
//
// A site stands at r_i + d(u, v, w) with u = r_j - r_i, v = r_k - r_i, w = r_l - r_i. Its energy is a function of that place alone, so
// that a force F on it does the work F . delta d: the force on j is the transpose of the derivative of d by u, times F, and so on; i takes
// what is left, F less the others' (a shift of all atoms shifts the site). Where d is not linear, the virial changes with the places at
// which the force acts, by -1/2 (sum over j, k, l of arm outer force - d outer F). Parameters a, b, c as in the GROMACS manual, "Virtual
// interaction sites".
//
// Each construction has place(arms, p) and spread(arms, p, F, forces), with arms {u, v, w}, and forces on j, k, l.

#include "math/vec3.hpp"

namespace alder::physics {

/// The part of F that turns an arm t: F less what is along t. A site on a unit vector t/|t| times b feels b/|t| of it.
template <class T> ALDER_HD math::Vec3<T> turning(math::Vec3<T> f, math::Vec3<T> t, T b)
{
    T const t2 = norm2(t);
    using std::sqrt;
    return (b / sqrt(t2)) * (f - (dot(t, f) / t2) * t);
}

/// On atom i.
struct SiteOnAtom {
    static constexpr int arms = 0;
    template <class T> static ALDER_HD math::Vec3<T> place(math::Vec3<T> const*, T const*) { return {}; }
    template <class T> static ALDER_HD void spread(math::Vec3<T> const*, T const*, math::Vec3<T>, math::Vec3<T>*) {}
};

/// On the line i-j: d = a u.
struct SiteOnLine {
    static constexpr int arms = 1;
    template <class T> static ALDER_HD math::Vec3<T> place(math::Vec3<T> const* r, T const* p) { return p[0] * r[0]; }
    template <class T> static ALDER_HD void spread(math::Vec3<T> const*, T const* p, math::Vec3<T> f, math::Vec3<T>* to)
    {
        to[0] = p[0] * f;
    }
};

/// On the line i-j at a fixed distance: d = a u/|u|.
struct SiteAtDistance {
    static constexpr int arms = 1;
    template <class T> static ALDER_HD math::Vec3<T> place(math::Vec3<T> const* r, T const* p) { return (p[0] / norm(r[0])) * r[0]; }
    template <class T> static ALDER_HD void spread(math::Vec3<T> const* r, T const* p, math::Vec3<T> f, math::Vec3<T>* to)
    {
        to[0] = turning(f, r[0], p[0]);
    }
};

/// In the plane i-j-k: d = a u + b v.
struct SiteInPlane {
    static constexpr int arms = 2;
    template <class T> static ALDER_HD math::Vec3<T> place(math::Vec3<T> const* r, T const* p) { return p[0] * r[0] + p[1] * r[1]; }
    template <class T> static ALDER_HD void spread(math::Vec3<T> const*, T const* p, math::Vec3<T> f, math::Vec3<T>* to)
    {
        to[0] = p[0] * f;
        to[1] = p[1] * f;
    }
};

/// In the plane at a fixed distance b, towards t = u + a (v - u).
struct SiteInPlaneAtDistance {
    static constexpr int arms = 2;
    template <class T> static ALDER_HD math::Vec3<T> towards(math::Vec3<T> const* r, T const* p) { return r[0] + p[0] * (r[1] - r[0]); }
    template <class T> static ALDER_HD math::Vec3<T> place(math::Vec3<T> const* r, T const* p)
    {
        math::Vec3<T> const t = towards(r, p);
        return (p[1] / norm(t)) * t;
    }
    template <class T> static ALDER_HD void spread(math::Vec3<T> const* r, T const* p, math::Vec3<T> f, math::Vec3<T>* to)
    {
        math::Vec3<T> const g = turning(f, towards(r, p), p[1]);
        to[0] = (1 - p[0]) * g;
        to[1] = p[0] * g;
    }
};

/// In the plane at a fixed angle and distance D: d = a e + b p/|p|, e = u/|u|, p = x - e (e.x), x = v - u; a = D cos(angle),
/// b = D sin(angle).
/// With G the part of F that turns p, work by parts:  F.delta d = a F.delta e + G.delta p,
///   delta p = delta x - (e.x) delta e - e (x.delta e + e.delta x)
/// so delta x meets A = G - (G.e) e, delta e meets B = a F - (e.x) G - (G.e) x, and u turns e by the part of B across it.
struct SiteAtAngle {
    static constexpr int arms = 2;
    template <class T> static ALDER_HD math::Vec3<T> place(math::Vec3<T> const* r, T const* p)
    {
        math::Vec3<T> const e = (1 / norm(r[0])) * r[0], x = r[1] - r[0], across = x - dot(e, x) * e;
        return p[0] * e + (p[1] / norm(across)) * across;
    }
    template <class T> static ALDER_HD void spread(math::Vec3<T> const* r, T const* p, math::Vec3<T> f, math::Vec3<T>* to)
    {
        math::Vec3<T> const e = (1 / norm(r[0])) * r[0], x = r[1] - r[0];
        T const along = dot(e, x);
        math::Vec3<T> const g = turning(f, x - along * e, p[1]);
        T const ge = dot(g, e);
        math::Vec3<T> const a = g - ge * e, b = p[0] * f - along * g - ge * x;
        to[0] = turning(b, r[0], T(1)) - a;
        to[1] = a;
    }
};

/// Out of the plane: d = a u + b v + c u x v.  F.(delta u x v) = delta u.(v x F),  F.(u x delta v) = delta v.(F x u).
struct SiteOutOfPlane {
    static constexpr int arms = 2;
    template <class T> static ALDER_HD math::Vec3<T> place(math::Vec3<T> const* r, T const* p)
    {
        return p[0] * r[0] + p[1] * r[1] + p[2] * cross(r[0], r[1]);
    }
    template <class T> static ALDER_HD void spread(math::Vec3<T> const* r, T const* p, math::Vec3<T> f, math::Vec3<T>* to)
    {
        to[0] = p[0] * f + p[2] * cross(r[1], f);
        to[1] = p[1] * f + p[2] * cross(f, r[0]);
    }
};

/// On the normal of the plane through j and the points a along i-k and b along i-l, at a fixed distance: d = c m/|m|, m = s x t,
/// s = a v - u, t = b w - u. With G the part of F that turns m, G.delta m = delta s.(t x G) + delta t.(G x s).
struct SiteOnNormal {
    static constexpr int arms = 3;
    template <class T> static ALDER_HD math::Vec3<T> place(math::Vec3<T> const* r, T const* p)
    {
        math::Vec3<T> const m = cross(p[0] * r[1] - r[0], p[1] * r[2] - r[0]);
        return (p[2] / norm(m)) * m;
    }
    template <class T> static ALDER_HD void spread(math::Vec3<T> const* r, T const* p, math::Vec3<T> f, math::Vec3<T>* to)
    {
        math::Vec3<T> const s = p[0] * r[1] - r[0], t = p[1] * r[2] - r[0];
        math::Vec3<T> const g = turning(f, cross(s, t), p[2]);
        math::Vec3<T> const onS = cross(t, g), onT = cross(g, s);
        to[0] = -(onS + onT);
        to[1] = p[0] * onS;
        to[2] = p[1] * onT;
    }
};

} // namespace alder::physics
