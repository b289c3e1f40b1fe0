#pragma once
// Sixteen floats in a register: two i rows against the eight atoms of a j cluster. Empty unless compiled for AVX-512.

#include <cstdint>

#if defined(__AVX512F__) && defined(__AVX512DQ__) && defined(__AVX512VL__) && defined(__AVX512BW__)
// GCC 12 warns of its own headers' deliberately undefined registers
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#pragma GCC diagnostic ignored "-Wuninitialized"
#include <immintrin.h>

namespace alder::cpu::avx512 {

struct Float {
    __m512 v;
};
inline Float operator+(Float a, Float b) { return {_mm512_add_ps(a.v, b.v)}; }
inline Float operator-(Float a, Float b) { return {_mm512_sub_ps(a.v, b.v)}; }
inline Float operator*(Float a, Float b) { return {_mm512_mul_ps(a.v, b.v)}; }
inline Float mulAdd(Float a, Float b, Float c) { return {_mm512_fmadd_ps(a.v, b.v, c.v)}; }
inline Float mulSub(Float a, Float b, Float c) { return {_mm512_fmsub_ps(a.v, b.v, c.v)}; }
inline Float subMul(Float a, Float b, Float c) { return {_mm512_fnmadd_ps(a.v, b.v, c.v)}; }
inline Float larger(Float a, Float b) { return {_mm512_max_ps(a.v, b.v)}; }
inline Float smaller(Float a, Float b) { return {_mm512_min_ps(a.v, b.v)}; }

struct Int {
    __m512i v;
};
inline Int operator+(Int a, Int b) { return {_mm512_add_epi32(a.v, b.v)}; }
inline Int operator-(Int a, Int b) { return {_mm512_sub_epi32(a.v, b.v)}; }

struct Mask {
    __mmask16 v;
};
inline Mask operator<(Float a, Float b) { return {_mm512_cmp_ps_mask(a.v, b.v, _CMP_LT_OQ)}; }
inline Mask operator&(Mask a, Mask b) { return {static_cast<__mmask16>(a.v & b.v)}; }
inline Mask operator|(Mask a, Mask b) { return {static_cast<__mmask16>(a.v | b.v)}; }
inline Float operator&(Float a, Mask m) { return {_mm512_maskz_mov_ps(m.v, a.v)}; }
inline bool any(Mask m) { return m.v != 0; }

struct Simd {
    using F = Float;
    using I = Int;
    using M = Mask;
    static constexpr int packs = 2;
    static constexpr int parts = 1;
    static constexpr int rowsPerPack = 2;

    static F all(float x) { return {_mm512_set1_ps(x)}; }
    static I all(std::int32_t x) { return {_mm512_set1_epi32(x)}; }
    static F approximateInverseRoot(F x) { return {_mm512_rsqrt14_ps(x.v)}; }
    static F toFloat(I x) { return {_mm512_cvtepi32_ps(x.v)}; }
    static I round(F x) { return {_mm512_cvtps_epi32(x.v)}; }

    static F rows(float const* value, int pack)
    {
        return {_mm512_insertf32x8(_mm512_set1_ps(value[2 * pack]), _mm256_set1_ps(value[2 * pack + 1]), 1)};
    }
    static I rows(std::int32_t const* value, int pack)
    {
        return {_mm512_inserti32x8(_mm512_set1_epi32(value[2 * pack]), _mm256_set1_epi32(value[2 * pack + 1]), 1)};
    }
    static F lanes(float const* cluster, int) { return {_mm512_broadcast_f32x8(_mm256_loadu_ps(cluster))}; }
    static I lanes(std::int32_t const* cluster, int)
    {
        return {_mm512_broadcast_i32x8(_mm256_loadu_si256(reinterpret_cast<__m256i const*>(cluster)))};
    }
    static M bits(std::uint32_t mask, int pack, int) { return {static_cast<__mmask16>(mask >> (16 * pack))}; }
    static F lookup(float const* table, I index) { return {_mm512_i32gather_ps(index.v, table, 4)}; }
    static void subtractFrom(std::int32_t* cluster, int, I sum)
    {
        auto* const place = reinterpret_cast<__m256i*>(cluster);
        __m256i const both = _mm256_add_epi32(_mm512_castsi512_si256(sum.v), _mm512_extracti32x8_epi32(sum.v, 1));
        _mm256_storeu_si256(place, _mm256_sub_epi32(_mm256_loadu_si256(place), both));
    }
    static void addRowSums(I const (&sum)[packs], std::int32_t* rows)
    {
        __m256i const ab = _mm256_hadd_epi32(_mm512_castsi512_si256(sum[0].v), _mm512_extracti32x8_epi32(sum[0].v, 1));
        __m256i const cd = _mm256_hadd_epi32(_mm512_castsi512_si256(sum[1].v), _mm512_extracti32x8_epi32(sum[1].v, 1));
        __m256i const abcd = _mm256_hadd_epi32(ab, cd);
        __m128i const total = _mm_add_epi32(_mm256_castsi256_si128(abcd), _mm256_extracti128_si256(abcd, 1));
        auto* const place = reinterpret_cast<__m128i*>(rows);
        _mm_storeu_si128(place, _mm_add_epi32(_mm_loadu_si128(place), total));
    }
    static void store(F x, float* out, int pack, int) { _mm512_storeu_ps(out + 16 * pack, x.v); }
    /// True for not-a-number too.
    static bool anyAbove(F x, F limit) { return _mm512_cmp_ps_mask(x.v, limit.v, _CMP_NLE_UQ) != 0; }
};

struct Double {
    __m512d v;
};
inline Double operator+(Double a, Double b) { return {_mm512_add_pd(a.v, b.v)}; }
inline Double operator-(Double a, Double b) { return {_mm512_sub_pd(a.v, b.v)}; }
inline Double operator*(Double a, Double b) { return {_mm512_mul_pd(a.v, b.v)}; }
inline Double operator/(Double a, Double b) { return {_mm512_div_pd(a.v, b.v)}; }
inline Double mulAdd(Double a, Double b, Double c) { return {_mm512_fmadd_pd(a.v, b.v, c.v)}; }
inline Double mulSub(Double a, Double b, Double c) { return {_mm512_fmsub_pd(a.v, b.v, c.v)}; }
inline Double subMul(Double a, Double b, Double c) { return {_mm512_fnmadd_pd(a.v, b.v, c.v)}; }
inline Double operator-(Double a) { return Double{_mm512_setzero_pd()} - a; }
inline Double larger(Double a, Double b) { return {_mm512_max_pd(a.v, b.v)}; } ///< b where a is not a number
inline Double smaller(Double a, Double b) { return {_mm512_min_pd(a.v, b.v)}; }
inline Double root(Double a) { return {_mm512_sqrt_pd(a.v)}; }

struct DoubleMask {
    __mmask8 v;
};
inline DoubleMask operator<(Double a, Double b) { return {_mm512_cmp_pd_mask(a.v, b.v, _CMP_LT_OQ)}; }
inline DoubleMask operator&(DoubleMask a, DoubleMask b) { return {static_cast<__mmask8>(a.v & b.v)}; }
inline Double operator&(Double a, DoubleMask m) { return {_mm512_maskz_mov_pd(m.v, a.v)}; }
inline bool any(DoubleMask m) { return m.v != 0; }

struct Long {
    __m512i v;
};
inline Long operator+(Long a, Long b) { return {_mm512_add_epi64(a.v, b.v)}; }
inline Long operator-(Long a, Long b) { return {_mm512_sub_epi64(a.v, b.v)}; }

/// Double precision, for energies.
struct DoubleSimd {
    using D = Double;
    using L = Long;
    using M = DoubleMask;
    static constexpr int width = 8;
    static Double all(double x) { return {_mm512_set1_pd(x)}; }
    static Double load(std::int32_t const* x) { return {_mm512_cvtepi32_pd(_mm256_loadu_si256(reinterpret_cast<__m256i const*>(x)))}; }
    static Double lookup(double const* table, std::int32_t const* index)
    {
        return {_mm512_i32gather_pd(_mm256_loadu_si256(reinterpret_cast<__m256i const*>(index)), table, 8)};
    }
    static DoubleMask bits(std::uint32_t mask) { return {static_cast<__mmask8>(mask)}; }
    static Long bitsOf(Double x) { return {_mm512_castpd_si512(x.v)}; }
    static Long zero() { return {_mm512_setzero_si512()}; }
    static void store(Long x, std::int64_t* out) { _mm512_storeu_si512(out, x.v); }
};

} // namespace alder::cpu::avx512
#pragma GCC diagnostic pop
#endif
