#pragma once
#if defined(__CUDACC__)
#define ALDER_HD __host__ __device__ inline
#else
#define ALDER_HD inline
#endif
