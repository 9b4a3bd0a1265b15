#include "exec/team_size.hpp"

#include <algorithm>
#include <utility>

namespace scree::exec {

namespace {

/// A thread more is not worth a try for fewer bodies, before anything was measured.
constexpr std::size_t bodies_per_thread = 1000;
/// What is compared of a turn lasts so long, and one step at least: several of the slices in which
/// a system deals out its cores [s].
constexpr double turn_seconds = 0.01;
/// Before that, what is not compared: who has slept gets a core at once, whoever has it, but not
/// for long. Of steps that take longer than `long_step`, this is too little to matter [s].
constexpr double settling_seconds = 0.01, long_step = 0.1;
/// What trials may cost, as a part of all time.
constexpr double part_for_trials = 0.004;
/// The same while steps take longer by so much than when they were tried, as where another program
/// has begun.
constexpr double part_for_changes = 0.02, slower = 1.2, window_seconds = 0.03;
/// Before the first trial: memory has its place, and contacts have their impulses by then.
constexpr std::uint64_t first_steps = 30;
/// Trials that change nothing become as rare as this [s].
constexpr double longest_pause = 3;
/// Better and worse by less may be chance.
constexpr double clearly = 0.03;
constexpr int least_rounds = 3, most_rounds = 8;

}  // namespace

TeamSize TeamSize::fixed(int size) { return TeamSize({size}); }

TeamSize TeamSize::measured(int most)
{
    // 1, 2, 3, 4, 6, 8, 12, 16, …
    std::vector<int> sizes;
    for (int power = 1; power < most; power *= 2) {
        sizes.push_back(power);
        if (power > 1 && power * 3 / 2 < most) {
            sizes.push_back(power * 3 / 2);
        }
    }
    sizes.push_back(most);
    return TeamSize(std::move(sizes));
}

int TeamSize::next(std::size_t bodies)
{
    if (usual_ == SIZE_MAX) {
        const std::size_t worthwhile = 1 + bodies / bodies_per_thread;
        usual_ = sizes_.size() - 1;
        while (usual_ > 0 && static_cast<std::size_t>(sizes_[usual_]) > worthwhile) {
            --usual_;
        }
    }
    return sizes_[trying_ && turn_of_other_ ? other_ : usual_];
}

void TeamSize::took(double seconds, double work)
{
    if (!is_measured()) {
        return;
    }
    elapsed_ += seconds;
    ++steps_;
    if (!(work > 0)) {
        return;
    }
    if (!trying_) {
        watch({seconds, work});
        if (steps_ >= first_steps && elapsed_ >= next_trial_) {
            start_trial();
        }
        return;
    }
    const bool settled = turn_.seconds >= settling_seconds || seconds > long_step;
    turn_.add({seconds, work});
    if (settled) {
        counted_.add({seconds, work});
    }
    if (turn_of_other_) {
        spent_ += seconds;
        spent_on_ += work;
    }
    const bool hopeless = turn_of_other_ && rounds_ > 0 && turn_.seconds > turn_seconds &&
                          turn_.pace() > 4 * of_usual_.pace();
    if (!(counted_.work > 0 && counted_.seconds >= turn_seconds) && !hopeless) {
        return;
    }
    (turn_of_other_ ? of_other_ : of_usual_).add(hopeless ? turn_ : counted_);
    turn_ = counted_ = {};
    turn_of_other_ = !turn_of_other_;
    if (turn_of_other_) {
        ++rounds_;
        judge();
    }
}

void TeamSize::watch(const Sum& step)
{
    window_.add(step);
    if (window_.seconds < window_seconds) {
        return;
    }
    const bool slow = known_pace_ > 0 && window_.pace() > slower * known_pace_;
    if (slow && elapsed_ >= soonest_trial_) {
        next_trial_ = elapsed_;
        // A thread less: who has become slow has lost a core. Or, with one, back to more.
        direction_ = 1;
    }
    window_ = {};
}

void TeamSize::start_trial()
{
    // One up, one down, by turns; where there is nobody on one side, the other.
    const auto beside = [&](int direction) {
        return direction > 0 ? usual_ + 1 < sizes_.size() : usual_ > 0;
    };
    direction_ = beside(-direction_) ? -direction_ : direction_;
    other_ = direction_ > 0 ? usual_ + 1 : usual_ - 1;
    trying_ = turn_of_other_ = true;
    turn_ = counted_ = of_usual_ = of_other_ = {};
    spent_ = spent_on_ = 0;
    rounds_ = 0;
}

void TeamSize::judge()
{
    const double other = of_other_.pace() / of_usual_.pace();
    if (rounds_ >= least_rounds && other < 1 - clearly) {
        end_trial(true);
    } else if (other > 1 + 3 * clearly || rounds_ == most_rounds ||
               (rounds_ >= least_rounds && other > 1 + clearly)) {
        end_trial(false);
    }
}

void TeamSize::end_trial(bool won)
{
    trying_ = false;
    known_pace_ = (won ? of_other_ : of_usual_).pace();
    window_ = {};
    if (won) {
        usual_ = other_;
        direction_ = -direction_;  // on in the same direction
        pause_ = 0;
        next_trial_ = soonest_trial_ = elapsed_;
        return;
    }
    const double lost = spent_ - spent_on_ * of_usual_.pace();
    pause_ = std::clamp(2 * pause_, 10 * turn_seconds, longest_pause);
    next_trial_ = elapsed_ + std::max(pause_, lost / part_for_trials);
    soonest_trial_ = elapsed_ + std::max(10 * turn_seconds, lost / part_for_changes);
}

}  // namespace scree::exec
