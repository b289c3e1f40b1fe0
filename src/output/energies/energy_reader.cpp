#include "output/energies/energy_reader.hpp"

#include "base/error.hpp"
#include "output/storage/hdf5_objects.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

namespace alder::output {

namespace {

namespace fs = std::filesystem;

/// An element of /energies whose rows are still to be counted.
struct Element {
    std::string name, unit;
    Hdf5Handle value;
    Shape shape;
};

std::uint64_t rowsOf(Hdf5Handle const& dataset)
{
    Shape const shape = shapeOf(dataset);
    return shape.empty() ? 0 : shape.front();
}

/// Numbers by row, or 3 x 3 matrices by row; anything else under /energies is another program's.
std::vector<Element> elementsOf(Hdf5Handle const& energies)
{
    std::vector<Element> elements;
    for (std::string const& name : namesIn(energies)) {
        if (isDataset(energies, name) || !exists(energies, name + "/value") || !exists(energies, name + "/step")) continue;
        Element element{name, "", openDataset(energies, name + "/value"), {}};
        element.shape = shapeOf(element.value);
        if (element.shape.size() != 1 && !(element.shape.size() == 3 && element.shape[1] == 3 && element.shape[2] == 3)) continue;
        if (hasAttribute(element.value, "unit")) element.unit = readText(element.value, "unit");
        elements.push_back(std::move(element));
    }
    return elements;
}

template <class T> std::vector<T> valuesOf(Hdf5Handle const& dataset, std::uint64_t rows, Number type)
{
    std::vector<T> values(rows);
    if (rows > 0) readRows(dataset, 0, rows, type, values.data());
    return values;
}

void readHeader(Hdf5Handle const& file, EnergyRecords& records)
{
    if (exists(file, "h5md/creator")) {
        Hdf5Handle const creator = openGroup(file, "h5md/creator");
        for (char const* part : {"name", "version"})
            if (hasAttribute(creator, part)) records.madeBy += (records.madeBy.empty() ? "" : " ") + readText(creator, part);
    }
    std::string const positions = "particles/trajectory/position/";
    if (!exists(file, positions + "value")) return;
    Shape const shape = shapeOf(openDataset(file, positions + "value"));
    if (shape.size() != 3) return;
    std::uint64_t const steps = exists(file, positions + "step") ? rowsOf(openDataset(file, positions + "step")) : shape[0];
    records.atoms = static_cast<std::int64_t>(shape[1]);
    records.frames = static_cast<std::int64_t>(std::min(shape[0], steps));
}

void readRecords(Hdf5Handle const& energies, EnergyRecords& records)
{
    std::vector<Element> const elements = elementsOf(energies);
    if (elements.empty()) return;
    Hdf5Handle const step = openDataset(energies, elements.front().name + "/step");
    Hdf5Handle const time = openDataset(energies, elements.front().name + "/time");
    // A live file's values may be one row ahead of its steps, and a killed one's for good (docs/files.md).
    std::uint64_t rows = std::min(rowsOf(step), rowsOf(time));
    for (Element const& element : elements) rows = std::min(rows, element.shape.front());
    records.steps = valuesOf<std::int64_t>(step, rows, Number::int64);
    records.times = valuesOf<double>(time, rows, Number::float64);
    for (Element const& element : elements) {
        if (element.shape.size() == 1)
            records.columns.push_back({element.name, element.unit, valuesOf<double>(element.value, rows, Number::float64)});
        else
            records.tensors.push_back({element.name, element.unit, valuesOf<math::Mat3d>(element.value, rows, Number::float64)});
    }
}

} // namespace

EnergyRecords::Column const* EnergyRecords::find(std::string const& name) const
{
    auto const found = std::find_if(columns.begin(), columns.end(), [&](Column const& column) { return column.name == name; });
    return found == columns.end() ? nullptr : &*found;
}

EnergyRecords readEnergies(std::string const& path)
{
    auto const refuse = [&](std::string const& what, std::string const& instead) { base::refuseInput({path, 0}, what, instead); };
    if (!fs::is_regular_file(path)) refuse("no such file", "name a trajectory of a run (.h5md)");
    if (!isHdf5(path)) refuse("is no HDF5 file", "name a trajectory of a run (.h5md)");
    EnergyRecords records;
    bool holdsEnergies = false;
    try {
        Hdf5Handle file;
        try {
            file = openFile(path, FileAccess::read);
        } catch (Hdf5Fault const&) {
            file = openFile(path, FileAccess::readSwmr); // its writer has not closed it
            records.closed = false;
        }
        readHeader(file, records);
        holdsEnergies = exists(file, "energies") && !isDataset(file, "energies");
        if (holdsEnergies) readRecords(openGroup(file, "energies"), records);
    } catch (Hdf5Fault const& reason) {
        refuse(fmt::format("cannot be read ({})", reason.what()), "give a whole H5MD file; alder repair mends those of a killed run");
    }
    if (!holdsEnergies || records.columns.empty())
        refuse("holds no energies", "name the trajectory of a run of alder (.h5md), which has them under /energies");
    return records;
}

} // namespace alder::output
