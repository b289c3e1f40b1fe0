#pragma once
// The flags that name a deck, and those that choose hardware: the same for every command that takes a deck.

#include "base/error.hpp"
#include "deck/deck.hpp"
#include "domain/layout_wish.hpp"

#include <CLI/CLI.hpp>

#include <string>

namespace alder::app {

/// The most threads that -nt takes.
inline constexpr int mostThreads = 1024;
/// The most ranks that -dd and -npme take.
inline constexpr int mostRanks = 1 << 20;

struct HardwareOptions {
    std::string nonbonded = "auto"; ///< -nb
    std::string simd = "auto";      ///< -simd
    int threads = 0;                ///< -nt, of each rank; 0: OMP_NUM_THREADS, else this rank's part of the processors
    std::string gpuIds;             ///< -gpu_id, among those visible: "0" or "0,2"; empty: all
    double gpuMemory = 0;           ///< -gpu_mem, GiB; 0: what is free
};

void addDeckOptions(CLI::App& command, deck::DeckFiles& files);
/// A finite number greater than `least`; `allowed` is what the refusal says to write.
CLI::Validator above(double least, std::string const& allowed);
void addHardwareOptions(CLI::App& command, HardwareOptions& hardware);
void addLayoutOptions(CLI::App& command, domain::LayoutWish& layout);

/// Prints warnings to standard error, one a line.
void printWarnings(base::FaultList const& faults);

} // namespace alder::app
