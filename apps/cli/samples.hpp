// The rows of series.csv: what the columns are called, and what a sample of a run has in them.
#pragma once

#include "analyse/series.hpp"
#include "scene/simulation.hpp"
#include "scree/ranks.hpp"
#include "tally.hpp"

#include <memory>
#include <vector>

namespace scree::cli {

/// Without values.
std::vector<analyse::Column> sample_columns(const scene::Scene& scene);

/// What a sample is taken of.
struct Sampled {
    const scene::Scene& scene;
    const scene::Simulation& simulation;
    const StepReport& report;  ///< of the last step
    const Tally& tally;
};
/// Values for these columns, the same on all ranks.
std::vector<double> sample_row(const Sampled& sampled, const std::shared_ptr<Ranks>& ranks);

}  // namespace scree::cli
