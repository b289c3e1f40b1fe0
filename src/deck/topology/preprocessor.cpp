#include "deck/topology/preprocessor.hpp"

#include "deck/mdp_keys.hpp"
#include "deck/text_file.hpp"
#include "deck/topology/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <sstream>

namespace alder::deck {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t longestLine = 1U << 20; ///< a CMAP table of 24 x 24 takes 8 kB; beyond this a macro feeds on itself
constexpr std::size_t deepestInclude = 64;
constexpr std::size_t mostIncludes = 5000; ///< files that include each other twice over would never end
std::vector<std::string_view> const directiveNames{"include", "define", "undef", "ifdef", "ifndef", "else", "endif"};

bool isWordCharacter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_'; }

/// Next place at or after `from` where `word` stands alone in `text`.
std::size_t findWord(std::string_view text, std::string_view word, std::size_t from)
{
    while ((from = text.find(word, from)) != std::string_view::npos) {
        std::size_t const end = from + word.size();
        if ((from == 0 || !isWordCharacter(text[from - 1])) && (end == text.size() || !isWordCharacter(text[end]))) return from;
        from = end;
    }
    return from;
}

bool isFile(fs::path const& path)
{
    std::error_code error;
    return fs::is_regular_file(path, error);
}

/// One condition that is open: #ifdef ... #else ... #endif.
struct Condition {
    enum class Branch : std::uint8_t { taken, skipped, dead } branch; ///< dead: inside a skipped branch, whatever it says
    std::int64_t line;
    bool sawElse = false;
};

class Preprocessor {
public:
    Preprocessor(PreprocessRequest const& request, base::FaultList& faults) : request_(request), faults_(faults)
    {
        for (std::string const& d : request.defines) {
            std::size_t const equals = d.find('=');
            macros_.define(d.substr(0, equals), equals == std::string::npos ? std::string() : d.substr(equals + 1));
        }
    }
    SourceText run(std::string_view text)
    {
        readFile(request_.file, text);
        finishLine();
        return std::move(out_);
    }

private:
    void readFile(std::string const& path, std::string_view text);
    void directive(std::string_view line, std::int64_t number);
    void condition(std::string_view name, std::string_view value, std::int64_t number);
    void include(std::string_view value, std::int64_t number);
    void warnOfExtraText(std::string_view name, std::int64_t number);
    void plainLine(std::string_view line, std::int64_t number);
    void finishLine();
    [[nodiscard]] bool skipping() const { return !conditions_.empty() && conditions_.back().branch != Condition::Branch::taken; }
    [[nodiscard]] base::Place here(std::int64_t line) const { return {out_.files[static_cast<std::size_t>(file_)], line}; }

    PreprocessRequest const& request_;
    base::FaultList& faults_;
    MacroTable macros_;
    SourceText out_;
    std::vector<std::string> open_;     ///< files being read, outermost first, as canonical paths
    std::vector<Condition> conditions_; ///< of the file being read: a condition never reaches over the end of a file
    std::int32_t file_ = 0;
    SourceText::Line pending_;
    bool continues_ = false; ///< the pending line ends in a backslash
    std::size_t includes_ = 0;
};

void Preprocessor::readFile(std::string const& path, std::string_view text)
{
    std::error_code error;
    fs::path const canonical = fs::weakly_canonical(path, error);
    open_.push_back(error ? path : canonical.string());
    std::int32_t const outerFile = file_;
    std::vector<Condition> outerConditions;
    outerConditions.swap(conditions_);
    auto const known = std::find(out_.files.begin(), out_.files.end(), path);
    file_ = static_cast<std::int32_t>(known - out_.files.begin());
    if (known == out_.files.end()) out_.files.push_back(path);

    std::int64_t number = 0;
    while (!text.empty()) {
        std::size_t const end = text.find('\n');
        std::string_view line = text.substr(0, end);
        text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
        ++number;
        if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
        std::string_view const trimmed = trim(line);
        if (!trimmed.empty() && trimmed.front() == '#')
            directive(trimmed, number);
        else if (!skipping())
            plainLine(line, number);
    }
    if (!conditions_.empty()) faults_.warn(here(conditions_.back().line), "this condition is never closed", "end it with #endif");
    conditions_.swap(outerConditions);
    file_ = outerFile;
    open_.pop_back();
}

void Preprocessor::directive(std::string_view line, std::int64_t number)
{
    std::string_view rest = trim(line.substr(1));
    std::size_t const end = std::min(rest.find_first_of(" \t\v\f\r"), rest.size());
    std::string_view const name = rest.substr(0, end);
    std::string_view const value = trim(rest.substr(end));

    if (name == "ifdef" || name == "ifndef" || name == "else" || name == "endif") {
        condition(name, value, number);
        return;
    }
    if (skipping()) {
        // GROMACS does not count #if, so an #endif meant for it ends the condition around it.
        if (name == "if") faults_.warn(here(number), "#if does not count here: the next #endif ends the outer condition", "use #ifdef");
        return;
    }
    if (name == "include") {
        include(value, number);
    } else if (name == "define" || name == "undef") {
        if (value.empty()) {
            faults_.refuse(here(number), fmt::format("#{} without a name", name), fmt::format("write #{} NAME", name));
        } else if (name == "undef") {
            warnOfExtraText(value, number);
            macros_.undefine(value);
        } else {
            std::size_t const nameEnd = std::min(value.find_first_of(" \t\v\f\r"), value.size());
            macros_.define(std::string(value.substr(0, nameEnd)), std::string(trim(value.substr(nameEnd))));
        }
    } else if (name == "if" || name == "elif") {
        faults_.refuse(here(number), fmt::format("#{} is not known in topologies", name), "use #ifdef, #ifndef, #else and #endif");
        if (name == "if") conditions_.push_back({Condition::Branch::dead, number}); // so that its #endif is no second fault
    } else {
        faults_.refuse(here(number), fmt::format("unknown directive #{}", shown(name)),
                       fmt::format("did you mean #{}?", nearest(name, directiveNames)));
    }
}

void Preprocessor::condition(std::string_view name, std::string_view value, std::int64_t number)
{
    using Branch = Condition::Branch;
    if (name == "ifdef" || name == "ifndef") {
        if (skipping()) {
            conditions_.push_back({Branch::dead, number});
            return;
        }
        if (value.empty()) faults_.refuse(here(number), fmt::format("#{} without a name", name), fmt::format("write #{} NAME", name));
        warnOfExtraText(value, number);
        bool const taken = macros_.knows(value) == (name == "ifdef");
        conditions_.push_back({taken ? Branch::taken : Branch::skipped, number});
        return;
    }
    if (conditions_.empty()) {
        faults_.refuse(here(number), fmt::format("#{} without #ifdef or #ifndef in this file", name), "remove it or add the #ifdef");
        return;
    }
    if (name == "endif") {
        conditions_.pop_back();
        return;
    }
    Condition& open = conditions_.back();
    if (open.sawElse) faults_.warn(here(number), fmt::format("a second #else for line {}", open.line), "end the condition with #endif");
    open.sawElse = true;
    if (open.branch == Branch::taken)
        open.branch = Branch::skipped;
    else if (open.branch == Branch::skipped)
        open.branch = Branch::taken;
}

/// The whole rest of the line is the name, as GROMACS takes it, comments too.
void Preprocessor::warnOfExtraText(std::string_view name, std::int64_t number)
{
    if (name.find_first_of("; \t") != std::string_view::npos)
        faults_.warn(here(number), fmt::format("text after the name makes it the name {}", shown(name)),
                     "leave the name alone on the line");
}

void Preprocessor::include(std::string_view value, std::int64_t number)
{
    std::size_t const open = value.find_first_of("\"<>");
    if (open == std::string_view::npos) {
        faults_.refuse(here(number), "#include without a quoted file name", "write #include \"file.itp\"");
        return;
    }
    std::string_view name = value.substr(open + 1);
    name = name.substr(0, name.find_first_of("\"<>"));
    std::string const path = findInclude(std::string(name), out_.files[static_cast<std::size_t>(file_)], request_.includeDirs);
    if (path.empty()) {
        faults_.refuse(here(number), fmt::format("include file {} is not found", shown(name)),
                       "put it beside this file, name its folder with include = -I in the .mdp, or set GMXLIB");
        return;
    }
    std::error_code error;
    std::string const canonical = fs::weakly_canonical(path, error).string();
    if (std::find(open_.begin(), open_.end(), error ? path : canonical) != open_.end() || open_.size() >= deepestInclude) {
        faults_.refuse(here(number), fmt::format("{} includes itself", shown(name)), "break the circle of #include");
        return;
    }
    if (++includes_ > mostIncludes) {
        if (includes_ == mostIncludes + 1)
            faults_.refuse(here(number), fmt::format("more than {} included files", mostIncludes), "include each file once");
        return;
    }
    std::string text;
    if (readWholeFile(path, text, faults_)) readFile(path, text);
}

void Preprocessor::plainLine(std::string_view line, std::int64_t number)
{
    std::string text(line);
    if (!macros_.expand(text)) {
        faults_.refuse(here(number), "macros make this line longer than a megabyte", "let no macro be made of copies of others");
        return;
    }
    while (!text.empty() && isBlank(text.back())) text.pop_back();
    bool const continues = !text.empty() && text.back() == '\\';
    if (continues) text.back() = ' ';
    if (continues_) {
        if (pending_.text.size() + text.size() <= longestLine)
            pending_.text += text;
        else if (pending_.text.size() <= longestLine)
            faults_.refuse(here(number), "continued lines add up to more than a megabyte", "check the backslashes at line ends");
    } else {
        pending_ = {std::move(text), file_, number};
    }
    continues_ = continues;
    if (!continues_) finishLine();
}

void Preprocessor::finishLine()
{
    std::string_view text = pending_.text;
    text = trim(text.substr(0, text.find(';')));
    if (!text.empty() && text.front() != '*') {
        pending_.text = std::string(text);
        out_.lines.push_back(std::move(pending_));
    }
    pending_ = {};
    continues_ = false;
}

} // namespace

std::string SourceText::joined() const
{
    std::size_t size = 0;
    for (Line const& line : lines) size += line.text.size() + 1;
    std::string all;
    all.reserve(size);
    for (Line const& line : lines) {
        all += line.text;
        all += '\n';
    }
    return all;
}

SourceText preprocess(PreprocessRequest const& request, base::FaultList& faults)
{
    std::string text;
    if (!readWholeFile(request.file, text, faults)) return {};
    return preprocess(request, text, faults);
}

SourceText preprocess(PreprocessRequest const& request, std::string_view text, base::FaultList& faults)
{
    return Preprocessor(request, faults).run(text);
}

void MacroTable::define(std::string const& name, std::string const& text)
{
    auto const [found, added] = index_.emplace(name, macros_.size());
    if (added) {
        macros_.push_back({name, text});
        if (!std::all_of(name.begin(), name.end(), isWordCharacter)) ++oddNames_;
    } else {
        macros_[found->second].text = text;
    }
}

void MacroTable::undefine(std::string_view name)
{
    auto const found = index_.find(std::string(name));
    if (found == index_.end()) return;
    if (!std::all_of(name.begin(), name.end(), isWordCharacter)) --oddNames_;
    macros_[found->second] = {}; // a gap, which expansion passes over: closing it would number all later macros anew
    index_.erase(found);
}

MacroTable::Macro const* MacroTable::find(std::string_view name) const
{
    auto const found = index_.find(std::string(name));
    return found == index_.end() ? nullptr : &macros_[found->second];
}

bool MacroTable::mentionsAny(std::string_view line) const
{
    std::size_t at = 0;
    while (at < line.size()) {
        if (!isWordCharacter(line[at])) {
            ++at;
            continue;
        }
        std::size_t const start = at;
        while (at < line.size() && isWordCharacter(line[at])) ++at;
        // Numbers are most of a topology and seldom names of macros; a macro may still be called 5, so they are looked up as well.
        Macro const* macro = find(line.substr(start, at - start));
        if (macro && !macro->text.empty()) return true;
    }
    return false;
}

bool MacroTable::expand(std::string& line) const
{
    if (macros_.empty() || (oddNames_ == 0 && !mentionsAny(line))) return true;
    std::string expanded;
    for (Macro const& macro : macros_) {
        if (macro.text.empty() || macro.name.empty()) continue;
        std::size_t found = findWord(line, macro.name, 0);
        if (found == std::string::npos) continue;
        expanded.clear();
        std::size_t from = 0;
        while (found != std::string::npos) {
            expanded.append(line, from, found - from);
            expanded += macro.text;
            if (expanded.size() > longestLine) return false;
            from = found + macro.name.size();
            found = findWord(line, macro.name, from);
        }
        expanded.append(line, from, std::string::npos);
        if (expanded.size() > longestLine) return false;
        line.swap(expanded);
    }
    return true;
}

std::string findInclude(std::string const& name, std::string const& includingFile, std::vector<std::string> const& includeDirs)
{
    if (name.empty()) return {};
    fs::path const wanted(name);
    if (wanted.is_absolute()) return isFile(wanted) ? wanted.string() : std::string();
    fs::path const folder = fs::path(includingFile).parent_path();
    if (isFile(folder / wanted)) return (folder / wanted).string();
    for (std::string const& dir : includeDirs) {
        // GROMACS works from the folder of the including file, so a relative -I counts from there; then as a shell would take it.
        if (isFile(folder / dir / wanted)) return (folder / dir / wanted).string();
        if (isFile(fs::path(dir) / wanted)) return (fs::path(dir) / wanted).string();
    }
    std::string library;
    if (char const* set = std::getenv("GMXLIB")) library = set;
    if (char const* set = std::getenv("GMXDATA")) library += ':' + std::string(set) + "/top";
    library += ":/usr/share/gromacs/top:/usr/local/gromacs/share/gromacs/top";
    std::istringstream dirs(library);
    for (std::string dir; std::getline(dirs, dir, ':');)
        if (!dir.empty() && isFile(fs::path(dir) / wanted)) return (fs::path(dir) / wanted).string();
    return {};
}

} // namespace alder::deck
