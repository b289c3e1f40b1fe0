#pragma once
// What one start of a run costs: judged before it begins, limited while it goes on, written into the ledger however it ends.

#include "accounting/prices.hpp"
#include "app/hardware.hpp"
#include "app/options/mdrun_options.hpp"
#include "app/ranks/ranks.hpp"
#include "deck/deck.hpp"
#include "loop/stop_request.hpp"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace alder::app {

class RunAccount {
public:
    /// The run begins now. `options` must outlive this.
    explicit RunAccount(MdrunOptions const& options);

    /// Runs, and writes the line of the run on rank 0 when it has ended, whether done, stopped or failed. A run that was refused has cost
    /// nothing, and gets none. All ranks together.
    int keep(Ranks& ranks, std::function<int()> const& run);

    // ---- rank 0 alone

    /// Before the first step, when the hardware is settled: finds the price, judges quotas and limits. Throws InputRefused.
    void admit(deck::Deck const& deck, Hardware const& hardware, loop::StopRequest& stop);
    /// So many steps of this start are in a checkpoint, or in the final files.
    void keptSteps(std::int64_t steps, double dt);
    /// Why the run has stopped early; empty: it hasn't.
    void stoppedBy(std::string_view reason) { stopped_ = reason; }

private:
    void findPrice();
    void judgeQuotas() const;
    void limitCost(loop::StopRequest& stop) const;
    /// Throws RunFailed.
    void writeLine(int status, std::string reason);
    [[nodiscard]] std::string reasonOf(int status) const;

    MdrunOptions const& options_;
    double began_;
    bool admitted_ = false;
    accounting::Charged charged_;
    accounting::PriceTable table_;
    std::optional<accounting::Price> price_;
    std::string noPrice_; ///< why there is none
    accounting::LedgerEntry entry_;
    std::string stopped_;
};

} // namespace alder::app
