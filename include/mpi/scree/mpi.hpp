// Ranks connected by MPI. They are a library of their own, scree::mpi, which is there where Scree
// was built with MPI; nothing else in Scree knows of it.
#pragma once

#include "scree/ranks.hpp"

#include <mpi.h>

#include <memory>

namespace scree {

/// All processes of the job. The first call starts MPI if nobody has; it is then finished when the
/// last user of the ranks is gone. Throws Error if MPI does not start, or was started for programs
/// without threads: that takes MPI_Init_thread with MPI_THREAD_FUNNELED or more.
std::shared_ptr<Ranks> mpi_ranks();
/// Those of a communicator, all of which call this; Scree's messages go by a copy of it. MPI was
/// started before, and is finished when all users of the ranks are gone.
std::shared_ptr<Ranks> mpi_ranks(MPI_Comm group);

/// Ends all processes of the job at once; this is the status that mpirun ends with.
[[noreturn]] void end_all_ranks(int status);

}  // namespace scree
