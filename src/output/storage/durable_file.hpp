#pragma once
// Files that are either the old one or the new one, whatever happens in between, and a lock that keeps two writers off one file.

#include <cstddef>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>

namespace alder::output {

/// Writes through a temporary name in the same folder: write, fsync, rename, fsync of the folder. Throws base::RunFailed with the file and
/// the system's reason; the temporary file is then gone and what stood under `path` is untouched. What is no plain file (a terminal, a pipe,
/// /dev/full) is written in place.
void replaceFile(std::filesystem::path const& path, std::span<std::byte const> bytes);
void replaceFile(std::filesystem::path const& path, std::string_view text);

/// As replaceFile, and what stood under `path` is kept under `previous`. At every moment `path` is whole.
void replaceFileKeeping(std::filesystem::path const& path, std::filesystem::path const& previous, std::span<std::byte const> bytes);

/// Makes a rename in the folder of `path` last.
void syncFolderOf(std::filesystem::path const& path);
/// fsync of a file by name, then rename and syncFolderOf.
void renameWhole(std::filesystem::path const& from, std::filesystem::path const& to);

/// Moves an existing file out of the way, to #name.1#, #name.2# ... as users of the field expect. Returns the new name; empty where
/// nothing stood there.
std::filesystem::path moveAside(std::filesystem::path const& path);

/// Bytes of a whole file. Throws base::RunFailed.
std::string readWhole(std::filesystem::path const& path);

/// Holds a file against other writers until the end of the scope, of the process, or a kill. An open-file-description lock on one byte
/// far beyond any content: readers, and HDF5's own flock, never meet it. Where the file system has no locks, nothing is held.
class FileLock {
public:
    FileLock() = default;
    /// Throws base::RunFailed where another process holds the file, with what to do instead.
    explicit FileLock(std::filesystem::path const& path, std::string_view instead = "wait for it to end");
    FileLock(FileLock&& other) noexcept;
    FileLock& operator=(FileLock&& other) noexcept;
    ~FileLock();

private:
    int descriptor_ = -1;
};

} // namespace alder::output
