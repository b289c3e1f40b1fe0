#pragma once
// HDF5 behind a few owning types, so that hdf5.h stays in one source file. Every call is checked; what fails throws Hdf5Fault with the
// reason the system gave ("No space left on device") rather than the library's own stack of thirty lines.

#include <cstddef>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace alder::output {

using Hdf5Id = std::int64_t;

/// A failed HDF5 call. Callers add the file and what they were doing, and throw base::RunFailed.
class Hdf5Fault : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

/// Owns one HDF5 identifier of any sort. Once a write has failed anywhere, nothing is closed any more: HDF5 1.10.8 crashes when it closes
/// what it could not flush, and marks a file whole with a length that it never reached. Left as it is, such a file reads as after a kill;
/// the process is about to end.
class Hdf5Handle {
public:
    using Closer = int (*)(Hdf5Id);
    Hdf5Handle() = default;
    Hdf5Handle(Hdf5Id id, Closer closer) : id_(id), closer_(closer) {}
    Hdf5Handle(Hdf5Handle&& other) noexcept : id_(std::exchange(other.id_, -1)), closer_(other.closer_) {}
    Hdf5Handle& operator=(Hdf5Handle&& other) noexcept
    {
        std::swap(id_, other.id_);
        std::swap(closer_, other.closer_);
        return *this;
    }
    ~Hdf5Handle();
    [[nodiscard]] Hdf5Id id() const { return id_; }
    [[nodiscard]] bool open() const { return id_ >= 0; }
    /// Closes; the last buffers are written here. Throws where this, or anything before it, could not be written.
    void close();

private:
    Hdf5Id id_ = -1;
    Closer closer_ = nullptr;
};

/// Checks of calls, for the source files of this room that make calls of their own. Each throws Hdf5Fault; the last two are for calls
/// that may write.
void requireDone(int status, char const* what);
Hdf5Handle requireOpen(Hdf5Id id, Hdf5Handle::Closer closer, char const* what);
void requireWritten(int status, char const* what);
Hdf5Handle requireMade(Hdf5Id id, Hdf5Handle::Closer closer, char const* what);
/// Says that a write failed outside the library (fdatasync).
void noteFailedWrite(std::string const& reason);

enum class Number : std::uint8_t { int32, int64, uint64, float32, float64 };
template <class T> inline constexpr Number numberOf = Number::float64;
template <> inline constexpr Number numberOf<std::int32_t> = Number::int32;
template <> inline constexpr Number numberOf<std::int64_t> = Number::int64;
template <> inline constexpr Number numberOf<std::uint64_t> = Number::uint64;
template <> inline constexpr Number numberOf<float> = Number::float32;

using Shape = std::vector<std::uint64_t>;

enum class FileFormat : std::uint8_t {
    swmr,    ///< HDF5 1.10 structures, which a reader can follow while a writer is at work
    earliest ///< structures that every version reads
};
enum class FileAccess : std::uint8_t {
    read,
    readSwmr,  ///< also a file whose writer is alive, or was killed
    appendSwmr ///< write, with the flags that let others read meanwhile
};

bool isHdf5(std::string const& path);
Hdf5Handle createFile(std::string const& path, FileFormat format);
Hdf5Handle openFile(std::string const& path, FileAccess access);
/// A file in memory alone, and its bytes.
Hdf5Handle createMemoryFile();
std::vector<std::byte> imageOf(Hdf5Handle const& file);
/// Opens bytes as a file, read-only. The bytes must outlive the handle.
Hdf5Handle openMemoryFile(std::span<std::byte const> image);

void flush(Hdf5Handle const& file);
/// From here on readers may follow; no dataset or attribute may be created any more.
void startSwmr(Hdf5Handle const& file);
/// The descriptor under the file, for fdatasync.
int descriptorOf(Hdf5Handle const& file);

bool exists(Hdf5Handle const& parent, std::string const& name);
/// True where the name, which must exist, is that of a dataset, and nothing can stand under it.
bool isDataset(Hdf5Handle const& parent, std::string const& name);
Hdf5Handle createGroup(Hdf5Handle const& parent, std::string const& name);
Hdf5Handle openGroup(Hdf5Handle const& parent, std::string const& name);
Hdf5Handle openDataset(Hdf5Handle const& parent, std::string const& name);
/// Gives the object at `target` a second name.
void link(Hdf5Handle const& parent, std::string const& target, std::string const& name);
std::vector<std::string> namesIn(Hdf5Handle const& group);

/// Attributes. Text is stored as variable-length UTF-8, which is what H5MD readers compare against.
void writeText(Hdf5Handle const& object, std::string const& name, std::string const& text);
void writeTexts(Hdf5Handle const& object, std::string const& name, std::vector<std::string> const& texts);
void writeNumbers(Hdf5Handle const& object, std::string const& name, std::vector<std::int32_t> const& numbers);
void writeNumber(Hdf5Handle const& object, std::string const& name, Number type, void const* value);
bool hasAttribute(Hdf5Handle const& object, std::string const& name);
std::string readText(Hdf5Handle const& object, std::string const& name);
void readNumber(Hdf5Handle const& object, std::string const& name, Number type, void* value);

/// A dataset written once.
Hdf5Handle createDataset(Hdf5Handle const& parent, std::string const& name, Number type, Shape const& shape, void const* data);

/// A dataset that grows by rows of one shape.
struct RowLayout {
    Number type = Number::float64;
    Shape row;                    ///< shape of one row; empty: a number
    std::uint64_t chunkRows = 1;  ///< rows a chunk
    std::uint64_t chunkAtoms = 0; ///< length of a chunk along the row's first dimension; 0: all of it
};
Hdf5Handle createRows(Hdf5Handle const& parent, std::string const& name, RowLayout const& layout);
/// Writes row `index`, growing the dataset to index + 1 rows.
void writeRow(Hdf5Handle const& dataset, std::uint64_t index, Number type, void const* data);
Shape shapeOf(Hdf5Handle const& dataset);
/// Reads rows [first, first + count).
void readRows(Hdf5Handle const& dataset, std::uint64_t first, std::uint64_t count, Number type, void* data);
/// Reads the whole dataset; its shape must be `shape`.
void readAll(Hdf5Handle const& dataset, Shape const& shape, Number type, void* data);

} // namespace alder::output
