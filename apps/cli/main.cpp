// The program scree: one subcommand per task.
#include "analyse_command.hpp"
#include "bench_command.hpp"
#include "check_command.hpp"
#include "checkpoint_command.hpp"
#include "command.hpp"
#include "contact_command.hpp"
#include "convert_command.hpp"
#include "exit_code.hpp"
#include "job.hpp"
#include "render_command.hpp"
#include "run_command.hpp"

#include "scree/error.hpp"

#include <fmt/format.h>

#include <chrono>
#include <cstdio>
#include <exception>
#include <stdexcept>
#include <string_view>

namespace scree::cli {
namespace {

/// Never throws, also when standard error cannot be written. Processes behind the first one name
/// themselves.
void complain(int process, const std::exception& error)
{
    if (process > 0) {
        // Open MPI takes a second to end a process that has not started MPI.
        complain_as(process, error.what(), std::chrono::seconds(3));
    } else {
        (void)std::fputs(fmt::format("scree: {}\n", error.what()).c_str(), stderr);
    }
}

}  // namespace
}  // namespace scree::cli

int main(int argc, char** argv)
{
    using namespace scree::cli;
    Program program("Scree: rigid bodies and granular matter in hard frictional contact",
                    "scree " SCREE_VERSION);
    Command commands = program.commands();
    // Commands begin with the same.
    commands.footer(
        "\nExit status: 0 good, 1 unexpected failure, 2 bad input (nothing written), 3 "
        "results that miss their\n"
        "tolerance, 4 interrupted, 5 outside of [expect]. `scree COMMAND --help` has examples.");
    add_run_command(commands);
    add_check_command(commands);
    add_init_command(commands);
    add_analyse_command(commands);
    add_render_command(commands);
    add_info_command(commands);
    add_contact_command(commands);
    add_convert_command(commands);
    add_checkpoint_command(commands);
    add_bench_command(commands);
    add_reference_command(commands);
    // What is not a run is for one process.
    const int process = process_number();
    if (process > 0 && (argc < 2 || std::string_view(argv[1]) != "run")) {
        return good;
    }
    try {
        // Maybe something is wrong for one process alone, as where one machine has no GPU. mpirun
        // ends the job with its status.
        const int status = program.run(argc, argv, process > 0);
        if (std::fflush(stdout) != 0 || std::ferror(stdout) != 0) {
            throw std::runtime_error("standard output cannot be written");
        }
        return status;
    } catch (const scree::Error& error) {
        complain(process, error);
        return bad_input;
    } catch (const std::exception& error) {
        complain(process, error);
        return failed;
    }
}
