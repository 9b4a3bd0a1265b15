// The program scree: one subcommand per task.
#include "analyse_command.hpp"
#include "bench_command.hpp"
#include "check_command.hpp"
#include "checkpoint_command.hpp"
#include "contact_command.hpp"
#include "convert_command.hpp"
#include "exit_code.hpp"
#include "job.hpp"
#include "render_command.hpp"
#include "run_command.hpp"

#include "scene/reader.hpp"
#include "scree/error.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <cstdio>
#include <exception>
#include <set>
#include <stdexcept>
#include <string>
#include <string_view>

namespace {

/// Never throws, also when standard error cannot be written.
void complain(const std::exception& error)
{
    (void)std::fputs(fmt::format("scree: {}\n", error.what()).c_str(), stderr);
}

/// CLI11 would only say that a subcommand is required.
void refuse_unknown_command(const CLI::App& app, const std::string& word)
{
    if (word.empty() || word.front() == '-') {
        return;
    }
    std::set<std::string> commands;
    for (const CLI::App* command : app.get_subcommands({})) {
        commands.insert(command->get_name());
    }
    if (!commands.contains(word)) {
        const auto close = scree::scene::nearest(word, commands);
        throw scree::Error(fmt::format("unknown command \"{}\"; {}", word,
                                       close
                                           ? fmt::format("did you mean \"{}\"?", *close)
                                           : fmt::format("known: {}", fmt::join(commands, ", "))));
    }
}

}  // namespace

int main(int argc, char** argv)
{
    using namespace scree::cli;
    CLI::App app{"Scree: rigid bodies and granular matter in hard frictional contact"};
    app.set_version_flag("--version", "scree " SCREE_VERSION);
    app.require_subcommand(1);
    app.footer(
        "\nExit status: 0 good, 1 unexpected failure, 2 bad input (nothing written), 3 "
        "results that miss their\n"
        "tolerance, 4 interrupted, 5 outside of [expect]. `scree COMMAND --help` has examples.");
    int exit_code = good;
    add_run_command(app, exit_code);
    add_check_command(app, exit_code);
    add_init_command(app, exit_code);
    add_analyse_command(app, exit_code);
    add_render_command(app, exit_code);
    add_info_command(app, exit_code);
    add_contact_command(app, exit_code);
    add_convert_command(app, exit_code);
    add_checkpoint_command(app, exit_code);
    add_bench_command(app, exit_code);
    add_reference_command(app, exit_code);
    // What is not a run is for one process, and so is what is wrong with the command.
    const bool first = is_first_process();
    if (!first && (argc < 2 || std::string_view(argv[1]) != "run")) {
        return good;
    }
    try {
        refuse_unknown_command(app, argc > 1 ? argv[1] : "");
        app.parse(argc, argv);
        if (std::fflush(stdout) != 0 || std::ferror(stdout) != 0) {
            throw std::runtime_error("standard output cannot be written");
        }
        return exit_code;
    } catch (const CLI::ParseError& error) {
        if (!first) {
            return error.get_exit_code() == 0 ? good : bad_input;
        }
        return app.exit(error) == 0 ? good : bad_input;
    } catch (const scree::Error& error) {
        complain(error);
        return bad_input;
    } catch (const std::exception& error) {
        complain(error);
        return failed;
    }
}
