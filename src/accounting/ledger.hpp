#pragma once
// The ledger: a file of lines that any number of runs append to, on any number of machines.

#include "accounting/ledger_entry.hpp"

#include <filesystem>
#include <string>
#include <vector>

namespace alder::accounting {

/// Appends one line by one write, under a POSIX record lock on the whole file, which holds on NFS too, and waits until it is on disk. What
/// a killed writer has left unended gets an end of line first, so that it spoils no other. A write that comes up short is taken back. Throws
/// base::RunFailed with file and reason; the ledger is then as it was.
void append(std::filesystem::path const& ledger, LedgerEntry const& entry);

/// Refuses, before a run takes hours, a ledger that cannot be written or whose file system has no locks. Creates it where it is absent.
void requireAppendable(std::filesystem::path const& ledger);

struct LedgerRead {
    std::vector<LedgerEntry> entries;
    std::vector<std::string> faults; ///< lines that could not be read and are left out: "ledger.jsonl:17: ..."
};
/// Throws base::RunFailed where the file cannot be read.
LedgerRead readLedger(std::filesystem::path const& ledger);

} // namespace alder::accounting
