// How many threads share a world's steps, found out by measuring. A thread more is worth its cost
// where there is enough to share and a core for it; other programs come and go, and so do bodies.
// So now and then, and when steps have become slow, a few are done by another number of threads, by
// turns with the usual one, and the better of the two goes on. What this costs is a small part of
// the time. Results do not depend on how many threads there are, so they do not depend on the
// choice.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace scree::exec {

class TeamSize {
public:
    /// Always so many.
    static TeamSize fixed(int size);
    /// What measuring finds best, up to `most`.
    static TeamSize measured(int most);

    TeamSize() : TeamSize({1}) {}
    [[nodiscard]] int most() const { return sizes_.back(); }
    [[nodiscard]] bool is_measured() const { return sizes_.size() > 1; }
    /// For the next step, of so many bodies.
    [[nodiscard]] int next(std::size_t bodies);
    /// The step took so long. Steps are compared by time per work, in any unit; those with none of
    /// it are not.
    void took(double seconds, double work);

private:
    struct Sum {
        double seconds = 0, work = 0;

        [[nodiscard]] double pace() const { return seconds / work; }
        void add(const Sum& other)
        {
            seconds += other.seconds;
            work += other.work;
        }
    };

    explicit TeamSize(std::vector<int> sizes) : sizes_(std::move(sizes)) {}
    void watch(const Sum& step);
    void start_trial();
    void judge();
    void end_trial(bool won);

    std::vector<int> sizes_;        ///< that are tried, rising
    std::size_t usual_ = SIZE_MAX;  ///< place in sizes_; not known before the first step
    double elapsed_ = 0;            ///< [s]
    std::uint64_t steps_ = 0;
    double next_trial_ = 0, pause_ = 0;  ///< [s]
    double known_pace_ = 0;              ///< of the usual number in the last trial
    double soonest_trial_ = 0;           ///< where steps take longer than that says [s]
    Sum window_;                         ///< of the last steps by the usual number

    bool trying_ = false;
    std::size_t other_ = 0;  ///< that is tried
    int direction_ = 1;      ///< of the next trial among the sizes
    bool turn_of_other_ = true;
    Sum turn_, counted_;               ///< of this turn: all of it, and what is compared
    Sum of_usual_, of_other_;          ///< that is compared
    double spent_ = 0, spent_on_ = 0;  ///< by turns of the other: seconds, and work
    int rounds_ = 0;
};

}  // namespace scree::exec
