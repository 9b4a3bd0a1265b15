// Processes that step one world together. A world knows them as `Ranks`, which says what it asks of
// whatever connects them; the program's are connected by MPI. All functions are collective: every
// rank calls them, in the same order.
#pragma once

#include "scree/report.hpp"
#include "scree/space.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <span>
#include <vector>

namespace scree {

/// Processes that step one world together, as the world sees them. What connects them derives from
/// this class.
class Ranks {
public:
    /// Contents of a message.
    using Bytes = std::vector<std::byte>;
    /// What goes to some ranks, or came from them, by their numbers.
    using Messages = std::map<int, Bytes>;
    /// Ranks that follow one another.
    struct Group {
        int first, count;  ///< ranks first … first + count − 1
    };
    /// To and from one other rank; lengths are known to both.
    struct Message {
        int rank;                      ///< the other end
        std::span<const double> send;  ///< what goes there
        std::span<double> receive;     ///< where what comes from there is put
        /// This end sends before it receives. If the other end does, too, neither waits to send. At
        /// least one of them does, and ranks that wait must not do so in a circle.
        bool first = true;
    };
    /// Messages that are sent again and again from and to the same memory. The rank at the other
    /// end of each has one for this rank.
    class PersistentMessages {
    public:
        /// The messages of one round.
        explicit PersistentMessages(std::vector<Message> messages = {});
        /// The messages, in the order given.
        [[nodiscard]] const std::vector<Message>& messages() const { return messages_; }
        /// No other plan of this process has it.
        [[nodiscard]] std::uint64_t number() const { return number_; }

    private:
        std::vector<Message> messages_;
        std::uint64_t number_;
    };

    Ranks() = default;
    virtual ~Ranks() = default;
    Ranks(const Ranks&) = delete;
    Ranks& operator=(const Ranks&) = delete;

    [[nodiscard]] virtual int rank() const = 0;  ///< of this process, 0 … size − 1
    /// How many processes there are, ≥ 1.
    [[nodiscard]] virtual int size() const = 0;
    /// Of this process among those of its machine, from 0 on in the order of ranks. Ranks that know
    /// of no machines are all on one.
    [[nodiscard]] virtual int rank_on_machine() const { return rank(); }
    /// Sums over a group that this rank belongs to, the same bits on each of its ranks and in every
    /// run with as many, and the largest over the group of each of other values. Other ranks have
    /// other groups, or none.
    virtual void combine(Group group, std::span<double> sums, std::span<double> largest) = 0;
    /// The group of all ranks.
    [[nodiscard]] Group all() const { return {0, size()}; }
    /// Replaces each value by its sum over all ranks.
    void sum(std::span<double> values) { combine(all(), values, {}); }
    /// Replaces each value by the largest of all ranks.
    void largest(std::span<double> values) { combine(all(), {}, values); }
    /// Sends letters, and returns those that came, this rank's to itself included. Takes as many
    /// messages as there are letters, and a meeting of all ranks.
    virtual Messages exchange(const Messages& out) = 0;
    /// What all ranks say, one after the other: for little, since every rank gets all of it.
    virtual Bytes everywhere(const Bytes& mine) = 0;
    /// A round of messages: these four, one after the other, with whatever else between them. What
    /// is sent must stay as it is until finish() returns, and what is received until the next
    /// round. Nobody waits for others to take what they were sent, if both are on one machine.
    ///
    /// Waits for messages in which the other end alone is first.
    virtual void hear(const PersistentMessages& plan) = 0;
    /// Sends those in which this end is first.
    virtual void tell() = 0;
    /// Sends the others.
    virtual void answer() = 0;
    /// Waits for the rest.
    virtual void finish() = 0;
    /// Time spent in these functions, waiting included [s].
    [[nodiscard]] virtual double seconds() const = 0;
    /// For other ranks, so far.
    [[nodiscard]] virtual Waits waits() const { return {}; }
};

/// How space is shared out among ranks.
struct Partition {
    /// Even boxes along x, y, z, as many in all as there are ranks. Zeros: cuts across the longest
    /// side, again and again, such that all ranks have the same work.
    std::array<int, 3> boxes{0, 0, 0};
    /// What even boxes divide; where it is infinite, the bodies' extent; along periodic axes, the
    /// period [m].
    Vec3<double> min{-std::numeric_limits<double>::infinity(),
                     -std::numeric_limits<double>::infinity(),
                     -std::numeric_limits<double>::infinity()};
    /// Upper corner of the same [m].
    Vec3<double> max{std::numeric_limits<double>::infinity(),
                     std::numeric_limits<double>::infinity(),
                     std::numeric_limits<double>::infinity()};
};

}  // namespace scree
