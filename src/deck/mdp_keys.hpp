#pragma once
// Every .mdp key that GROMACS 2022 to 2026 knows, and what alder does with it. The reader, the refusals and the table in docs/deck.md all
// come from here.

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace alder::deck {

/// What alder does with a key.
enum class Verdict : unsigned char {
    done,     ///< read and obeyed
    refused,  ///< it enters the forces and alder cannot compute it: only the harmless value passes
    runOnly,  ///< it enters dynamics, not the forces of one configuration: other values are refused by `mdrun`, passed by `energy`
    noEffect, ///< any well-formed value passes and nothing changes
    obsolete, ///< GROMACS has dropped the key and skips it with a message; so does alder, with a warning
    renamed   ///< an old spelling; KeyInfo::harmless holds the new one
};

/// How a value must look.
enum class Form : unsigned char { integer, real, word, reals, text };

struct KeyInfo {
    std::string_view name; ///< lower case with '-'; '#' stands for a number
    Verdict verdict;
    Form form;
    std::string_view words; ///< Form::word: the values that GROMACS knows, the default first, separated by blanks
    std::string_view
        harmless; ///< refused and runOnly: the values that pass, separated by blanks; empty: only an empty value. renamed: the new key
    std::string_view remark; ///< for the documentation and for the refusal
};

std::span<KeyInfo const> mdpKeys();

/// The key as GROMACS compares keys and words: without regard to case, '-' and '_'.
std::string canonical(std::string_view text);

/// The row of a key as written, nullptr where GROMACS knows none.
KeyInfo const* findKey(std::string_view written);

/// The known word nearest to one that nobody knows, by edit distance.
std::string nearest(std::string_view word, std::vector<std::string_view> const& known);
/// The key that was meant, as far as edit distance can tell; empty where none is near.
std::string nearestKey(std::string_view written);

/// The table of keys for docs/deck.md.
std::string mdpKeyTable();

} // namespace alder::deck
