// `scree run`: from a scene file to a folder with results.
#pragma once

#include <CLI/CLI.hpp>

namespace scree::cli {

void add_run_command(CLI::App& app, int& exit_code);

}  // namespace scree::cli
