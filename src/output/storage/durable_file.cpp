#include "output/storage/durable_file.hpp"

#include "base/error.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

namespace alder::output {

namespace {

namespace fs = std::filesystem;

[[noreturn]] void failed(fs::path const& path, char const* doing)
{
    throw base::RunFailed(fmt::format("{}: cannot {}: {}", path.string(), doing, std::strerror(errno)));
}

/// A descriptor that closes itself.
class Descriptor {
public:
    explicit Descriptor(int fd) : fd_(fd) {}
    Descriptor(Descriptor const&) = delete;
    Descriptor& operator=(Descriptor const&) = delete;
    ~Descriptor()
    {
        if (fd_ >= 0) ::close(fd_);
    }
    [[nodiscard]] int get() const { return fd_; }
    /// Some file systems report a full quota only here.
    [[nodiscard]] bool close() { return ::close(std::exchange(fd_, -1)) == 0; }

private:
    int fd_;
};

bool writeAll(int fd, std::span<std::byte const> bytes)
{
    while (!bytes.empty()) {
        ssize_t const n = ::write(fd, bytes.data(), bytes.size());
        if (n < 0 && errno == EINTR) continue;
        if (n < 0) return false;
        bytes = bytes.subspan(static_cast<std::size_t>(n));
    }
    return true;
}

fs::path temporaryFor(fs::path const& path) { return fs::path(path.string() + ".new"); }

/// Writes and syncs a temporary beside `path`; on failure removes it and throws.
fs::path writeTemporary(fs::path const& path, std::span<std::byte const> bytes)
{
    fs::path temporary = temporaryFor(path);
    Descriptor file(::open(temporary.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666));
    if (file.get() < 0) failed(path, "create");
    if (writeAll(file.get(), bytes) && ::fsync(file.get()) == 0 && file.close()) return temporary;
    int const reason = errno;
    ::unlink(temporary.c_str());
    errno = reason;
    failed(path, "write");
}

void renameTo(fs::path const& from, fs::path const& to)
{
    if (::rename(from.c_str(), to.c_str()) == 0) return;
    int const reason = errno;
    ::unlink(from.c_str());
    errno = reason;
    failed(to, "rename to");
}

/// A terminal, a pipe or a device takes its bytes and keeps its place: a rename would put a plain file where /dev/stdout or /dev/full was.
bool writeInPlaceIfDevice(fs::path const& path, std::span<std::byte const> bytes)
{
    struct stat present {};
    if (::stat(path.c_str(), &present) != 0 || S_ISREG(present.st_mode)) return false;
    Descriptor file(::open(path.c_str(), O_WRONLY | O_CLOEXEC));
    if (file.get() < 0) failed(path, "open for writing");
    if (!writeAll(file.get(), bytes) || !file.close()) failed(path, "write");
    return true;
}

} // namespace

void syncFolderOf(fs::path const& path)
{
    fs::path const folder = path.has_parent_path() ? path.parent_path() : fs::path(".");
    Descriptor const fd(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    // Some network file systems refuse fsync of a folder with EINVAL; there the server orders renames.
    if (fd.get() >= 0 && ::fsync(fd.get()) != 0 && errno != EINVAL) failed(folder, "sync");
}

void replaceFile(fs::path const& path, std::span<std::byte const> bytes)
{
    if (writeInPlaceIfDevice(path, bytes)) return;
    renameTo(writeTemporary(path, bytes), path);
    syncFolderOf(path);
}

void replaceFile(fs::path const& path, std::string_view text) { replaceFile(path, std::as_bytes(std::span(text))); }

void replaceFileKeeping(fs::path const& path, fs::path const& previous, std::span<std::byte const> bytes)
{
    fs::path const temporary = writeTemporary(path, bytes);
    // A second name for the old file, so that no moment is without one under `path`; where hard links are unknown, a rename.
    fs::path const second = fs::path(previous.string() + ".new");
    ::unlink(second.c_str());
    if (::link(path.c_str(), second.c_str()) == 0) {
        renameTo(second, previous);
    } else if (errno != ENOENT) {
        if (::rename(path.c_str(), previous.c_str()) != 0) failed(previous, "rename to");
    }
    renameTo(temporary, path);
    syncFolderOf(path);
}

void renameWhole(fs::path const& from, fs::path const& to)
{
    {
        Descriptor const file(::open(from.c_str(), O_RDONLY | O_CLOEXEC));
        if (file.get() < 0 || ::fsync(file.get()) != 0) failed(from, "sync");
    }
    if (::rename(from.c_str(), to.c_str()) != 0) failed(to, "rename to");
    syncFolderOf(to);
}

fs::path moveAside(fs::path const& path)
{
    struct stat present {};
    if (::lstat(path.c_str(), &present) != 0) return {};
    for (int n = 1; n < 1000; ++n) {
        fs::path aside = path.parent_path() / fmt::format("#{}.{}#", path.filename().string(), n);
        if (::lstat(aside.c_str(), &present) == 0) continue;
        if (::rename(path.c_str(), aside.c_str()) != 0) failed(path, "move aside");
        return aside;
    }
    throw base::RunFailed(fmt::format("{}: a thousand older files of this name are kept already; remove some", path.string()));
}

std::string readWhole(fs::path const& path)
{
    Descriptor const file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
    struct stat info {};
    if (file.get() < 0 || ::fstat(file.get(), &info) != 0) failed(path, "open");
    std::string text(static_cast<std::size_t>(info.st_size), '\0');
    std::size_t done = 0;
    while (done < text.size()) {
        ssize_t const n = ::read(file.get(), text.data() + done, text.size() - done);
        if (n < 0 && errno == EINTR) continue;
        if (n < 0) failed(path, "read");
        if (n == 0) break;
        done += static_cast<std::size_t>(n);
    }
    text.resize(done);
    return text;
}

FileLock::FileLock(fs::path const& path, std::string_view instead)
{
    for (;;) {
        Descriptor file(::open(path.c_str(), O_RDWR | O_CLOEXEC));
        if (file.get() < 0) failed(path, "open for writing");
        struct flock range {};
        range.l_type = F_WRLCK;
        range.l_whence = SEEK_SET;
        range.l_start = off_t{1} << 62;
        range.l_len = 1;
        if (::fcntl(file.get(), F_OFD_SETLK, &range) != 0) {
            if (errno == EAGAIN || errno == EACCES)
                throw base::RunFailed(fmt::format("{}: another alder is writing this file; {}", path.string(), instead));
            return; // ENOLCK, EINVAL, ENOSYS: no locks here
        }
        // The name may have been given to a new file between open and lock.
        struct stat held {
        }, named{};
        if (::fstat(file.get(), &held) == 0 && ::stat(path.c_str(), &named) == 0 && held.st_ino == named.st_ino &&
            held.st_dev == named.st_dev) {
            descriptor_ = ::dup(file.get());
            if (descriptor_ >= 0) ::fcntl(descriptor_, F_SETFD, FD_CLOEXEC);
            return;
        }
    }
}

FileLock::FileLock(FileLock&& other) noexcept : descriptor_(std::exchange(other.descriptor_, -1)) {}
FileLock& FileLock::operator=(FileLock&& other) noexcept
{
    std::swap(descriptor_, other.descriptor_);
    return *this;
}
FileLock::~FileLock()
{
    if (descriptor_ >= 0) ::close(descriptor_);
}

} // namespace alder::output
