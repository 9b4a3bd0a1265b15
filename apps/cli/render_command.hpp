// `scree render`: pictures and films of a run.
#pragma once

#include "command.hpp"

namespace scree::cli {

void add_render_command(Command& program);

}  // namespace scree::cli
