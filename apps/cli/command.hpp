// Commands of the program: their options, their help, and what they do. CLI11, which takes seconds
// to compile, is behind this and seen by one file alone.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace scree::cli {

/// More of an option that was added to a command.
class Option {
public:
    explicit Option(CLI::Option* option) : option_(option) {}

    Option& required();
    /// The help shows the value that it has where it is not given.
    Option& shows_default();
    Option& shows_default(const std::string& value);
    Option& one_of(std::vector<std::string> values);
    /// For values of type T.
    template <class T> Option& between(T least, T most);
    /// A number of bytes, with or without a unit: 16 MB, 16MiB.
    Option& bytes();

private:
    CLI::Option* option_;
};

class Command {
public:
    Command(CLI::App* app, int* status) : app_(app), status_(status) {}

    /// A command of this command, of which one has to be given.
    Command add(const std::string& name, const std::string& description);
    /// "-o,--out", or "NAME" for what is known by its place. The value must outlive the command. T:
    /// text, whole numbers, double, and texts, which take all that is given.
    template <class T> Option option(const std::string& name, T& value, const std::string& help);
    /// Of texts, one each time that the option is given.
    Option repeated(const std::string& name, std::vector<std::string>& values,
                    const std::string& help);
    /// What throws scree::Error refuses the text.
    Option option_read_by(const std::string& name, std::function<void(const std::string&)> read,
                          const std::string& help);
    void flag(const std::string& name, bool& value, const std::string& help);
    /// Below the options.
    void footer(const std::string& text);
    /// What the command does, once its options are read; returns the exit status.
    void does(std::function<int()> what);

    bool was_given(const std::string& option) const;
    /// The options as they were given: " SCENE --out DIR".
    std::string given() const;

private:
    CLI::App* app_;
    int* status_;
};

class Program {
public:
    Program(const std::string& description, const std::string& version);
    ~Program();

    /// Of all commands.
    Command commands();
    /// Does what the command line asks for, and returns the exit status. What cannot be understood
    /// is said on standard error, or thrown as scree::Error by processes that are `silent`, as is
    /// help.
    int run(int argc, const char* const* argv, bool silent);

private:
    std::unique_ptr<CLI::App> app_;
    int status_ = 0;
};

}  // namespace scree::cli
