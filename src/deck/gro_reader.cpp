#include "deck/gro_reader.hpp"

#include "deck/box_check.hpp"
#include "deck/text_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>

namespace alder::deck {

namespace {

/// Columns before the coordinates: residue number, residue name, atom name, atom number, five each.
constexpr std::size_t prefix = 20;
/// Faults shown of one file; a file with shifted columns has one a line.
constexpr int mostFaults = 10;

/// Lines of a text, without their ends; a missing last newline is fine.
class Lines {
public:
    explicit Lines(std::string_view text) : rest_(text) {}
    bool next(std::string_view& line)
    {
        if (rest_.empty()) return false;
        std::size_t const end = rest_.find('\n');
        line = rest_.substr(0, end);
        rest_.remove_prefix(end == std::string_view::npos ? rest_.size() : end + 1);
        if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
        ++number_;
        return true;
    }
    [[nodiscard]] std::int64_t number() const { return number_; }
    [[nodiscard]] std::size_t left() const { return rest_.size(); }
    /// Passes blank lines over. False at the end.
    bool more()
    {
        std::string_view line;
        for (Lines ahead = *this; ahead.next(line); *this = ahead)
            if (line.find_first_not_of(" \t") != std::string_view::npos) return true;
        return false;
    }

private:
    std::string_view rest_;
    std::int64_t number_ = 0;
};

std::string_view trimmed(std::string_view text)
{
    while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
    while (!text.empty() && (text.back() == ' ' || text.back() == '\t')) text.remove_suffix(1);
    return text;
}

/// One number and nothing else.
bool wholeNumber(std::string_view text, double& value)
{
    text = trimmed(text);
    if (!text.empty() && text.front() == '+') text.remove_prefix(1);
    auto const [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    return !text.empty() && error == std::errc() && end == text.data() + text.size() && std::isfinite(value);
}

GroName nameIn(std::string_view columns)
{
    columns = trimmed(columns);
    GroName name;
    std::copy_n(columns.begin(), std::min(columns.size(), name.letters.size()), name.letters.begin());
    return name;
}

std::string shown(std::string_view text)
{
    std::string printable;
    for (char c : text.substr(0, 70)) printable += std::isprint(static_cast<unsigned char>(c)) ? c : '?';
    return printable;
}

/// Reads one configuration from the lines that are left.
class Reader {
public:
    Reader(std::string const& file, Lines& lines, base::FaultList& faults) : bytes_(lines.left()), lines_(lines), faults_(faults)
    {
        c_.file = file;
    }

    Configuration read()
    {
        std::string_view line;
        if (!lines_.next(line)) {
            refuse("is empty", "give a title, the number of atoms, the atoms and the box");
            return std::move(c_);
        }
        c_.title = line;
        std::int64_t count = 0;
        if (!readCount(count)) return std::move(c_);
        if (readAtoms(count)) readBox();
        if (!velocitiesSeen_) c_.velocities.clear();
        c_.whole = found_ == 0;
        return std::move(c_);
    }

private:
    void refuse(std::string what, std::string instead)
    {
        if (++found_ <= mostFaults) faults_.refuse({c_.file, lines_.number()}, std::move(what), std::move(instead));
    }

    bool readCount(std::int64_t& count)
    {
        std::string_view line;
        if (!lines_.next(line)) {
            refuse("ends before the number of atoms", "write it in the second line");
            return false;
        }
        std::string_view const text = trimmed(line);
        auto const [end, error] = std::from_chars(text.data(), text.data() + text.size(), count);
        bool const clean = error == std::errc() && (end == text.data() + text.size() || *end == ' ' || *end == '\t');
        if (clean && count > 0) return true;
        refuse(fmt::format("'{}' is no number of atoms", shown(text)), "write how many atom lines follow");
        return false;
    }

    /// Widths from the first atom line: the distance of the decimal points.
    bool readWidth(std::string_view line)
    {
        std::size_t const first = line.find('.', prefix);
        std::size_t const second = first == std::string_view::npos ? first : line.find('.', first + 1);
        std::size_t const third = second == std::string_view::npos ? second : line.find('.', second + 1);
        if (third == std::string_view::npos) {
            refuse(fmt::format("'{}' does not have three coordinates with decimal points", shown(line)),
                   "write columns as %5d%-5s%5s%5d%8.3f%8.3f%8.3f");
            return false;
        }
        width_ = second - first;
        if (third - second != width_ || width_ > 60) {
            refuse("the decimal points of x, y and z are not equally far apart", "write columns as %5d%-5s%5s%5d%8.3f%8.3f%8.3f");
            return false;
        }
        return true;
    }

    bool readVector(std::string_view columns, math::Vec3d& vector) const
    {
        auto const part = [&](std::size_t d) { return columns.substr(std::min(columns.size(), d * width_), width_); };
        return wholeNumber(part(0), vector.x) && wholeNumber(part(1), vector.y) && wholeNumber(part(2), vector.z);
    }

    bool readAtoms(std::int64_t count)
    {
        // An atom line has 39 characters at least, so that a wild count allocates no more than the file warrants.
        auto const expected = static_cast<std::size_t>(std::min<std::int64_t>(count, static_cast<std::int64_t>(bytes_ / 39 + 1)));
        c_.atomNames.reserve(expected);
        c_.residueNames.reserve(expected);
        c_.residueNumbers.reserve(expected);
        c_.positions.reserve(expected);
        c_.velocities.reserve(expected);
        std::string_view line;
        for (std::int64_t i = 0; i < count; ++i) {
            if (!lines_.next(line)) {
                refuse(fmt::format("ends after {} of {} atoms", i, count), "correct the number of atoms in line 2");
                return false;
            }
            if (i == 0 && !readWidth(line)) return false;
            readAtom(line, i);
        }
        if (velocitiesMissing_ && velocitiesSeen_)
            faults_.warn({c_.file, firstMissing_}, "some atoms have velocities and this one has none; it starts at rest",
                         "give all or none");
        return true;
    }

    void readAtom(std::string_view line, std::int64_t i)
    {
        math::Vec3d position, velocity;
        std::string_view const numbers = line.substr(std::min(line.size(), prefix));
        if (!readVector(numbers, position)) {
            refuse(fmt::format("atom {}: '{}' does not hold three numbers in columns {} wide", i + 1, shown(numbers), width_),
                   "write columns as %5d%-5s%5s%5d%8.3f%8.3f%8.3f, numbers over 99999 wrapped to 0");
            return;
        }
        if (std::max({std::abs(position.x), std::abs(position.y), std::abs(position.z)}) > greatestLength) {
            refuse(fmt::format("atom {} lies more than {} nm from the origin", i + 1, greatestLength), "give positions in nm");
            position = {}; // the square of what was refused may not even be finite
        }
        std::string_view const tail = numbers.substr(std::min(numbers.size(), 3 * width_));
        if (trimmed(tail).empty()) {
            if (!velocitiesMissing_) firstMissing_ = lines_.number();
            velocitiesMissing_ = true;
        } else if (readVector(tail, velocity)) {
            velocitiesSeen_ = true;
        } else {
            refuse(fmt::format("atom {}: '{}' does not hold three velocities in columns {} wide", i + 1, shown(tail), width_),
                   "write velocities as %8.4f%8.4f%8.4f, or leave them out");
        }
        std::int32_t residue = 0;
        std::string_view const number = trimmed(line.substr(0, 5));
        std::from_chars(number.data(), number.data() + number.size(), residue);
        c_.residueNumbers.push_back(residue);
        c_.residueNames.push_back(nameIn(line.substr(5, 5)));
        c_.atomNames.push_back(nameIn(line.substr(10, 5)));
        c_.positions.push_back(position);
        c_.velocities.push_back(velocity);
    }

    void readBox()
    {
        std::string_view line;
        bool const present = lines_.next(line);
        c_.boxLine = lines_.number();
        std::array<double, 9> v{};
        std::size_t count = 0;
        for (std::string_view rest = trimmed(line); present && !rest.empty() && count < v.size();) {
            std::size_t const end = rest.find_first_of(" \t");
            if (!wholeNumber(rest.substr(0, end), v[count])) break;
            ++count;
            rest = end == std::string_view::npos ? std::string_view{} : trimmed(rest.substr(end));
        }
        if (count != 3 && count != 9) {
            refuse(present ? fmt::format("the line of the box, '{}', holds {} numbers", shown(line), count) : "ends before the box",
                   "write the box after the last atom, as 3 or 9 lengths in nm (or correct the number of atoms in line 2)");
            return;
        }
        base::FaultList found;
        if (auto const box = acceptedBox({{v[0], v[3], v[4]}, {v[5], v[1], v[6]}, {v[7], v[8], v[2]}}, {c_.file, c_.boxLine}, found))
            c_.box = *box;
        found_ += static_cast<int>(found.faults().size());
        faults_.append(found);
    }

    Configuration c_;
    std::size_t bytes_;
    Lines& lines_;
    base::FaultList& faults_;
    std::size_t width_ = 8;
    std::int64_t firstMissing_ = 0;
    int found_ = 0;
    bool velocitiesSeen_ = false, velocitiesMissing_ = false;
};

} // namespace

struct GroFrames::Text {
    std::string file, bytes;
    Lines lines{{}};
};

GroFrames::GroFrames(std::string file, base::FaultList& faults) : text_(std::make_unique<Text>())
{
    text_->file = std::move(file);
    if (readWholeFile(text_->file, text_->bytes, faults)) text_->lines = Lines(text_->bytes);
}

GroFrames::~GroFrames() = default;

bool GroFrames::more() { return text_->lines.more(); }

Configuration GroFrames::next(base::FaultList& faults) { return Reader(text_->file, text_->lines, faults).read(); }

std::optional<double> titleValue(std::string_view title, std::string_view name)
{
    std::string const sought = std::string(name) + "=";
    for (std::size_t at = title.rfind(sought); at != std::string_view::npos;
         at = at > 0 ? title.rfind(sought, at - 1) : std::string_view::npos) {
        if (at > 0 && title[at - 1] != ' ' && title[at - 1] != '\t') continue;
        std::string_view rest = title.substr(at + sought.size());
        while (!rest.empty() && rest.front() == ' ') rest.remove_prefix(1);
        double value = 0;
        if (wholeNumber(rest.substr(0, rest.find_first_of(" \t")), value)) return value;
    }
    return {};
}

Configuration readGroText(std::string const& file, std::string_view text, base::FaultList& faults)
{
    Lines lines(text);
    Configuration configuration = Reader(file, lines, faults).read();
    if (configuration.whole && lines.more())
        faults.warn({file, lines.number() + 1}, "there is more after the box; the first configuration is used",
                    "give one configuration a file");
    return configuration;
}

Configuration readGro(std::string const& file, base::FaultList& faults)
{
    std::string bytes;
    if (!readWholeFile(file, bytes, faults)) return {};
    return readGroText(file, bytes, faults);
}

} // namespace alder::deck
