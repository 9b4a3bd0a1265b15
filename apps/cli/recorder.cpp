#include "recorder.hpp"

#include "io/frame_copy.hpp"
#include "io/new_file.hpp"
#include "job.hpp"
#include "law_columns.hpp"
#include "scene/text.hpp"
#include "scree/error.hpp"
#include "scree/io/checkpoint.hpp"
#include "scree/io/pvtp_index.hpp"
#include "scree/io/vtp_writer.hpp"
#include "scree/query.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <memory>

namespace scree::cli {

namespace fs = std::filesystem;

namespace {

void write_text(const fs::path& path, const std::string& text)
{
    io::NewFile file(path.string());
    file.write(text);
    file.commit();
}

const Column& required(std::span<const Column> columns, std::string_view name)
{
    const Column* column = find_column(columns, name);
    if (column == nullptr) {
        throw Error(fmt::format("the checkpoint has no column \"{}\": it is not of a run", name));
    }
    return *column;
}

std::string label(const std::string& name, const char* kind, std::size_t number)
{
    return name.empty() ? fmt::format("{} {}", kind, number + 1) : name;
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

Recorder::Recorder(const scene::Scene& scene, scene::Simulation& simulation,
                   const std::string& folder, const std::string& scene_text,
                   std::shared_ptr<Ranks> ranks)
    : scene_(scene), simulation_(simulation), folder_{folder}, scene_text_(scene_text),
      ranks_(std::move(ranks)), writes_(is_first(ranks_)),
      sample_steps_(every(scene.output.sample > 0 ? scene.output.sample : scene.time.end / 100)),
      frame_steps_(every(scene.output.frames)),
      checkpoint_steps_(static_cast<std::uint64_t>(scene.output.checkpoint_steps))
{
}

/// An interval in steps; 0 stays 0.
std::uint64_t Recorder::every(double interval) const
{
    const double steps = std::clamp(interval / scene_.time.step + 0.5, 1.0, 1e18);
    return interval > 0 ? static_cast<std::uint64_t>(steps) : 0;
}

std::vector<analyse::Column> Recorder::columns() const
{
    std::vector<analyse::Column> all{{"time", "s"},
                                     {"step", ""},
                                     {"particles", ""},
                                     {"solid volume", "m^3"},
                                     {"contacts", ""},
                                     {"contacts per particle", ""},
                                     {"active contacts", ""},
                                     {"sweeps per step", ""},
                                     {"largest residual", ""},
                                     {"largest penetration", "m"},
                                     {"mean penetration", "m"},
                                     {"kinetic energy", "J"},
                                     {"potential energy", "J"},
                                     {"inserted energy", "J"},
                                     {"removed energy", "J"},
                                     {"gravity work", "J"},
                                     {"wall work", "J"},
                                     {"normal work", "J"},
                                     {"friction work", "J"},
                                     {"correction work", "J"},
                                     {"restitution work", "J"},
                                     {"energy imbalance", "J"}};
    for (std::size_t i = 0; i < scene_.sources.size(); ++i) {
        const std::string name = label(scene_.sources[i].name, "source", i);
        all.push_back({name + " grains", ""});
        all.push_back({name + " mass", "kg"});
    }
    for (std::size_t i = 0; i < scene_.sinks.size(); ++i) {
        const std::string name = label(scene_.sinks[i].name, "sink", i);
        all.push_back({name + " grains", ""});
        all.push_back({name + " mass", "kg"});
    }
    for (const scene::MeasureTable& m : scene_.measures) {
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
    }
    return all;
}

void Recorder::begin()
{
    if (writes_) {
        std::error_code error;
        fs::create_directories(folder_.frames(), error);
        if (error) {
            throw Error(
                fmt::format("{}: cannot be made: {}", folder_.dir.string(), error.message()));
        }
        write_text(folder_.scene(), scene_text_);
        write_text(folder_.series(), analyse::csv_header(columns()));
    }
    if (ranks_) {
        double folder_is_there = 1;
        ranks_->sum(std::span<double>(&folder_is_there, 1));
    }
    // A world from a checkpoint has no report before its next step.
    if (simulation_.world().steps() == 0) {
        sample(simulation_.world().report());
    }
    write_frame();
    finish_writing();  // a folder that cannot be written to is known before the first step
}

void Recorder::resume(std::span<const Column> extras, bool more)
{
    tally_.restore(extras);
    if (!writes_) {
        return;
    }
    const std::uint64_t step = simulation_.world().steps();
    // Rows and frames later than the checkpoint will be made again.
    analyse::Series series = analyse::parse_series(scene::read_text(folder_.series().string()),
                                                   folder_.series().string());
    const std::vector<double> steps = series.column("step").values;
    const auto due = [&](std::uint64_t at, std::uint64_t interval) {
        return at <= step && (!more || at == 0 || (interval > 0 && at % interval == 0));
    };
    for (analyse::Column& c : series.columns) {
        std::vector<double> kept;
        for (std::size_t i = 0; i < steps.size(); ++i) {
            if (due(static_cast<std::uint64_t>(steps[i]), sample_steps_)) {
                kept.push_back(c.values[i]);
            }
        }
        c.values = kept;
    }
    write_text(folder_.series(), analyse::series_csv(series));
    io::remove_loose_pieces(folder_.dir);
    for (const io::FrameFiles& f : io::frames_of(folder_.dir)) {
        if (!due(f.step, frame_steps_)) {
            io::remove_frame(f.particles);
            if (!f.contacts.empty()) {
                io::remove_frame(f.contacts);
            }
            continue;
        }
        particles_.push_back({f.time, f.particles});
        if (!f.contacts.empty()) {
            contacts_.push_back({f.time, f.contacts});
        }
        last_frame_ = f.step;
    }
    write_collections();
}

void Recorder::after_step(const StepReport& report)
{
    tally_.add(report);
    if (lost()) {
        return;
    }
    write_indices();
    if (report.step % sample_steps_ == 0) {
        sample(report);
    }
    if (frame_steps_ > 0 && report.step % frame_steps_ == 0) {
        write_frame();
    }
    if (checkpoint_steps_ > 0 && report.step % checkpoint_steps_ == 0) {
        write_checkpoint();
    }
}

void Recorder::finish()
{
    const std::uint64_t step = simulation_.world().steps();
    if (simulation_.world().report().step != step) {
        return;  // nothing was done since the checkpoint
    }
    if (lost()) {
        finish_writing();
        return;
    }
    if (checkpoint_steps_ == 0 || step % checkpoint_steps_ != 0 || step == 0) {
        write_checkpoint();
    }
    if (step % sample_steps_ != 0) {
        sample(simulation_.world().report());
    }
    if (last_frame_ != step) {
        write_frame();
    }
    finish_writing();
}

/// Has this rank write its share of what is due and then, when all ranks have, the first one the
/// index. One process does one after the other.
void Recorder::write_shares(std::function<void()> share, std::function<void()> index)
{
    writer_.give(Writer::Size::large, std::move(share));
    if (ranks_) {
        indices_.push_back({++large_given_, std::move(index)});
    } else {
        writer_.give(Writer::Size::small, std::move(index));
    }
}

/// Has the first rank write the indices of what is whole. A rank that failed to write its share
/// throws here, and none of them is written.
void Recorder::write_indices()
{
    if (indices_.empty()) {
        return;
    }
    double behind = -static_cast<double>(writer_.large_done());
    ranks_->largest(std::span<double>(&behind, 1));
    for (; !indices_.empty() && static_cast<double>(indices_.front().jobs) <= -behind;
         indices_.pop_front()) {
        if (writes_) {
            writer_.give(Writer::Size::small, std::move(indices_.front().write));
        }
    }
}

void Recorder::finish_writing()
{
    writer_.finish();
    write_indices();
    writer_.finish();
}

void Recorder::sample(const StepReport& r)
{
    const World& world = simulation_.world();
    const EnergyLedger& e = world.energy();
    const auto n = static_cast<double>(world.dynamic_count());
    std::vector<double> row{simulation_.time(),
                            static_cast<double>(world.steps()),
                            n,
                            world.solid_volume(),
                            static_cast<double>(r.contacts),
                            n > 0 ? 2 * static_cast<double>(r.contacts) / n : 0,
                            static_cast<double>(r.active),
                            tally_.sample_steps > 0 ? static_cast<double>(tally_.sample_sweeps) /
                                                          static_cast<double>(tally_.sample_steps)
                                                    : 0,
                            tally_.residual,
                            tally_.penetration,
                            r.mean_penetration,
                            e.kinetic,
                            e.potential,
                            e.inserted,
                            e.removed,
                            e.gravity_work,
                            e.wall_work,
                            e.normal_work,
                            e.friction_work,
                            e.correction_work,
                            e.restitution_work,
                            e.imbalance()};
    for (const auto* flows : {&simulation_.progress().sources, &simulation_.progress().sinks}) {
        for (const scene::Flow& f : *flows) {
            row.push_back(static_cast<double>(f.count));
            row.push_back(f.mass);
        }
    }
    // A frame costs as much as some steps: it is made only for those who measure forces.
    std::vector<analyse::WallLoad> loads;
    if (std::any_of(scene_.measures.begin(), scene_.measures.end(),
                    [](const auto& m) { return m.kind == scene::MeasureKind::force; })) {
        loads = analyse::wall_loads(world.frame());
    }
    for (const scene::MeasureTable& m : scene_.measures) {
        if (m.kind == scene::MeasureKind::force) {
            const Vec3<double> force = force_on(m, loads);
            row.insert(row.end(), {force.x, force.y, force.z});
        }
        if (m.kind == scene::MeasureKind::laws) {
            const analyse::LawDifference d = world.steps() > 0
                                                 ? analyse::law_difference(world.problems())
                                                 : analyse::LawDifference{};
            for (const LawColumn& column : law_columns) {
                row.push_back(column.of(d));
            }
        }
    }
    if (writes_) {
        writer_.give(Writer::Size::small, [path = folder_.series(), text = analyse::csv_row(row)] {
            std::ofstream out(path, std::ios::app);
            out << text;
            out.flush();
            if (!out) {
                throw std::runtime_error(fmt::format("{}: cannot be written: {}", path.string(),
                                                     std::generic_category().message(errno)));
            }
        });
    }
    tally_.residual = 0;
    tally_.penetration = 0;
    tally_.sample_steps = 0;
    tally_.sample_sweeps = 0;
}

/// On an obstacle, from what the contacts of each rank do to walls.
Vec3<double> Recorder::force_on(const scene::MeasureTable& measure,
                                std::span<const analyse::WallLoad> loads)
{
    double force[3] = {0, 0, 0};
    const std::vector<BodyId> parts = simulation_.bodies_of(measure.obstacle);
    for (const analyse::WallLoad& load : loads) {
        if (std::find(parts.begin(), parts.end(), load.id) != parts.end()) {
            force[0] += load.force.x;
            force[1] += load.force.y;
            force[2] += load.force.z;
        }
    }
    if (ranks_) {
        ranks_->sum(force);
    }
    return {force[0], force[1], force[2]};
}

void Recorder::write_frame()
{
    const bool with_contacts = scene_.output.contacts;
    const auto copy =
        std::make_shared<const io::FrameCopy>(simulation_.world().frame(with_contacts));
    const Frame& shown = copy->frame();
    last_frame_ = shown.step;
    fs::path particles = folder_.particles(shown.step), contacts = folder_.contacts(shown.step);
    fs::path own_particles = particles, own_contacts = contacts;
    std::vector<Shape> solids;
    std::size_t pieces = 0;
    if (ranks_) {
        const auto rank = static_cast<std::size_t>(ranks_->rank());
        pieces = static_cast<std::size_t>(ranks_->size());
        particles = io::index_of(particles);
        contacts = io::index_of(contacts);
        own_particles = io::piece_of(particles, rank);
        own_contacts = io::piece_of(contacts, rank);
        solids = shared_solids_.of(shown, *ranks_);
    }
    write_shares(
        [=, this] {
            const Frame& frame = copy->frame();
            fs::create_directories(own_particles.parent_path());
            const Frame own = writes_ ? frame : io::dynamic_bodies(frame);
            io::write_particles(own_particles, own, ranks_ ? solids : io::solids_of(own));
            if (with_contacts) {
                fs::create_directories(own_contacts.parent_path());
                io::write_contacts(own_contacts, frame);
            }
        },
        [=, this, time = shown.time] {
            if (pieces > 0) {
                io::write_index(particles, pieces);
            }
            particles_.push_back({time, particles});
            if (with_contacts) {
                if (pieces > 0) {
                    io::write_index(contacts, pieces);
                }
                contacts_.push_back({time, contacts});
            }
            write_collections();
        });
}

void Recorder::write_collections() const
{
    io::write_pvd(folder_.particles_collection(), particles_);
    if (scene_.output.contacts) {
        io::write_pvd(folder_.contacts_collection(), contacts_);
    }
}

/// A number of each rank, known to all.
std::vector<std::uint64_t> Recorder::of_all_ranks(std::uint64_t here) const
{
    const auto mine = std::as_bytes(std::span(&here, 1));
    const Ranks::Bytes bytes = ranks_->everywhere({mine.begin(), mine.end()});
    std::vector<std::uint64_t> all(bytes.size() / sizeof here);
    std::memcpy(all.data(), bytes.data(), bytes.size());
    return all;
}

void Recorder::write_checkpoint()
{
    const auto start = std::chrono::steady_clock::now();
    std::vector<Column> extras = tally_.save();
    for (Column& c : save(simulation_.progress())) {
        extras.push_back(std::move(c));
    }
    extras.push_back(column_of("scene", std::string_view(scene_text_)));
    const auto world = std::make_shared<io::SavedWorld>(io::save(simulation_.world()));
    if (!ranks_) {
        writer_.give(Writer::Size::large, [path = folder_.checkpoint(), world, extras] {
            io::write_checkpoint(path, std::move(*world), extras);
        });
    } else {
        const std::uint64_t hash = state_hash_of(world->columns);
        const auto rank = static_cast<std::size_t>(ranks_->rank());
        write_shares([path = folder_.checkpoint(), world, hash,
                      rank] { io::write_share(path, rank, std::move(*world), hash); },
                     [path = folder_.checkpoint(), step = world->step, time = world->time,
                      hashes = of_all_ranks(hash), extras] {
                         io::write_checkpoint_of_shares(path, step, time, hashes, extras);
                     });
    }
    checkpoint_seconds_ +=
        std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

}  // namespace scree::cli
