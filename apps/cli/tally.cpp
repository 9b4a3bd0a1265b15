#include "tally.hpp"

#include "scree/error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

namespace scree::cli {

namespace {

const Column& required(std::span<const Column> columns, std::string_view name)
{
    const Column* column = find_column(columns, name);
    if (column == nullptr) {
        throw Error(fmt::format("the checkpoint has no column \"{}\": it is not of a run", name));
    }
    return *column;
}

}  // namespace

void Tally::add(const StepReport& r)
{
    ++steps;
    ++sample_steps;
    sweeps += static_cast<std::uint64_t>(r.sweeps);
    sample_sweeps += static_cast<std::uint64_t>(r.sweeps);
    passes += static_cast<std::uint64_t>(r.passes);
    rebuilds += r.list_rebuilt ? 1 : 0;
    threads += static_cast<std::uint64_t>(r.threads);
    waits += r.waits;
    residual = std::max(residual, r.residual);
    penetration = std::max(penetration, r.max_penetration);
    for (std::size_t i = 0; i < condition_count; ++i) {
        const ConditionCount& c = r.conditions[i];
        ConditionRecord& record = conditions[i];
        if (c.count > 0 && record.steps++ == 0) {
            record.first_step = r.step;
            record.first_body = c.first;
            record.second_body = c.second;
            record.located = c.located ? 1 : 0;
        }
    }
    for (std::size_t i = 0; i < stage_count; ++i) {
        seconds[i] += r.seconds[i];
    }
}

void Tally::begin_sample()
{
    residual = 0;
    penetration = 0;
    sample_steps = 0;
    sample_sweeps = 0;
}

std::vector<Column> Tally::save() const
{
    const std::array<std::uint64_t, 6> counts{steps,    sweeps,       passes,
                                              rebuilds, sample_steps, sample_sweeps};
    const std::array<double, 2> values{residual, penetration};
    std::vector<std::uint64_t> records;
    for (const ConditionRecord& c : conditions) {
        records.insert(records.end(),
                       {c.steps, c.first_step, c.first_body, c.second_body, c.located});
    }
    return {column_of<std::uint64_t>("run/counts", counts, 1),
            column_of<double>("run/values", values, 1),
            column_of<std::uint64_t>("run/conditions", records, 5)};
}

void Tally::restore(std::span<const Column> columns)
{
    const auto counts = values_of<std::uint64_t>(required(columns, "run/counts"));
    const auto values = values_of<double>(required(columns, "run/values"));
    const auto records = values_of<std::uint64_t>(required(columns, "run/conditions"));
    if (counts.size() != 6 || values.size() != 2 || records.size() != 5 * condition_count) {
        throw Error("the checkpoint's counts are those of another version");
    }
    steps = counts[0];
    sweeps = counts[1];
    passes = counts[2];
    rebuilds = counts[3];
    sample_steps = counts[4];
    sample_sweeps = counts[5];
    residual = values[0];
    penetration = values[1];
    for (std::size_t i = 0; i < condition_count; ++i) {
        conditions[i] = {records[5 * i], records[5 * i + 1], records[5 * i + 2], records[5 * i + 3],
                         records[5 * i + 4]};
    }
}

std::vector<Column> save(const scene::Progress& progress)
{
    std::vector<Column> columns;
    for (const auto& [name, flows] :
         {std::pair{"sources", &progress.sources}, std::pair{"sinks", &progress.sinks}}) {
        std::vector<std::uint64_t> counts;
        std::vector<double> masses;
        for (const scene::Flow& f : *flows) {
            counts.insert(counts.end(), {f.count, f.layers, f.blocked});
            masses.push_back(f.mass);
        }
        columns.push_back(column_of<std::uint64_t>(fmt::format("{}/counts", name), counts, 3));
        columns.push_back(column_of<double>(fmt::format("{}/mass", name), masses, 1));
    }
    return columns;
}

scene::Progress restore_progress(std::span<const Column> columns)
{
    scene::Progress progress;
    for (const auto& [name, flows] :
         {std::pair{"sources", &progress.sources}, std::pair{"sinks", &progress.sinks}}) {
        const auto counts =
            values_of<std::uint64_t>(required(columns, fmt::format("{}/counts", name)));
        const auto masses = values_of<double>(required(columns, fmt::format("{}/mass", name)));
        if (counts.size() != 3 * masses.size()) {
            throw Error(fmt::format("the checkpoint's columns of {} do not fit", name));
        }
        for (std::size_t i = 0; i < masses.size(); ++i) {
            flows->push_back({counts[3 * i], masses[i], counts[3 * i + 1], counts[3 * i + 2]});
        }
    }
    return progress;
}

}  // namespace scree::cli
