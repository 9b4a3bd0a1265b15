// Messages between ranks of one machine, through memory that all of them see. MPI would do, but
// longer messages it may only move while both ends are inside MPI: ranks that work on while a
// message is under way would wait for each other after all. Here a rank leaves what it sends on a
// board of its own as soon as it has it, and another reads it there when it comes to it.
//
// Who waits for a message looks for it, then sleeps until its bell is rung, which is on its own
// board: ranks that have to share cores do not keep each other from them.
//
// A board has two places for messages to each rank, taken by turns. Who leaves a message in one of
// them again has taken the other rank's message of the turn in between, which was left after the
// first one was taken: nothing is overwritten that somebody has yet to read.
#pragma once

#include "exec/bell.hpp"
#include "scree/ranks.hpp"

#include <mpi.h>

#include <cstdint>
#include <functional>
#include <vector>

namespace scree {

class SharedMailbox {
public:
    using Wait = std::function<void(MPI_Request&)>;

    /// Of those ranks of `all` that are on one machine with this one. `wait` waits for a request.
    /// With SCREE_SHARED_MEMORY=N in the environment a board is only seen by that many of them;
    /// with 0 or 1 nothing is carried. SCREE_MACHINES=N, for tests, has ranks as if they had been
    /// dealt out to that many machines by turns.
    SharedMailbox(MPI_Comm all, Wait wait);
    ~SharedMailbox();
    SharedMailbox(const SharedMailbox&) = delete;
    SharedMailbox& operator=(const SharedMailbox&) = delete;

    /// Ranks on this machine.
    [[nodiscard]] int on_machine() const { return on_machine_; }
    /// This one's number among them.
    [[nodiscard]] int number_on_machine() const { return number_on_machine_; }
    /// Those of them that see our board, and we theirs.
    [[nodiscard]] int count() const { return static_cast<int>(ranks_.size()); }

    /// Makes room for messages like these, which are named by their place among them from now on.
    /// All ranks that see it call it, when they have taken all messages.
    void lay_out(std::span<const Ranks::Message> messages);
    /// Whether the message goes this way: its other end is here, and says the same.
    [[nodiscard]] bool carries(std::size_t message) const { return paths_[message].own != nullptr; }

    /// Turns are counted from 1, and go on when messages are laid out anew. Both ends of a message
    /// leave one in every turn, be it an empty one.
    void leave(std::size_t message, std::span<const double> values, std::uint64_t turn);
    [[nodiscard]] bool is_there(std::size_t message, std::uint64_t turn) const;
    void take(std::size_t message, std::span<double> values, std::uint64_t turn) const;
    /// Rung for this rank when a message was left for it.
    [[nodiscard]] exec::Bell& bell() { return boards_.empty() ? quiet_ : bell(place_); }

private:
    /// At the head of a board, behind its owner's bell, for each rank that sees it. Who waits looks
    /// at it again and again.
    struct alignas(64) Entry {
        std::uint64_t turn;      ///< of the last message left
        std::uint64_t begin[2];  ///< where messages of even and odd turns are [bytes]
    };
    struct Path {
        std::size_t place = 0;         ///< of the other rank
        Entry* own = nullptr;          ///< for the other rank on our board
        Entry* other = nullptr;        ///< for us on the other rank's
        std::uint64_t begin[2]{0, 0};  ///< places on our board
    };

    [[nodiscard]] Entry* entry(std::size_t board, std::size_t for_whom) const
    {
        return reinterpret_cast<Entry*>(boards_[board] + sizeof(exec::Bell)) + for_whom;
    }
    [[nodiscard]] exec::Bell& bell(std::size_t board) const
    {
        return *reinterpret_cast<exec::Bell*>(boards_[board]);
    }
    void open(std::size_t bytes);
    void close();

    Wait wait_;
    MPI_Comm near_ = MPI_COMM_NULL;
    int on_machine_ = 1, number_on_machine_ = 0;
    std::vector<int> ranks_;  ///< that see each other's boards; places are those among them
    std::size_t place_ = 0;   ///< of this one
    MPI_Win window_ = MPI_WIN_NULL;
    std::vector<std::byte*> boards_;  ///< by their ranks' places
    std::size_t bytes_ = 0;           ///< of a board
    bool broken_ = false;             ///< the machine gives us no such memory
    std::vector<Path> paths_;
    exec::Bell quiet_;  ///< while there are no boards
};

}  // namespace scree
