#include "output/storage/hdf5_objects.hpp"

#include <hdf5.h>

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <memory>

namespace alder::output {

static_assert(std::is_same_v<Hdf5Id, hid_t> && std::is_same_v<herr_t, int>);

namespace {

/// No work of the library's at exit, where it would try again, and crash on, a file that could not be written. It must be told before
/// its first call from anywhere, hence before main().
bool const noWorkAtExit = H5dont_atexit() >= 0;

/// No printing of error stacks.
void prepareLibrary()
{
    static bool const ready = noWorkAtExit && H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr) >= 0;
    static_cast<void>(ready);
}

/// The innermost description on the error stack, or the system's own words where one entry holds them.
herr_t gatherReason(unsigned depth, H5E_error2_t const* entry, void* out)
{
    auto& reason = *static_cast<std::string*>(out);
    std::string const text = entry->desc ? entry->desc : "";
    std::string const mark = "error message = '";
    if (auto const at = text.find(mark); at != std::string::npos) {
        auto const begin = at + mark.size();
        reason = text.substr(begin, text.find('\'', begin) - begin);
        return 1;
    }
    if (depth == 0) reason = text;
    return 0;
}

std::string takeReason(char const* what)
{
    std::string reason;
    H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, gatherReason, &reason);
    H5Eclear2(H5E_DEFAULT);
    return reason.empty() ? std::string(what) : fmt::format("{} ({})", reason, what);
}

/// Why the first write that failed did; empty as long as none has.
std::string& failedWrite()
{
    static std::string reason;
    return reason;
}

[[noreturn]] void fail(char const* what) { throw Hdf5Fault(takeReason(what)); }

void check(herr_t status, char const* what) { requireDone(status, what); }
Hdf5Handle checked(hid_t id, Hdf5Handle::Closer closer, char const* what) { return requireOpen(id, closer, what); }

hid_t memoryType(Number type)
{
    switch (type) {
    case Number::int32: return H5T_NATIVE_INT32;
    case Number::int64: return H5T_NATIVE_INT64;
    case Number::uint64: return H5T_NATIVE_UINT64;
    case Number::float32: return H5T_NATIVE_FLOAT;
    case Number::float64: break;
    }
    return H5T_NATIVE_DOUBLE;
}
hid_t fileType(Number type)
{
    switch (type) {
    case Number::int32: return H5T_STD_I32LE;
    case Number::int64: return H5T_STD_I64LE;
    case Number::uint64: return H5T_STD_U64LE;
    case Number::float32: return H5T_IEEE_F32LE;
    case Number::float64: break;
    }
    return H5T_IEEE_F64LE;
}

Hdf5Handle properties(hid_t kind) { return checked(H5Pcreate(kind), H5Pclose, "property list"); }

/// Our own lock keeps two writers apart (FileLock), so the library's, which fails on some network file systems, stays off.
Hdf5Handle accessProperties()
{
    prepareLibrary();
    Hdf5Handle fapl = properties(H5P_FILE_ACCESS);
    check(H5Pset_file_locking(fapl.id(), false, true), "file locking");
    check(H5Pset_fclose_degree(fapl.id(), H5F_CLOSE_STRONG), "close degree");
    return fapl;
}

/// Without times of creation, so that equal content gives equal bytes. They must go from the file's list as well as the datasets', and from
/// the library's default for groups, by which it makes the object that tells how a file's space is laid out.
Hdf5Handle fileCreation()
{
    check(H5Pset_obj_track_times(H5P_GROUP_CREATE_DEFAULT, false), "object times");
    Hdf5Handle fcpl = properties(H5P_FILE_CREATE);
    check(H5Pset_obj_track_times(fcpl.id(), false), "object times");
    return fcpl;
}
Hdf5Handle datasetCreation()
{
    Hdf5Handle dcpl = properties(H5P_DATASET_CREATE);
    check(H5Pset_obj_track_times(dcpl.id(), false), "object times");
    return dcpl;
}

Hdf5Handle space(Shape const& shape, hsize_t const* most = nullptr)
{
    if (shape.empty()) return checked(H5Screate(H5S_SCALAR), H5Sclose, "dataspace");
    std::vector<hsize_t> const dims(shape.begin(), shape.end());
    return checked(H5Screate_simple(static_cast<int>(dims.size()), dims.data(), most), H5Sclose, "dataspace");
}

Hdf5Handle textType()
{
    Hdf5Handle type = checked(H5Tcopy(H5T_C_S1), H5Tclose, "text type");
    check(H5Tset_size(type.id(), H5T_VARIABLE), "text type");
    check(H5Tset_cset(type.id(), H5T_CSET_UTF8), "text type");
    return type;
}

Hdf5Handle createAttribute(Hdf5Handle const& object, std::string const& name, hid_t type, Hdf5Handle const& shape)
{
    return requireMade(H5Acreate2(object.id(), name.c_str(), type, shape.id(), H5P_DEFAULT, H5P_DEFAULT), H5Aclose, "attribute");
}
Hdf5Handle openAttribute(Hdf5Handle const& object, std::string const& name)
{
    return checked(H5Aopen(object.id(), name.c_str(), H5P_DEFAULT), H5Aclose, "attribute");
}

Hdf5Handle spaceOf(Hdf5Handle const& dataset) { return checked(H5Dget_space(dataset.id()), H5Sclose, "dataspace"); }

} // namespace

void noteFailedWrite(std::string const& reason)
{
    if (failedWrite().empty()) failedWrite() = reason;
}

void requireDone(int status, char const* what)
{
    if (status < 0) fail(what);
}
Hdf5Handle requireOpen(Hdf5Id id, Hdf5Handle::Closer closer, char const* what)
{
    if (id < 0) fail(what);
    return {id, closer};
}
void requireWritten(int status, char const* what)
{
    if (status >= 0) return;
    noteFailedWrite(takeReason(what));
    throw Hdf5Fault(failedWrite());
}
Hdf5Handle requireMade(Hdf5Id id, Hdf5Handle::Closer closer, char const* what)
{
    requireWritten(id < 0 ? -1 : 0, what);
    return {id, closer};
}

Hdf5Handle::~Hdf5Handle()
{
    if (id_ < 0 || !failedWrite().empty()) return;
    if (closer_(id_) < 0) noteFailedWrite(takeReason("close"));
}

void Hdf5Handle::close()
{
    if (!failedWrite().empty()) throw Hdf5Fault(failedWrite());
    if (id_ >= 0) requireWritten(closer_(std::exchange(id_, -1)), "close");
}

bool isHdf5(std::string const& path)
{
    prepareLibrary();
    return H5Fis_hdf5(path.c_str()) > 0;
}

namespace {
constexpr hsize_t memoryPage = 4096; ///< bytes
} // namespace

Hdf5Handle createFile(std::string const& path, FileFormat format)
{
    Hdf5Handle const fapl = accessProperties();
    Hdf5Handle const fcpl = fileCreation();
    bool const swmr = format == FileFormat::swmr;
    // A kill can stop a write between two pages of memory, never within one. Blocks of the file's structure that don't cross a page
    // boundary are therefore on disk whole or not at all.
    if (swmr) {
        check(H5Pset_file_space_strategy(fcpl.id(), H5F_FSPACE_STRATEGY_PAGE, false, 1), "file space");
        check(H5Pset_file_space_page_size(fcpl.id(), memoryPage), "page size");
    }
    check(H5Pset_libver_bounds(fapl.id(), swmr ? H5F_LIBVER_V110 : H5F_LIBVER_EARLIEST, H5F_LIBVER_V110), "format");
    return requireMade(H5Fcreate(path.c_str(), H5F_ACC_TRUNC, fcpl.id(), fapl.id()), H5Fclose, "create");
}

Hdf5Handle openFile(std::string const& path, FileAccess access)
{
    Hdf5Handle const fapl = accessProperties();
    check(H5Pset_libver_bounds(fapl.id(), H5F_LIBVER_V110, H5F_LIBVER_V110), "format");
    unsigned flags = H5F_ACC_RDONLY;
    if (access == FileAccess::readSwmr) {
        flags |= H5F_ACC_SWMR_READ;
        // The default of a hundred attempts makes a reader of a half-written block retry for minutes; a dead file never gets better.
        check(H5Pset_metadata_read_attempts(fapl.id(), 2), "read attempts");
    }
    if (access == FileAccess::appendSwmr) flags = H5F_ACC_RDWR | H5F_ACC_SWMR_WRITE;
    return checked(H5Fopen(path.c_str(), flags, fapl.id()), H5Fclose, "open");
}

Hdf5Handle createMemoryFile()
{
    Hdf5Handle const fapl = accessProperties();
    Hdf5Handle const fcpl = fileCreation();
    check(H5Pset_libver_bounds(fapl.id(), H5F_LIBVER_EARLIEST, H5F_LIBVER_V110), "format");
    check(H5Pset_fapl_core(fapl.id(), std::size_t{4} << 20, false), "memory file");
    return checked(H5Fcreate("image", H5F_ACC_TRUNC, fcpl.id(), fapl.id()), H5Fclose, "memory file");
}

std::vector<std::byte> imageOf(Hdf5Handle const& file)
{
    flush(file);
    ssize_t const size = H5Fget_file_image(file.id(), nullptr, 0);
    if (size < 0) fail("file image");
    std::vector<std::byte> image;
    image.reserve(static_cast<std::size_t>(size) + 64); // callers put a checksum behind it without a copy of all
    image.resize(static_cast<std::size_t>(size));
    if (H5Fget_file_image(file.id(), image.data(), image.size()) != size) fail("file image");
    return image;
}

Hdf5Handle openMemoryFile(std::span<std::byte const> image)
{
    Hdf5Handle const fapl = accessProperties();
    check(H5Pset_fapl_core(fapl.id(), std::size_t{1} << 20, false), "memory file");
    // The library copies the image and takes no other notice of the pointer.
    check(H5Pset_file_image(fapl.id(), const_cast<std::byte*>(image.data()), image.size()), "file image");
    return checked(H5Fopen("image", H5F_ACC_RDONLY, fapl.id()), H5Fclose, "file image");
}

void flush(Hdf5Handle const& file) { requireWritten(H5Fflush(file.id(), H5F_SCOPE_LOCAL), "flush"); }
void startSwmr(Hdf5Handle const& file) { requireWritten(H5Fstart_swmr_write(file.id()), "single-writer multiple-reader mode"); }

int descriptorOf(Hdf5Handle const& file)
{
    void* descriptor = nullptr;
    check(H5Fget_vfd_handle(file.id(), H5P_DEFAULT, &descriptor), "descriptor");
    return *static_cast<int*>(descriptor);
}

bool exists(Hdf5Handle const& parent, std::string const& name)
{
    // H5Lexists asks for every link of the path to exist but the last.
    for (std::size_t at = name.find('/', 1); at != std::string::npos; at = name.find('/', at + 1)) {
        htri_t const found = H5Lexists(parent.id(), name.substr(0, at).c_str(), H5P_DEFAULT);
        if (found < 0) fail("link");
        if (found == 0) return false;
    }
    htri_t const found = H5Lexists(parent.id(), name.c_str(), H5P_DEFAULT);
    if (found < 0) fail("link");
    return found > 0;
}

bool isDataset(Hdf5Handle const& parent, std::string const& name)
{
    Hdf5Handle const object = checked(H5Oopen(parent.id(), name.c_str(), H5P_DEFAULT), H5Oclose, "object");
    return H5Iget_type(object.id()) == H5I_DATASET;
}

Hdf5Handle createGroup(Hdf5Handle const& parent, std::string const& name)
{
    Hdf5Handle const gcpl = properties(H5P_GROUP_CREATE);
    check(H5Pset_obj_track_times(gcpl.id(), false), "object times");
    return requireMade(H5Gcreate2(parent.id(), name.c_str(), H5P_DEFAULT, gcpl.id(), H5P_DEFAULT), H5Gclose, "group");
}
Hdf5Handle openGroup(Hdf5Handle const& parent, std::string const& name)
{
    return checked(H5Gopen2(parent.id(), name.c_str(), H5P_DEFAULT), H5Gclose, "group");
}
Hdf5Handle openDataset(Hdf5Handle const& parent, std::string const& name)
{
    return checked(H5Dopen2(parent.id(), name.c_str(), H5P_DEFAULT), H5Dclose, "dataset");
}
void link(Hdf5Handle const& parent, std::string const& target, std::string const& name)
{
    requireWritten(H5Lcreate_hard(parent.id(), target.c_str(), parent.id(), name.c_str(), H5P_DEFAULT, H5P_DEFAULT), "link");
}

std::vector<std::string> namesIn(Hdf5Handle const& group)
{
    std::vector<std::string> names;
    auto const gather = [](hid_t, char const* name, H5L_info_t const*, void* out) -> herr_t {
        static_cast<std::vector<std::string>*>(out)->emplace_back(name);
        return 0;
    };
    check(H5Literate(group.id(), H5_INDEX_NAME, H5_ITER_INC, nullptr, gather, &names), "links");
    return names;
}

void writeText(Hdf5Handle const& object, std::string const& name, std::string const& text)
{
    Hdf5Handle const type = textType();
    Hdf5Handle const attribute = createAttribute(object, name, type.id(), space({}));
    char const* const pointer = text.c_str();
    requireWritten(H5Awrite(attribute.id(), type.id(), &pointer), "attribute");
}
void writeTexts(Hdf5Handle const& object, std::string const& name, std::vector<std::string> const& texts)
{
    Hdf5Handle const type = textType();
    Hdf5Handle const attribute = createAttribute(object, name, type.id(), space({texts.size()}));
    std::vector<char const*> pointers;
    pointers.reserve(texts.size());
    for (std::string const& t : texts) pointers.push_back(t.c_str());
    requireWritten(H5Awrite(attribute.id(), type.id(), pointers.data()), "attribute");
}
void writeNumbers(Hdf5Handle const& object, std::string const& name, std::vector<std::int32_t> const& numbers)
{
    Hdf5Handle const attribute = createAttribute(object, name, fileType(Number::int32), space({numbers.size()}));
    requireWritten(H5Awrite(attribute.id(), memoryType(Number::int32), numbers.data()), "attribute");
}
void writeNumber(Hdf5Handle const& object, std::string const& name, Number type, void const* value)
{
    Hdf5Handle const attribute = createAttribute(object, name, fileType(type), space({}));
    requireWritten(H5Awrite(attribute.id(), memoryType(type), value), "attribute");
}
bool hasAttribute(Hdf5Handle const& object, std::string const& name)
{
    htri_t const found = H5Aexists(object.id(), name.c_str());
    if (found < 0) fail("attribute");
    return found > 0;
}
std::string readText(Hdf5Handle const& object, std::string const& name)
{
    Hdf5Handle const attribute = openAttribute(object, name);
    Hdf5Handle const stored = checked(H5Aget_type(attribute.id()), H5Tclose, "attribute");
    if (H5Tget_class(stored.id()) != H5T_STRING) throw Hdf5Fault(name + " is not text");
    if (H5Tis_variable_str(stored.id()) <= 0) { // of one length, as other programs write
        std::string fixed(H5Tget_size(stored.id()), '\0');
        check(H5Aread(attribute.id(), stored.id(), fixed.data()), "attribute");
        fixed.resize(std::min(fixed.find('\0'), fixed.size()));
        while (fixed.ends_with(' ')) fixed.pop_back();
        return fixed;
    }
    // In memory as it is on file: the library refuses to convert between character sets.
    char* text = nullptr;
    check(H5Aread(attribute.id(), stored.id(), static_cast<void*>(&text)), "attribute");
    std::string copy = text ? text : "";
    if (text) H5free_memory(text);
    return copy;
}
void readNumber(Hdf5Handle const& object, std::string const& name, Number type, void* value)
{
    Hdf5Handle const attribute = openAttribute(object, name);
    check(H5Aread(attribute.id(), memoryType(type), value), "attribute");
}

Hdf5Handle createDataset(Hdf5Handle const& parent, std::string const& name, Number type, Shape const& shape, void const* data)
{
    Hdf5Handle const dcpl = datasetCreation();
    Hdf5Handle const extent = space(shape);
    Hdf5Handle dataset = requireMade(
        H5Dcreate2(parent.id(), name.c_str(), fileType(type), extent.id(), H5P_DEFAULT, dcpl.id(), H5P_DEFAULT), H5Dclose, "dataset");
    bool const any = std::none_of(shape.begin(), shape.end(), [](auto n) { return n == 0; });
    if (any) requireWritten(H5Dwrite(dataset.id(), memoryType(type), H5S_ALL, H5S_ALL, H5P_DEFAULT, data), "write");
    return dataset;
}

Hdf5Handle createRows(Hdf5Handle const& parent, std::string const& name, RowLayout const& layout)
{
    Shape shape{0}, most{H5S_UNLIMITED}, chunk{layout.chunkRows};
    for (std::uint64_t n : layout.row) {
        shape.push_back(n);
        most.push_back(n);
        chunk.push_back(n);
    }
    // With two unlimited dimensions the library indexes chunks by a B-tree, whose nodes are 2 kB however long the run; with one it takes
    // an extensible array, whose blocks outgrow a page after some 5000 chunks. Datasets of numbers have 512 rows a chunk, and never do.
    if (most.size() > 1) most[1] = H5S_UNLIMITED;
    if (layout.chunkAtoms > 0 && chunk.size() > 1) chunk[1] = layout.chunkAtoms;
    std::vector<hsize_t> const limits(most.begin(), most.end()), chunkDims(chunk.begin(), chunk.end());
    Hdf5Handle const dcpl = datasetCreation();
    check(H5Pset_chunk(dcpl.id(), static_cast<int>(chunkDims.size()), chunkDims.data()), "chunk");
    Hdf5Handle const extent = space(shape, limits.data());
    return requireMade(H5Dcreate2(parent.id(), name.c_str(), fileType(layout.type), extent.id(), H5P_DEFAULT, dcpl.id(), H5P_DEFAULT),
                       H5Dclose, "dataset");
}

Shape shapeOf(Hdf5Handle const& dataset)
{
    Hdf5Handle const extent = spaceOf(dataset);
    int const rank = H5Sget_simple_extent_ndims(extent.id());
    if (rank < 0) fail("shape");
    std::vector<hsize_t> dims(static_cast<std::size_t>(rank));
    if (H5Sget_simple_extent_dims(extent.id(), dims.data(), nullptr) < 0) fail("shape");
    return {dims.begin(), dims.end()};
}

namespace {
struct Selection {
    Hdf5Handle file, memory;
};
/// Rows [first, first + count) of a dataset, and the same in memory.
Selection select(Hdf5Handle const& dataset, std::uint64_t first, std::uint64_t count)
{
    Shape const shape = shapeOf(dataset);
    std::vector<hsize_t> start(shape.size(), 0), counts(shape.begin(), shape.end());
    start.at(0) = first;
    counts.at(0) = count;
    Selection s{spaceOf(dataset), space({counts.begin(), counts.end()})};
    check(H5Sselect_hyperslab(s.file.id(), H5S_SELECT_SET, start.data(), nullptr, counts.data(), nullptr), "rows");
    return s;
}
} // namespace

void writeRow(Hdf5Handle const& dataset, std::uint64_t index, Number type, void const* data)
{
    Shape const shape = shapeOf(dataset);
    if (index >= shape.at(0)) {
        std::vector<hsize_t> grown(shape.begin(), shape.end());
        grown[0] = index + 1;
        requireWritten(H5Dset_extent(dataset.id(), grown.data()), "grow");
    }
    Selection const s = select(dataset, index, 1);
    requireWritten(H5Dwrite(dataset.id(), memoryType(type), s.memory.id(), s.file.id(), H5P_DEFAULT, data), "write");
}

void readRows(Hdf5Handle const& dataset, std::uint64_t first, std::uint64_t count, Number type, void* data)
{
    if (count == 0) return;
    Selection const s = select(dataset, first, count);
    check(H5Dread(dataset.id(), memoryType(type), s.memory.id(), s.file.id(), H5P_DEFAULT, data), "read");
}

void readAll(Hdf5Handle const& dataset, Shape const& shape, Number type, void* data)
{
    if (shapeOf(dataset) != shape) throw Hdf5Fault("a dataset has another shape than expected");
    bool const any = std::none_of(shape.begin(), shape.end(), [](auto n) { return n == 0; });
    if (any) check(H5Dread(dataset.id(), memoryType(type), H5S_ALL, H5S_ALL, H5P_DEFAULT, data), "read");
}

} // namespace alder::output
