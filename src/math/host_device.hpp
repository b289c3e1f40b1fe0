#pragma once
#if defined(__CUDACC__)
#define ALDER_HD __host__ __device__ inline
#else
#define ALDER_HD inline
#endif

/// Of a short loop over an array that must stay in registers: all its passes written out. nvcc reads each file twice, and its host side
/// knows neither pragma.
#if defined(__CUDA_ARCH__)
#define ALDER_UNROLL _Pragma("unroll")
#elif defined(__CUDACC__)
#define ALDER_UNROLL
#else
#define ALDER_UNROLL _Pragma("GCC unroll 8")
#endif
