#include "bench_command.hpp"
#include "device_option.hpp"

#include "bed.hpp"
#include "exit_code.hpp"
#include "machine.hpp"
#include "progress.hpp"
#include "scree/contact.hpp"
#include "scree/device.hpp"
#include "scree/error.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <string>
#include <thread>
#include <vector>

namespace scree::cli {

namespace {

using Json = nlohmann::ordered_json;
using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start)
{
    return std::chrono::duration<double>(Clock::now() - start).count();
}

/// Bytes per second at which `threads` threads read and write `bytes` in all: what a sweep over as
/// much data could reach at best.
double copy_bandwidth(std::size_t bytes, int threads)
{
    const std::size_t n = std::max<std::size_t>(bytes / sizeof(double) / 2, 4096);
    std::vector<double> from(n, 1.0), to(n, 0.0);
    double best = 0;
    for (int repeat = 0; repeat < 20; ++repeat) {
        const auto start = Clock::now();
        std::vector<std::thread> team;
        const auto part = [&](int t) {
            const std::size_t begin =
                n * static_cast<std::size_t>(t) / static_cast<std::size_t>(threads);
            const std::size_t end =
                n * static_cast<std::size_t>(t + 1) / static_cast<std::size_t>(threads);
            for (int again = 0; again < 4; ++again) {
                std::copy(from.begin() + static_cast<std::ptrdiff_t>(begin),
                          from.begin() + static_cast<std::ptrdiff_t>(end),
                          to.begin() + static_cast<std::ptrdiff_t>(begin));
                from[begin] = to[end - 1] + 1;  // so that no copy can be left out
            }
        };
        for (int t = 1; t < threads; ++t) {
            team.emplace_back(part, t);
        }
        part(0);
        for (std::thread& t : team) {
            t.join();
        }
        best =
            std::max(best, 4 * 2 * static_cast<double>(n * sizeof(double)) / seconds_since(start));
    }
    return best;
}

struct BenchOptions {
    BedOptions bed;
    int steps = 100;
    int warm_up = 20;
    bool json = false;
    std::string law = std::string(name_of(Law::max_dissipation));
    std::string shape = grain_names[0];
    std::string precision = "double";
};

/// What the timed steps took [s]. The least time of each stage is less noisy than a mean.
struct StepTimes {
    StepTimes() { best_stage.fill(1e9); }

    void add(const StepReport& r, double seconds)
    {
        total += seconds;
        best = std::min(best, seconds);
        for (std::size_t s = 0; s < stage_count; ++s) {
            stage[s] += r.seconds[s];
            best_stage[s] = std::min(best_stage[s], r.seconds[s]);
        }
        rebuilds += r.list_rebuilt ? 1 : 0;
        contacts = static_cast<double>(r.contacts);
        contact_sweeps += contacts * r.sweeps;
        candidates += static_cast<double>(r.candidates);
        max_penetration = std::max(max_penetration, r.max_penetration);
        if (r.sweeps > 0 && r.contacts > 0) {
            best_contact_sweep =
                std::min(best_contact_sweep,
                         r.seconds[static_cast<std::size_t>(Stage::relax)] / r.sweeps / contacts);
        }
    }

    [[nodiscard]] double of(Stage s) const { return stage[static_cast<std::size_t>(s)]; }
    [[nodiscard]] double contact_sweep() const { return of(Stage::relax) / contact_sweeps; }

    double first_step = 0;  ///< of those before
    double total = 0, best = 1e9;
    std::array<double, stage_count> stage{}, best_stage{};
    double best_contact_sweep = 1e9;
    double contacts = 0;                        ///< of the last step
    double contact_sweeps = 0, candidates = 0;  ///< of all steps
    int rebuilds = 0;
    double max_penetration = 0;
};

StepTimes timed_steps(const BenchOptions& o, World& world)
{
    StepTimes times;
    Progress progress(o.warm_up + o.steps);
    for (int k = -o.warm_up; k < o.steps; ++k) {
        const auto start = Clock::now();
        const StepReport& r = world.step();
        const double seconds = seconds_since(start);
        progress.update(k + o.warm_up, "stepping");
        times.first_step = k == -o.warm_up ? seconds : times.first_step;
        if (k >= 0) {
            times.add(r, seconds);
        }
    }
    return times;
}

Json subject_json(const BenchOptions& o, const World& world)
{
    const StepReport& r = world.report();
    return {{"particles", world.dynamic_count()},
            {"shape", o.shape},
            {"law", o.law},
            {"threads", r.threads},
            {"precision", o.precision},
            {"isa", std::string(name_of(default_instruction_set()))},
            {"processor", processor()},
            {"device", device_in_words(o.bed.settings.gpu)},
            {"steps", o.steps},
            {"sweeps", o.bed.settings.sweeps},
            {"contacts", r.contacts},
            {"candidates", r.candidates},
            {"pairs", r.pairs},
            {"colours", r.colours}};
}

Json speed_json(const BenchOptions& o, const StepTimes& times)
{
    return {{"ms_per_step", times.total / o.steps * 1e3},
            {"ms_per_step_best", times.best * 1e3},
            {"ns_per_contact_sweep", times.contact_sweep() * 1e9},
            {"ns_per_contact_sweep_best", times.best_contact_sweep * 1e9},
            {"ns_per_contact_generated", times.of(Stage::narrow_phase) / times.candidates * 1e9}};
}

Json memory_json(const World& world)
{
    const World::Memory memory = world.memory();
    const auto n = static_cast<double>(world.dynamic_count());
    return {{"bytes_per_particle", static_cast<double>(memory.host + memory.device) / n},
            {"host_bytes_per_particle", static_cast<double>(memory.host) / n},
            {"device_bytes_per_particle", static_cast<double>(memory.device) / n}};
}

Json stages_json(const BenchOptions& o, const StepTimes& times)
{
    Json stages, best_stages;
    for (std::size_t s = 0; s < stage_count; ++s) {
        const std::string name(name_of(static_cast<Stage>(s)));
        stages[name] = times.stage[s] / o.steps * 1e3;
        best_stages[name] = times.best_stage[s] * 1e3;
    }
    return {{"stage_ms", stages}, {"stage_ms_best", best_stages}};
}

/// How near sweeps come to what memory allows.
Json bandwidth_json(const BenchOptions& o, const World& world, const StepTimes& times)
{
    // What a sweep must move: its rows once, their impulses back, each body's line in and out.
    const auto n = static_cast<double>(world.dynamic_count());
    const bool round = o.bed.grains == Grains::spheres;
    const double numbers = o.bed.settings.precision == Precision::mixed && round ? 0.5 : 1;
    const double sweep_bytes =
        times.contacts * numbers * ((round ? 96 : 208) + 24) + n * numbers * (round ? 128 : 192);
    const int gpu = o.bed.settings.gpu;
    const double bandwidth = gpu >= 0 ? scree::copy_bandwidth(gpu)
                                      : copy_bandwidth(static_cast<std::size_t>(sweep_bytes),
                                                       gpu == no_gpu ? world.report().threads : 1);
    return {
        {"sweep_bytes_per_contact", sweep_bytes / times.contacts},
        {"copy_gigabytes_per_second", bandwidth / 1e9},
        {"bandwidth_fraction", sweep_bytes / times.contacts / bandwidth / times.contact_sweep()}};
}

Json run_bed(const BenchOptions& o)
{
    const auto set_up = Clock::now();
    World world = [&] {
        Progress progress(1);
        return settled_bed(o.bed, [&](double done) { progress.update(done, "settling a tile"); });
    }();
    const double set_up_seconds = seconds_since(set_up);
    const StepTimes times = timed_steps(o, world);
    Json j = subject_json(o, world);
    j.update(speed_json(o, times));
    j.update(memory_json(world));
    j["set_up_seconds"] = set_up_seconds;
    j["first_step_seconds"] = times.first_step;
    j["particle_steps_per_second"] =
        static_cast<double>(world.dynamic_count()) * o.steps / times.total;
    j["list_rebuilds"] = times.rebuilds;
    j.update(stages_json(o, times));
    j["max_penetration"] = times.max_penetration;
    j["residual"] = world.report().residual;
    j["true_residual"] = world.true_residual();
    j.update(bandwidth_json(o, world, times));
    return j;
}

void print(const Json& j)
{
    const auto number = [&](const char* key) { return j[key].get<double>(); };
    const auto device = j["device"].get<std::string>();
    const bool on_host = device == j["processor"].get<std::string>();
    fmt::print("{} {} on {}\n", j["particles"].get<std::size_t>(), j["shape"].get<std::string>(),
               on_host ? fmt::format("{} thread(s), {}, {}", j["threads"].get<int>(),
                                     j["isa"].get<std::string>(), device)
                       : device);
    fmt::print("  contacts              {:>10}   candidates {}, listed pairs {}, colours {}\n",
               j["contacts"].get<std::size_t>(), j["candidates"].get<std::size_t>(),
               j["pairs"].get<std::size_t>(), j["colours"].get<int>());
    fmt::print("  ms per step           {:>10.3f}   best {:.3f}\n", number("ms_per_step"),
               number("ms_per_step_best"));
    fmt::print("  ns per contact sweep  {:>10.2f}   best {:.2f}\n", number("ns_per_contact_sweep"),
               number("ns_per_contact_sweep_best"));
    fmt::print("  ns per contact found  {:>10.2f}\n", number("ns_per_contact_generated"));
    fmt::print("  particle steps per s  {:>10.3g}\n", number("particle_steps_per_second"));
    fmt::print("  bytes per particle    {:>10.0f}", number("bytes_per_particle"));
    if (on_host) {
        fmt::print("\n");
    } else {
        fmt::print("   host {:.0f}, device {:.0f}\n", number("host_bytes_per_particle"),
                   number("device_bytes_per_particle"));
    }
    fmt::print("  s to set up           {:>10.2f}   first step {:.2f}\n", number("set_up_seconds"),
               number("first_step_seconds"));
    fmt::print("  max penetration       {:>10.3g} m\n", number("max_penetration"));
    fmt::print("  residual              {:>10.3g}   true {:.3g}\n", number("residual"),
               number("true_residual"));
    fmt::print("  bandwidth             {:>9.1f} %   of a copy at {:.1f} GB/s\n",
               100 * number("bandwidth_fraction"), number("copy_gigabytes_per_second"));
    fmt::print("  stages, ms per step (list made anew {} times in {} steps)\n",
               j["list_rebuilds"].get<int>(), j["steps"].get<int>());
    for (const auto& [name, ms] : j["stage_ms"].items()) {
        fmt::print("    {:<20} {:>9.3f}   best {:.3f}\n", name, ms.get<double>(),
                   j["stage_ms_best"][name].get<double>());
    }
}

int measure(BenchOptions o)
{
    o.bed.settings.law = law_by_name(o.law).value();
    o.bed.grains = static_cast<Grains>(
        std::find(std::begin(grain_names), std::end(grain_names), o.shape) - grain_names);
    o.bed.settings.precision = o.precision == "mixed" ? Precision::mixed : Precision::full;
    if (o.precision == "mixed" && o.bed.settings.gpu == no_gpu) {
        throw Error("--precision mixed is for GPUs, a CPU has doubles alone: add --device "
                    "cuda, or leave it out");
    }
    const Json result = run_bed(o);
    if (o.json) {
        fmt::print("{}\n", result.dump(2));
    } else {
        print(result);
    }
    return good;
}

}  // namespace

void add_bench_command(Command& program)
{
    Command bench = program.add("bench", "Measure the speed of the engine on this machine");
    Command bed = bench.add("bed", "Grains at rest in a bed, stepped");
    auto options = std::make_shared<BenchOptions>();
    BenchOptions& o = *options;
    Settings& s = o.bed.settings;
    s.time_step = 1e-5;
    s.sweeps = 10;
    s.tolerance = 0;
    s.threads = 1;
    bed.option("--particles", o.bed.particles, "number of grains, rounded up to whole tiles")
        .shows_default()
        .between(std::size_t(16), std::size_t(100'000'000));
    bed.option("--shape", o.shape,
               "of the grains; mixed: boxes, capsules, ellipsoids, cylinders in turn")
        .shows_default()
        .one_of(std::vector<std::string>(std::begin(grain_names), std::end(grain_names)));
    std::vector<std::string> laws;
    for (const LawName& entry : law_names) {
        laws.emplace_back(entry.name);
    }
    bed.option("--law", o.law, "contact law").shows_default().one_of(laws);
    bed.option(
           "--threads", s.threads,
           "number of threads; 0: as many as measuring finds best; with a device they only set up")
        .shows_default()
        .between(0, 1024);
    add_device_option(bed, s.gpu);
    bed.option("--precision", o.precision,
               "of a GPU's sweeps: double, or mixed, with spheres' contacts in floats")
        .shows_default()
        .one_of({"double", "mixed"});
    bed.option("--steps", o.steps, "steps to time").shows_default().between(1, 1'000'000);
    bed.option("--warm-up", o.warm_up, "steps before those").shows_default().between(0, 1'000'000);
    bed.option("--sweeps", s.sweeps, "sweeps of each step").shows_default().between(1, 100'000);
    bed.flag("--json", o.json, "print JSON");
    bed.footer(
        "\nSpheres of radius 0.47 mm (or grains of that volume), μ 0.4, δt 10 µs, settled on a "
        "floor, periodic sideways.\nExamples:\n  scree bench bed\n  scree bench bed --particles "
        "1000000 --threads 2 --json\n  scree bench bed --particles 1000000 --device cuda\n  scree "
        "bench bed --shape ellipsoids --particles 4000");
    bed.does([options, bed] {
        if (options->bed.settings.gpu != no_gpu && !bed.was_given("--threads")) {
            options->bed.settings.threads = 0;
        }
        return measure(*options);
    });
}

}  // namespace scree::cli
