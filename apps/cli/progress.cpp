// The progress bar.
#include "progress.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>

namespace scree::cli {

Progress::Progress(double total) : total_(total), terminal_(::isatty(STDERR_FILENO) == 1) {}

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
    if (!terminal_ || elapsed < 1 || seconds(now - last_) < 0.1) {
        return;
    }
    last_ = now;
    drawn_ = true;
    const double share = total_ > 0 ? std::clamp(done / total_, 0.0, 1.0) : 0;
    constexpr int width = 30;
    const int filled = static_cast<int>(share * width);
    std::string bar;
    for (int i = 0; i < width; ++i) {
        bar += i < filled ? "█" : "░";
    }
    const std::string left = share > 0.01 ? duration(elapsed * (1 - share) / share) + " left" : "";
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
