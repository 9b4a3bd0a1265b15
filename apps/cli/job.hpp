// The job of several processes that mpirun starts: which of them this one is.
#pragma once

#include "scree/ranks.hpp"

#include <memory>

namespace scree::cli {

/// The ranks of the job; null where this is the only process. Throws scree::Error where there are
/// several and the program was built without MPI, since each would write the others' files.
std::shared_ptr<Ranks> job_ranks();

/// Whether this process is the one of the job that does what one is enough for. Needs no MPI.
bool is_first_process();

/// Ends all processes of the job at once, with this status.
[[noreturn]] void end_job(int status);

inline bool is_first(const std::shared_ptr<Ranks>& ranks) { return !ranks || ranks->rank() == 0; }

}  // namespace scree::cli
