#pragma once
// The back ends that one test body runs on.

#include "backend/deck_run.hpp"

#include <ostream>
#include <string>
#include <vector>

namespace alder::test {

struct BackendMaker {
    std::string name; ///< letters, digits, underscores
    MakeBackend make;
};

inline void PrintTo(BackendMaker const& maker, std::ostream* out) { *out << maker.name; }

/// The CPU's by SIMD level and threads, and the GPU's that is linked: a real one, or its emulation.
std::vector<BackendMaker> backendMakers();

} // namespace alder::test
