#pragma once
// How a fault ends the program: one line that names kernel, block and thread, then abort(), which a death test or a debugger catches.

#include "simt/memory.hpp"

#include <string>
#include <string_view>

namespace alder::simt {

/// A fault of the running thread.
[[noreturn]] void reportFault(std::string_view what);
char const* accessName(Access access);
/// `file.cu:12`
std::string placeText(Where where);
/// `pairForces<Flavor 3>` of `alder::cuda::pairForces<...>`: without namespaces.
std::string bareKernelName(std::string_view full);

} // namespace alder::simt
