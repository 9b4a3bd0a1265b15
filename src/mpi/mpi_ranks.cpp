// Ranks connected by MPI. Sums go by recursive doubling: partners add the same two numbers, so that
// all ranks get the same bits, and the order follows from the number of ranks alone, which MPI's
// own sums do not promise.
//
// MPI waits by looking again and again, which takes the core from the very rank that is waited for
// where ranks or other programs share cores. So nothing here waits inside MPI: who waits gives its
// core away between looks, and sleeps after a while; soon if there are more ranks than cores, late
// if not, since waking up takes longer than most messages do.
#include "mpi/mpi_ranks.hpp"

#include "scree/error.hpp"

#include <mpi.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <climits>
#include <cstdlib>
#include <string>
#include <thread>

namespace scree {

namespace {

class MpiRanks final : public Ranks {
public:
    MpiRanks()
    {
        int there = 0;
        MPI_Initialized(&there);
        if (there == 0) {
            int provided = 0;
            if (MPI_Init_thread(nullptr, nullptr, MPI_THREAD_FUNNELED, &provided) != MPI_SUCCESS ||
                provided < MPI_THREAD_FUNNELED) {
                throw Error("MPI does not start, or not for programs with threads");
            }
            started_ = true;
        }
        MPI_Comm_dup(MPI_COMM_WORLD, &all_);
        MPI_Comm_rank(all_, &rank_);
        MPI_Comm_size(all_, &size_);
        MPI_Comm near = MPI_COMM_NULL;
        MPI_Comm_split_type(all_, MPI_COMM_TYPE_SHARED, rank_, MPI_INFO_NULL, &near);
        int neighbours = 1;
        MPI_Comm_size(near, &neighbours);
        MPI_Comm_free(&near);
        if (neighbours > sysconf(_SC_NPROCESSORS_ONLN)) {
            patience_ = std::chrono::microseconds(500);
        }
        while (2 * doubling_ <= size_) {
            doubling_ *= 2;
        }
    }
    ~MpiRanks() override
    {
        MPI_Comm_free(&all_);
        if (started_) {
            MPI_Finalize();
        }
    }
    MpiRanks(const MpiRanks&) = delete;
    MpiRanks& operator=(const MpiRanks&) = delete;

    [[nodiscard]] int rank() const override { return rank_; }
    [[nodiscard]] int size() const override { return size_; }
    [[nodiscard]] double seconds() const override { return seconds_; }

    void sum(std::span<double> values) override
    {
        combine(values, [](double a, double b) { return a + b; });
    }
    void largest(std::span<double> values) override
    {
        // What is not a number is the largest, so that all ranks know of it.
        combine(values, [](double a, double b) { return a < b || b != b ? b : a; });
    }

    std::vector<Bytes> exchange(const std::vector<Bytes>& out) override
    {
        const Timer timer(seconds_);
        const auto n = static_cast<std::size_t>(size_);
        std::vector<int> sends(n), receives(n);
        for (std::size_t r = 0; r < n; ++r) {
            sends[r] = count(out[r].size());
        }
        MPI_Ialltoall(sends.data(), 1, MPI_INT, receives.data(), 1, MPI_INT, all_, &next_request());
        wait();
        std::vector<Bytes> in(n);
        for (std::size_t r = 0; r < n; ++r) {
            if (static_cast<int>(r) == rank_) {
                in[r] = out[r];
                continue;
            }
            if (receives[r] > 0) {
                in[r].resize(static_cast<std::size_t>(receives[r]));
                MPI_Irecv(in[r].data(), receives[r], MPI_BYTE, static_cast<int>(r), bytes_tag, all_,
                          &next_request());
            }
            if (sends[r] > 0) {
                MPI_Isend(out[r].data(), sends[r], MPI_BYTE, static_cast<int>(r), bytes_tag, all_,
                          &next_request());
            }
        }
        wait();
        return in;
    }

    void start(std::span<const Message> messages) override
    {
        const Timer timer(seconds_);
        for (const Message& m : messages) {
            receive(m.rank, m.receive, start_tag);
        }
        for (const Message& m : messages) {
            send(m.rank, m.send, start_tag);
        }
    }
    void finish() override
    {
        const Timer timer(seconds_);
        wait();
    }

private:
    static constexpr int combine_tag = 1, bytes_tag = 2, start_tag = 3;

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
    /// Leaves on all ranks what f makes of all their values.
    template <class F> void combine(std::span<double> values, F f)
    {
        const Timer timer(seconds_);
        other_.resize(values.size());
        const auto meet = [&](int partner, bool sends, bool receives) {
            if (sends) {
                send(partner, values, combine_tag);
            }
            if (receives) {
                receive(partner, other_, combine_tag);
            }
            wait();
        };
        const auto take = [&] {
            std::transform(values.begin(), values.end(), other_.begin(), values.begin(), f);
        };
        // Ranks beyond the largest power of two hand their numbers in and get the outcome.
        const int partner = rank_ >= doubling_ ? rank_ - doubling_ : rank_ + doubling_;
        if (rank_ >= doubling_) {
            meet(partner, true, false);
            meet(partner, false, true);
            std::copy(other_.begin(), other_.end(), values.begin());
            return;
        }
        if (partner < size_) {
            meet(partner, false, true);
            take();
        }
        for (int bit = 1; bit < doubling_; bit *= 2) {
            meet(rank_ ^ bit, true, true);
            take();
        }
        if (partner < size_) {
            meet(partner, true, false);
        }
    }
    void send(int to, std::span<const double> values, int tag)
    {
        if (!values.empty()) {
            MPI_Isend(values.data(), count(values.size()), MPI_DOUBLE, to, tag, all_,
                      &next_request());
        }
    }
    void receive(int from, std::span<double> values, int tag)
    {
        if (!values.empty()) {
            MPI_Irecv(values.data(), count(values.size()), MPI_DOUBLE, from, tag, all_,
                      &next_request());
        }
    }
    MPI_Request& next_request() { return requests_.emplace_back(MPI_REQUEST_NULL); }
    void wait()
    {
        using Clock = std::chrono::steady_clock;
        const Clock::time_point start = Clock::now();
        const auto there = [&] {
            int all = 0;
            MPI_Testall(static_cast<int>(requests_.size()), requests_.data(), &all,
                        MPI_STATUSES_IGNORE);
            return all != 0;
        };
        while (!there()) {
            if (Clock::now() - start > patience_) {
                std::this_thread::sleep_for(nap);
            } else {
                std::this_thread::yield();
            }
        }
        requests_.clear();
    }
    static constexpr std::chrono::microseconds nap{10};
    std::chrono::microseconds patience_{50'000};

    MPI_Comm all_ = MPI_COMM_NULL;
    int rank_ = 0, size_ = 1;
    int doubling_ = 1;  ///< the largest power of two that is not above the number of ranks
    bool started_ = false;
    double seconds_ = 0;
    std::vector<double> other_;
    std::vector<MPI_Request> requests_;
};

}  // namespace

std::shared_ptr<Ranks> mpi_ranks()
{
    static std::weak_ptr<Ranks> known;
    std::shared_ptr<Ranks> ranks = known.lock();
    if (!ranks) {
        ranks = std::make_shared<MpiRanks>();
        known = ranks;
    }
    return ranks;
}

void end_all_ranks(int status)
{
    MPI_Abort(MPI_COMM_WORLD, status);
    std::_Exit(status);
}

}  // namespace scree
