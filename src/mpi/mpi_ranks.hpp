// Ranks that mpirun started. In a library of its own, which is there where MPI was found; the core
// does not know MPI.
#pragma once

#include "scree/ranks.hpp"

#include <memory>

namespace scree {

/// All processes of the job. The first call starts MPI; it is finished when the last user of the
/// ranks is gone. Throws Error if MPI does not start.
std::shared_ptr<Ranks> mpi_ranks();

/// Ends all processes of the job at once; this is the status that mpirun ends with.
[[noreturn]] void end_all_ranks(int status);

}  // namespace scree
