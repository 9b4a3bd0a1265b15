// How many threads can run at the same time: not what the machine has, but what this process may
// use of it.
#pragma once

#include <string>

namespace scree::exec {

/// At least 1: the cores that this process may run on, no more than its cgroup's quota of
/// processor time, rounded up, and no more than OMP_NUM_THREADS in the environment, by which batch
/// systems tell programs their share.
int usable_cores();

/// The same of all processes on this machine that are in our cgroup: an affinity is one's own.
int machine_cores();

/// The cores' worth of time that cgroups allow: what the files under `root` say of the groups
/// named in `groups`, the content of /proc/self/cgroup, and of those above them. Infinite without
/// a quota.
double cgroup_quota(const std::string& groups, const std::string& root);

}  // namespace scree::exec
