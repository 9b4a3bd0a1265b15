// What ranks lose by waiting for the one that has most to do, and whether new cuts would help.
#pragma once

namespace scree::ranks {

class Waiting {
public:
    /// A step: rows of the rank that has most, and of the mean one.
    void add(double most, double mean, int sweeps)
    {
        lost += (most - mean) * sweeps;
        now_ = mean > 0 ? most / mean - 1 : 0;
        if (at_first_ < 0) {
            at_first_ = now_;
        }
    }
    /// Cuts were made. Those that were made before there were contacts can be bettered.
    void begin(bool knew_contacts)
    {
        lost = 0;
        now_ = 0;
        at_first_ = knew_contacts ? unknown : 0;
    }
    /// Takes the next step for the first one, as a world that is restored does.
    void forget_first()
    {
        now_ = 0;
        at_first_ = unknown;
    }
    /// More is lost than in the first step: with few bodies no cuts are even.
    [[nodiscard]] bool grew() const { return at_first_ >= 0 && now_ > at_first_ + 0.05; }

    /// Rows × sweeps that the slowest rank had more than the mean, since the cuts were made.
    double lost = 0;

private:
    static constexpr double unknown = -1;
    double now_ = 0;             ///< of the last step, relative to the mean
    double at_first_ = unknown;  ///< of the first step
};

}  // namespace scree::ranks
