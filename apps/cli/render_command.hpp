// `scree render`: pictures and films of a run.
#pragma once

#include <CLI/CLI.hpp>

namespace scree::cli {

void add_render_command(CLI::App& app, int& exit_code);

}  // namespace scree::cli
