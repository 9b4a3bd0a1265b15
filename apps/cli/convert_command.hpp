// The command `scree convert`.
#pragma once

#include "command.hpp"

namespace scree::cli {

/// Adds the command; `exit_code` is set when it has run.
void add_convert_command(Command& program);

}  // namespace scree::cli
