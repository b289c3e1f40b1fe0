#include "app/options/arguments.hpp"

#include <fmt/format.h>

#include <array>
#include <cctype>
#include <string_view>

namespace alder::app {

namespace {

bool isNegativeNumber(std::string const& token)
{
    return token.size() >= 2 && token[0] == '-' && (std::isdigit(static_cast<unsigned char>(token[1])) != 0 || token[1] == '.');
}

bool isOptionName(std::string const& token) { return token.size() >= 2 && token[0] == '-' && !isNegativeNumber(token); }

bool hasOneDashAndLongName(std::string const& token)
{
    return token.size() > 2 && token[0] == '-' && std::isalpha(static_cast<unsigned char>(token[1])) != 0;
}

bool hasTwoDashesAndOneLetter(std::string const& token)
{
    return token.size() == 3 && token.rfind("--", 0) == 0 && std::isalpha(static_cast<unsigned char>(token[2])) != 0;
}

} // namespace

std::vector<std::string> normalizeArguments(int count, char const* const* values)
{
    std::vector<std::string> out;
    for (int i = 1; i < count; ++i) {
        std::string token = values[i];
        if (hasOneDashAndLongName(token)) token.insert(0, 1, '-');
        if (hasTwoDashesAndOneLetter(token)) token.erase(0, 1);
        bool const afterName = !out.empty() && isOptionName(out.back()) && out.back().find('=') == std::string::npos;
        if (isNegativeNumber(token) && afterName && out.back().rfind("--", 0) == 0)
            out.back() += "=" + token;
        else
            out.push_back(std::move(token));
    }
    return out;
}

std::string refusalOfGromacsFlag(std::string const& argument)
{
    struct Refused {
        std::string_view name, instead;
    };
    static constexpr std::array<Refused, 33> refused{{
        {"s", "give the deck itself: -f run.mdp -c conf.gro -p topol.top"},
        {"multidir", "start one run per folder"},
        {"replex", "leave it out: replica exchange is not supported"},
        {"nex", "leave it out: replica exchange is not supported"},
        {"reseed", "leave it out: replica exchange is not supported"},
        {"ei", "leave it out: essential dynamics is not supported"},
        {"eo", "leave it out: essential dynamics is not supported"},
        {"table", "leave it out: tabulated potentials are not supported"},
        {"tablep", "leave it out: tabulated potentials are not supported"},
        {"tableb", "leave it out: tabulated potentials are not supported"},
        {"membed", "leave it out: membrane embedding is not supported"},
        {"awh", "leave it out: AWH is not supported"},
        {"ddorder", "leave it out: ranks are numbered by domain, PME ranks last"},
        {"dlb", "leave it out: loads are balanced without being asked, and no bit depends on it"},
        {"dds", "leave it out: domains are made of whole cells of the pair list's grid"},
        {"rdd", "leave it out: how far bonded atoms are apart is known from the topology and the positions"},
        {"rcon", "leave it out: constrained atoms stay on one rank, or are exchanged as far as they reach"},
        {"gcom", "leave it out: sums over ranks are made when they are needed"},
        {"ntmpi", "start ranks with mpirun -n N or srun -n N, and give each its threads with -ntomp"},
        {"px", "leave it out: pulling is not supported"},
        {"pf", "leave it out: pulling is not supported"},
        {"ro", "leave it out: enforced rotation is not supported"},
        {"mtx", "leave it out: normal modes are not supported"},
        {"swap", "leave it out: ion swapping is not supported"},
        {"o", "use -deffnm: frames go to NAME.h5md"},
        {"x", "use -deffnm: frames go to NAME.h5md"},
        {"e", "use -deffnm: energies go to NAME.h5md under /energies"},
        {"g", "use -deffnm: the log goes to NAME.log"},
        {"cpo", "use -deffnm: checkpoints go to NAME.cpt.h5"},
        {"noappend", "leave it out: output is always appended to after truncation to the checkpoint"},
        {"bonded", "use -nb: all force work runs on one device"},
        {"pme", "use -nb: all force work runs on one device"},
        {"update", "use -nb: all force work runs on one device"},
    }};
    std::string_view name = argument;
    if (name.size() < 2 || name[0] != '-') return {};
    name.remove_prefix(name.rfind("--", 0) == 0 ? 2 : 1);
    name = name.substr(0, name.find('='));
    for (Refused const& entry : refused)
        if (name == entry.name) return fmt::format("command line: -{} is not supported; {}", entry.name, entry.instead);
    return {};
}

} // namespace alder::app
