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
    if (wish.domains[2] > 1)
        faults.refuse({},
                      fmt::format("-dd asks for {} domains along the third box vector, along which columns of atoms are not divided",
                                  wish.domains[2]),
                      "write 1 as the third number");
    faults.throwIfAny();

    ColumnGrid const fits = chooseColumns(run.box, run.columns);
    std::string const largest =
        fmt::format("the box holds at most {} x {} domains of this list radius ({:.3g} nm)", fits.a, fits.b, run.columns.listCutoff);
    if (wish.domains[0] > 0 || wish.domains[1] > 0) {
        layout.domains = {std::max(1, wish.domains[0]), std::max(1, wish.domains[1])};
        if (layout.domains.count() != forAtoms)
            faults.refuse({},
                          fmt::format("-dd {} {} makes {} domains for {} ranks", layout.domains.a, layout.domains.b, layout.domains.count(),
                                      forAtoms),
                          "start as many ranks as domains and PME ranks together");
        if (layout.domains.a > fits.a || layout.domains.b > fits.b)
            faults.refuse({}, fmt::format("-dd {} {}: {}", layout.domains.a, layout.domains.b, largest),
                          "write no more than that, on fewer ranks");
        faults.throwIfAny();
        return layout;
    }
    layout.domains = chooseDomains(forAtoms, fits, run.box);
    if (layout.domains.count() == forAtoms) return layout;
    int most = forAtoms - 1;
    while (chooseDomains(most, fits, run.box).count() != most) --most;
    base::refuseInput({}, fmt::format("{} ranks cannot share this system: {}", forAtoms, largest),
                      fmt::format("start {} ranks or fewer, with -npme {}", most + layout.pmeRanks, layout.pmeRanks));
}

std::string describe(RunLayout const& layout)
{
    if (layout.ranks == nullptr) return "1 rank";
    return fmt::format("{} ranks, {} x {} domains, {}", layout.ranks->size(), layout.domains.a, layout.domains.b,
                       layout.pmeRanks == 0 ? "all of them for PME" : fmt::format("{} of them for PME only", layout.pmeRanks));
}

} // namespace alder::domain
