// `scree run`: from a scene file to a folder with results.
#pragma once

#include "command.hpp"

namespace scree::cli {

void add_run_command(Command& program);

}  // namespace scree::cli
