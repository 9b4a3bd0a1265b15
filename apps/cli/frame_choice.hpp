// Which frames of a run a command is to work on.
#pragma once

#include "scree/io/run_folder.hpp"

#include <string>
#include <vector>

namespace scree::cli {

/// The frames of a run's folder that `which` names: all, last, or the step of one. Throws Error if
/// there are none. `option` is how the command calls it, for complaints.
std::vector<io::FrameFiles> chosen_frames(const std::string& folder, const std::string& which,
                                          const std::string& option);

}  // namespace scree::cli
