// `scree analyse` and `scree info`: what is in a run's folder.
#pragma once

#include "command.hpp"

namespace scree::cli {

void add_analyse_command(Command& program);
void add_info_command(Command& program);

}  // namespace scree::cli
