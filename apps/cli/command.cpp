#include "command.hpp"

#include "exit_code.hpp"
#include "scene/text.hpp"
#include "scree/error.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <cstdint>
#include <set>
#include <utility>

namespace scree::cli {

namespace {

/// CLI11 would only say that a command is required.
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
        const auto close = scene::nearest(word, commands);
        throw Error(fmt::format("unknown command \"{}\"; {}", word,
                                close ? fmt::format("did you mean \"{}\"?", *close)
                                      : fmt::format("known: {}", fmt::join(commands, ", "))));
    }
}

}  // namespace

Option& Option::required()
{
    option_->required();
    return *this;
}

Option& Option::shows_default()
{
    option_->capture_default_str();
    return *this;
}

Option& Option::shows_default(const std::string& value)
{
    option_->default_str(value);
    return *this;
}

Option& Option::one_of(std::vector<std::string> values)
{
    option_->check(CLI::IsMember(std::move(values)));
    return *this;
}

template <class T> Option& Option::between(T least, T most)
{
    option_->check(CLI::Range(least, most));
    return *this;
}
template Option& Option::between(int, int);
template Option& Option::between(std::int64_t, std::int64_t);
template Option& Option::between(std::uint64_t, std::uint64_t);
template Option& Option::between(double, double);

Option& Option::bytes()
{
    option_->transform(CLI::AsSizeValue(true));
    return *this;
}

Command Command::add(const std::string& name, const std::string& description)
{
    app_->require_subcommand(1);
    return {app_->add_subcommand(name, description), status_};
}

template <class T>
Option Command::option(const std::string& name, T& value, const std::string& help)
{
    return Option(app_->add_option(name, value, help));
}
template Option Command::option(const std::string&, std::string&, const std::string&);
template Option Command::option(const std::string&, int&, const std::string&);
template Option Command::option(const std::string&, std::int64_t&, const std::string&);
template Option Command::option(const std::string&, std::uint64_t&, const std::string&);
template Option Command::option(const std::string&, double&, const std::string&);
template Option Command::option(const std::string&, std::vector<std::string>&, const std::string&);

Option Command::repeated(const std::string& name, std::vector<std::string>& values,
                         const std::string& help)
{
    return Option(app_->add_option(name, values, help)->expected(1)->take_all());
}

Option Command::option_read_by(const std::string& name,
                               std::function<void(const std::string&)> read,
                               const std::string& help)
{
    return Option(app_->add_option_function<std::string>(
        name,
        [name, read = std::move(read)](const std::string& text) {
            try {
                read(text);
            } catch (const Error& error) {
                throw CLI::ValidationError(name, error.what());
            }
        },
        help));
}

void Command::flag(const std::string& name, bool& value, const std::string& help)
{
    app_->add_flag(name, value, help);
}

void Command::footer(const std::string& text) { app_->footer(text); }

void Command::does(std::function<int()> what)
{
    app_->callback([status = status_, what = std::move(what)] { *status = what(); });
}

bool Command::was_given(const std::string& option) const { return app_->count(option) > 0; }

std::string Command::given() const
{
    std::string line;
    for (const CLI::Option* option : std::as_const(*app_).get_options()) {
        for (const std::string& value : option->results()) {
            const bool flag = option->get_expected_max() == 0;
            line += option->get_positional() ? " " + value
                                             : fmt::format(" {}{}{}", option->get_name(),
                                                           flag ? "" : " ", flag ? "" : value);
        }
    }
    return line;
}

Program::Program(const std::string& description, const std::string& version)
    : app_(std::make_unique<CLI::App>(description))
{
    app_->set_version_flag("--version", version);
}

Program::~Program() = default;

Command Program::commands() { return {app_.get(), &status_}; }

int Program::run(int argc, const char* const* argv, bool silent)
{
    try {
        refuse_unknown_command(*app_, argc > 1 ? argv[1] : "");
        app_->parse(argc, argv);
        return status_;
    } catch (const CLI::ParseError& error) {
        const bool help = error.get_exit_code() == 0;
        if (!silent) {
            app_->exit(error);
        } else if (!help) {
            throw Error(error.what());
        }
        return help ? good : bad_input;
    }
}

}  // namespace scree::cli
