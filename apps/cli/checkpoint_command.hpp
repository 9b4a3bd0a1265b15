// The command `scree checkpoint`.
#pragma once

#include "command.hpp"

namespace scree::cli {

/// Adds the command; `exit_code` is set when it has run.
void add_checkpoint_command(Command& program);

}  // namespace scree::cli
