#pragma once
// A vector of floats of the instruction set that the including file is compiled for. Everything here has internal linkage: the linker
// must never take one instruction set's copy of a function for another's.

#include <cstddef>
#include <cstdint>
#include <immintrin.h>

namespace alder::cpu {
namespace {

#if defined(__AVX512F__)
inline constexpr int laneCount = 16;
using Native = __m512;
inline Native nativeSet(float x) { return _mm512_set1_ps(x); }
inline Native nativeLoad(float const* p) { return _mm512_loadu_ps(p); }
inline void nativeStore(float* p, Native v) { _mm512_storeu_ps(p, v); }
inline Native nativeFma(Native a, Native b, Native c) { return _mm512_fmadd_ps(a, b, c); }
inline Native nativeFnma(Native a, Native b, Native c) { return _mm512_fnmadd_ps(a, b, c); }
inline Native unpackLow(Native a, Native b) { return _mm512_unpacklo_ps(a, b); }
inline Native unpackHigh(Native a, Native b) { return _mm512_unpackhi_ps(a, b); }
inline Native unpackLowPairs(Native a, Native b) { return _mm512_castpd_ps(_mm512_unpacklo_pd(_mm512_castps_pd(a), _mm512_castps_pd(b))); }
inline Native unpackHighPairs(Native a, Native b) { return _mm512_castpd_ps(_mm512_unpackhi_pd(_mm512_castps_pd(a), _mm512_castps_pd(b))); }
/// Quads from p, p + step, ...
inline Native loadQuads(float const* p, std::ptrdiff_t step)
{
    __m512 v = _mm512_castps128_ps512(_mm_loadu_ps(p));
    v = _mm512_insertf32x4(v, _mm_loadu_ps(p + step), 1);
    v = _mm512_insertf32x4(v, _mm_loadu_ps(p + 2 * step), 2);
    return _mm512_insertf32x4(v, _mm_loadu_ps(p + 3 * step), 3);
}
using NativeWhole = __m512i;
inline NativeWhole wholeLoad(std::int32_t const* p) { return _mm512_loadu_si512(p); }
inline NativeWhole wholeAdd(NativeWhole a, NativeWhole b) { return _mm512_add_epi32(a, b); }
inline NativeWhole wholeAnd(NativeWhole a, NativeWhole b) { return _mm512_and_si512(a, b); }
inline Native fromWhole(NativeWhole a) { return _mm512_cvtepi32_ps(a); }
inline Native nativeMin(Native a, Native b) { return _mm512_min_ps(a, b); }
inline Native nativeMax(Native a, Native b) { return _mm512_max_ps(a, b); }
/// The quad at p in every block.
inline Native repeatQuad(float const* p) { return _mm512_broadcast_f32x4(_mm_load_ps(p)); }
/// Block b holds the quad's number `first` + b four times.
inline Native rowFactors(float const* quad, int)
{
    __m512i const index = _mm512_setr_epi32(0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3);
    return _mm512_permutexvar_ps(index, _mm512_castps128_ps512(_mm_load_ps(quad)));
}
inline void addQuad(std::int32_t* p, __m128i value)
{
    auto* const at = reinterpret_cast<__m128i*>(p);
    _mm_storeu_si128(at, _mm_add_epi32(_mm_loadu_si128(at), value));
}
/// Rounds and adds block b at p + b step, for b < rows.
inline void addRows(std::int32_t* p, std::ptrdiff_t step, Native v, int rows)
{
    __m512i const units = _mm512_cvtps_epi32(v);
    addQuad(p, _mm512_castsi512_si128(units));
    if (rows > 1) addQuad(p + step, _mm512_extracti32x4_epi32(units, 1));
    if (rows > 2) addQuad(p + 2 * step, _mm512_extracti32x4_epi32(units, 2));
    if (rows > 3) addQuad(p + 3 * step, _mm512_extracti32x4_epi32(units, 3));
}
/// The sum of the blocks.
inline __m128 sumOfBlocks(Native v)
{
    __m256 const half = _mm256_add_ps(_mm512_castps512_ps256(v), _mm512_extractf32x8_ps(v, 1));
    return _mm_add_ps(_mm256_castps256_ps128(half), _mm256_extractf128_ps(half, 1));
}
/// u n / 2^32 for unsigned u: integer part to cell, fraction (24 bits) returned.
inline Native splitFraction(std::int32_t const* u, int n, std::int32_t* cell)
{
    __m512i const v = _mm512_loadu_si512(u), m = _mm512_set1_epi64(n);
    __m512i const even = _mm512_mul_epu32(v, m), odd = _mm512_mul_epu32(_mm512_srli_epi64(v, 32), m);
    _mm512_storeu_si512(cell, _mm512_mask_blend_epi32(0xAAAA, _mm512_srli_epi64(even, 32), odd));
    __m512i const low = _mm512_mask_blend_epi32(0xAAAA, even, _mm512_slli_epi64(odd, 32));
    return _mm512_cvtepi32_ps(_mm512_srli_epi32(low, 8)) * _mm512_set1_ps(0x1p-24F);
}
#elif defined(__AVX2__)
inline constexpr int laneCount = 8;
using Native = __m256;
inline Native nativeSet(float x) { return _mm256_set1_ps(x); }
inline Native nativeLoad(float const* p) { return _mm256_loadu_ps(p); }
inline void nativeStore(float* p, Native v) { _mm256_storeu_ps(p, v); }
inline Native nativeFma(Native a, Native b, Native c) { return _mm256_fmadd_ps(a, b, c); }
inline Native nativeFnma(Native a, Native b, Native c) { return _mm256_fnmadd_ps(a, b, c); }
inline Native unpackLow(Native a, Native b) { return _mm256_unpacklo_ps(a, b); }
inline Native unpackHigh(Native a, Native b) { return _mm256_unpackhi_ps(a, b); }
inline Native unpackLowPairs(Native a, Native b) { return _mm256_castpd_ps(_mm256_unpacklo_pd(_mm256_castps_pd(a), _mm256_castps_pd(b))); }
inline Native unpackHighPairs(Native a, Native b) { return _mm256_castpd_ps(_mm256_unpackhi_pd(_mm256_castps_pd(a), _mm256_castps_pd(b))); }
/// Quads from p and p + step.
inline Native loadQuads(float const* p, std::ptrdiff_t step)
{
    return _mm256_insertf128_ps(_mm256_castps128_ps256(_mm_loadu_ps(p)), _mm_loadu_ps(p + step), 1);
}
using NativeWhole = __m256i;
inline NativeWhole wholeLoad(std::int32_t const* p) { return _mm256_loadu_si256(reinterpret_cast<__m256i const*>(p)); }
inline NativeWhole wholeAdd(NativeWhole a, NativeWhole b) { return _mm256_add_epi32(a, b); }
inline NativeWhole wholeAnd(NativeWhole a, NativeWhole b) { return _mm256_and_si256(a, b); }
inline Native fromWhole(NativeWhole a) { return _mm256_cvtepi32_ps(a); }
inline Native nativeMin(Native a, Native b) { return _mm256_min_ps(a, b); }
inline Native nativeMax(Native a, Native b) { return _mm256_max_ps(a, b); }
/// The quad at p in every block.
inline Native repeatQuad(float const* p) { return _mm256_broadcast_ps(reinterpret_cast<__m128 const*>(p)); }
/// Block b holds the quad's number `first` + b four times.
inline Native rowFactors(float const* quad, int first)
{
    __m256 const v = repeatQuad(quad);
    return first == 0 ? _mm256_permutevar_ps(v, _mm256_setr_epi32(0, 0, 0, 0, 1, 1, 1, 1))
                      : _mm256_permutevar_ps(v, _mm256_setr_epi32(2, 2, 2, 2, 3, 3, 3, 3));
}
inline void addQuad(std::int32_t* p, __m128i value)
{
    auto* const at = reinterpret_cast<__m128i*>(p);
    _mm_storeu_si128(at, _mm_add_epi32(_mm_loadu_si128(at), value));
}
/// Rounds and adds block b at p + b step, for b < rows.
inline void addRows(std::int32_t* p, std::ptrdiff_t step, Native v, int rows)
{
    __m256i const units = _mm256_cvtps_epi32(v);
    addQuad(p, _mm256_castsi256_si128(units));
    if (rows > 1) addQuad(p + step, _mm256_extracti128_si256(units, 1));
}
/// The sum of the blocks.
inline __m128 sumOfBlocks(Native v) { return _mm_add_ps(_mm256_castps256_ps128(v), _mm256_extractf128_ps(v, 1)); }
/// u n / 2^32 for unsigned u: integer part to cell, fraction (24 bits) returned.
inline Native splitFraction(std::int32_t const* u, int n, std::int32_t* cell)
{
    __m256i const v = _mm256_loadu_si256(reinterpret_cast<__m256i const*>(u)), m = _mm256_set1_epi64x(n);
    __m256i const even = _mm256_mul_epu32(v, m), odd = _mm256_mul_epu32(_mm256_srli_epi64(v, 32), m);
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(cell), _mm256_blend_epi32(_mm256_srli_epi64(even, 32), odd, 0xAA));
    __m256i const low = _mm256_blend_epi32(even, _mm256_slli_epi64(odd, 32), 0xAA);
    return _mm256_cvtepi32_ps(_mm256_srli_epi32(low, 8)) * _mm256_set1_ps(0x1p-24F);
}
#else
inline constexpr int laneCount = 4;
using Native = __m128;
inline Native nativeSet(float x) { return _mm_set1_ps(x); }
inline Native nativeLoad(float const* p) { return _mm_loadu_ps(p); }
inline void nativeStore(float* p, Native v) { _mm_storeu_ps(p, v); }
inline Native nativeFma(Native a, Native b, Native c) { return a * b + c; }
inline Native nativeFnma(Native a, Native b, Native c) { return c - a * b; }
inline Native unpackLow(Native a, Native b) { return _mm_unpacklo_ps(a, b); }
inline Native unpackHigh(Native a, Native b) { return _mm_unpackhi_ps(a, b); }
inline Native unpackLowPairs(Native a, Native b) { return _mm_movelh_ps(a, b); }
inline Native unpackHighPairs(Native a, Native b) { return _mm_movehl_ps(b, a); }
/// The quad at p.
inline Native loadQuads(float const* p, std::ptrdiff_t) { return _mm_loadu_ps(p); }
using NativeWhole = __m128i;
inline NativeWhole wholeLoad(std::int32_t const* p) { return _mm_loadu_si128(reinterpret_cast<__m128i const*>(p)); }
inline NativeWhole wholeAdd(NativeWhole a, NativeWhole b) { return _mm_add_epi32(a, b); }
inline NativeWhole wholeAnd(NativeWhole a, NativeWhole b) { return _mm_and_si128(a, b); }
inline Native fromWhole(NativeWhole a) { return _mm_cvtepi32_ps(a); }
inline Native nativeMin(Native a, Native b) { return _mm_min_ps(a, b); }
inline Native nativeMax(Native a, Native b) { return _mm_max_ps(a, b); }
/// The quad at p.
inline Native repeatQuad(float const* p) { return _mm_load_ps(p); }
/// The quad's number `first` four times.
inline Native rowFactors(float const* quad, int first) { return _mm_set1_ps(quad[first]); }
/// Rounds and adds at p.
inline void addRows(std::int32_t* p, std::ptrdiff_t, Native v, int)
{
    auto* const at = reinterpret_cast<__m128i*>(p);
    _mm_storeu_si128(at, _mm_add_epi32(_mm_loadu_si128(at), _mm_cvtps_epi32(v)));
}
inline __m128 sumOfBlocks(Native v) { return v; }
/// u n / 2^32 for unsigned u: integer part to cell, fraction (24 bits) returned.
inline Native splitFraction(std::int32_t const* u, int n, std::int32_t* cell)
{
    __m128i const v = _mm_loadu_si128(reinterpret_cast<__m128i const*>(u)), m = _mm_set1_epi64x(n);
    __m128i const even = _mm_mul_epu32(v, m), odd = _mm_mul_epu32(_mm_srli_epi64(v, 32), m);
    __m128i const high = _mm_set1_epi64x(static_cast<long long>(0xFFFFFFFF00000000ULL));
    _mm_storeu_si128(reinterpret_cast<__m128i*>(cell), _mm_or_si128(_mm_srli_epi64(even, 32), _mm_and_si128(odd, high)));
    __m128i const low = _mm_or_si128(_mm_andnot_si128(high, even), _mm_slli_epi64(odd, 32));
    return _mm_cvtepi32_ps(_mm_srli_epi32(low, 8)) * _mm_set1_ps(0x1p-24F);
}
#endif

/// Quads in a vector: rows of the grid that it holds.
inline constexpr int blockCount = laneCount / 4;

/// The vector as a number: what a formula templated over its number type needs.
struct Lanes {
    Native v;
    Lanes() = default;
    Lanes(Native native) : v(native) {}
    explicit Lanes(double x) : v(nativeSet(static_cast<float>(x))) {}
    friend Lanes operator+(Lanes a, Lanes b) { return a.v + b.v; }
    friend Lanes operator-(Lanes a, Lanes b) { return a.v - b.v; }
    friend Lanes operator*(Lanes a, Lanes b) { return a.v * b.v; }
};
inline Lanes load(float const* p) { return nativeLoad(p); }
inline Lanes broadcast(float x) { return nativeSet(x); }
inline void store(float* p, Lanes a) { nativeStore(p, a.v); }
inline Lanes fma(Lanes a, Lanes b, Lanes c) { return nativeFma(a.v, b.v, c.v); }   ///< a b + c
inline Lanes fnma(Lanes a, Lanes b, Lanes c) { return nativeFnma(a.v, b.v, c.v); } ///< c - a b

/// All bits set in lanes below `count`, which may be anything.
inline NativeWhole maskBelow(int count)
{
    alignas(64) static constexpr auto table = [] {
        struct {
            std::int32_t v[2 * laneCount];
        } t{};
        for (int i = 0; i < laneCount; ++i) t.v[i] = -1;
        return t;
    }();
    return wholeLoad(table.v + laneCount - (count < 0 ? 0 : count > laneCount ? laneCount : count));
}

/// Transposes each 4 x 4 block: row r, column c of block b goes to row c, column r. Its own inverse.
inline void transposeQuads(Lanes& r0, Lanes& r1, Lanes& r2, Lanes& r3)
{
    Native const a = unpackLow(r0.v, r1.v), b = unpackLow(r2.v, r3.v), c = unpackHigh(r0.v, r1.v), d = unpackHigh(r2.v, r3.v);
    r0 = unpackLowPairs(a, b);
    r1 = unpackHighPairs(a, b);
    r2 = unpackLowPairs(c, d);
    r3 = unpackHighPairs(c, d);
}

/// dst[c][r] = src[r][c] for a laneCount x laneCount tile; steps in floats. Four rows a block are loaded as quads straight into place,
/// which leaves a quarter of the shuffles of a transposition in registers.
inline void transposeTile(float const* src, std::ptrdiff_t srcStep, float* dst, std::ptrdiff_t dstStep)
{
    for (int quad = 0; quad < laneCount; quad += 4) {
        Lanes r0 = loadQuads(src + quad, 4 * srcStep), r1 = loadQuads(src + srcStep + quad, 4 * srcStep);
        Lanes r2 = loadQuads(src + 2 * srcStep + quad, 4 * srcStep), r3 = loadQuads(src + 3 * srcStep + quad, 4 * srcStep);
        transposeQuads(r0, r1, r2, r3);
        store(dst + (quad + 0) * dstStep, r0);
        store(dst + (quad + 1) * dstStep, r1);
        store(dst + (quad + 2) * dstStep, r2);
        store(dst + (quad + 3) * dstStep, r3);
    }
}

} // namespace
} // namespace alder::cpu
