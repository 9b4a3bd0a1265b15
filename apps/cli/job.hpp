// The job of several processes that mpirun starts: which of them this one is.
#pragma once

#include "scree/ranks.hpp"

#include <chrono>
#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

namespace scree::cli {

/// The ranks of the job; null where this is the only process. Throws scree::Error where there are
/// several and the program was built without MPI, since each would write the others' files.
std::shared_ptr<Ranks> job_ranks();

/// Which of the job's processes this is, by what their starter says. Needs no MPI.
int process_number();

/// Says what is wrong, as this process of the job. What all have to complain about is the first
/// one's to say: others wait so long, in which the job ends if it does. Never throws, also when
/// standard error cannot be written.
void complain_as(int process, std::string_view what, std::chrono::milliseconds patience);

/// What goes on with the run in a folder, by so many processes.
std::string resume_command(std::string_view folder, std::size_t processes);

/// Ends all processes of the job at once, with this status.
[[noreturn]] void end_job(int status);

inline bool is_first(const std::shared_ptr<Ranks>& ranks) { return !ranks || ranks->rank() == 0; }
inline std::size_t process_count(const std::shared_ptr<Ranks>& ranks)
{
    return ranks ? static_cast<std::size_t>(ranks->size()) : 1;
}

}  // namespace scree::cli
