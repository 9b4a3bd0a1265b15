// Scenes and checkpoints broken at random: whatever they say, they are refused by scree::Error or
// they run; nothing crashes, hangs or eats the memory. Each input is made from the seed and its
// number alone. Batches run in processes of their own that are watched: one that dies, stands still
// or grows is reported with its input, and the next begins behind it.
//
//   scene_fuzz SECONDS [SEED [FOLDER]]   inputs that failed go to the folder
//   scene_fuzz inputs COUNT [SEED]       a fixed draw
//   scene_fuzz one SEED NUMBER           this input alone, in this process
//
// Best built with sanitizers (preset asan).
#include "fuzz/mutate.hpp"
#include "fuzz/texts.hpp"
#include "io/hdf5_file.hpp"
#include "math/hash.hpp"
#include "scene/grain_counts.hpp"
#include "scree/error.hpp"
#include "scree/io/checkpoint.hpp"
#include "scree/scene/simulation.hpp"

#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <optional>
#include <sstream>

namespace {

using namespace scree;
namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;
using test::Random;

constexpr double most_grains_run = 5'000;  ///< scenes with more are not run
constexpr double most_seconds = 20;        ///< for one input, of the processor's time
constexpr double most_bytes = 1.5e9;
constexpr std::uint64_t batch = 400;

enum Outcome {
    scene_refused,
    scene_not_made,
    scene_too_large,
    scene_stopped,
    scene_not_finite,
    scene_ran,
    file_refused,
    file_not_run,
    file_ran,
    columns_refused,
    columns_not_run,
    columns_ran,
    good_outcomes,
    strange_exception = good_outcomes,
    damage_unnoticed,
    outcome_count
};
constexpr const char* outcome_names[]{"scene: refused when read",
                                      "scene: refused when made",
                                      "scene: too large to be tried",
                                      "scene: refused in a step",
                                      "scene: ran to what is not finite",
                                      "scene: ran",
                                      "checkpoint file: refused",
                                      "checkpoint file: refused in a step",
                                      "checkpoint file: ran",
                                      "columns: refused",
                                      "columns: refused in a step",
                                      "columns: ran",
                                      "STRANGE EXCEPTION",
                                      "DAMAGE UNNOTICED"};

/// What a watched process tells.
struct Shared {
    std::uint64_t next;  ///< the input at hand
    std::uint64_t counts[outcome_count];
    double slowest;  ///< [s], of the processor's time
    std::uint64_t slowest_input;
};

/// One thread, and no more sweeps than a few: what is asked is whether it comes to grief.
void calm(World& world)
{
    Settings s = world.settings();
    s.threads = 1;
    s.sweeps = std::min(s.sweeps, 20);
    world.set_settings(s);
}

std::string content(const fs::path& path)
{
    std::ifstream in(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

class Fuzzer {
public:
    explicit Fuzzer(fs::path folder) : folder_(std::move(folder)), mutator_(texts())
    {
        for (const char* text : fuzz::small_scenes) {
            Saved saved;
            saved.scene = scene::parse_scene(text, "small").scene;
            scene::Simulation simulation(saved.scene);
            calm(simulation.world());
            for (int i = 0; i < 12; ++i) {
                simulation.step();
            }
            saved.progress = simulation.progress();
            simulation.world().save(
                [&](Column&& column) { saved.columns.push_back(std::move(column)); });
            const fs::path path = scratch();
            io::write_checkpoint(path, simulation.world(), {});
            saved.file = content(path);
            fs::remove(path);
            saved_.push_back(std::move(saved));
        }
    }

    Outcome run(std::uint64_t seed, std::uint64_t number)
    {
        input_.clear();
        Random random(math::hash(seed, number));
        try {
            const std::uint64_t kind = random.bits() % 10;
            return kind < 7 ? scene(random) : (kind < 8 ? file(random) : columns(random));
        } catch (const std::exception& error) {
            std::fprintf(stderr, "input %llu: %s\n", static_cast<unsigned long long>(number),
                         error.what());
            return strange_exception;
        }
    }
    /// The text or file of the last input.
    [[nodiscard]] const std::string& input() const { return input_; }

private:
    struct Saved {
        scene::Scene scene;
        scene::Progress progress;
        std::vector<Column> columns;
        std::string file;
    };

    [[nodiscard]] fs::path scratch() const
    {
        return folder_ / ("checkpoint-" + std::to_string(::getpid()) + ".h5");
    }

    const std::vector<std::string>& texts()
    {
        texts_.assign(std::begin(fuzz::small_scenes), std::end(fuzz::small_scenes));
        std::vector<fs::path> files;
        for (const auto& entry : fs::directory_iterator(SCREE_SOURCE_DIR "/scenes")) {
            if (entry.path().extension() == ".toml") {
                files.push_back(entry.path());
            }
        }
        std::sort(files.begin(), files.end());
        for (const fs::path& file : files) {
            texts_.push_back(content(file));
        }
        return texts_;
    }

    Outcome scene(Random& random)
    {
        const std::size_t small = std::size(fuzz::small_scenes);
        const std::size_t which = random.bits() % (random.chance(0.9) ? small : texts_.size());
        input_ = mutator_.broken(texts_[which], random);
        note("scene.toml");
        std::optional<scene::SceneFile> file;
        try {
            file = scene::parse_scene(input_, "scene.toml");
        } catch (const Error&) {
            return scene_refused;
        }
        if (!(grains_in(file->scene) <= most_grains_run)) {
            return scene_too_large;
        }
        std::optional<scene::Simulation> simulation;
        try {
            simulation.emplace(file->scene);
        } catch (const Error&) {
            return scene_not_made;
        }
        return go(*simulation, random, {scene_stopped, scene_not_finite, scene_ran});
    }

    /// Grains at the start and in the steps that are done here, about.
    static double grains_in(const scene::Scene& scene)
    {
        double sum = 0;
        for (const scene::FillTable& fill : scene.fills) {
            sum += scene::grains_of(fill, scene.seed);
        }
        for (const scene::SourceTable& s : scene.sources) {
            sum += s.kind == scene::SourceKind::piston
                       ? 3 * scene::places_of(s.region, s.spacing)
                       : std::min(scene::grains_of(s, scene.time),
                                  s.rate * (20 * scene.time.step + s.interval));
        }
        return sum;
    }

    template <class Steps>
    static Outcome go(Steps& steps, Random& random, const std::array<Outcome, 3>& outcomes)
    {
        try {
            World& world = world_of(steps);
            calm(world);
            const std::uint64_t count = world.body_count() > 2000 ? 2 : 1 + random.bits() % 12;
            const std::clock_t start = std::clock();
            for (std::uint64_t i = 0; i < count && std::clock() - start < CLOCKS_PER_SEC; ++i) {
                if (steps.step()[Condition::not_finite].count > 0) {
                    return outcomes[1];
                }
            }
            (void)world.state_hash();
            world.save([](Column&&) {});
        } catch (const Error&) {
            return outcomes[0];
        }
        return outcomes[2];
    }
    static World& world_of(World& world) { return world; }
    static World& world_of(scene::Simulation& simulation) { return simulation.world(); }

    /// Bytes of a file, with the digest made good or not.
    Outcome file(Random& random)
    {
        constexpr std::size_t trailer = 64;
        const Saved& saved = saved_[random.bits() % saved_.size()];
        std::string bytes = saved.file.substr(0, saved.file.size() - trailer);
        const bool seal = random.chance(0.9);
        if (!seal) {
            bytes = saved.file;
        }
        const std::uint64_t changes = random.chance(0.5) ? 1 : 1 + random.bits() % 20;
        for (std::uint64_t i = 0; i < changes; ++i) {
            // What HDF5 knows about the columns is at its ends; the rest is mostly numbers.
            const std::size_t part =
                random.chance(0.5) ? std::min<std::size_t>(4096, bytes.size()) : bytes.size();
            std::size_t at = random.bits() % part;
            at = random.chance(0.3) ? bytes.size() - 1 - at : at;
            constexpr unsigned char ugly[]{0, 1, 0x7f, 0x80, 0xff};
            const std::uint64_t how = random.bits() % 8;
            if (how < 4) {
                bytes[at] = static_cast<char>(bytes[at] ^ (1 << random.bits() % 8));
            } else if (how < 6) {
                bytes[at] = static_cast<char>(ugly[random.bits() % std::size(ugly)]);
            } else if (how < 7) {
                const std::size_t from = random.bits() % bytes.size();
                const std::size_t size =
                    std::min({random.bits() % 64, bytes.size() - from, bytes.size() - at});
                std::memmove(&bytes[at], &bytes[from], size);
            } else if (random.chance(0.1)) {
                bytes.resize(at + 1);
            }
        }
        if (seal) {
            bytes = sealed(bytes);
        }
        input_ = bytes;
        const fs::path path = scratch();
        std::ofstream(path, std::ios::binary) << bytes;
        std::optional<io::Checkpoint> checkpoint;
        try {
            checkpoint = io::read_checkpoint(path);
        } catch (const Error&) {
            return file_refused;
        }
        if (!seal && bytes != saved.file) {
            return damage_unnoticed;
        }
        return go(checkpoint->world, random, {file_not_run, file_ran, file_ran});
    }
    static std::string sealed(const std::string& bytes)
    {
        math::Digest digest;
        digest.add(std::as_bytes(std::span(bytes)));
        char line[65];
        std::snprintf(line, sizeof line, "scree checkpoint %zu %016llx", bytes.size(),
                      static_cast<unsigned long long>(digest.value()));
        std::string end = line;
        end.resize(63, ' ');
        return bytes + end + "\n";
    }

    /// Columns of a world with other numbers, rows, widths and types.
    Outcome columns(Random& random)
    {
        const Saved& saved = saved_[random.bits() % saved_.size()];
        std::vector<Column> columns = saved.columns;
        const std::uint64_t changes = random.chance(0.6) ? 1 : 1 + random.bits() % 4;
        for (std::uint64_t i = 0; i < changes; ++i) {
            Column& column = columns[random.bits() % columns.size()];
            input_ += column.name + " ";
            spoil(column, random);
        }
        std::optional<World> world;
        try {
            world =
                World::restore([&](std::string_view name) { return find_column(columns, name); });
        } catch (const Error&) {
            return columns_refused;
        }
        if (random.chance(0.5)) {
            return go(*world, random, {columns_not_run, columns_ran, columns_ran});
        }
        scene::Progress progress = saved.progress;
        for (auto* flows : {&progress.sources, &progress.sinks}) {
            for (scene::Flow& flow : *flows) {
                if (random.chance(0.2)) {
                    flow = {random.bits() >> random.bits() % 64, random.decades(-300, 300),
                            random.bits() >> random.bits() % 64, random.bits()};
                }
            }
        }
        try {
            scene::Simulation simulation(saved.scene, std::move(*world), progress);
            return go(simulation, random, {columns_not_run, columns_ran, columns_ran});
        } catch (const Error&) {
            return columns_not_run;
        }
    }
    static void spoil(Column& column, Random& random)
    {
        const std::size_t size = size_of(column.type);
        const std::uint64_t how = random.bits() % 16;
        if (how == 0) {
            column.width = random.bits() % 5 + 1;
        } else if (how == 1) {
            column.type = static_cast<ColumnType>(random.bits() % column_type_count);
        } else if (how == 2) {
            column.bytes.resize(random.bits() % (column.bytes.size() + 64));
        } else if (how == 3) {
            column.name += "x";
        } else if (how == 4 && column.bytes.size() >= 2 * column.width * size) {
            // Two rows change places.
            const std::size_t row = column.width * size;
            const std::size_t a = random.bits() % column.rows() * row;
            const std::size_t b = random.bits() % column.rows() * row;
            std::swap_ranges(&column.bytes[a], &column.bytes[a] + row, &column.bytes[b]);
        } else if (how == 5 && !column.bytes.empty()) {
            const std::size_t row = std::min(column.width * size, column.bytes.size());
            column.bytes.resize(column.bytes.size() - row);
        } else if (column.bytes.size() >= size) {
            const std::uint64_t count = random.chance(0.7) ? 1 : 1 + random.bits() % 30;
            for (std::uint64_t i = 0; i < count; ++i) {
                std::byte* at = &column.bytes[random.bits() % (column.bytes.size() / size) * size];
                put_number(column.type, at, random);
            }
        }
    }
    static void put_number(ColumnType type, std::byte* at, Random& random)
    {
        if (random.chance(0.2)) {
            const std::size_t byte = random.bits() % size_of(type);
            at[byte] ^= std::byte(1U << random.bits() % 8);
            return;
        }
        constexpr double reals[]{0,      -0.0,  1,      -1,       1e308,     -1e308, 1e-308,
                                 5e-324, 1e154, 1e-154, 1e30,     -1e30,     1e-30,  1e18,
                                 1e9,    -1e9,  1e-9,   0.5,      1e38,      -1e38,  1e-38,
                                 3e38,   1e15,  1e6,    INFINITY, -INFINITY, NAN};
        constexpr std::uint64_t wholes[]{0,     1,     2,          3,          7,
                                         8,     31,    32,         255,        256,
                                         65535, 65536, 0x7fffffff, 0xffffffff, ~std::uint64_t(0)};
        double real = reals[random.bits() % std::size(reals)];
        if (random.chance(0.3)) {
            real = random.sign() * random.decades(-20, 20);
        }
        const auto narrow = static_cast<float>(real);
        std::uint64_t whole = wholes[random.bits() % std::size(wholes)];
        whole = random.chance(0.3) ? random.bits() % 1000 : whole;
        switch (type) {
        case ColumnType::f64: std::memcpy(at, &real, sizeof real); break;
        case ColumnType::f32: std::memcpy(at, &narrow, sizeof narrow); break;
        default: std::memcpy(at, &whole, size_of(type)); break;  // the low bytes
        }
    }

    /// Left on disk in case that this process does not live to tell.
    void note(const char* name) const
    {
        if (!folder_.empty()) {
            std::ofstream(folder_ / name, std::ios::binary) << input_;
        }
    }

    fs::path folder_;
    std::vector<std::string> texts_;
    fuzz::Mutator mutator_;
    std::vector<Saved> saved_;
    std::string input_;
};

double seconds_since(Clock::time_point start)
{
    return std::chrono::duration<double>(Clock::now() - start).count();
}

/// What a process has had of the processor [s].
double processor_seconds(pid_t process)
{
    std::ifstream in("/proc/" + std::to_string(process) + "/stat");
    std::string word;
    double user = 0;
    double system = 0;
    for (int i = 0; i < 13; ++i) {
        in >> word;
    }
    in >> user >> system;
    return (user + system) / static_cast<double>(::sysconf(_SC_CLK_TCK));
}

double bytes_of(pid_t process)
{
    std::ifstream in("/proc/" + std::to_string(process) + "/statm");
    double pages = 0;
    double resident = 0;
    in >> pages >> resident;
    return resident * static_cast<double>(::sysconf(_SC_PAGESIZE));
}

/// In the watched process: inputs from shared->next to `end`.
void work(std::uint64_t seed, std::uint64_t end, const fs::path& folder, Shared* shared)
{
    Fuzzer fuzzer(folder);
    for (; shared->next < end; ++shared->next) {
        const std::clock_t start = std::clock();
        const Outcome outcome = fuzzer.run(seed, shared->next);
        ++shared->counts[outcome];
        if (outcome >= good_outcomes) {
            std::ofstream(folder / ("strange-" + std::to_string(shared->next)), std::ios::binary)
                << fuzzer.input();
        }
        const double t = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
        if (t > shared->slowest) {
            shared->slowest = t;
            shared->slowest_input = shared->next;
        }
    }
}

/// Runs inputs until the time is over or the number reached; returns how many have failed.
int watch(std::uint64_t seed, double seconds, std::uint64_t inputs, const fs::path& folder)
{
    fs::create_directories(folder);
    std::setvbuf(stdout, nullptr, _IOLBF, 0);
    auto* shared = static_cast<Shared*>(
        ::mmap(nullptr, sizeof(Shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0));
    const Clock::time_point start = Clock::now();
    std::uint64_t died = 0;
    std::uint64_t stood = 0;
    std::uint64_t grew = 0;
    while (shared->next < inputs && seconds_since(start) < seconds) {
        const std::uint64_t end = std::min(shared->next + batch, inputs);
        std::fflush(nullptr);
        const pid_t child = ::fork();
        if (child == 0) {
            work(seed, end, folder, shared);
            std::fflush(nullptr);
            std::_Exit(0);
        }
        std::uint64_t last = shared->next;
        Clock::time_point since = Clock::now();
        double used = 0;
        int status = 0;
        const char* why = nullptr;
        while (::waitpid(child, &status, WNOHANG) == 0) {
            const std::uint64_t now = *static_cast<volatile std::uint64_t*>(&shared->next);
            if (now != last) {
                last = now;
                since = Clock::now();
                used = processor_seconds(child);
            }
            // Asleep for long it stands still as well.
            if (processor_seconds(child) - used > most_seconds ||
                seconds_since(since) > 20 * most_seconds) {
                why = "STANDS STILL";
                ++stood;
            } else if (bytes_of(child) > most_bytes) {
                why = "GROWS";
                ++grew;
            }
            if (why != nullptr) {
                ::kill(child, SIGABRT);
                ::waitpid(child, &status, 0);
                break;
            }
            ::usleep(20'000);
        }
        if (why == nullptr && (!WIFEXITED(status) || WEXITSTATUS(status) != 0)) {
            why = "DIES";
            ++died;
        }
        if (why != nullptr) {
            const auto number = static_cast<unsigned long long>(shared->next);
            std::printf("%s: scene_fuzz one %llu %llu\n", why,
                        static_cast<unsigned long long>(seed), number);
            std::error_code error;
            fs::copy_file(folder / "scene.toml", folder / ("failed-" + std::to_string(number)),
                          fs::copy_options::overwrite_existing, error);
            ++shared->next;
        }
    }
    const double t = seconds_since(start);
    std::printf("%llu inputs in %.0f s\n", static_cast<unsigned long long>(shared->next), t);
    for (int i = 0; i < outcome_count; ++i) {
        std::printf("%10llu  %s\n", static_cast<unsigned long long>(shared->counts[i]),
                    outcome_names[i]);
    }
    std::printf("%10llu  DIED\n%10llu  STOOD STILL\n%10llu  GREW\nslowest: %.2f s, input %llu\n",
                static_cast<unsigned long long>(died), static_cast<unsigned long long>(stood),
                static_cast<unsigned long long>(grew), shared->slowest,
                static_cast<unsigned long long>(shared->slowest_input));
    return died + stood + grew + shared->counts[strange_exception] +
                       shared->counts[damage_unnoticed] >
                   0
               ? 1
               : 0;
}

}  // namespace

int main(int argc, char** argv)
{
    const auto number = [&](int i, std::uint64_t otherwise) {
        return argc > i ? std::strtoull(argv[i], nullptr, 10) : otherwise;
    };
    const std::string how = argc > 1 ? argv[1] : "60";
    const fs::path temporary =
        fs::temp_directory_path() / ("scree-fuzz-" + std::to_string(::getpid()));
    int result = 0;
    if (how == "one") {
        fs::create_directories(temporary);
        Fuzzer fuzzer(temporary);
        const std::clock_t start = std::clock();
        const Outcome outcome = fuzzer.run(number(2, 1), number(3, 0));
        std::printf("%s, %.2f s\n", outcome_names[outcome],
                    static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC);
        result = outcome >= good_outcomes ? 1 : 0;
    } else if (how == "inputs") {
        result = watch(number(3, 1), 1e9, number(2, 1000), temporary);
    } else {
        const fs::path folder = argc > 3 ? fs::path(argv[3]) : temporary;
        result =
            watch(number(2, 1), std::strtod(how.c_str(), nullptr), ~std::uint64_t(0) / 2, folder);
    }
    fs::remove_all(temporary);  // each input can be made again from its number
    return result;
}
