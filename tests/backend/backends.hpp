#pragma once
// The back ends that one test body runs on.

#include "engine/backend.hpp"

#include <functional>
#include <memory>
#include <ostream>
#include <string>
#include <vector>

namespace alder::test {

struct BackendMaker {
    std::string name; ///< letters, digits, underscores
    std::function<std::unique_ptr<engine::Backend>(system::Topology const&, plan::RunPlan const&)> make;
};

inline void PrintTo(BackendMaker const& maker, std::ostream* out) { *out << maker.name; }

/// The CPU's by SIMD level and threads, and the GPU's with all kernels emulated.
std::vector<BackendMaker> backendMakers();

} // namespace alder::test
