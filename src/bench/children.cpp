#include "bench/children.hpp"

#include "base/clock.hpp"

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <fcntl.h>
#include <fstream>
#include <sstream>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

namespace alder::bench {

namespace {

namespace fs = std::filesystem;

/// -1: it could not be forked. What cannot be executed exits with 127, as from a shell.
pid_t start(Child const& child)
{
    std::vector<char*> words;
    for (std::string const& word : child.words) words.push_back(const_cast<char*>(word.c_str()));
    words.push_back(nullptr);
    pid_t const parent = getpid();
    pid_t const pid = fork();
    if (pid != 0) return pid;
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    if (getppid() != parent) _exit(1); // it has gone already
    int const out = open(child.output.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
    int const in = open("/dev/null", O_RDONLY | O_CLOEXEC);
    if (out < 0 || in < 0) _exit(126);
    dup2(in, STDIN_FILENO);
    dup2(out, STDOUT_FILENO);
    dup2(out, STDERR_FILENO);
    for (auto const& [name, value] : child.environment) setenv(name.c_str(), value.c_str(), 1);
    execvp(words[0], words.data());
    _exit(127);
}

std::string lastLinesOf(fs::path const& path)
{
    std::ifstream in(path);
    std::stringstream text;
    text << in.rdbuf();
    std::string all = text.str();
    while (!all.empty() && all.back() == '\n') all.pop_back();
    std::size_t at = all.size();
    for (int lines = 0; lines < 3 && at != std::string::npos && at > 0; ++lines) at = all.rfind('\n', at - 1);
    return at == std::string::npos || at == 0 ? all : all.substr(at + 1);
}

} // namespace

std::vector<ChildEnd> runTogether(std::vector<Child> const& children, Patience const& patience)
{
    std::vector<ChildEnd> ends(children.size());
    std::vector<pid_t> running;
    running.reserve(children.size());
    for (Child const& child : children) running.push_back(start(child));
    double const began = base::now();
    double askedAt = 0; // 0: they may go on
    bool timedOut = false, forced = false;
    auto const tell = [&](int signal) {
        for (pid_t const pid : running)
            if (pid > 0) kill(pid, signal);
    };
    while (std::any_of(running.begin(), running.end(), [](pid_t pid) { return pid > 0; })) {
        for (std::size_t i = 0; i < running.size(); ++i) {
            int status = 0;
            if (running[i] <= 0 || waitpid(running[i], &status, WNOHANG) != running[i]) continue;
            running[i] = 0;
            ends[i].status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
            ends[i].timedOut = timedOut;
        }
        double const now = base::now();
        timedOut = timedOut || now - began > patience.seconds;
        if (askedAt == 0 && (timedOut || patience.stopped())) {
            tell(SIGTERM);
            askedAt = now;
        }
        if (askedAt > 0 && !forced && now - askedAt > 10) {
            tell(SIGKILL);
            forced = true;
        }
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
    }
    for (std::size_t i = 0; i < children.size(); ++i) ends[i].lastWords = lastLinesOf(children[i].output);
    return ends;
}

bool onPath(std::string const& program)
{
    char const* const path = std::getenv("PATH");
    std::stringstream folders(path == nullptr ? "" : path);
    for (std::string folder; std::getline(folders, folder, ':');)
        if (access((fs::path(folder.empty() ? "." : folder) / program).c_str(), X_OK) == 0) return true;
    return false;
}

} // namespace alder::bench
