// `scree check`, `scree init` and `scree reference`: help with writing scene files.
#pragma once

#include <CLI/CLI.hpp>

namespace scree::cli {

void add_check_command(CLI::App& app, int& exit_code);
void add_init_command(CLI::App& app, int& exit_code);
void add_reference_command(CLI::App& app, int& exit_code);

}  // namespace scree::cli
