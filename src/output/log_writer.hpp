#pragma once
// md.log: the run for people, in the layout that readers of GROMACS logs know.

#include "observe/energy_averages.hpp"
#include "output/run_record.hpp"

#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace alder::output {

class LogWriter : public observe::Observer {
public:
    /// A new log; one of the same name is moved aside.
    static std::unique_ptr<LogWriter> create(std::string const& path, observe::EnergyColumns columns);
    /// Goes on with a log, from its first `bytes` bytes where that is given (CheckpointContent::logBytes).
    static std::unique_ptr<LogWriter> openForAppend(std::string const& path, observe::EnergyColumns columns,
                                                    std::optional<std::int64_t> bytes = {});
    LogWriter(LogWriter const&) = delete;
    LogWriter& operator=(LogWriter const&) = delete;
    ~LogWriter() override;

    void writeHeader(RunRecord const& record);
    void writeLine(std::string_view line);
    /// For H5mdWriter::onFrameOnDisk.
    void frameOnDisk(std::int64_t step);
    void seeEnergies(observe::Energies const& energies) override;
    void writeAverages(observe::EnergyAverages const& averages);
    void writePerformance(Performance const& performance);
    /// Makes what was written last through a power cut.
    void sync();

    [[nodiscard]] std::int64_t bytes() const { return bytes_; }

private:
    LogWriter(std::string path, observe::EnergyColumns columns, int descriptor, std::int64_t bytes);
    void put(std::string_view text);

    std::string path_;
    observe::EnergyColumns columns_;
    int descriptor_;
    std::int64_t bytes_;
};

/// A block of energies in columns: five names a line, the values under them.
std::string energyBlock(observe::EnergyColumns const& columns, std::vector<double> const& values);

} // namespace alder::output
