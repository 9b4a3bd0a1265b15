#include "exec/cores.hpp"

#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <limits>
#include <sstream>
#include <thread>

#if defined(__linux__)
#include <sched.h>

#include <vector>
#endif

namespace scree::exec {

namespace {

constexpr double no_quota = std::numeric_limits<double>::infinity();

/// cpu.max of version 2 ("max 100000", "150000 100000"), or two files of version 1, of which the
/// quota is −1 where there is none.
double quota_of_group(const std::string& folder)
{
    std::ifstream both(folder + "/cpu.max");
    std::ifstream first(folder + "/cpu.cfs_quota_us"), second(folder + "/cpu.cfs_period_us");
    double quota = 0, period = 0;
    if (both >> quota >> period || (first >> quota && second >> period)) {
        return quota > 0 && period > 0 ? quota / period : no_quota;
    }
    return no_quota;
}

int cores_of_affinity()
{
#if defined(__linux__)
    // A machine may have more cores than the usual set has room for.
    for (int room = 1024; room <= 1 << 20; room *= 4) {
        cpu_set_t* const set = CPU_ALLOC(static_cast<std::size_t>(room));
        const std::size_t size = CPU_ALLOC_SIZE(static_cast<std::size_t>(room));
        const bool known = set != nullptr && ::sched_getaffinity(0, size, set) == 0;
        const int count = known ? CPU_COUNT_S(size, set) : 0;
        CPU_FREE(set);
        if (known) {
            return std::max(count, 1);
        }
    }
#endif
    return static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
}

std::string content_of(const char* file)
{
    std::ostringstream out;
    out << std::ifstream(file).rdbuf();
    return out.str();
}

/// Like OpenMP's: the first number of "4" or "4,2".
int cores_of_environment()
{
    const char* const text = std::getenv("OMP_NUM_THREADS");
    const int wanted = text != nullptr ? std::atoi(text) : 0;
    return wanted > 0 ? wanted : std::numeric_limits<int>::max();
}

}  // namespace

double cgroup_quota(const std::string& groups, const std::string& root)
{
    double least = no_quota;
    std::istringstream lines(groups);
    for (std::string line; std::getline(lines, line);) {
        // "0::/path", or "4:cpu,cpuacct:/path" of version 1.
        const std::size_t first = line.find(':'), second = line.find(':', first + 1);
        if (first == std::string::npos || second == std::string::npos) {
            continue;
        }
        const std::string controllers = "," + line.substr(first + 1, second - first - 1) + ",";
        std::string folder = root;
        if (controllers.find(",cpu,") != std::string::npos) {
            folder += "/cpu";
        } else if (controllers != ",,") {
            continue;
        }
        // Every group above limits it as well.
        std::string path = line.substr(second + 1);
        while (!path.empty()) {
            least = std::min(least, quota_of_group(folder + (path == "/" ? "" : path)));
            path = path == "/" ? "" : path.substr(0, std::max<std::size_t>(path.rfind('/'), 1));
        }
    }
    return least;
}

namespace {

int within_quota(int cores)
{
    const double quota = cgroup_quota(content_of("/proc/self/cgroup"), "/sys/fs/cgroup");
    return quota < cores ? std::max(1, static_cast<int>(std::ceil(quota))) : cores;
}

}  // namespace

int usable_cores() { return within_quota(std::min(cores_of_affinity(), cores_of_environment())); }

int machine_cores()
{
    return within_quota(static_cast<int>(std::max(1L, ::sysconf(_SC_NPROCESSORS_ONLN))));
}

}  // namespace scree::exec
