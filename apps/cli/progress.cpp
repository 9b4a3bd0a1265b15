// The progress bar.
#include "progress.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>

namespace scree::cli {

Progress::Progress(double total, bool lines)
    : total_(total), terminal_(::isatty(STDERR_FILENO) == 1), lines_(lines)
{
}

Progress::~Progress()
{
    if (drawn_) {
        fmt::print(stderr, "\r\033[K");
    }
}

void Progress::update(double done, const std::string& note)
{
    const Clock::time_point now = Clock::now();
    const auto seconds = [](Clock::duration d) { return std::chrono::duration<double>(d).count(); };
    const double elapsed = seconds(now - start_);
    if (elapsed < 1 || seconds(now - last_) < (terminal_ ? 0.1 : pause_) ||
        (!terminal_ && !lines_)) {
        return;
    }
    last_ = now;
    const double share = total_ > 0 ? std::clamp(done / total_, 0.0, 1.0) : 0;
    const std::string left = share > 0.001 ? duration(elapsed * (1 - share) / share) + " left" : "";
    if (!terminal_) {
        pause_ *= 1.2;
        fmt::print(stderr, "{:3.0f} %  {}  {}\n", 100 * share, note, left);
        return;
    }
    drawn_ = true;
    constexpr int width = 30;
    const int filled = static_cast<int>(share * width);
    std::string bar;
    for (int i = 0; i < width; ++i) {
        bar += i < filled ? "█" : "░";
    }
    fmt::print(stderr, "\r\033[K{} {:3.0f} %  {}  {}", bar, 100 * share, note, left);
    std::fflush(stderr);
}

std::string duration(double seconds)
{
    if (seconds < 60) {
        return fmt::format("{:.{}f} s", seconds, seconds < 10 ? 1 : 0);
    }
    const long whole = static_cast<long>(seconds);
    if (whole < 3600) {
        return fmt::format("{} min {} s", whole / 60, whole % 60);
    }
    return fmt::format("{} h {} min", whole / 3600, whole % 3600 / 60);
}

}  // namespace scree::cli
