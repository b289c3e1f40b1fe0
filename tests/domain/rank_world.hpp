#pragma once
// The ranks that this test program was started on: one, or those of mpirun.

#include "domain/communicator.hpp"

namespace alder::domain::test {

World const& world();

} // namespace alder::domain::test
