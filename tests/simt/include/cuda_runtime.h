#pragma once
// What <cuda_runtime.h> is where kernels are emulated.
#define ALDER_SIMT 1
#include "simt/language.hpp"
#include "simt/runtime.hpp"
