#include "samples.hpp"

#include "law_columns.hpp"
#include "scree/analyse/wall_forces.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <string>

namespace scree::cli {

namespace {

/// A column that every run has.
struct StepColumn {
    const char* name;
    const char* unit;
    double (*of)(const Sampled&);
};

double ratio(double value, double by) { return by > 0 ? value / by : 0; }

constexpr StepColumn step_columns[]{
    {"time", "s", [](const Sampled& s) { return s.simulation.time(); }},
    {"step", "",
     [](const Sampled& s) { return static_cast<double>(s.simulation.world().steps()); }},
    {"particles", "",
     [](const Sampled& s) { return static_cast<double>(s.simulation.world().dynamic_count()); }},
    {"solid volume", "m^3", [](const Sampled& s) { return s.simulation.world().solid_volume(); }},
    {"contacts", "", [](const Sampled& s) { return static_cast<double>(s.report.contacts); }},
    {"contacts per particle", "",
     [](const Sampled& s) {
         return ratio(2 * static_cast<double>(s.report.contacts),
                      static_cast<double>(s.simulation.world().dynamic_count()));
     }},
    {"active contacts", "",
     [](const Sampled& s) { return static_cast<double>(s.report.loaded_contacts); }},
    {"sweeps per step", "",
     [](const Sampled& s) {
         return ratio(static_cast<double>(s.tally.sample_sweeps),
                      static_cast<double>(s.tally.sample_steps));
     }},
    {"largest residual", "", [](const Sampled& s) { return s.tally.residual; }},
    {"largest penetration", "m", [](const Sampled& s) { return s.tally.penetration; }},
    {"mean penetration", "m", [](const Sampled& s) { return s.report.mean_penetration; }}};

/// A column of the energy balance [J].
struct EnergyColumn {
    const char* name;
    double (*of)(const EnergyLedger&);
};

constexpr EnergyColumn energy_columns[]{
    {"kinetic energy", [](const EnergyLedger& e) { return e.kinetic; }},
    {"potential energy", [](const EnergyLedger& e) { return e.potential; }},
    {"inserted energy", [](const EnergyLedger& e) { return e.inserted; }},
    {"removed energy", [](const EnergyLedger& e) { return e.removed; }},
    {"gravity work", [](const EnergyLedger& e) { return e.gravity_work; }},
    {"wall work", [](const EnergyLedger& e) { return e.wall_work; }},
    {"normal work", [](const EnergyLedger& e) { return e.normal_work; }},
    {"friction work", [](const EnergyLedger& e) { return e.friction_work; }},
    {"correction work", [](const EnergyLedger& e) { return e.correction_work; }},
    {"restitution work", [](const EnergyLedger& e) { return e.restitution_work; }},
    {"energy imbalance", [](const EnergyLedger& e) { return e.residual(); }}};

std::string label(const std::string& name, const char* kind, std::size_t number)
{
    return name.empty() ? fmt::format("{} {}", kind, number + 1) : name;
}

/// Two columns for each source and sink.
std::vector<analyse::Column> flow_columns(const scene::Scene& scene)
{
    std::vector<analyse::Column> all;
    const auto add = [&](const auto& tables, const char* kind) {
        for (std::size_t i = 0; i < tables.size(); ++i) {
            const std::string name = label(tables[i].name, kind, i);
            all.push_back({name + " grains", ""});
            all.push_back({name + " mass", "kg"});
        }
    };
    add(scene.sources, "source");
    add(scene.sinks, "sink");
    return all;
}

std::vector<analyse::Column> measure_columns(const scene::MeasureTable& m)
{
    std::vector<analyse::Column> all;
    if (m.kind == scene::MeasureKind::force) {
        for (const char* axis : {"x", "y", "z"}) {
            all.push_back({m.name + " force " + axis, "N"});
        }
    }
    if (m.kind == scene::MeasureKind::laws) {
        for (const LawColumn& column : law_columns) {
            all.push_back({fmt::format("{} {}", m.name, column.name), column.unit});
        }
    }
    return all;
}

std::vector<double> flow_values(const scene::Progress& progress)
{
    std::vector<double> row;
    for (const auto* flows : {&progress.sources, &progress.sinks}) {
        for (const scene::Flow& f : *flows) {
            row.push_back(static_cast<double>(f.count));
            row.push_back(f.mass);
        }
    }
    return row;
}

/// On an obstacle, from what the contacts of each rank do to walls.
std::array<double, 3> force_on(const std::vector<BodyId>& parts,
                               std::span<const analyse::WallLoad> loads,
                               const std::shared_ptr<Ranks>& ranks)
{
    std::array<double, 3> force{};
    for (const analyse::WallLoad& load : loads) {
        if (std::find(parts.begin(), parts.end(), load.id) != parts.end()) {
            force[0] += load.force.x;
            force[1] += load.force.y;
            force[2] += load.force.z;
        }
    }
    if (ranks) {
        ranks->sum(force);
    }
    return force;
}

std::vector<double> measured_values(const Sampled& sampled, const std::shared_ptr<Ranks>& ranks)
{
    const World& world = sampled.simulation.world();
    const std::vector<scene::MeasureTable>& measures = sampled.scene.measures;
    // A frame costs as much as some steps: it is made only for those who measure forces.
    std::vector<analyse::WallLoad> loads;
    if (std::any_of(measures.begin(), measures.end(),
                    [](const auto& m) { return m.kind == scene::MeasureKind::force; })) {
        loads = analyse::wall_loads(world.frame());
    }
    std::vector<double> row;
    for (const scene::MeasureTable& m : measures) {
        if (m.kind == scene::MeasureKind::force) {
            const auto force = force_on(sampled.simulation.bodies_of(m.obstacle), loads, ranks);
            row.insert(row.end(), force.begin(), force.end());
        }
        if (m.kind == scene::MeasureKind::laws) {
            const analyse::LawDifference d = world.steps() > 0
                                                 ? analyse::law_difference(world.contact_problems())
                                                 : analyse::LawDifference{};
            for (const LawColumn& column : law_columns) {
                row.push_back(column.of(d));
            }
        }
    }
    return row;
}

template <class T> void append(std::vector<T>& all, const std::vector<T>& more)
{
    all.insert(all.end(), more.begin(), more.end());
}

}  // namespace

std::vector<analyse::Column> sample_columns(const scene::Scene& scene)
{
    std::vector<analyse::Column> all;
    for (const StepColumn& column : step_columns) {
        all.push_back({column.name, column.unit});
    }
    for (const EnergyColumn& column : energy_columns) {
        all.push_back({column.name, "J"});
    }
    append(all, flow_columns(scene));
    for (const scene::MeasureTable& m : scene.measures) {
        append(all, measure_columns(m));
    }
    return all;
}

std::vector<double> sample_row(const Sampled& sampled, const std::shared_ptr<Ranks>& ranks)
{
    std::vector<double> row;
    for (const StepColumn& column : step_columns) {
        row.push_back(column.of(sampled));
    }
    const EnergyLedger& energy = sampled.simulation.world().energy();
    for (const EnergyColumn& column : energy_columns) {
        row.push_back(column.of(energy));
    }
    append(row, flow_values(sampled.simulation.progress()));
    append(row, measured_values(sampled, ranks));
    return row;
}

}  // namespace scree::cli
