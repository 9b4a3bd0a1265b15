// What `scree contact` does with its arguments.
#include "contact_command.hpp"

#include "contact_batch.hpp"
#include "contact_report.hpp"
#include "exit_code.hpp"
#include "files.hpp"
#include "io/atomic_file.hpp"
#include "progress.hpp"
#include "scree/analyse/contact_plot.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <filesystem>
#include <memory>
#include <set>
#include <stdexcept>

namespace scree::cli {
namespace {

namespace fs = std::filesystem;

/// Residuals above this are reported as untrustworthy; solutions have 1e-11 at the most.
constexpr double residual_limit = 1e-9;

struct Options {
    std::string file, output, plot, law, only;
    bool json = false;
};

int run_batch(const Options& options)
{
    const Law law = law_by_name(options.law).value_or(Law::max_dissipation);
    const BatchSummary summary = solve_csv(options.file, options.output, law);
    const BatchReport& report = summary.report;
    fmt::print(stderr, "{} contacts by {} ({}): {} separating, {} sticking, {} sliding in {}\n",
               summary.rows, name_of(law), name_of(default_instruction_set()), report.separating,
               report.sticking, report.sliding, duration(summary.seconds));
    if (report.max_residual > 0) {
        fmt::print(stderr, "largest residual {:.1e} (line {})\n", report.max_residual,
                   summary.worst_line);
    }
    if (!(report.max_residual <= residual_limit)) {
        fmt::print(stderr, "scree: residuals above {:.0e}: do not trust these rows of {}\n",
                   residual_limit, options.output);
        return untrusted;
    }
    return good;
}

/// "The rod, θ = 30°" → "the-rod-30"
std::string slug(const std::string& name)
{
    std::string text;
    for (const char c : name) {
        if (std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '.') {
            text += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
        } else if (!text.empty() && text.back() != '-') {
            text += '-';
        }
    }
    while (!text.empty() && (text.back() == '-' || text.back() == '.')) {
        text.pop_back();
    }
    return text.empty() ? "problem" : text;
}

/// One picture per problem; if there are several their names are appended, numbered where they
/// agree.
void write_plots(const std::vector<ContactResult>& results, const fs::path& path)
{
    std::set<std::string> used;
    for (const ContactResult& result : results) {
        if (result.given.open) {
            fmt::print(stderr, "{}: an open contact, nothing to draw\n", result.given.name);
            continue;
        }
        fs::path svg = path;
        svg.replace_extension(".svg");
        if (results.size() > 1) {
            const std::string stem = slug(path.stem().string());
            std::string name = slug(result.given.name);
            name = name == stem || name.starts_with(stem + "-") ? name : stem + "-" + name;
            std::string unique = name;
            for (int i = 2; !used.insert(unique).second; ++i) {
                unique = fmt::format("{}-{}", name, i);
            }
            svg.replace_filename(unique + ".svg");
        }
        analyse::ContactPicture picture{result.given.name, result.given.problem, result.best.x, {}};
        for (const ContactSolution& s : result.coulomb.points) {
            picture.coulomb.push_back(s.x);
        }
        io::NewFile file(svg.string());
        file.write(analyse::contact_plot_svg(picture));
        file.commit();
        fs::path png = svg;
        png.replace_extension(".png");
        const bool converted = convert_svg(svg.string(), png.string());
        fmt::print(stderr, "wrote {}{}\n", svg.string(), converted ? " and " + png.string() : "");
        if (!converted && path.extension() == ".png") {
            throw std::runtime_error(fmt::format(
                "{}: rsvg-convert (package librsvg2-bin) is missing or failed; the SVG is there",
                png.string()));
        }
    }
}

int run_problems(const Options& options)
{
    std::vector<scene::ContactCase> cases = scene::read_contact_file(options.file);
    if (!options.only.empty()) {
        std::erase_if(cases, [&](const auto& given) {
            return given.name.find(options.only) == std::string::npos;
        });
        if (cases.empty()) {
            throw Error(fmt::format("--only \"{}\": no problem in {} has this in its name",
                                    options.only, options.file));
        }
    }
    std::vector<ContactResult> results;
    double worst = 0;
    std::string text;
    for (const scene::ContactCase& given : cases) {
        try {
            results.push_back(solve_case(given, law_by_name(options.law)));
            worst = std::max(worst, worst_residual(results.back()));
            text += options.json ? "" : text_report(results.back()) + "\n";
        } catch (const Error& error) {
            throw Error(fmt::format("{}: \"{}\": {}", options.file, given.name, error.what()));
        }
    }
    fmt::print("{}", options.json ? json_report(results).dump(2) + "\n" : text);
    std::fflush(stdout);  // before anything is said on standard error
    if (!options.plot.empty()) {
        write_plots(results, options.plot);
    }
    if (!(worst <= residual_limit)) {
        fmt::print(stderr,
                   "scree: a residual of {:.1e} is above {:.0e}: do not trust these results\n",
                   worst, residual_limit);
        return untrusted;
    }
    return good;
}

int run(const Options& options)
{
    require_readable(options.file);
    if (const fs::path plot(options.plot);
        !plot.empty() && plot.extension() != ".svg" && plot.extension() != ".png") {
        throw Error(fmt::format("--plot {}: the name must end in .svg or .png", options.plot));
    }
    const fs::path folder = fs::path(options.plot).parent_path();
    if (!folder.empty() && !fs::is_directory(folder)) {
        throw Error(fmt::format("--plot {}: there is no folder {}", options.plot, folder.string()));
    }
    std::error_code ignored;
    if (!options.output.empty() && fs::equivalent(options.file, options.output, ignored)) {
        throw Error(fmt::format("--output {}: is the input file itself", options.output));
    }
    const bool csv = fs::path(options.file).extension() == ".csv";
    if (csv && options.output.empty()) {
        throw Error("a CSV file needs --output OUT.csv for the solutions");
    }
    if (csv && (options.json || !options.plot.empty() || !options.only.empty())) {
        throw Error("--json, --plot and --only go with a TOML file, not with CSV");
    }
    if (!csv && !options.output.empty()) {
        throw Error(fmt::format("--output goes with a CSV file, but {} does not end in .csv",
                                options.file));
    }
    return csv ? run_batch(options) : run_problems(options);
}

}  // namespace

void add_contact_command(Command& program)
{
    auto options = std::make_shared<Options>();
    Command command =
        program.add("contact", "Solve frictional contact problems: a few in TOML, millions in CSV");
    command.option("FILE", options->file, "problems: FILE.toml, or FILE.csv with --output")
        .required();
    command.flag("--json", options->json, "print the solutions as JSON");
    command.option("--plot", options->plot,
                   "draw each problem to FILE.svg, or FILE.png (both are written if "
                   "rsvg-convert is installed)");
    command.option("--only", options->only, "only problems with this in their name");
    command.option("-o,--output", options->output, "where the solutions of a CSV file go");
    std::vector<std::string> names;
    for (const LawName& entry : law_names) {
        names.emplace_back(entry.name);
    }
    command
        .option("--law", options->law,
                "contact law: for CSV the one to use [max-dissipation]; for TOML one more to "
                "show beside max-dissipation and coulomb")
        .one_of(names);
    command.footer("\nExamples:\n"
                   "  scree contact scenes/contact/academic.toml\n"
                   "  scree contact scenes/contact/hyperbola.toml --plot hyperbola.svg\n"
                   "  scree contact scenes/contact/rod.toml --json\n"
                   "  scree contact problems.csv --output impulses.csv --law coulomb\n"
                   "\nCSV columns: Ann,Ant,Ano,Att,Ato,Aoo,bn,bt,bo,beta,mu by header name, in "
                   "any order, decimal or\n"
                   "hexadecimal; others are ignored. The output has xn,xt,xo,state,residual.\n"
                   "The form of TOML files is described in docs/contact-files.md.");
    command.does([options] { return run(*options); });
}

}  // namespace scree::cli
