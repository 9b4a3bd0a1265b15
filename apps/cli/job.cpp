#include "job.hpp"

#include "scree/error.hpp"

#if defined(SCREE_HAS_MPI)
#include "scree/mpi.hpp"
#endif

#include <cstdlib>

namespace scree::cli {

namespace {

/// How many processes were started, as their starter says. MPI itself is not asked, so that a run
/// of one process does not wait for it.
int processes()
{
    for (const char* name : {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "MV2_COMM_WORLD_SIZE"}) {
        if (const char* said = std::getenv(name); said != nullptr) {
            return std::atoi(said);
        }
    }
    return 1;
}

}  // namespace

std::shared_ptr<Ranks> job_ranks()
{
    if (processes() <= 1) {
        return nullptr;
    }
#if defined(SCREE_HAS_MPI)
    return mpi_ranks();
#else
    throw Error("started as one of several processes, but built without MPI: install it and build "
                "again, or start one process");
#endif
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
