#pragma once
// Eight floats in a register: one i row against the eight atoms of a j cluster. Empty unless compiled for AVX2.

#include <cstdint>

#if defined(__AVX2__) && defined(__FMA__)
#include <immintrin.h>

namespace alder::cpu::avx2 {

struct Float {
    __m256 v;
};
inline Float operator+(Float a, Float b) { return {_mm256_add_ps(a.v, b.v)}; }
inline Float operator-(Float a, Float b) { return {_mm256_sub_ps(a.v, b.v)}; }
inline Float operator*(Float a, Float b) { return {_mm256_mul_ps(a.v, b.v)}; }
inline Float mulAdd(Float a, Float b, Float c) { return {_mm256_fmadd_ps(a.v, b.v, c.v)}; }
inline Float mulSub(Float a, Float b, Float c) { return {_mm256_fmsub_ps(a.v, b.v, c.v)}; }
inline Float subMul(Float a, Float b, Float c) { return {_mm256_fnmadd_ps(a.v, b.v, c.v)}; } ///< c - a b
inline Float larger(Float a, Float b) { return {_mm256_max_ps(a.v, b.v)}; }
inline Float smaller(Float a, Float b) { return {_mm256_min_ps(a.v, b.v)}; }

struct Int {
    __m256i v;
};
inline Int operator+(Int a, Int b) { return {_mm256_add_epi32(a.v, b.v)}; }
inline Int operator-(Int a, Int b) { return {_mm256_sub_epi32(a.v, b.v)}; }

struct Mask {
    __m256 v;
};
inline Mask operator<(Float a, Float b) { return {_mm256_cmp_ps(a.v, b.v, _CMP_LT_OQ)}; }
inline Mask operator&(Mask a, Mask b) { return {_mm256_and_ps(a.v, b.v)}; }
inline Mask operator|(Mask a, Mask b) { return {_mm256_or_ps(a.v, b.v)}; }
inline Float operator&(Float a, Mask m) { return {_mm256_and_ps(a.v, m.v)}; } ///< zero where the mask is not set
inline bool any(Mask m) { return _mm256_movemask_ps(m.v) != 0; }

struct Simd {
    using F = Float;
    using I = Int;
    using M = Mask;
    static constexpr int packs = 4; ///< registers that hold four rows against one part of a j cluster
    static constexpr int parts = 1; ///< parts that a j cluster is taken in
    static constexpr int rowsPerPack = 1;

    static F all(float x) { return {_mm256_set1_ps(x)}; }
    static I all(std::int32_t x) { return {_mm256_set1_epi32(x)}; }
    static F approximateInverseRoot(F x) { return {_mm256_rsqrt_ps(x.v)}; }
    static F toFloat(I x) { return {_mm256_cvtepi32_ps(x.v)}; }
    static I round(F x) { return {_mm256_cvtps_epi32(x.v)}; }

    static F rows(float const* value, int pack) { return all(value[pack]); }
    static I rows(std::int32_t const* value, int pack) { return all(value[pack]); }
    static F lanes(float const* cluster, int) { return {_mm256_loadu_ps(cluster)}; }
    static I lanes(std::int32_t const* cluster, int) { return {_mm256_loadu_si256(reinterpret_cast<__m256i const*>(cluster))}; }
    static M bits(std::uint32_t mask, int pack, int)
    {
        __m256i const bit = _mm256_setr_epi32(1, 2, 4, 8, 16, 32, 64, 128);
        __m256i const row = _mm256_set1_epi32(static_cast<int>(mask >> (8 * pack)));
        return {_mm256_castsi256_ps(_mm256_cmpeq_epi32(_mm256_and_si256(row, bit), bit))};
    }
    static F lookup(float const* table, I index)
    {
        __m256 const all = _mm256_castsi256_ps(_mm256_set1_epi32(-1));
        return {_mm256_mask_i32gather_ps(_mm256_setzero_ps(), table, index.v, all, 4)};
    }
    static void subtractFrom(std::int32_t* cluster, int, I sum)
    {
        auto* const place = reinterpret_cast<__m256i*>(cluster);
        _mm256_storeu_si256(place, _mm256_sub_epi32(_mm256_loadu_si256(place), sum.v));
    }
    /// rows[0..3] += sums over the lanes of each row.
    static void addRowSums(I const (&sum)[packs], std::int32_t* rows)
    {
        __m256i const ab = _mm256_hadd_epi32(sum[0].v, sum[1].v), cd = _mm256_hadd_epi32(sum[2].v, sum[3].v);
        __m256i const abcd = _mm256_hadd_epi32(ab, cd);
        __m128i const total = _mm_add_epi32(_mm256_castsi256_si128(abcd), _mm256_extracti128_si256(abcd, 1));
        auto* const place = reinterpret_cast<__m128i*>(rows);
        _mm_storeu_si128(place, _mm_add_epi32(_mm_loadu_si128(place), total));
    }
    /// Stores to out[8 * row + lane].
    static void store(F x, float* out, int pack, int) { _mm256_storeu_ps(out + 8 * pack, x.v); }
    /// True for not-a-number too.
    static bool anyAbove(F x, F limit) { return _mm256_movemask_ps(_mm256_cmp_ps(x.v, limit.v, _CMP_NLE_UQ)) != 0; }
};

struct Double {
    __m256d v;
};
inline Double operator+(Double a, Double b) { return {_mm256_add_pd(a.v, b.v)}; }
inline Double operator-(Double a, Double b) { return {_mm256_sub_pd(a.v, b.v)}; }
inline Double operator*(Double a, Double b) { return {_mm256_mul_pd(a.v, b.v)}; }
inline Double operator/(Double a, Double b) { return {_mm256_div_pd(a.v, b.v)}; }
inline Double mulAdd(Double a, Double b, Double c) { return {_mm256_fmadd_pd(a.v, b.v, c.v)}; }
inline Double mulSub(Double a, Double b, Double c) { return {_mm256_fmsub_pd(a.v, b.v, c.v)}; }
inline Double subMul(Double a, Double b, Double c) { return {_mm256_fnmadd_pd(a.v, b.v, c.v)}; }
inline Double operator-(Double a) { return Double{_mm256_setzero_pd()} - a; }
inline Double larger(Double a, Double b) { return {_mm256_max_pd(a.v, b.v)}; } ///< b where a is not a number
inline Double smaller(Double a, Double b) { return {_mm256_min_pd(a.v, b.v)}; }
inline Double root(Double a) { return {_mm256_sqrt_pd(a.v)}; }

struct DoubleMask {
    __m256d v;
};
inline DoubleMask operator<(Double a, Double b) { return {_mm256_cmp_pd(a.v, b.v, _CMP_LT_OQ)}; }
inline DoubleMask operator&(DoubleMask a, DoubleMask b) { return {_mm256_and_pd(a.v, b.v)}; }
inline Double operator&(Double a, DoubleMask m) { return {_mm256_and_pd(a.v, m.v)}; }
inline bool any(DoubleMask m) { return _mm256_movemask_pd(m.v) != 0; }

struct Long {
    __m256i v;
};
inline Long operator+(Long a, Long b) { return {_mm256_add_epi64(a.v, b.v)}; }
inline Long operator-(Long a, Long b) { return {_mm256_sub_epi64(a.v, b.v)}; }

/// Double precision, for energies.
struct DoubleSimd {
    using D = Double;
    using L = Long;
    using M = DoubleMask;
    static constexpr int width = 4;
    static Double all(double x) { return {_mm256_set1_pd(x)}; }
    static Double load(std::int32_t const* x) { return {_mm256_cvtepi32_pd(_mm_loadu_si128(reinterpret_cast<__m128i const*>(x)))}; }
    static Double lookup(double const* table, std::int32_t const* index)
    {
        // The masked form: GCC 12 warns of the undefined register in the plain one.
        __m256d const all = _mm256_castsi256_pd(_mm256_set1_epi64x(-1));
        return {_mm256_mask_i32gather_pd(_mm256_setzero_pd(), table, _mm_loadu_si128(reinterpret_cast<__m128i const*>(index)), all, 8)};
    }
    static DoubleMask bits(std::uint32_t mask)
    {
        __m256i const bit = _mm256_setr_epi64x(1, 2, 4, 8);
        return {_mm256_castsi256_pd(_mm256_cmpeq_epi64(_mm256_and_si256(_mm256_set1_epi64x(static_cast<long long>(mask)), bit), bit))};
    }
    static Long bitsOf(Double x) { return {_mm256_castpd_si256(x.v)}; }
    static Long zero() { return {_mm256_setzero_si256()}; }
    static void store(Long x, std::int64_t* out) { _mm256_storeu_si256(reinterpret_cast<__m256i*>(out), x.v); }
};

} // namespace alder::cpu::avx2
#endif
