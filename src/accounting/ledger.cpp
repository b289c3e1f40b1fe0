#include "accounting/ledger.hpp"

#include "base/error.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <chrono>
#include <cstring>
#include <fcntl.h>
#include <stdexcept>
#include <string_view>
#include <sys/stat.h>
#include <thread>
#include <unistd.h>
#include <utility>

namespace alder::accounting {

namespace {

[[noreturn]] void fail(std::filesystem::path const& ledger, std::string const& what)
{
    throw base::RunFailed(fmt::format("{}: {}: {}", ledger.string(), what, std::strerror(errno)));
}

/// An open ledger, locked until the end of the scope or of the process. Closing any descriptor of the file would end a record lock: a
/// process opens the ledger here alone, once at a time.
class LockedLedger {
public:
    LockedLedger(std::filesystem::path const& path, short kind)
        : path_(path),
          descriptor_(::open(path.c_str(), kind == F_WRLCK ? O_RDWR | O_APPEND | O_CREAT | O_CLOEXEC : O_RDONLY | O_CLOEXEC, 0666))
    {
        if (descriptor_ < 0) fail(path_, "cannot open the ledger");
        try {
            lock(kind);
        } catch (base::RunFailed const&) {
            ::close(descriptor_);
            throw;
        }
    }
    LockedLedger(LockedLedger const&) = delete;
    LockedLedger& operator=(LockedLedger const&) = delete;
    ~LockedLedger()
    {
        if (descriptor_ >= 0) ::close(descriptor_);
    }

    [[nodiscard]] int get() const { return descriptor_; }
    [[nodiscard]] off_t size() const
    {
        struct stat status {};
        if (::fstat(descriptor_, &status) != 0) fail(path_, "cannot read the ledger");
        return status.st_size;
    }
    void close()
    {
        if (::close(std::exchange(descriptor_, -1)) != 0) fail(path_, "cannot write the ledger"); // NFS may tell of a full disk here
    }

private:
    /// Asks again rather than waiting inside the system: a holder that was suspended would keep all others from ending.
    void lock(short kind)
    {
        constexpr std::chrono::seconds patience{60};
        auto const since = std::chrono::steady_clock::now();
        struct flock range {};
        range.l_type = kind;
        range.l_whence = SEEK_SET; // from 0, and to the end of the file wherever that is
        for (auto pause = std::chrono::microseconds(50); ::fcntl(descriptor_, F_SETLK, &range) != 0;
             pause = std::min(pause * 2, std::chrono::microseconds(5000))) {
            if (errno != EACCES && errno != EAGAIN && errno != EINTR) fail(path_, "cannot lock the ledger");
            if (std::chrono::steady_clock::now() - since > patience)
                throw base::RunFailed(
                    fmt::format("{}: the ledger has been locked by another process for {} s", path_.string(), patience.count()));
            std::this_thread::sleep_for(pause);
        }
    }

    std::filesystem::path path_;
    int descriptor_;
};

/// Whether the last line has no end: its writer was killed.
bool isTorn(LockedLedger const& ledger, off_t size, std::filesystem::path const& path)
{
    if (size == 0) return false;
    char last = 0;
    if (::pread(ledger.get(), &last, 1, size - 1) != 1) fail(path, "cannot read the ledger");
    return last != '\n';
}

} // namespace

void append(std::filesystem::path const& path, LedgerEntry const& entry)
{
    LockedLedger ledger(path, F_WRLCK);
    off_t const size = ledger.size();
    std::string const text = (isTorn(ledger, size, path) ? "\n" : "") + lineOf(entry);
    ssize_t const written = ::write(ledger.get(), text.data(), text.size());
    if (written != static_cast<ssize_t>(text.size()) || ::fdatasync(ledger.get()) != 0) {
        if (written >= 0 && written != static_cast<ssize_t>(text.size())) errno = ENOSPC;
        int const reason = errno;
        bool const undone = ::ftruncate(ledger.get(), size) == 0;
        errno = reason;
        fail(path, undone ? "cannot write the ledger" : "cannot write the ledger, which has half a line now");
    }
    ledger.close();
}

void requireAppendable(std::filesystem::path const& path)
{
    try {
        LockedLedger const ledger(path, F_WRLCK);
    } catch (base::RunFailed const& unusable) {
        base::refuseInput({}, unusable.what(), "name another file with -ledger or ALDER_LEDGER");
    }
}

LedgerRead readLedger(std::filesystem::path const& path)
{
    std::string text;
    {
        LockedLedger const ledger(path, F_RDLCK);
        text.resize(static_cast<std::size_t>(ledger.size()));
        for (std::size_t done = 0; done < text.size();) {
            ssize_t const got = ::pread(ledger.get(), text.data() + done, text.size() - done, static_cast<off_t>(done));
            if (got < 0 && errno == EINTR) continue;
            if (got < 0) fail(path, "cannot read the ledger");
            if (got == 0) text.resize(done);
            done += static_cast<std::size_t>(got);
        }
    }
    LedgerRead read;
    std::string_view rest = text;
    for (int number = 1; !rest.empty(); ++number) {
        std::size_t const end = rest.find('\n');
        std::string_view const line = rest.substr(0, end);
        rest.remove_prefix(end == std::string_view::npos ? rest.size() : end + 1);
        if (line.empty()) continue;
        try {
            read.entries.push_back(entryOf(line));
        } catch (std::invalid_argument const& broken) {
            read.faults.push_back(fmt::format("{}:{}: left out, no whole line of a ledger ({})", path.string(), number, broken.what()));
        }
    }
    return read;
}

} // namespace alder::accounting
