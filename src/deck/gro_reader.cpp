#include "deck/gro_reader.hpp"

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
/// nm. Beyond this neither a box nor a position can be meant, and differences of fractions would lose all digits.
constexpr double largest = 1e5;

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

class Reader {
public:
    Reader(std::string const& file, std::string_view text, base::FaultList& faults) : bytes_(text.size()), lines_(text), faults_(faults)
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
        if (std::max({std::abs(position.x), std::abs(position.y), std::abs(position.z)}) > largest)
            refuse(fmt::format("atom {} lies more than {} nm from the origin", i + 1, largest), "give positions in nm");
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
        judgeBox(v);
        std::string_view more;
        while (lines_.next(more))
            if (!trimmed(more).empty()) {
                faults_.warn({c_.file, lines_.number()}, "there is more after the box; the first configuration is used",
                             "give one configuration a file");
                break;
            }
    }

    /// v: ax by cz ay az bx bz cx cy.
    void judgeBox(std::array<double, 9> const& v)
    {
        bool const positive = v[0] > 0 && v[1] > 0 && v[2] > 0;
        bool const lower = v[3] == 0 && v[4] == 0 && v[6] == 0;
        bool const sane = std::all_of(v.begin(), v.end(), [](double x) { return std::abs(x) <= largest; });
        if (!positive)
            refuse("the box has a length that is not above 0", "give a periodic box, in nm");
        else if (!lower)
            refuse("the first box vector is not along x, or the second not in the xy plane", "rotate the system (ay, az and bz are 0)");
        else if (!sane || std::min({v[0], v[1], v[2]}) < 1e-3)
            refuse("the box is beyond 0.001 to 100000 nm", "give lengths in nm");
        else
            c_.box = reduced({v[0], 0, 0}, {v[5], v[1], 0}, {v[7], v[8], v[2]});
    }

    /// The same lattice from vectors that lean by no more than half a cell: what periodicity in fractions needs. The margin leaves boxes
    /// alone that lean by exactly half but for their printed digits.
    physics::Box reduced(math::Vec3d a, math::Vec3d b, math::Vec3d c)
    {
        constexpr double half = 0.5 * 1.0005;
        bool changed = false;
        auto const shift = [&](math::Vec3d& vector, math::Vec3d const& by, double leaning, double length) {
            if (std::abs(leaning) <= half * length) return;
            vector = vector - std::round(leaning / length) * by;
            changed = true;
        };
        shift(c, b, c.y, b.y);
        shift(c, a, c.x, a.x);
        shift(b, a, b.x, a.x);
        if (changed)
            faults_.warn({c_.file, c_.boxLine}, "the box leans by more than half a vector",
                         fmt::format("the same lattice with b.x {:.6g}, c.x {:.6g}, "
                                     "c.y {:.6g} is used",
                                     b.x, c.x, c.y));
        return {a, b, c};
    }

    Configuration c_;
    std::size_t bytes_;
    Lines lines_;
    base::FaultList& faults_;
    std::size_t width_ = 8;
    std::int64_t firstMissing_ = 0;
    int found_ = 0;
    bool velocitiesSeen_ = false, velocitiesMissing_ = false;
};

} // namespace

Configuration readGroText(std::string const& file, std::string_view text, base::FaultList& faults)
{
    return Reader(file, text, faults).read();
}

Configuration readGro(std::string const& file, base::FaultList& faults)
{
    std::string bytes;
    if (!readWholeFile(file, bytes, faults)) return {};
    return readGroText(file, bytes, faults);
}

} // namespace alder::deck
