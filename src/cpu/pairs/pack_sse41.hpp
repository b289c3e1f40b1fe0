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

} // namespace alder::cpu::sse41
#endif
