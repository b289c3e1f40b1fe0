#pragma once
// Four floats in a register: one i row against half a j cluster. Empty unless compiled for SSE4.1.

#include <cstdint>

#if defined(__SSE4_1__)
#include <smmintrin.h>

namespace alder::cpu::sse41 {

struct Float {
    __m128 v;
};
inline Float operator+(Float a, Float b) { return {_mm_add_ps(a.v, b.v)}; }
inline Float operator-(Float a, Float b) { return {_mm_sub_ps(a.v, b.v)}; }
inline Float operator*(Float a, Float b) { return {_mm_mul_ps(a.v, b.v)}; }
inline Float mulAdd(Float a, Float b, Float c) { return a * b + c; }
inline Float mulSub(Float a, Float b, Float c) { return a * b - c; }
inline Float subMul(Float a, Float b, Float c) { return c - a * b; }
inline Float larger(Float a, Float b) { return {_mm_max_ps(a.v, b.v)}; }
inline Float smaller(Float a, Float b) { return {_mm_min_ps(a.v, b.v)}; }

struct Int {
    __m128i v;
};
inline Int operator+(Int a, Int b) { return {_mm_add_epi32(a.v, b.v)}; }
inline Int operator-(Int a, Int b) { return {_mm_sub_epi32(a.v, b.v)}; }

struct Mask {
    __m128 v;
};
inline Mask operator<(Float a, Float b) { return {_mm_cmplt_ps(a.v, b.v)}; }
inline Mask operator&(Mask a, Mask b) { return {_mm_and_ps(a.v, b.v)}; }
inline Mask operator|(Mask a, Mask b) { return {_mm_or_ps(a.v, b.v)}; }
inline Float operator&(Float a, Mask m) { return {_mm_and_ps(a.v, m.v)}; }
inline bool any(Mask m) { return _mm_movemask_ps(m.v) != 0; }

struct Simd {
    using F = Float;
    using I = Int;
    using M = Mask;
    static constexpr int packs = 4;
    static constexpr int parts = 2;
    static constexpr int rowsPerPack = 1;

    static F all(float x) { return {_mm_set1_ps(x)}; }
    static I all(std::int32_t x) { return {_mm_set1_epi32(x)}; }
    static F approximateInverseRoot(F x) { return {_mm_rsqrt_ps(x.v)}; }
    static F toFloat(I x) { return {_mm_cvtepi32_ps(x.v)}; }
    static I round(F x) { return {_mm_cvtps_epi32(x.v)}; }

    static F rows(float const* value, int pack) { return all(value[pack]); }
    static I rows(std::int32_t const* value, int pack) { return all(value[pack]); }
    static F lanes(float const* cluster, int part) { return {_mm_loadu_ps(cluster + 4 * part)}; }
    static I lanes(std::int32_t const* cluster, int part)
    {
        return {_mm_loadu_si128(reinterpret_cast<__m128i const*>(cluster + 4 * part))};
    }
    static M bits(std::uint32_t mask, int pack, int part)
    {
        __m128i const bit = _mm_setr_epi32(1, 2, 4, 8);
        __m128i const row = _mm_set1_epi32(static_cast<int>(mask >> (8 * pack + 4 * part)));
        return {_mm_castsi128_ps(_mm_cmpeq_epi32(_mm_and_si128(row, bit), bit))};
    }
    static F lookup(float const* table, I index)
    {
        return {_mm_setr_ps(table[_mm_extract_epi32(index.v, 0)], table[_mm_extract_epi32(index.v, 1)],
                            table[_mm_extract_epi32(index.v, 2)], table[_mm_extract_epi32(index.v, 3)])};
    }
    static void subtractFrom(std::int32_t* cluster, int part, I sum)
    {
        auto* const place = reinterpret_cast<__m128i*>(cluster + 4 * part);
        _mm_storeu_si128(place, _mm_sub_epi32(_mm_loadu_si128(place), sum.v));
    }
    static void addRowSums(I const (&sum)[packs], std::int32_t* rows)
    {
        __m128i const total = _mm_hadd_epi32(_mm_hadd_epi32(sum[0].v, sum[1].v), _mm_hadd_epi32(sum[2].v, sum[3].v));
        auto* const place = reinterpret_cast<__m128i*>(rows);
        _mm_storeu_si128(place, _mm_add_epi32(_mm_loadu_si128(place), total));
    }
    static void store(F x, float* out, int pack, int part) { _mm_storeu_ps(out + 8 * pack + 4 * part, x.v); }
    /// True for not-a-number too.
    static bool anyAbove(F x, F limit) { return _mm_movemask_ps(_mm_cmpnle_ps(x.v, limit.v)) != 0; }
};

struct Double {
    __m128d v;
};
inline Double operator+(Double a, Double b) { return {_mm_add_pd(a.v, b.v)}; }
inline Double operator-(Double a, Double b) { return {_mm_sub_pd(a.v, b.v)}; }
inline Double operator*(Double a, Double b) { return {_mm_mul_pd(a.v, b.v)}; }
inline Double operator/(Double a, Double b) { return {_mm_div_pd(a.v, b.v)}; }
inline Double mulAdd(Double a, Double b, Double c) { return a * b + c; }
inline Double mulSub(Double a, Double b, Double c) { return a * b - c; }
inline Double subMul(Double a, Double b, Double c) { return c - a * b; }
inline Double operator-(Double a) { return Double{_mm_setzero_pd()} - a; }
inline Double larger(Double a, Double b) { return {_mm_max_pd(a.v, b.v)}; } ///< b where a is not a number
inline Double smaller(Double a, Double b) { return {_mm_min_pd(a.v, b.v)}; }
inline Double root(Double a) { return {_mm_sqrt_pd(a.v)}; }

struct DoubleMask {
    __m128d v;
};
inline DoubleMask operator<(Double a, Double b) { return {_mm_cmplt_pd(a.v, b.v)}; }
inline DoubleMask operator&(DoubleMask a, DoubleMask b) { return {_mm_and_pd(a.v, b.v)}; }
inline Double operator&(Double a, DoubleMask m) { return {_mm_and_pd(a.v, m.v)}; }
inline bool any(DoubleMask m) { return _mm_movemask_pd(m.v) != 0; }

struct Long {
    __m128i v;
};
inline Long operator+(Long a, Long b) { return {_mm_add_epi64(a.v, b.v)}; }
inline Long operator-(Long a, Long b) { return {_mm_sub_epi64(a.v, b.v)}; }

/// Double precision, for energies.
struct DoubleSimd {
    using D = Double;
    using L = Long;
    using M = DoubleMask;
    static constexpr int width = 2;
    static Double all(double x) { return {_mm_set1_pd(x)}; }
    static Double load(std::int32_t const* x) { return {_mm_cvtepi32_pd(_mm_loadl_epi64(reinterpret_cast<__m128i const*>(x)))}; }
    static Double lookup(double const* table, std::int32_t const* index) { return {_mm_setr_pd(table[index[0]], table[index[1]])}; }
    static DoubleMask bits(std::uint32_t mask)
    {
        __m128i const bit = _mm_set_epi64x(2, 1);
        return {_mm_castsi128_pd(_mm_cmpeq_epi64(_mm_and_si128(_mm_set1_epi64x(static_cast<long long>(mask)), bit), bit))};
    }
    static Long bitsOf(Double x) { return {_mm_castpd_si128(x.v)}; }
    static Long zero() { return {_mm_setzero_si128()}; }
    static void store(Long x, std::int64_t* out) { _mm_storeu_si128(reinterpret_cast<__m128i*>(out), x.v); }
};

} // namespace alder::cpu::sse41
#endif
