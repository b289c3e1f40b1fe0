#include "output/repair.hpp"

#include "base/error.hpp"
#include "output/storage/durable_file.hpp"
#include "output/storage/hdf5_objects.hpp"

#include <hdf5.h>

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <optional>

namespace alder::output {

namespace {

namespace fs = std::filesystem;

/// One file to another, object by object. A dataset that several names share is copied once. An element is a group of value, step and
/// time; all elements that share a step dataset are cut to the same rows.
class Copier {
public:
    /// A row that cannot be read, as a power cut may leave one: the rows before it are whole.
    struct Unreadable {
        haddr_t step;
        std::uint64_t row;
    };

    Copier(Hdf5Handle const& from, Cut cut) : from_(from), cut_(cut) { survey(from_, ""); }

    /// Rows that are whole and within the cut, by the path that was met first.
    [[nodiscard]] RepairReport report() const
    {
        RepairReport r;
        for (auto const& [address, rows] : rowsOf_) {
            if (isFrame(rows)) {
                r.frames = std::max(r.frames, static_cast<std::int64_t>(rows.count));
                r.lastStep = std::max(r.lastStep, rows.lastStep);
            } else if (isEnergy(rows)) {
                r.energies = std::max(r.energies, static_cast<std::int64_t>(rows.count));
            }
            r.partialRows += static_cast<std::int64_t>(rows.longest - rows.whole);
        }
        return r;
    }
    /// True where no dataset has a row more than is kept.
    [[nodiscard]] bool nothingBeyond() const
    {
        return std::all_of(rowsOf_.begin(), rowsOf_.end(), [](auto const& entry) { return entry.second.longest == entry.second.count; });
    }
    /// Throws Unreadable; after endBefore() the copying may be tried again, to a new file.
    void copyTo(Hdf5Handle const& to)
    {
        to_ = &to;
        copied_.clear();
        copyGroup(from_, to, "");
    }
    void endBefore(Unreadable const& unreadable)
    {
        Rows& rows = rowsOf_.at(unreadable.step);
        rows.count = rows.whole = std::min(rows.count, unreadable.row);
        rows.lastStep = -1;
        if (rows.count > 0) readRows(openDataset(from_, rows.path + "step"), rows.count - 1, 1, Number::int64, &rows.lastStep);
    }

private:
    struct Rows {
        std::string path;          ///< of the first element met
        std::uint64_t whole = 0;   ///< rows that every dataset of the element has, with steps that rise
        std::uint64_t longest = 0; ///< rows of the longest dataset
        std::uint64_t count = 0;   ///< rows kept
        std::int64_t lastStep = -1;
    };
    using Address = haddr_t;
    static bool isFrame(Rows const& rows) { return rows.path.starts_with("/particles/"); }
    static bool isEnergy(Rows const& rows) { return rows.path.starts_with("/energies/"); }

    static H5O_info_t infoOf(Hdf5Handle const& object)
    {
        H5O_info_t info{};
        requireDone(H5Oget_info2(object.id(), &info, H5O_INFO_BASIC), "object");
        return info;
    }
    static Hdf5Handle openObject(Hdf5Handle const& parent, std::string const& name)
    {
        return requireOpen(H5Oopen(parent.id(), name.c_str(), H5P_DEFAULT), H5Oclose, "object");
    }
    static bool isGroup(Hdf5Handle const& object) { return H5Iget_type(object.id()) == H5I_GROUP; }
    static bool isElement(Hdf5Handle const& group)
    {
        if (!exists(group, "value") || !exists(group, "step")) return false;
        return !shapeOf(openDataset(group, "step")).empty(); // a scalar step is a fixed interval
    }

    static std::string within(std::string const& path, std::string const& name) { return fmt::format("{}/{}", path, name); }

    void survey(Hdf5Handle const& group, std::string const& path)
    {
        if (isElement(group)) surveyElement(group, path);
        for (std::string const& name : namesIn(group)) {
            Hdf5Handle const object = openObject(group, name);
            if (isGroup(object)) survey(object, within(path, name));
        }
    }
    void surveyElement(Hdf5Handle const& group, std::string const& path)
    {
        Hdf5Handle const step = openDataset(group, "step");
        Address const address = infoOf(step).addr;
        bool const first = !rowsOf_.contains(address);
        Rows& rows = rowsOf_[address];
        if (first) rows.path = path + "/";
        for (char const* name : {"value", "step", "time"}) {
            if (!exists(group, name)) continue;
            Hdf5Handle const dataset = openDataset(group, name);
            std::uint64_t const length = shapeOf(dataset).at(0);
            rows.longest = std::max(rows.longest, length);
            rows.whole = first && std::string_view(name) == "value" ? length : std::min(rows.whole, length);
            stepOf_[infoOf(dataset).addr] = address;
        }
        chooseRows(rows, step);
    }
    /// Steps rise; a row whose step does not was never finished.
    void chooseRows(Rows& rows, Hdf5Handle const& step) const
    {
        std::vector<std::int64_t> steps(rows.whole);
        readRows(step, 0, rows.whole, Number::int64, steps.data());
        std::uint64_t rising = 0;
        while (rising < rows.whole && (rising == 0 || steps[rising] > steps[rising - 1])) ++rising;
        rows.whole = rising;
        std::int64_t const most = isEnergy(rows) ? cut_.energies : isFrame(rows) ? cut_.frames : -1;
        rows.count = rows.whole;
        if (most >= 0) rows.count = std::min(rows.count, static_cast<std::uint64_t>(most));
        while (rows.count > 0 && steps[rows.count - 1] > cut_.lastStep) --rows.count;
        rows.lastStep = rows.count > 0 ? steps[rows.count - 1] : -1;
    }

    void copyGroup(Hdf5Handle const& from, Hdf5Handle const& to, std::string const& path)
    {
        copyAttributes(from, to);
        for (std::string const& name : namesIn(from)) {
            Hdf5Handle const object = openObject(from, name);
            std::string const here = within(path, name);
            Address const address = infoOf(object).addr;
            if (auto const known = copied_.find(address); known != copied_.end()) {
                link(*to_, known->second, here);
                continue;
            }
            copied_[address] = here;
            if (isGroup(object))
                copyGroup(object, createGroup(to, name), here);
            else if (H5Iget_type(object.id()) == H5I_DATASET)
                copyDataset(object, address, to, name);
        }
    }

    static void copyAttribute(Hdf5Handle const& from, Hdf5Handle const& to, char const* name)
    {
        Hdf5Handle const source = requireOpen(H5Aopen(from.id(), name, H5P_DEFAULT), H5Aclose, "attribute");
        Hdf5Handle const type = requireOpen(H5Aget_type(source.id()), H5Tclose, "attribute");
        Hdf5Handle const extent = requireOpen(H5Aget_space(source.id()), H5Sclose, "attribute");
        Hdf5Handle const target =
            requireMade(H5Acreate2(to.id(), name, type.id(), extent.id(), H5P_DEFAULT, H5P_DEFAULT), H5Aclose, "attribute");
        hssize_t const points = H5Sget_simple_extent_npoints(extent.id());
        std::vector<std::byte> bytes(static_cast<std::size_t>(std::max<hssize_t>(points, 0)) * H5Tget_size(type.id()) + 1);
        requireDone(H5Aread(source.id(), type.id(), bytes.data()), "attribute");
        int const written = H5Awrite(target.id(), type.id(), bytes.data());
        H5Dvlen_reclaim(type.id(), extent.id(), H5P_DEFAULT, bytes.data());
        requireWritten(written, "attribute");
    }
    /// Callbacks of a C library must not throw, so attributes are named first and copied one by one.
    static void copyAttributes(Hdf5Handle const& from, Hdf5Handle const& to)
    {
        std::vector<std::string> names;
        auto const gather = [](hid_t, char const* name, H5A_info_t const*, void* out) -> herr_t {
            static_cast<std::vector<std::string>*>(out)->emplace_back(name);
            return 0;
        };
        requireDone(H5Aiterate2(from.id(), H5_INDEX_NAME, H5_ITER_INC, nullptr, gather, &names), "attributes");
        for (std::string const& name : names) copyAttribute(from, to, name.c_str());
    }

    void copyDataset(Hdf5Handle const& from, Address address, Hdf5Handle const& to, std::string const& name)
    {
        Hdf5Handle const type = requireOpen(H5Dget_type(from.id()), H5Tclose, "type");
        Hdf5Handle const creation = requireOpen(H5Dget_create_plist(from.id()), H5Pclose, "creation list");
        Hdf5Handle const extent = requireOpen(H5Dget_space(from.id()), H5Sclose, "dataspace");
        Shape const shape = shapeOf(from);
        auto const row = stepOf_.find(address);
        std::uint64_t const rows = row != stepOf_.end() ? rowsOf_.at(row->second).count : shape.empty() ? 1 : shape[0];
        if (row != stepOf_.end()) {
            std::vector<hsize_t> dims(shape.begin(), shape.end()), most(shape.size());
            requireDone(H5Sget_simple_extent_dims(extent.id(), nullptr, most.data()) < 0 ? -1 : 0, "shape");
            dims[0] = rows;
            requireDone(H5Sset_extent_simple(extent.id(), static_cast<int>(dims.size()), dims.data(), most.data()), "shape");
        }
        Hdf5Handle const target = requireMade(
            H5Dcreate2(to.id(), name.c_str(), type.id(), extent.id(), H5P_DEFAULT, creation.id(), H5P_DEFAULT), H5Dclose, "dataset");
        copyAttributes(from, target);
        if (shape.empty()) {
            if (!copyBlock(from, target, type, {}, {})) throw Hdf5Fault(fmt::format("{} cannot be read", name));
        } else if (std::uint64_t const done = copyRows(from, target, type, shape, rows); done < rows) {
            if (row == stepOf_.end()) throw Hdf5Fault(fmt::format("{} cannot be read", name));
            throw Unreadable{row->second, done};
        }
    }

    /// In blocks of at most 64 MB, so that memory does not grow with the file. Returns the rows that could be read.
    static std::uint64_t copyRows(Hdf5Handle const& from, Hdf5Handle const& to, Hdf5Handle const& type, Shape const& shape,
                                  std::uint64_t rows)
    {
        std::uint64_t rowBytes = H5Tget_size(type.id());
        for (std::size_t d = 1; d < shape.size(); ++d) rowBytes *= shape[d];
        if (rowBytes == 0) return rows;
        std::uint64_t block = std::max<std::uint64_t>(1, (std::uint64_t{64} << 20) / rowBytes);
        std::vector<hsize_t> start(shape.size(), 0), count(shape.begin(), shape.end());
        for (std::uint64_t first = 0; first < rows;) {
            start[0] = first;
            count[0] = std::min(block, rows - first);
            if (copyBlock(from, to, type, start, count))
                first += count[0];
            else if (count[0] == 1)
                return first;
            else
                block = (count[0] + 1) / 2; // closer to the row that fails
        }
        return rows;
    }
    /// False where it cannot be read; throws where it cannot be written.
    static bool copyBlock(Hdf5Handle const& from, Hdf5Handle const& to, Hdf5Handle const& type, std::vector<hsize_t> const& start,
                          std::vector<hsize_t> const& count)
    {
        Hdf5Handle const source = requireOpen(H5Dget_space(from.id()), H5Sclose, "dataspace");
        Hdf5Handle const target = requireOpen(H5Dget_space(to.id()), H5Sclose, "dataspace");
        Hdf5Handle memory;
        std::size_t points = 1;
        if (start.empty()) {
            memory = requireOpen(H5Screate(H5S_SCALAR), H5Sclose, "dataspace");
        } else {
            for (Hdf5Handle const* s : {&source, &target})
                requireDone(H5Sselect_hyperslab(s->id(), H5S_SELECT_SET, start.data(), nullptr, count.data(), nullptr), "rows");
            memory = requireOpen(H5Screate_simple(static_cast<int>(count.size()), count.data(), nullptr), H5Sclose, "dataspace");
            for (hsize_t n : count) points *= n;
        }
        std::vector<std::byte> bytes(points * H5Tget_size(type.id()));
        if (H5Dread(from.id(), type.id(), memory.id(), source.id(), H5P_DEFAULT, bytes.data()) < 0) return false;
        int const written = H5Dwrite(to.id(), type.id(), memory.id(), target.id(), H5P_DEFAULT, bytes.data());
        if (H5Tdetect_class(type.id(), H5T_VLEN) > 0 || H5Tis_variable_str(type.id()) > 0)
            H5Dvlen_reclaim(type.id(), memory.id(), H5P_DEFAULT, bytes.data());
        requireWritten(written, "write");
        return true;
    }

    Hdf5Handle const& from_;
    Cut cut_;
    Hdf5Handle const* to_ = nullptr;
    std::map<Address, Rows> rowsOf_;    ///< by address of the step dataset
    std::map<Address, Address> stepOf_; ///< step dataset by address of a value, step or time dataset
    std::map<Address, std::string> copied_;
};

bool isH5md(Hdf5Handle const& file) { return exists(file, "h5md") && hasAttribute(openGroup(file, "h5md"), "version"); }

[[noreturn]] void refuse(std::string const& path, std::string what, std::string instead)
{
    base::FaultList faults;
    faults.refuse({path, 0}, std::move(what), std::move(instead));
    throw base::InputRefused(faults.faults());
}

Hdf5Handle openDead(std::string const& path)
{
    if (!fs::is_regular_file(path)) refuse(path, "no such file", "name a trajectory (.h5md)");
    if (!isHdf5(path)) refuse(path, "is no HDF5 file, or its first block is lost", "name a trajectory (.h5md)");
    Hdf5Handle file;
    try {
        file = openFile(path, FileAccess::readSwmr);
    } catch (Hdf5Fault const&) {
        file = openFile(path, FileAccess::read); // structures older than HDF5 1.10 know no SWMR
    }
    if (!isH5md(file)) refuse(path, "is an HDF5 file, but no H5MD trajectory", "name a trajectory (.h5md)");
    return file;
}

/// The report on a file that needs no repair; nothing where it needs one.
std::optional<RepairReport> reportIfWhole(std::string const& path)
{
    try {
        Hdf5Handle const file = openFile(path, FileAccess::read); // refused while the flags of a killed writer stand
        Copier const copier(file, {});
        return copier.nothingBeyond() ? std::optional(copier.report()) : std::nullopt;
    } catch (Hdf5Fault const&) {
        return std::nullopt;
    }
}

} // namespace

std::string RepairReport::text(std::string const& path) const
{
    if (!changed) return fmt::format("{}: whole already, {} frames and {} energies; nothing was changed", path, frames, energies);
    std::string const kept = fmt::format("{}: {} whole frames", path, frames);
    std::string const last = frames > 0 ? fmt::format(", the last of step {}", lastStep) : std::string();
    std::string const left = partialRows > 0 ? std::string("; one unfinished frame or record was left out") : std::string();
    return fmt::format("{}{}, {} energies{}; the file opens anywhere now", kept, last, energies, left);
}

RepairReport copyWholeFrames(std::string const& from, std::string const& to, Cut cut)
{
    try {
        Hdf5Handle const source = openDead(from);
        Copier copier(source, cut);
        for (;;) {
            Hdf5Handle target = createFile(to, FileFormat::swmr);
            try {
                copier.copyTo(target);
            } catch (Copier::Unreadable const& unreadable) {
                copier.endBefore(unreadable);
                continue;
            }
            flush(target);
            target.close();
            RepairReport report = copier.report();
            report.changed = true;
            return report;
        }
    } catch (Hdf5Fault const& reason) {
        throw base::RunFailed(fmt::format("{}: cannot copy its frames to {}: {}", from, to, reason.what()));
    }
}

bool wholeWithin(std::string const& path, Cut cut)
{
    try {
        Hdf5Handle const file = openFile(path, FileAccess::read); // refused while the flags of a killed writer stand
        return isH5md(file) && Copier(file, cut).nothingBeyond();
    } catch (Hdf5Fault const&) {
        return false;
    }
}

RepairReport repair(std::string const& path)
{
    try {
        static_cast<void>(openDead(path)); // refuses before anything is locked or written
    } catch (Hdf5Fault const& reason) {
        throw base::RunFailed(fmt::format("{}: cannot be opened: {}", path, reason.what()));
    }
    FileLock const lock(path);
    if (std::optional<RepairReport> const whole = reportIfWhole(path)) return *whole;
    std::string const copy = path + ".repaired.new";
    try {
        RepairReport const report = copyWholeFrames(path, copy, {});
        renameWhole(copy, path);
        return report;
    } catch (...) {
        std::error_code ignored;
        fs::remove(copy, ignored);
        throw;
    }
}

} // namespace alder::output
