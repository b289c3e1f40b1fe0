#pragma once
// What `alder mdrun` was asked for.

#include "app/options/accounting_options.hpp"
#include "app/options/deck_options.hpp"
#include "loop/run_timer.hpp"

#include <cstdint>
#include <optional>
#include <string>

namespace alder::app {

struct MdrunOptions {
    deck::DeckFiles files;
    HardwareOptions hardware;
    AccountingOptions accounting;
    domain::LayoutWish layout; ///< -dd, -npme
    std::string name = "md";   ///< -deffnm
    bool goOn = false;         ///< -cpi
    std::string rerun;         ///< -rerun FILE; empty: a run
    std::string checkpoint;    ///< -cpi FILE; empty: NAME.cpt.h5
    double checkpointMinutes = 15, maxHours = -1;
    std::optional<std::int64_t> steps, nstlist;
    bool exactLists = false, force = false;
    loop::TimingWish timing;
    std::string commandLine;
};

} // namespace alder::app
