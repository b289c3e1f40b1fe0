#pragma once
// Three components, and 3 x 3 matrices of them, on host and device.

#include "math/host_device.hpp"

#include <cmath>
#include <cstdint>

namespace alder::math {

template <class T> struct Vec3 {
    T x{}, y{}, z{};

    friend ALDER_HD Vec3 operator+(Vec3 a, Vec3 b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
    friend ALDER_HD Vec3 operator-(Vec3 a, Vec3 b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
    friend ALDER_HD Vec3 operator-(Vec3 a) { return {-a.x, -a.y, -a.z}; }
    friend ALDER_HD Vec3 operator*(T s, Vec3 a) { return {s * a.x, s * a.y, s * a.z}; }
    friend ALDER_HD Vec3 operator*(Vec3 a, T s) { return {a.x * s, a.y * s, a.z * s}; }
    ALDER_HD Vec3& operator+=(Vec3 b)
    {
        x += b.x;
        y += b.y;
        z += b.z;
        return *this;
    }
    ALDER_HD Vec3& operator-=(Vec3 b)
    {
        x -= b.x;
        y -= b.y;
        z -= b.z;
        return *this;
    }
    friend ALDER_HD bool operator==(Vec3 a, Vec3 b) { return a.x == b.x && a.y == b.y && a.z == b.z; }
};

template <class T> ALDER_HD T dot(Vec3<T> a, Vec3<T> b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
template <class T> ALDER_HD T norm2(Vec3<T> a) { return dot(a, a); }
template <class T> ALDER_HD T norm(Vec3<T> a)
{
    using std::sqrt;
    return sqrt(norm2(a));
}
template <class T> ALDER_HD Vec3<T> cross(Vec3<T> a, Vec3<T> b)
{
    return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

using Vec3d = Vec3<double>;
using Vec3f = Vec3<float>;
/// A position as fractions of the three box vectors, in units of 2^-32 of a vector; differences wrap to the nearest image.
using FractionVec = Vec3<std::int32_t>;
using Vec3l = Vec3<std::int64_t>;

/// Rows x, y, z.
template <class T> struct Mat3 {
    Vec3<T> x, y, z;
    friend ALDER_HD Mat3 operator+(Mat3 a, Mat3 b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
    friend ALDER_HD Mat3 operator*(T s, Mat3 a) { return {s * a.x, s * a.y, s * a.z}; }
    friend ALDER_HD Vec3<T> operator*(Mat3 const& m, Vec3<T> v) { return {dot(m.x, v), dot(m.y, v), dot(m.z, v)}; }
    friend ALDER_HD bool operator==(Mat3 const& a, Mat3 const& b) { return a.x == b.x && a.y == b.y && a.z == b.z; }
    ALDER_HD T trace() const { return x.x + y.y + z.z; }
};
using Mat3d = Mat3<double>;

template <class T> ALDER_HD Mat3<T> identity() { return {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}; }
template <class T> ALDER_HD Mat3<T> transposed(Mat3<T> const& m)
{
    return {{m.x.x, m.y.x, m.z.x}, {m.x.y, m.y.y, m.z.y}, {m.x.z, m.y.z, m.z.z}};
}
/// (a b)_ij = sum_k a_ik b_kj
template <class T> ALDER_HD Mat3<T> product(Mat3<T> const& a, Mat3<T> const& b)
{
    Mat3<T> const columns = transposed(b);
    return {columns * a.x, columns * a.y, columns * a.z};
}

/// a_i b_j
template <class T> ALDER_HD Mat3<T> outer(Vec3<T> a, Vec3<T> b) { return {a.x * b, a.y * b, a.z * b}; }

/// Wrapping difference of two fractions: the nearest image along each box vector.
ALDER_HD std::int32_t wrappingDifference(std::int32_t a, std::int32_t b)
{
    return static_cast<std::int32_t>(static_cast<std::uint32_t>(a) - static_cast<std::uint32_t>(b));
}
ALDER_HD std::int32_t wrappingSum(std::int32_t a, std::int32_t b)
{
    return static_cast<std::int32_t>(static_cast<std::uint32_t>(a) + static_cast<std::uint32_t>(b));
}
ALDER_HD FractionVec wrappingDifference(FractionVec a, FractionVec b)
{
    return {wrappingDifference(a.x, b.x), wrappingDifference(a.y, b.y), wrappingDifference(a.z, b.z)};
}
ALDER_HD FractionVec wrappingSum(FractionVec a, FractionVec b)
{
    return {wrappingSum(a.x, b.x), wrappingSum(a.y, b.y), wrappingSum(a.z, b.z)};
}

} // namespace alder::math
