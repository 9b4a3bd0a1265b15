// A progress bar on a terminal, for work that takes longer than a second. Elsewhere silent, or a
// line now and then.
#pragma once

#include <chrono>
#include <string>

namespace scree::cli {

class Progress {
public:
    /// `total` in any unit; the bar shows the share done, the time left and the given note. With
    /// `lines`, where there is no terminal, a line every ten seconds, and ever more seldom.
    explicit Progress(double total, bool lines = false);
    ~Progress();
    Progress(const Progress&) = delete;
    Progress& operator=(const Progress&) = delete;

    void update(double done, const std::string& note);

private:
    using Clock = std::chrono::steady_clock;
    double total_;
    bool terminal_;
    bool lines_;
    double pause_ = 10;  ///< until the next line [s]
    bool drawn_ = false;
    Clock::time_point start_ = Clock::now();
    Clock::time_point last_ = start_;
};

/// 75 → "1 min 15 s"
std::string duration(double seconds);

}  // namespace scree::cli
