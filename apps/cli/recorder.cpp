#include "recorder.hpp"

#include "analyse/series.hpp"
#include "io/checkpoint.hpp"
#include "io/frame_copy.hpp"
#include "io/frame_index.hpp"
#include "io/new_file.hpp"
#include "io/vtp.hpp"
#include "job.hpp"
#include "samples.hpp"
#include "scene/reader.hpp"
#include "scree/error.hpp"

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

/// Takes back the rows of series.csv that are not to be kept.
void keep_rows(const fs::path& file, const std::function<bool(std::uint64_t step)>& kept)
{
    analyse::Series series = analyse::parse_series(scene::read_text(file.string()), file.string());
    const std::vector<double> steps = series.column("step").values;
    for (analyse::Column& c : series.columns) {
        std::vector<double> values;
        for (std::size_t i = 0; i < steps.size(); ++i) {
            if (kept(static_cast<std::uint64_t>(steps[i]))) {
                values.push_back(c.values[i]);
            }
        }
        c.values = values;
    }
    write_text(file, analyse::series_csv(series));
}

}  // namespace

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
        write_text(folder_.series(), analyse::csv_header(sample_columns(scene_)));
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
    const auto due = [&](std::uint64_t at, std::uint64_t interval) {
        return at <= step && (!more || at == 0 || (interval > 0 && at % interval == 0));
    };
    keep_rows(folder_.series(), [&](std::uint64_t at) { return due(at, sample_steps_); });
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

void Recorder::sample(const StepReport& report)
{
    const std::vector<double> row = sample_row({scene_, simulation_, report, tally_}, ranks_);
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
    tally_.begin_sample();
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
