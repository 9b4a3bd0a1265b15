// The command `scree contact`.
#pragma once

#include "command.hpp"

namespace scree::cli {

/// Adds the command; `exit_code` is set when it has run.
void add_contact_command(Command& program);

}  // namespace scree::cli
