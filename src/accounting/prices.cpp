#include "accounting/prices.hpp"

#include "accounting/toml_file.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <sstream>

namespace alder::accounting {

namespace {

std::string lowered(std::string text)
{
    for (char& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    return text;
}

std::vector<std::string> wordsOf(std::string const& text)
{
    std::istringstream in(lowered(text));
    std::vector<std::string> words;
    for (std::string word; in >> word;) words.push_back(word);
    return words;
}

PriceKind kindOf(TomlTable& table)
{
    std::string const text = table.text("kind");
    for (PriceKind const kind : {PriceKind::onDemand, PriceKind::reserved, PriceKind::spot})
        if (text == nameOf(kind)) return kind;
    if (!text.empty()) table.refuse("kind", fmt::format("kind is '{}'", text), "write kind = \"on demand\", \"reserved\" or \"spot\"");
    return PriceKind::onDemand;
}

Price priceOf(TomlTable& table)
{
    Price price;
    price.name = table.text("name");
    std::optional<std::string> const gpu = table.textIfAny("gpu"), cpu = table.textIfAny("cpu");
    if (table.has("gpu") == table.has("cpu"))
        table.refuse("gpu", "it has to be told what the price is of, one thing", "write gpu = \"A100 80GB\", or cpu = \"EPYC\"");
    price.ofGpu = table.has("gpu");
    price.words = wordsOf(gpu ? *gpu : cpu.value_or(""));
    price.slice = table.textIfAny("mig_profile");
    if (price.slice && !price.ofGpu) table.refuse("mig_profile", "a CPU has no MIG profile", "leave it out");
    price.kind = kindOf(table);
    price.currency = table.text("currency");
    price.perHour = table.amountIfAny("per_hour").value_or(0);
    if (!table.has("per_hour")) table.refuse("per_hour", "per_hour is missing", "write per_hour = 3.66");
    price.date = table.dateIfAny("date").value_or("");
    if (!table.has("date")) table.refuse("date", "date is missing", "write the day that the price was looked up: date = 2026-11-30");
    price.source = table.text("source");
    price.verified = table.flagIfAny("verified").value_or(false);
    if (!table.has("verified")) table.refuse("verified", "verified is missing", "write verified = true where you have seen it on the bill");
    price.hoursBetweenPreemptions = table.amountIfAny("hours_between_preemptions");
    table.refuseUnreadKeys();
    return price;
}

} // namespace

char const* nameOf(PriceKind kind)
{
    switch (kind) {
    case PriceKind::onDemand: return "on demand";
    case PriceKind::reserved: return "reserved";
    case PriceKind::spot: return "spot";
    }
    return "";
}

bool Price::fits(Charged const& charged) const
{
    if (ofGpu != (charged.gpus > 0) || slice != charged.slice) return false;
    std::string const device = lowered(charged.device);
    return std::all_of(words.begin(), words.end(), [&](std::string const& word) { return device.find(word) != std::string::npos; });
}

PriceTable::PriceTable(std::filesystem::path const& file) : file_(file)
{
    base::FaultList faults;
    for (TomlTable& table : readTables(file, "price", faults)) {
        Price price = priceOf(table);
        if (std::any_of(prices_.begin(), prices_.end(), [&](Price const& other) { return other.name == price.name; }))
            table.refuse("name", fmt::format("there are two prices named '{}'", price.name), "give each its own name");
        prices_.push_back(std::move(price));
    }
    faults.throwIfAny();
}

std::vector<Price const*> PriceTable::fitting(Charged const& charged) const
{
    std::vector<Price const*> fitting;
    for (Price const& price : prices_)
        if (price.fits(charged)) fitting.push_back(&price);
    return fitting;
}

PriceTable::Found PriceTable::find(Charged const& charged, std::string const& name) const
{
    std::string const hardware = charged.slice ? fmt::format("{} (MIG {})", charged.device, *charged.slice) : charged.device;
    std::vector<Price const*> const fit = fitting(charged);
    if (!name.empty()) {
        for (Price const& price : prices_)
            if (price.name == name) {
                if (price.fits(charged)) return {&price, {}};
                return {nullptr, fmt::format("price '{}' of {} is not one of this hardware, {}", name, file_.string(), hardware)};
            }
        return {nullptr, fmt::format("{} has no price '{}'", file_.string(), name)};
    }
    if (fit.size() == 1) return {fit.front(), {}};
    if (fit.empty()) return {nullptr, fmt::format("{} has no price of {}", file_.string(), hardware)};
    std::vector<std::string> names;
    names.reserve(fit.size());
    for (Price const* price : fit) names.push_back(price->name);
    return {nullptr,
            fmt::format("{} has several prices of {}: {}; choose one with -price", file_.string(), hardware, fmt::join(names, ", "))};
}

} // namespace alder::accounting
