// What a run has to say in the end: named numbers with units and errors, gathered from series.csv
// and the last frame, so that `scree run` and a later `scree analyse` say the same.
#pragma once

#include "io/run_folder.hpp"
#include "scene/scene.hpp"
#include "tally.hpp"

#include <nlohmann/json.hpp>

#include <limits>
#include <optional>
#include <string>
#include <vector>

namespace scree::cli {

struct Result {
    std::string name;  ///< as in "particles.mean"
    double value;
    std::string unit;                                         ///< SI; empty for counts and ratios
    double error = std::numeric_limits<double>::quiet_NaN();  ///< standard error, if known
};

class Results {
public:
    void set(const std::string& name, double value, const std::string& unit = "",
             double error = std::numeric_limits<double>::quiet_NaN());
    [[nodiscard]] const Result* find(const std::string& name) const;
    [[nodiscard]] const std::vector<Result>& all() const { return all_; }
    /// Files that were made on the way, for people.
    std::vector<std::string> pictures;

private:
    std::vector<Result> all_;
};

/// Whether the numbers can be trusted, and why not.
struct Verdict {
    bool trusted = true;
    std::vector<std::string> reasons;  ///< why not
    std::vector<std::string> notes;    ///< conditions that occurred, within what is tolerated
};

Verdict judge(const Tally& tally, const scene::Scene& scene);
nlohmann::ordered_json conditions_json(const Tally& tally);

/// All analysis of a run's folder; writes tables and pictures into its folder `analysis`.
Results analyse_run(const io::RunFolder& folder, const scene::Scene& scene);

/// A state's hash as results have it; null where numbers of the state are not finite.
nlohmann::ordered_json hash_json(std::optional<std::uint64_t> hash);

/// Writes summary.json; true if everything lies within [expect].
bool write_summary(const io::RunFolder& folder, const scene::Scene& scene, const Results& results,
                   const Verdict& verdict, bool finished, std::optional<std::uint64_t> state_hash);

void print_results(const io::RunFolder& folder, const scene::Scene& scene, const Results& results,
                   const Verdict& verdict, bool finished);

}  // namespace scree::cli
