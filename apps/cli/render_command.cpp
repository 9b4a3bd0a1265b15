// What `scree render` does with its arguments: one picture, or one for each frame of a film, all of
// which share camera and colours.
#include "render_command.hpp"

#include "analyse/picture.hpp"
#include "analyse/png.hpp"
#include "analyse/render.hpp"
#include "exit_code.hpp"
#include "files.hpp"
#include "frame_choice.hpp"
#include "io/new_file.hpp"
#include "io/stored_frame.hpp"
#include "progress.hpp"
#include "scree/error.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace scree::cli {
namespace {

namespace fs = std::filesystem;
using analyse::RenderOptions;

struct Options {
    std::string source, frame = "last", out, colour = "speed", range, view, look_at, up, size;
    std::string title;
    std::vector<std::string> clip;
    RenderOptions render;
    bool time = false, no_bar = false, no_walls = false;
};

/// Numbers between separators, exactly so many.
std::vector<double> numbers(const std::string& option, const std::string& text,
                            const std::string& separator, std::size_t count, const char* form)
{
    std::vector<double> values;
    const char* at = text.data();
    const char* const end = at + text.size();
    for (;;) {
        double value = 0;
        const auto [parsed, error] = std::from_chars(at, end, value);
        if (error != std::errc() || !std::isfinite(value)) {
            break;
        }
        values.push_back(value);
        at = parsed;
        if (std::string_view(at, end).substr(0, separator.size()) != separator) {
            break;
        }
        at += separator.size();
    }
    if (at != end || values.size() != count) {
        throw Error(fmt::format("{} {}: must be of the form {}", option, text, form));
    }
    return values;
}

/// y=0..0.1, y=..0.1 or y=0..
void clip(analyse::Region& region, const std::string& text)
{
    const auto refuse = [&] {
        throw Error(fmt::format("--clip {}: must be like x=0..0.1, y=..0 or z=0.2.. [m]", text));
    };
    const std::size_t dots = text.find("..");
    if (text.size() < 5 || text[0] < 'x' || text[0] > 'z' || text[1] != '=' ||
        dots == std::string::npos) {
        refuse();
    }
    const auto limit = [&](const std::string& word, double otherwise) {
        return word.empty() ? otherwise
                            : numbers("--clip", word, ",", 1, "x=0..0.1, y=..0 or z=0.2.. [m]")[0];
    };
    double scree::Vec3<double>::*axis = text[0] == 'x'   ? &Vec3<double>::x
                                        : text[0] == 'y' ? &Vec3<double>::y
                                                         : &Vec3<double>::z;
    region.low.*axis = limit(text.substr(2, dots - 2), -analyse::unbounded);
    region.high.*axis = limit(text.substr(dots + 2), analyse::unbounded);
}

RenderOptions render_options(const Options& o)
{
    RenderOptions r = o.render;
    const auto name =
        std::find(analyse::colour_names.begin(), analyse::colour_names.end(), o.colour);
    r.colour_by = static_cast<analyse::ColourBy>(name - analyse::colour_names.begin());
    const auto vector = [](const std::string& option, const std::string& text) {
        const auto v = numbers(option, text, ",", 3, "X,Y,Z");
        return Vec3<double>{v[0], v[1], v[2]};
    };
    if (!o.range.empty()) {
        const auto v = numbers("--range", o.range, ",", 2, "LOW,HIGH");
        r.range = {v[0], v[1]};
    }
    if (!o.view.empty()) {
        const auto v = numbers("--view", o.view, ",", 2, "AZIMUTH,ELEVATION [°]");
        r.view.azimuth = v[0];
        r.view.elevation = v[1];
    }
    if (!o.look_at.empty()) {
        r.view.look_at = vector("--look-at", o.look_at);
    }
    if (!o.up.empty()) {
        r.view.up = vector("--up", o.up);
    }
    if (!o.size.empty()) {
        const auto v = numbers("--size", o.size, "x", 2, "WIDTHxHEIGHT, e.g. 1600x1000");
        r.width = static_cast<int>(std::clamp(v[0], 0.0, 1e6));
        r.height = static_cast<int>(std::clamp(v[1], 0.0, 1e6));
    }
    for (const std::string& text : o.clip) {
        clip(r.clip, text);
    }
    r.walls = !o.no_walls;
    return r;
}

io::StoredFrame read(const io::FrameFiles& files, analyse::ColourBy colour_by)
{
    if (colour_by != analyse::ColourBy::coordination && colour_by != analyse::ColourBy::force) {
        return io::read_frame(files.particles);
    }
    if (files.contacts.empty()) {
        throw Error(fmt::format("{}: has no file of contacts beside it, which --colour "
                                "coordination and force need",
                                files.particles.string()));
    }
    return io::read_frame(files.particles, files.contacts);
}

/// The contacts that lie beside a single file of particles, if they do.
io::FrameFiles single_file(const fs::path& particles)
{
    const io::FrameStamp stamp = io::read_stamp(particles);
    const fs::path contacts = io::contacts_beside(particles, stamp.step);
    return {stamp.step, stamp.time, particles, fs::exists(contacts) ? contacts : fs::path()};
}

void write_file(const fs::path& path, const std::string& bytes)
{
    io::NewFile file(path.string());
    file.write(bytes);
    file.commit();
}

/// PNG or SVG, by the name. Words in a PNG are drawn by a converter of SVG; false if that failed
/// and the picture is without them.
bool write_picture(const fs::path& path, const analyse::Image& image,
                   const analyse::Caption& caption)
{
    const bool svg = path.extension() == ".svg";
    if (svg) {
        write_file(path, analyse::picture_svg(image, caption));
        return true;
    }
    if (!caption.empty()) {
        const fs::path temporary =
            fs::absolute(path).parent_path() / fmt::format(".scree-{}.svg", ::getpid());
        write_file(temporary, analyse::picture_svg(image, caption));
        const bool converted = convert_svg(temporary.string(), path.string());
        fs::remove(temporary);
        if (converted) {
            return true;
        }
    }
    write_file(path, analyse::encode_png(image.width, image.height, image.rgb));
    return caption.empty();
}

/// What there is to draw, and where to.
struct Task {
    bool film;
    std::vector<io::FrameFiles> frames;
    fs::path out;  ///< a folder for a film
};

fs::path default_out(const Options& o, const std::vector<io::FrameFiles>& frames)
{
    if (!fs::is_directory(o.source)) {
        return fs::path(o.source).replace_extension(".png");
    }
    const io::RunFolder run{o.source};
    return o.frame == "all" ? run.analysis() / "film"
                            : run.analysis() / fmt::format("picture_{:012}.png", frames[0].step);
}

Task task_of(const Options& o)
{
    Task task{.film = o.frame == "all", .frames = {}, .out = o.out};
    task.frames = fs::is_directory(o.source) ? chosen_frames(o.source, o.frame, "--frame")
                                             : std::vector<io::FrameFiles>{single_file(o.source)};
    if (task.out.empty()) {
        task.out = default_out(o, task.frames);
    }
    if (!task.film && task.out.extension() != ".png" && task.out.extension() != ".svg") {
        throw Error(fmt::format("--out {}: the name must end in .png or .svg", task.out.string()));
    }
    return task;
}

/// Pixels that a colour bar takes, 0 without one.
int legend_width(const Options& o, const RenderOptions& options)
{
    if (o.no_bar || !analyse::has_scale(options.colour_by)) {
        return 0;
    }
    const int legend = analyse::legend_width(options.height);
    if (2 * legend > options.width) {
        throw Error(fmt::format("a picture {} pixels wide has no room for a colour bar of {}; make "
                                "it wider with --size, or take --no-bar",
                                options.width, legend));
    }
    return legend;
}

analyse::Caption caption_of(const Options& o, bool bar, const Frame& frame,
                            const analyse::Survey& survey)
{
    analyse::Caption caption{.title = o.title};
    if (o.time) {
        caption.time = frame.time;
    }
    if (bar && survey.range().low < survey.range().high) {
        caption.quantity = survey.quantity();
        caption.unit = survey.unit();
        caption.range = survey.range();
    }
    return caption;
}

/// Draws all frames with one camera and one scale of colours. False if words are missing.
bool draw(const Options& o, const RenderOptions& options, const Task& task)
{
    analyse::Survey survey(options);
    Progress progress(static_cast<double>(task.frames.size()), task.film);
    const auto note = [&](std::size_t i, const char* what) {
        return fmt::format("{} {} of {}", what, i + 1, task.frames.size());
    };
    for (std::size_t i = 0; i < task.frames.size(); ++i) {
        progress.update(0, note(i, "looking at frame"));
        survey.add(read(task.frames[i], options.colour_by).view());
    }
    (void)survey.camera();  // complains before anything is written if nothing is to be seen
    fs::create_directories(task.film ? task.out : fs::absolute(task.out).parent_path());
    bool words = true;
    for (std::size_t i = 0; i < task.frames.size(); ++i) {
        progress.update(static_cast<double>(i), note(i, "drawing frame"));
        const io::StoredFrame stored = read(task.frames[i], options.colour_by);
        const Frame frame = stored.view();
        words = write_picture(task.film ? task.out / fmt::format("{:06}.png", i) : task.out,
                              analyse::render(frame, options, survey),
                              caption_of(o, options.legend > 0, frame, survey)) &&
                words;
    }
    return words;
}

void report(const Task& task, bool words)
{
    if (!words) {
        fmt::print(stderr, "scree: without colour bar and words, for which rsvg-convert (package "
                           "librsvg2-bin) is missing or failed\n");
    }
    if (task.film) {
        fmt::print(stderr,
                   "wrote {} pictures to {}; a film of them:\n"
                   "ffmpeg -framerate 25 -i {} -pix_fmt yuv420p -crf 18 {}\n",
                   task.frames.size(), task.out.string(), (task.out / "%06d.png").string(),
                   (task.out / "film.mp4").string());
    } else {
        fmt::print(stderr, "wrote {}\n", task.out.string());
    }
}

int run(const Options& o)
{
    if (!fs::is_directory(o.source)) {
        require_readable(o.source);
        if (o.frame != "last") {
            throw Error(
                fmt::format("--frame goes with a run's folder; {} is a single frame", o.source));
        }
    }
    RenderOptions options = render_options(o);
    const Task task = task_of(o);
    options.legend = legend_width(o, options);
    report(task, draw(o, options, task));
    return good;
}

}  // namespace

void add_render_command(Command& program)
{
    auto options = std::make_shared<Options>();
    Options& o = *options;
    Command command = program.add("render", "Draw pictures and films of a run's bodies");
    command.option("PATH", o.source, "a run's folder, or a single file particles_STEP.vtp")
        .required();
    command.option("--frame", o.frame, "last, the step of a frame, or all for a film")
        .shows_default();
    command.option("-o,--out", o.out,
                   "the file to write, .png or .svg; with --frame all a folder "
                   "[DIR/analysis/picture_STEP.png, DIR/analysis/film, or beside the single "
                   "file]");
    command.option("--colour", o.colour, "what colours say")
        .shows_default()
        .one_of(
            std::vector<std::string>(analyse::colour_names.begin(), analyse::colour_names.end()));
    command.option("--range", o.range, "LOW,HIGH: values of the first and last colour");
    command.option("--view", o.view,
                   "AZIMUTH,ELEVATION of the camera in degrees [-60,20]; 0,90 is from above");
    command.option("--zoom", o.render.view.zoom, "2 shows half of the width").shows_default();
    command.option("--look-at", o.look_at, "X,Y,Z: what is in the middle [m]");
    command
        .option("--lens", o.render.view.field_of_view,
                "angle of view in degrees; 0 is a parallel projection")
        .shows_default();
    command.option("--up", o.up, "X,Y,Z: the direction that is up [0,0,1]");
    command.option("--size", o.size, "WIDTHxHEIGHT in pixels [1600x1000]");
    command.option("--clip", o.clip,
                   "cut bodies off: x=0..0.1, y=..0 or z=0.2.. keep what is between [m]");
    command
        .option("--obstacles", o.render.obstacle_opacity,
                "opacity of bounded obstacles, 0 to 1; 0 leaves them out")
        .shows_default()
        .between(0.0, 1.0);
    command.flag("--no-walls", o.no_walls, "leave out floors, glass and outlines of walls");
    command.flag("--no-bar", o.no_bar, "no colour bar");
    command.option("--title", o.title, "words above the picture");
    command.flag("--time", o.time, "the frame's time below the picture");
    command.option("--samples", o.render.samples, "the square of this many rays per pixel, 1 to 8")
        .shows_default();
    command.option("--threads", o.render.threads, "number of threads; 0: as many as there are")
        .shows_default()
        .between(0, 1024);
    command.footer("\nExamples:\n"
                   "  scree render results/silo\n"
                   "  scree render results/silo --colour id --view -90,10 --clip y=0.. --out "
                   "silo.png\n"
                   "  scree render results/drum --frame all --time --size 1280x720\n"
                   "docs/pictures.md shows what comes out.");
    command.does([options] { return run(*options); });
}

}  // namespace scree::cli
