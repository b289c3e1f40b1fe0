#include "domain/run_layout.hpp"

#include <fmt/format.h>

namespace alder::domain {

RunLayout settleLayout(Communicator& ranks, LayoutWish const& wish, ToShare const& run)
{
    RunLayout layout;
    layout.columns = run.columns;
    if (ranks.size() == 1 && wish.pmeRanks <= 0 && wish.domains[0] <= 1 && wish.domains[1] <= 1 && wish.domains[2] <= 1) return layout;
    layout.ranks = &ranks;
    layout.pmeRanks = std::max(0, wish.pmeRanks);
    base::FaultList faults;
    if (layout.pmeRanks > 0 && !run.grids)
        faults.refuse({}, fmt::format("-npme {}: this run has no reciprocal sums", layout.pmeRanks), "leave it out, or write -npme 0");
    int const forAtoms = ranks.size() - layout.pmeRanks;
    if (forAtoms < 1)
        faults.refuse({}, fmt::format("-npme {} leaves none of {} ranks for the atoms", layout.pmeRanks, ranks.size()),
                      fmt::format("write at most -npme {}", ranks.size() - 1));
    faults.throwIfAny();

    CellGrid const cells = chooseCells(run.box, run.columns);
    std::string const largest =
        fmt::format("the box holds at most {} domains of this list radius ({:.3g} nm)", describe(most(cells)), run.columns.listCutoff);
    if (wish.domains[0] > 0 || wish.domains[1] > 0 || wish.domains[2] > 0) {
        layout.domains = {std::max(1, wish.domains[0]), std::max(1, wish.domains[1]), std::max(1, wish.domains[2])};
        std::string const asked = fmt::format("-dd {} {} {}", layout.domains.a, layout.domains.b, layout.domains.c);
        if (layout.domains.count() != forAtoms)
            faults.refuse({}, fmt::format("{} makes {} domains for {} ranks", asked, layout.domains.count(), forAtoms),
                          "start as many ranks as domains and PME ranks together");
        if (!layout.domains.fit(cells)) faults.refuse({}, fmt::format("{}: {}", asked, largest), "write no more than that, on fewer ranks");
        faults.throwIfAny();
        return layout;
    }
    layout.domains = chooseDomains(forAtoms, cells, run.box, run.columns.listCutoff);
    if (layout.domains.count() == forAtoms) return layout;
    int can = forAtoms - 1;
    while (chooseDomains(can, cells, run.box, run.columns.listCutoff).count() != can) --can;
    base::refuseInput({}, fmt::format("{} ranks cannot share this system: {}", forAtoms, largest),
                      fmt::format("start {} ranks or fewer, with -npme {}", can + layout.pmeRanks, layout.pmeRanks));
}

std::string describe(RunLayout const& layout)
{
    if (layout.ranks == nullptr) return "1 rank";
    return fmt::format("{} ranks, {} domains, {}", layout.ranks->size(), describe(layout.domains),
                       layout.pmeRanks == 0 ? "all of them for PME" : fmt::format("{} of them for PME only", layout.pmeRanks));
}

} // namespace alder::domain
