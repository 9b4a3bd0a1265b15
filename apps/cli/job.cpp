#include "job.hpp"

#include "scree/error.hpp"

#if defined(SCREE_HAS_MPI)
#include "scree/mpi.hpp"
#endif

#include <fmt/format.h>

#include <cstdio>
#include <cstdlib>
#include <initializer_list>
#include <optional>
#include <thread>

namespace scree::cli {

namespace {

/// What the starter of processes says under the first of these names that it knows.
std::optional<int> said(std::initializer_list<const char*> names)
{
    for (const char* name : names) {
        if (const char* value = std::getenv(name); value != nullptr) {
            return std::atoi(value);
        }
    }
    return std::nullopt;
}

/// How many processes were started. MPI itself is not asked, so that a run of one process does not
/// wait for it; but where starters speak PMIx alone, as Slurm's may, only MPI knows.
std::optional<int> processes()
{
    const std::optional<int> count =
        said({"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "MV2_COMM_WORLD_SIZE"});
    return count || said({"PMIX_RANK"}) ? count : 1;
}

}  // namespace

std::shared_ptr<Ranks> job_ranks()
{
    const std::optional<int> started = processes();
    if (started && *started <= 1) {
        return nullptr;
    }
#if defined(SCREE_HAS_MPI)
    std::shared_ptr<Ranks> ranks = mpi_ranks();
    return ranks->size() > 1 ? ranks : nullptr;
#else
    throw Error("started as one of several processes, but built without MPI: install it and build "
                "again, or start one process");
#endif
}

int process_number()
{
    return said({"OMPI_COMM_WORLD_RANK", "PMI_RANK", "MV2_COMM_WORLD_RANK", "PMIX_RANK"})
        .value_or(0);
}

void complain_as(int process, std::string_view what, std::chrono::milliseconds patience)
{
    if (process > 0) {
        std::this_thread::sleep_for(patience);
    }
    (void)std::fputs(fmt::format("scree: rank {}: {}\n", process, what).c_str(), stderr);
}

std::string resume_command(std::string_view folder, std::size_t processes)
{
    const std::string alone = fmt::format("scree run --resume {}", folder);
    return processes > 1 ? fmt::format("mpirun -n {} {}", processes, alone) : alone;
}

void end_job(int status)
{
#if defined(SCREE_HAS_MPI)
    end_all_ranks(status);
#else
    std::exit(status);
#endif
}

}  // namespace scree::cli
