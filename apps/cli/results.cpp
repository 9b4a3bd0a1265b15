#include "results.hpp"

#include "io/atomic_file.hpp"
#include "scree/error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace scree::cli {

using Json = nlohmann::ordered_json;

void Results::set(const std::string& name, double value, const std::string& unit, double error)
{
    for (Result& r : all_) {
        if (r.name == name) {
            r = {name, value, unit, error};
            return;
        }
    }
    all_.push_back({name, value, unit, error});
}

const Result* Results::find(const std::string& name) const
{
    const auto at =
        std::find_if(all_.begin(), all_.end(), [&](const Result& r) { return r.name == name; });
    return at == all_.end() ? nullptr : &*at;
}

Verdict judge(const Tally& tally, const scene::Scene& scene)
{
    Verdict verdict;
    for (std::size_t i = 0; i < condition_count; ++i) {
        const auto condition = static_cast<Condition>(i);
        const ConditionRecord& r = tally.conditions[i];
        if (r.steps == 0) {
            continue;
        }
        const double share = static_cast<double>(r.steps) / static_cast<double>(tally.steps);
        const bool never =
            condition == Condition::not_finite || condition == Condition::energy_unbalanced;
        std::string text = fmt::format("{} in {} of {} steps, first in step {}", name_of(condition),
                                       r.steps, tally.steps, r.first_step);
        if (r.located != 0) {
            text += r.first_body == r.second_body
                        ? fmt::format(" (body {})", r.first_body)
                        : fmt::format(" (bodies {} and {})", r.first_body, r.second_body);
        }
        text += fmt::format(": {}", advice(condition));
        if (never || share > scene.solver.trust_share) {
            verdict.trusted = false;
            verdict.reasons.push_back(text);
        } else {
            verdict.notes.push_back(text);
        }
    }
    return verdict;
}

Json conditions_json(const Tally& tally)
{
    Json all = Json::object();
    for (std::size_t i = 0; i < condition_count; ++i) {
        const ConditionRecord& r = tally.conditions[i];
        Json one{{"steps", r.steps}};
        if (r.steps > 0) {
            one["first_step"] = r.first_step;
            if (r.located != 0) {
                one["bodies"] = {r.first_body, r.second_body};
            }
            one["advice"] = std::string(advice(static_cast<Condition>(i)));
        }
        all[std::string(name_of(static_cast<Condition>(i)))] = one;
    }
    return all;
}

namespace {

struct Check {
    const scene::NamedRange& range;
    const Result* result;
    [[nodiscard]] bool met() const
    {
        return result != nullptr && result->value >= range.least && result->value <= range.most;
    }
};

std::vector<Check> checks_of(const scene::Scene& scene, const Results& results)
{
    std::vector<Check> checks;
    for (const scene::NamedRange& range : scene.expect) {
        checks.push_back({range, results.find(range.name)});
    }
    return checks;
}

Json number(double x) { return std::isfinite(x) ? Json(x) : Json(nullptr); }

std::string shown(const Result& r)
{
    if (!std::isfinite(r.value)) {
        return "none";
    }
    std::string text = fmt::format("{:.5g}", r.value);
    if (std::isfinite(r.error) && r.error > 1e-6 * std::abs(r.value)) {
        text += fmt::format(" ± {:.1g}", r.error);
    }
    return r.unit.empty() ? text : text + " " + r.unit;
}

}  // namespace

nlohmann::ordered_json hash_json(std::optional<std::uint64_t> hash)
{
    return hash ? Json(fmt::format("{:016x}", *hash)) : Json(nullptr);
}

bool write_summary(const io::RunFolder& folder, const scene::Scene& scene, const Results& results,
                   const Verdict& verdict, bool finished, std::optional<std::uint64_t> state_hash)
{
    Json values;
    for (const Result& r : results.all()) {
        Json one{{"value", number(r.value)}, {"unit", r.unit}};
        if (std::isfinite(r.error)) {
            one["error"] = r.error;
        }
        values[r.name] = one;
    }
    Json expect = Json::array();
    bool met = true;
    for (const Check& c : checks_of(scene, results)) {
        met = met && c.met();
        expect.push_back({{"name", c.range.name},
                          {"least", c.range.least},
                          {"most", c.range.most},
                          {"value", c.result != nullptr ? number(c.result->value) : Json(nullptr)},
                          {"met", c.met()}});
    }
    const Json summary{{"title", scene.title},
                       {"finished", finished},
                       {"trusted", verdict.trusted},
                       {"reasons", verdict.reasons},
                       {"expected", met},
                       {"expect", expect},
                       {"results", values},
                       {"state_hash", hash_json(state_hash)}};
    io::NewFile file(folder.summary().string());
    file.write(summary.dump(2) + "\n");
    file.commit();
    return met || !finished;
}

void print_results(const io::RunFolder& folder, const scene::Scene& scene, const Results& results,
                   const Verdict& verdict, bool finished)
{
    if (!scene.title.empty()) {
        fmt::print("{}\n\n", scene.title);
    }
    for (const Result& r : results.all()) {
        fmt::print("  {:<42} {}\n", r.name, shown(r));
    }
    const std::vector<Check> checks = checks_of(scene, results);
    if (!checks.empty() && finished) {
        fmt::print("\nExpected\n");
        for (const Check& c : checks) {
            fmt::print("  {} {:<40} {} in [{:g}, {:g}]\n", c.met() ? "✓" : "✗", c.range.name,
                       c.result != nullptr ? fmt::format("{:.5g}", c.result->value)
                                           : std::string("no such result"),
                       c.range.least, c.range.most);
        }
    }
    if (!verdict.trusted) {
        fmt::print("\nThese results are not to be trusted:\n");
        for (const std::string& reason : verdict.reasons) {
            fmt::print("  {}\n", reason);
        }
    }
    for (const std::string& note : verdict.notes) {
        fmt::print("  note: {}\n", note);
    }
    fmt::print("\nResults in {}: summary.json, series.csv, particles.pvd (ParaView)\n",
               folder.dir.string());
    for (const std::string& picture : results.pictures) {
        fmt::print("  {}\n", picture);
    }
}

}  // namespace scree::cli
