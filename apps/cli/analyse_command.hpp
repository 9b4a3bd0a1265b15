// `scree analyse` and `scree info`: what is in a run's folder.
#pragma once

#include <CLI/CLI.hpp>

namespace scree::cli {

void add_analyse_command(CLI::App& app, int& exit_code);
void add_info_command(CLI::App& app, int& exit_code);

}  // namespace scree::cli
