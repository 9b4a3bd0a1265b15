// What `scree convert` does with its arguments: frames of a run, or a single one, as text that
// other programs read. Frames are read and written one by one.
#include "convert_command.hpp"

#include "exit_code.hpp"
#include "files.hpp"
#include "frame_choice.hpp"
#include "io/new_file.hpp"
#include "progress.hpp"
#include "scree/error.hpp"
#include "scree/io/csv.hpp"
#include "scree/io/lammps.hpp"
#include "scree/io/run_folder.hpp"
#include "scree/io/vtp_reader.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <memory>
#include <string>
#include <system_error>
#include <vector>

namespace scree::cli {
namespace {

namespace fs = std::filesystem;

struct Options {
    std::string source, to, out, frames = "all";
};

int run(const Options& options)
{
    const bool folder = fs::is_directory(options.source);
    if (!folder) {
        require_readable(options.source);
        if (options.frames != "all") {
            throw Error(fmt::format("--frames goes with a run's folder; {} is a single frame",
                                    options.source));
        }
    }
    const std::vector<io::FrameFiles> frames =
        folder ? chosen_frames(options.source, options.frames, "--frames")
               : std::vector<io::FrameFiles>{{0, 0, options.source, {}}};
    const bool csv = options.to == "csv";
    fs::path out = options.out;
    if (out.empty()) {  // named like what ParaView opens
        out = folder ? io::RunFolder{options.source}.particles_collection() : frames[0].particles;
        out.replace_extension(csv ? ".csv" : ".dump");
    }
    for (const io::FrameFiles& frame : frames) {
        std::error_code ignored;
        if (fs::equivalent(frame.particles, out, ignored)) {
            throw Error(fmt::format("--out {}: is one of the frames themselves", out.string()));
        }
    }
    io::NewFile file(out.string());
    if (csv) {
        file.write(io::csv_header());
    }
    std::size_t bodies = 0;
    {
        Progress progress(static_cast<double>(frames.size()));
        for (std::size_t i = 0; i < frames.size(); ++i) {
            progress.update(static_cast<double>(i),
                            fmt::format("frame {} of {}", i + 1, frames.size()));
            const io::StoredFrame frame = io::read_frame(frames[i].particles);
            file.write(csv ? io::csv_rows(frame.view()) : io::lammps_frame(frame.view()));
            bodies += csv ? frame.ids.size() : frame.dynamic_count;
        }
    }
    file.commit();
    fmt::print(stderr, "wrote {}: {} frame(s), {} bodies in all\n", out.string(), frames.size(),
               bodies);
    return good;
}

}  // namespace

void add_convert_command(Command& program)
{
    auto options = std::make_shared<Options>();
    Command command =
        program.add("convert", "Turn the frames of a run into files for other programs");
    command.option("DIR", options->source, "a run's folder, or a single file particles_STEP.vtp")
        .required();
    command
        .option("--to", options->to,
                "lammps: a text dump, which OVITO opens, dynamic bodies only; csv: a table of "
                "all bodies")
        .required()
        .one_of({"lammps", "csv"});
    command.option("-o,--out", options->out,
                   "the file to write [particles.dump or particles.csv in DIR, or beside the "
                   "single file]");
    command.option("--frames", options->frames, "all, last, or the step of one").shows_default();
    command.footer("\nThe frames follow each other in one file. ParaView opens a run's frames as "
                   "they are (particles.pvd).\n"
                   "docs/results.md describes all files.\n"
                   "Examples:\n"
                   "  scree convert run --to lammps\n"
                   "  scree convert run --to csv --frames last --out last.csv\n"
                   "  scree convert run/frames/particles_000000001000.vtp --to csv --out "
                   "/dev/stdout");
    command.does([options] { return run(*options); });
}

}  // namespace scree::cli
