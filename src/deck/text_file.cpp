#include "deck/text_file.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>

namespace alder::deck {

bool readWholeFile(std::string const& path, std::string& bytes, base::FaultList& faults)
{
    bytes.clear();
    std::unique_ptr<std::FILE, int (*)(std::FILE*)> const file(std::fopen(path.c_str(), "rb"), std::fclose);
    bool good = file != nullptr;
    if (good) {
        // Read in pieces: a size asked for beforehand is wrong for pipes.
        std::string piece(1U << 20U, '\0');
        for (std::size_t n = 1; n > 0;) {
            n = std::fread(piece.data(), 1, piece.size(), file.get());
            bytes.append(piece, 0, n);
        }
        good = std::ferror(file.get()) == 0;
    }
    if (!good) faults.refuse({path, 0}, fmt::format("cannot be read: {}", std::strerror(errno)), "give a file that can be read");
    return good;
}

} // namespace alder::deck
