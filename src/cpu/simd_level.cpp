#include "cpu/simd_level.hpp"

#include "base/error.hpp"

#include <string>

namespace alder::cpu {

std::string_view nameOf(SimdLevel level)
{
    switch (level) {
    case SimdLevel::sse41: return "SSE4.1";
    case SimdLevel::avx2: return "AVX2+FMA";
    case SimdLevel::avx512: return "AVX-512";
    }
    return "unknown";
}

std::optional<SimdLevel> simdLevelNamed(std::string_view word)
{
    std::string plain;
    for (char const c : word) {
        if (c == '.' || c == '-' || c == '_') continue;
        plain += static_cast<char>(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
    }
    if (plain == "sse41") return SimdLevel::sse41;
    if (plain == "avx2" || plain == "avx2+fma") return SimdLevel::avx2;
    if (plain == "avx512") return SimdLevel::avx512;
    return std::nullopt;
}

bool supported(SimdLevel level)
{
    // The builtin also asks the operating system (xgetbv), which some libraries do not.
    switch (level) {
    case SimdLevel::sse41: return __builtin_cpu_supports("sse4.1") != 0;
    case SimdLevel::avx2: return __builtin_cpu_supports("avx2") != 0 && __builtin_cpu_supports("fma") != 0;
    case SimdLevel::avx512:
        return __builtin_cpu_supports("avx512f") != 0 && __builtin_cpu_supports("avx512dq") != 0 &&
               __builtin_cpu_supports("avx512vl") != 0 && __builtin_cpu_supports("avx512bw") != 0 && __builtin_cpu_supports("fma") != 0;
    }
    return false;
}

SimdLevel bestSimdLevel()
{
    for (SimdLevel const level : {SimdLevel::avx512, SimdLevel::avx2})
        if (supported(level)) return level;
    if (supported(SimdLevel::sse41)) return SimdLevel::sse41;
    throw base::RunFailed("this processor has no SSE4.1; alder needs it");
}

} // namespace alder::cpu
