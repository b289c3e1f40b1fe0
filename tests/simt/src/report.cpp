#include "report.hpp"

#include "running_block.hpp"

#include <cstdio>
#include <cstdlib>
#include <string>

namespace alder::simt {
namespace {

std::string threeText(unsigned x, unsigned y, unsigned z)
{
    return "(" + std::to_string(x) + "," + std::to_string(y) + "," + std::to_string(z) + ")";
}

} // namespace

std::string placeText(Where where)
{
    std::string_view file = where.file;
    file.remove_prefix(file.rfind('/') == std::string_view::npos ? 0 : file.rfind('/') + 1);
    return std::string(file) + ":" + std::to_string(where.line);
}

std::string bareKernelName(std::string_view full)
{
    std::string_view const path = full.substr(0, full.find('<'));
    auto const colon = path.rfind("::");
    return std::string(colon == std::string_view::npos ? path : path.substr(colon + 2));
}

void reportFault(std::string_view what)
{
    std::string text = "simt: " + std::string(what);
    if (currentBlock != nullptr) {
        uint3 const block = currentBlock->place.block;
        text += "; kernel " + bareKernelName(currentBlock->call->name) + ", block " + threeText(block.x, block.y, block.z);
        if (currentLane != nullptr) {
            uint3 const thread = currentLane->index;
            text += ", thread " + threeText(thread.x, thread.y, thread.z);
        }
    }
    std::fflush(stdout);
    std::fprintf(stderr, "%s\n", text.c_str());
    std::fflush(stderr);
    std::abort();
}

} // namespace alder::simt
