#pragma once
// The topology text as GROMACS's preprocessor would hand it on: includes followed, conditions decided, macros expanded, continuation
// lines joined, comments gone. Each line remembers the file and line it began on.

#include "base/error.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace alder::deck {

/// What to preprocess, and what was set outside the file.
struct PreprocessRequest {
    std::string file;
    std::vector<std::string> defines;     ///< "NAME" or "NAME=value"
    std::vector<std::string> includeDirs; ///< searched after the folder of the including file
};

/// Lines that are left after preprocessing: no comments, no directives, no blank lines, blanks trimmed at both ends.
class SourceText {
public:
    struct Line {
        std::string text;
        std::int32_t file = 0;
        std::int64_t line = 0;
    };

    [[nodiscard]] base::Place placeOf(Line const& line) const { return {files[static_cast<std::size_t>(line.file)], line.line}; }
    /// All lines in one text: what the topology says, whatever the files and comments around it (input of a hash).
    [[nodiscard]] std::string joined() const;

    std::vector<std::string> files; ///< paths by Line::file
    std::vector<Line> lines;
};

/// Reads the file and all it includes. Faults are gathered; what could be read is returned.
SourceText preprocess(PreprocessRequest const& request, base::FaultList& faults);
/// The same with `text` in place of what the file holds.
SourceText preprocess(PreprocessRequest const& request, std::string_view text, base::FaultList& faults);

/// The macros known at one place of the text. Expansion is textual, word by word, one macro after the other in the order of their
/// first definition, each once: so a macro may use later ones but never itself.
class MacroTable {
public:
    void define(std::string const& name, std::string const& text);
    void undefine(std::string_view name);
    [[nodiscard]] bool knows(std::string_view name) const { return find(name) != nullptr; }
    /// Expands the line in place. False where it would grow beyond what any topology needs.
    [[nodiscard]] bool expand(std::string& line) const;

private:
    struct Macro {
        std::string name, text;
    };
    [[nodiscard]] Macro const* find(std::string_view name) const;
    [[nodiscard]] bool mentionsAny(std::string_view line) const;

    std::vector<Macro> macros_;
    std::unordered_map<std::string, std::size_t> index_;
    std::size_t oddNames_ = 0; ///< macros whose names are no plain words, which a look-up by words cannot find
};

/// Where an include was found, by the rules of the search; empty: nowhere.
std::string findInclude(std::string const& name, std::string const& includingFile, std::vector<std::string> const& includeDirs);

} // namespace alder::deck
