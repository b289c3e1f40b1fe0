#pragma once
// What alder says when it cannot go on. Two kinds, two exit statuses:
//   InputRefused  the input cannot be run as written (exit 2); carries every fault found, not just the first
//   RunFailed     the input was good and the run failed: blow-up, disk, device (exit 1)

#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

namespace alder::base {

/// Where a fault stands. line 0 means the file as a whole; an empty file means the command line.
struct Place {
    std::string file;
    std::int64_t line = 0;
};

/// One thing wrong with the input, printed as `file:line: what; instead`.
struct Fault {
    Place place;
    std::string what;    ///< what is wrong, in the user's words
    std::string instead; ///< what to write instead
    [[nodiscard]] std::string text() const;
};

/// Input that cannot be run as written. what() holds all faults, one a line.
class InputRefused : public std::runtime_error {
public:
    explicit InputRefused(std::vector<Fault> faults);
    [[nodiscard]] std::vector<Fault> const& faults() const { return faults_; }

private:
    std::vector<Fault> faults_;
};

/// Refuses the input for one reason.
[[noreturn]] void refuseInput(Place place, std::string what, std::string instead);

/// A run that failed after it had been accepted. The message names file and reason, or step and atom.
class RunFailed : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

/// Faults and warnings gathered while input is read, so that the user sees all at once.
class FaultList {
public:
    void refuse(Place place, std::string what, std::string instead);
    void warn(Place place, std::string what, std::string instead);
    void append(FaultList const& other);
    [[nodiscard]] bool empty() const { return faults_.empty(); }
    [[nodiscard]] std::vector<Fault> const& faults() const { return faults_; }
    [[nodiscard]] std::vector<Fault> const& warnings() const { return warnings_; }
    /// Throws InputRefused where there is any fault.
    void throwIfAny() const;

private:
    std::vector<Fault> faults_, warnings_;
};

} // namespace alder::base
