#pragma once
// The ranks of a test program, of which all run every test.

#include "domain/communicator.hpp"

namespace alder::test {

/// All ranks.
domain::Communicator& allRanks();

} // namespace alder::test
