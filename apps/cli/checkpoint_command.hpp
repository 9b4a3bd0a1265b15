// The command `scree checkpoint`.
#pragma once

#include <CLI/App.hpp>

namespace scree::cli {

/// Adds the command; `exit_code` is set when it has run.
void add_checkpoint_command(CLI::App& app, int& exit_code);

}  // namespace scree::cli
