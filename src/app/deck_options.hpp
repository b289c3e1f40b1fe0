#pragma once
// The flags that name a deck, and those that choose hardware: the same for every command that takes a deck.

#include "base/error.hpp"
#include "cpu/cpu_backend.hpp"
#include "deck/deck.hpp"

#include <CLI/CLI.hpp>

#include <string>

namespace alder::app {

struct HardwareOptions {
    std::string nonbonded = "auto"; ///< -nb
    std::string simd = "auto";      ///< -simd
    int threads = 0;                ///< -nt; 0: OMP_NUM_THREADS, else all processors this process may use
};

void addDeckOptions(CLI::App& command, deck::DeckFiles& files);
/// A finite number greater than `least`; `allowed` is what the refusal says to write.
CLI::Validator above(double least, std::string const& allowed);
void addHardwareOptions(CLI::App& command, HardwareOptions& hardware);

/// Judges the choice against this machine and build; throws InputRefused.
cpu::CpuChoice chooseHardware(HardwareOptions const& hardware);

/// Prints warnings to standard error, one a line.
void printWarnings(base::FaultList const& faults);

} // namespace alder::app
