// The threads that share a loop. Each thread that calls has a team of its own: it is number 0 of
// it, the others are started once and sleep while there is nothing to do. Who waits for the others
// looks for some microseconds, then sleeps (bell.hpp): a busy machine costs time, not standstill.
#pragma once

#include "exec/bell.hpp"
#include "scree/report.hpp"

#include <memory>
#include <type_traits>

namespace scree::exec {

class Team {
public:
    /// That of the thread that calls.
    static Team& mine();

    Team();
    ~Team();
    Team(const Team&) = delete;
    Team& operator=(const Team&) = delete;

    /// f(number, size) on `size` threads, numbers 0 … size − 1; returns when all are through. What
    /// one of them throws is thrown here. Within a team's work a further run has one thread.
    template <class F> void run(int size, F&& f)
    {
        using Function = std::remove_reference_t<F>;
        run(size, {[](void* what, int number, int team) {
                       (*static_cast<Function*>(what))(number, team);
                   },
                   const_cast<void*>(static_cast<const void*>(std::addressof(f)))});
    }
    /// Within the work of more than one: waits until all of the team have come here. Who throws
    /// before it leaves the others waiting, so such work must not throw.
    void meet(int number);

    /// Of all its threads so far.
    [[nodiscard]] Waits waits() const;

private:
    struct Work {
        void (*call)(void* what, int number, int size);
        void* what;
    };
    struct Members;

    void run(int size, Work work);
    void hire(int count);
    void forget_parents_threads();

    std::unique_ptr<Members> members_;
};

}  // namespace scree::exec
