#pragma once
// Steps of stochastic and Brownian dynamics (physics/langevin.hpp). Noise is drawn by seed, step and atom, so that a thread needs nobody
// else: it takes its atoms through the whole step, with the constraints between its parts.

#include "couple/group_noise.hpp"
#include "update/blame_board.hpp"
#include "update/leap_frog_step.hpp"
#include "update/update_tables.hpp"

#include <cstdint>

namespace alder::cuda {

struct NoiseSource {
    View<couple::GroupNoise const> groups; ///< by temperature group, of the present step
    std::uint64_t seed = 0;
    int groupCount = 1;
    View<std::int64_t> heat;  ///< by temperature group: what friction and noise bring is added
    bool constrained = false; ///< whether anything in the system is
};

void stepStochastic(UpdateTables const& tables, Moving const& moving, NoiseSource const& noise, StepConstants const& step,
                    BlameBoard const& board, VirialWords virial, Stream& stream);
/// In Brownian dynamics the topology's masses are friction times dt / 2.
void stepBrownian(UpdateTables const& tables, Moving const& moving, NoiseSource const& noise, StepConstants const& step,
                  BlameBoard const& board, VirialWords virial, Stream& stream);

} // namespace alder::cuda
