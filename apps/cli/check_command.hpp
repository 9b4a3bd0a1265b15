// `scree check`, `scree init` and `scree reference`: help with writing scene files.
#pragma once

#include "command.hpp"

namespace scree::cli {

void add_check_command(Command& program);
void add_init_command(Command& program);
void add_reference_command(Command& program);

}  // namespace scree::cli
