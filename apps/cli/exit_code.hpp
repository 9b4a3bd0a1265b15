// What the program's exit status says.
#pragma once

namespace scree::cli {

enum ExitCode : int {
    good = 0,
    failed = 1,       ///< something unexpected went wrong: disk full, a bug
    bad_input = 2,    ///< the command line or a file is wrong; nothing was written
    untrusted = 3,    ///< results were written but miss their tolerance
    interrupted = 4,  ///< stopped by a signal after a checkpoint
    unexpected = 5    ///< results were written and lie outside of the scene's [expect]
};

}  // namespace scree::cli
