// Ranks connected by MPI. Sums go by recursive doubling: partners add the same two numbers, so that
// all ranks get the same bits, and the order follows from the number of ranks alone, which MPI's
// own sums do not promise. Messages that are sent again and again go over boards
// (shared_mailbox.hpp) where both ends are on one machine.
//
// MPI waits by looking again and again, which takes the core from the very rank that is waited for
// where ranks or other programs share cores. So nothing here waits inside MPI: who waits looks for
// some microseconds, hardly at all if there are more ranks than cores, then sleeps. Whoever leaves
// a message on a board wakes it; for MPI's own messages it takes naps.
#include "exec/cores.hpp"
#include "mpi/shared_mailbox.hpp"
#include "scree/error.hpp"
#include "scree/mpi.hpp"

#include <algorithm>
#include <chrono>
#include <climits>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <string>

namespace scree {

namespace {

/// Returns whether nobody had.
bool start_mpi()
{
    int there = 0, threads = 0;
    MPI_Initialized(&there);
    if (there != 0) {
        MPI_Query_thread(&threads);
    } else {
        // Open MPI would give the core away at every look, for as long as others compute. Nothing
        // here looks for long.
        ::setenv("OMPI_MCA_mpi_yield_when_idle", "0", 1);
        MPI_Init_thread(nullptr, nullptr, MPI_THREAD_FUNNELED, &threads);
    }
    if (threads < MPI_THREAD_FUNNELED) {
        throw Error(there != 0 ? "MPI was started for programs without threads: start it with "
                                 "MPI_Init_thread and MPI_THREAD_FUNNELED, not with MPI_Init"
                               : "MPI does not start for programs with threads");
    }
    return there == 0;
}

class MpiRanks final : public Ranks {
public:
    explicit MpiRanks(MPI_Comm group) : started_(start_mpi())
    {
        MPI_Comm_dup(group, &all_);
        MPI_Comm_rank(all_, &rank_);
        MPI_Comm_size(all_, &size_);
        boards_ = std::make_unique<SharedMailbox>(all_, [this](MPI_Request& request) {
            wait([&] { return is_done(std::span(&request, 1)); });
        });
        MPI_Irecv(nullptr, 0, MPI_BYTE, rank_, never_tag, all_, &never_);
        if (boards_->on_machine() > exec::machine_cores()) {
            patience_ = exec::short_patience;
        }
    }
    ~MpiRanks() override
    {
        disconnect();
        MPI_Cancel(&never_);
        MPI_Wait(&never_, MPI_STATUS_IGNORE);
        boards_.reset();
        MPI_Comm_free(&all_);
        if (started_) {
            MPI_Finalize();
        }
    }
    MpiRanks(const MpiRanks&) = delete;
    MpiRanks& operator=(const MpiRanks&) = delete;

    [[nodiscard]] int rank() const override { return rank_; }
    [[nodiscard]] int size() const override { return size_; }
    [[nodiscard]] int rank_on_machine() const override { return boards_->number_on_machine(); }
    [[nodiscard]] double seconds() const override { return seconds_; }
    [[nodiscard]] Waits waits() const override { return waiter_.so_far(); }

    void combine(Group group, std::span<double> sums, std::span<double> largest) override
    {
        const Timer timer(seconds_);
        const std::size_t added = sums.size();
        values_.assign(sums.begin(), sums.end());
        values_.insert(values_.end(), largest.begin(), largest.end());
        reduce(group, [&] {
            std::size_t i = 0;
            for (; i < added; ++i) {
                values_[i] += other_[i];
            }
            // What is not a number is the largest, so that all ranks know of it.
            for (; i < values_.size(); ++i) {
                const double b = other_[i];
                values_[i] = values_[i] < b || b != b ? b : values_[i];
            }
        });
        std::copy_n(values_.begin(), added, sums.begin());
        std::copy(values_.begin() + static_cast<std::ptrdiff_t>(added), values_.end(),
                  largest.begin());
    }

    // Nobody knows who will write. A letter is sent such that its end is noticed when the other
    // rank takes it; whoever has seen that of all of its own tells all, and when all have, nothing
    // is under way any more (T. Hoefler, C. Siebert, A. Lumsdaine 2010). Ranks that are through
    // may already send the next letters, which have another tag.
    Messages exchange(const Messages& out) override
    {
        const Timer timer(seconds_);
        parity_ = 1 - parity_;
        const int tag = bytes_tag + parity_;
        Messages in;
        for (const auto& [rank, bytes] : out) {
            if (rank == rank_) {
                in[rank] = bytes;
            } else {
                MPI_Issend(bytes.data(), count(bytes.size()), MPI_BYTE, rank, tag, all_,
                           &next_request());
            }
        }
        std::vector<MPI_Request> receives;
        MPI_Request end = MPI_REQUEST_NULL;
        bool all_sent = false;
        wait([&] {
            take_letters(tag, in, receives);
            if (!all_sent && is_done(requests_)) {
                all_sent = true;
                MPI_Ibarrier(all_, &end);
            }
            return all_sent && is_done(std::span(&end, 1));
        });
        requests_.clear();
        wait([&] { return is_done(receives); });
        return in;
    }

    Bytes everywhere(const Bytes& mine) override
    {
        const Timer timer(seconds_);
        const auto n = static_cast<std::size_t>(size_);
        const int here = count(mine.size());
        std::vector<int> counts(n), begins(n);
        MPI_Iallgather(&here, 1, MPI_INT, counts.data(), 1, MPI_INT, all_, &next_request());
        wait();
        std::size_t end = 0;
        for (std::size_t r = 0; r < n; ++r) {
            begins[r] = count(end);
            end += static_cast<std::size_t>(counts[r]);
        }
        Bytes all(end);
        MPI_Iallgatherv(mine.data(), here, MPI_BYTE, all.data(), counts.data(), begins.data(),
                        MPI_BYTE, all_, &next_request());
        wait();
        return all;
    }

    void hear(const PersistentMessages& plan) override
    {
        const Timer timer(seconds_);
        if (plan.number() != plan_) {
            connect(plan);
        }
        ++turn_;
        for (Half& half : halves_) {
            Sending& far = half.sending[turn_ % 2];
            wait([&] { return is_done(far.requests); });
            start_all(half.receives);
        }
        receive(halves_[second]);
    }
    void tell() override { send(halves_[first]); }
    void answer() override { send(halves_[second]); }
    void finish() override
    {
        const Timer timer(seconds_);
        receive(halves_[first]);
    }

private:
    static constexpr int combine_tag = 1, start_tag = 2, never_tag = 3, bytes_tag = 4;

    class Timer {
    public:
        explicit Timer(double& seconds) : seconds_(seconds) {}
        ~Timer()
        {
            const auto end = std::chrono::steady_clock::now();
            seconds_ += std::chrono::duration<double>(end - start_).count();
        }
        Timer(const Timer&) = delete;
        Timer& operator=(const Timer&) = delete;

    private:
        double& seconds_;
        std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
    };

    static int count(std::size_t n)
    {
        if (n > INT_MAX) {
            throw Error("a message to another rank has " + std::to_string(n) +
                        " parts, and MPI allows 2^31 - 1: use more ranks");
        }
        return static_cast<int>(n);
    }
    /// With MPI, which may keep what is sent until the other end takes it, turns have two places as
    /// on boards.
    struct Sending {
        std::vector<double> values;
        std::vector<MPI_Request> requests;
    };
    /// Messages in which this end is first, or the other alone is. Boards carry some.
    struct Half {
        std::vector<std::size_t> carried, far;
        std::vector<MPI_Request> receives;
        Sending sending[2];
    };
    enum { first, second };

    void send(Half& half)
    {
        const Timer timer(seconds_);
        Sending& to = half.sending[turn_ % 2];
        std::size_t end = 0;
        for (const std::size_t k : half.far) {
            std::copy(messages_[k].send.begin(), messages_[k].send.end(), to.values.data() + end);
            end += messages_[k].send.size();
        }
        start_all(to.requests);
        for (const std::size_t k : half.carried) {
            boards_->leave(k, messages_[k].send, turn_);
        }
    }
    void receive(Half& half)
    {
        // Whoever is late, messages of the others are taken meanwhile.
        pending_ = half.carried;
        wait(
            [&] {
                std::erase_if(pending_, [&](std::size_t k) {
                    const bool there = boards_->is_there(k, turn_);
                    if (there) {
                        boards_->take(k, messages_[k].receive, turn_);
                    }
                    return there;
                });
                if (!pending_.empty()) {
                    pass_on();
                }
                return pending_.empty();
            },
            nap_before_boards);
        wait([&] { return is_done(half.receives); });
    }
    /// Takes letters that are there.
    void take_letters(int tag, Messages& in, std::vector<MPI_Request>& receives) const
    {
        for (;;) {
            int there = 0, length = 0;
            MPI_Message message = MPI_MESSAGE_NULL;
            MPI_Status status;
            MPI_Improbe(MPI_ANY_SOURCE, tag, all_, &there, &message, &status);
            if (there == 0) {
                return;
            }
            MPI_Get_count(&status, MPI_BYTE, &length);
            Bytes& letter = in[status.MPI_SOURCE];
            letter.resize(static_cast<std::size_t>(length));
            MPI_Imrecv(letter.data(), length, MPI_BYTE, &message,
                       &receives.emplace_back(MPI_REQUEST_NULL));
        }
    }
    /// Leaves on all ranks of the group what `take` makes of all their values, putting the others
    /// to our own.
    template <class Take> void reduce(Group group, Take take)
    {
        other_.resize(values_.size());
        const auto meet = [&](int partner, bool sends, bool receives) {
            const int n = count(values_.size());
            partner += group.first;
            if (sends) {
                MPI_Isend(values_.data(), n, MPI_DOUBLE, partner, combine_tag, all_,
                          &next_request());
            }
            if (receives) {
                MPI_Irecv(other_.data(), n, MPI_DOUBLE, partner, combine_tag, all_,
                          &next_request());
            }
            wait();
        };
        const int me = rank_ - group.first;
        int doubling = 1;  // the largest power of two that is not above the number of ranks
        while (2 * doubling <= group.count) {
            doubling *= 2;
        }
        // Ranks beyond it hand their numbers in and get the outcome.
        const int partner = me >= doubling ? me - doubling : me + doubling;
        if (me >= doubling) {
            meet(partner, true, false);
            meet(partner, false, true);
            values_.swap(other_);
            return;
        }
        if (partner < group.count) {
            meet(partner, false, true);
            take();
        }
        for (int bit = 1; bit < doubling; bit *= 2) {
            meet(me ^ bit, true, true);
            take();
        }
        if (partner < group.count) {
            meet(partner, true, false);
        }
    }
    MPI_Request& next_request() { return requests_.emplace_back(MPI_REQUEST_NULL); }
    void wait()
    {
        wait([&] { return is_done(requests_); });
        requests_.clear();
    }
    /// Lets MPI send what it may still have of ours: others may need it before they can do what we
    /// wait for. It only does so where it is asked about something that is not done yet.
    void pass_on() { is_done(std::span(&never_, 1)); }
    static bool is_done(std::span<MPI_Request> requests)
    {
        if (requests.empty()) {
            return true;
        }
        int all = 0;
        MPI_Testall(static_cast<int>(requests.size()), requests.data(), &all, MPI_STATUSES_IGNORE);
        return all != 0;
    }
    /// Until there() is true, which MPI is asked for.
    template <class There> void wait(There there) { wait(there, nap); }
    template <class There> void wait(There there, std::chrono::nanoseconds longest_sleep)
    {
        boards_->bell().wait(there, waiter_, patience_, exec::Ears::of_all_processes,
                             longest_sleep);
    }
    /// All ranks have another plan now.
    void connect(const PersistentMessages& plan)
    {
        disconnect();
        plan_ = plan.number();
        messages_ = plan.messages();
        boards_->lay_out(messages_);
        for (std::size_t k = 0; k < messages_.size(); ++k) {
            Half& half = halves_[messages_[k].first ? first : second];
            (boards_->carries(k) ? half.carried : half.far).push_back(k);
        }
        for (Half& half : halves_) {
            connect(half);
        }
    }
    void connect(Half& half)
    {
        std::size_t length = 0;
        for (const std::size_t k : half.far) {
            const Message& m = messages_[k];
            length += m.send.size();
            if (!m.receive.empty()) {
                MPI_Recv_init(m.receive.data(), count(m.receive.size()), MPI_DOUBLE, m.rank,
                              start_tag, all_, &half.receives.emplace_back(MPI_REQUEST_NULL));
            }
        }
        for (Sending& sending : half.sending) {
            sending.values.assign(length, 0);
            double* from = sending.values.data();
            for (const std::size_t k : half.far) {
                const Message& m = messages_[k];
                if (!m.send.empty()) {
                    MPI_Send_init(from, count(m.send.size()), MPI_DOUBLE, m.rank, start_tag, all_,
                                  &sending.requests.emplace_back(MPI_REQUEST_NULL));
                }
                from += m.send.size();
            }
        }
    }
    /// When all ranks have taken what was sent.
    void disconnect()
    {
        const auto free = [](std::vector<MPI_Request>& requests) {
            for (MPI_Request& request : requests) {
                MPI_Request_free(&request);
            }
            requests.clear();
        };
        for (Half& half : halves_) {
            free(half.receives);
            for (Sending& sending : half.sending) {
                wait([&] { return is_done(sending.requests); });
                free(sending.requests);
            }
            half.carried.clear();
            half.far.clear();
        }
    }
    static void start_all(std::vector<MPI_Request>& requests)
    {
        if (!requests.empty()) {
            MPI_Startall(static_cast<int>(requests.size()), requests.data());
        }
    }
    /// MPI wakes nobody. Boards do, but what others need of us may have to go on meanwhile.
    static constexpr std::chrono::microseconds nap{10}, nap_before_boards{200};
    std::chrono::nanoseconds patience_ = exec::long_patience;
    exec::Waiter waiter_;

    MPI_Comm all_ = MPI_COMM_NULL;
    int rank_ = 0, size_ = 1;
    bool started_ = false;
    double seconds_ = 0;
    std::vector<double> values_, other_;
    std::vector<MPI_Request> requests_;
    std::unique_ptr<SharedMailbox> boards_;
    std::uint64_t plan_ = 0;
    std::vector<Message> messages_;
    std::vector<std::size_t> pending_;  ///< messages that boards carry and that are not taken yet
    Half halves_[2];
    std::uint64_t turn_ = 0;
    int parity_ = 0;                        ///< of exchanges
    MPI_Request never_ = MPI_REQUEST_NULL;  ///< a message to ourselves that nobody sends
};

}  // namespace

std::shared_ptr<Ranks> mpi_ranks()
{
    static std::weak_ptr<Ranks> known;
    std::shared_ptr<Ranks> ranks = known.lock();
    if (!ranks) {
        ranks = mpi_ranks(MPI_COMM_WORLD);
        known = ranks;
    }
    return ranks;
}

std::shared_ptr<Ranks> mpi_ranks(MPI_Comm group) { return std::make_shared<MpiRanks>(group); }

void end_all_ranks(int status)
{
    MPI_Abort(MPI_COMM_WORLD, status);
    std::_Exit(status);
}

}  // namespace scree
