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

#include <chrono>
#include <cstdio>
#include <exception>
#include <set>
#include <stdexcept>
#include <string>
#include <string_view>

namespace {

/// Never throws, also when standard error cannot be written. Processes behind the first one name
/// themselves.
void complain(int process, const std::exception& error)
{
    if (process > 0) {
        // Open MPI takes a second to end a process that has not started MPI.
        scree::cli::complain_as(process, error.what(), std::chrono::seconds(3));
    } else {
        (void)std::fputs(fmt::format("scree: {}\n", error.what()).c_str(), stderr);
    }
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
    // What is not a run is for one process.
    const int process = process_number();
    if (process > 0 && (argc < 2 || std::string_view(argv[1]) != "run")) {
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
        if (process == 0) {
            return app.exit(error) == 0 ? good : bad_input;
        }
        if (error.get_exit_code() == 0) {
            return good;  // help, which the first one prints
        }
        // Maybe something is wrong here alone, as where one machine has no GPU. mpirun ends the job
        // with our status.
        complain(process, error);
        return bad_input;
    } catch (const scree::Error& error) {
        complain(process, error);
        return bad_input;
    } catch (const std::exception& error) {
        complain(process, error);
        return failed;
    }
}
