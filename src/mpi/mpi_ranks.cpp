// Ranks connected by MPI. Sums go by recursive doubling: partners add the same two numbers, so that
// all ranks get the same bits, and the order follows from the number of ranks alone, which MPI's
// own sums do not promise.
#include "mpi/mpi_ranks.hpp"

#include "scree/error.hpp"

#include <mpi.h>

#include <chrono>
#include <climits>
#include <cstdlib>
#include <string>

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
        const Timer timer(seconds_);
        const int n = count(values.size());
        other_.resize(values.size());
        const auto add = [&] {
            for (std::size_t i = 0; i < values.size(); ++i) {
                values[i] += other_[i];
            }
        };
        // Ranks beyond the largest power of two hand their numbers in and get the sums.
        const int partner = rank_ >= doubling_ ? rank_ - doubling_ : rank_ + doubling_;
        if (rank_ >= doubling_) {
            MPI_Send(values.data(), n, MPI_DOUBLE, partner, sum_tag, all_);
            MPI_Recv(values.data(), n, MPI_DOUBLE, partner, sum_tag, all_, MPI_STATUS_IGNORE);
            return;
        }
        if (partner < size_) {
            MPI_Recv(other_.data(), n, MPI_DOUBLE, partner, sum_tag, all_, MPI_STATUS_IGNORE);
            add();
        }
        for (int bit = 1; bit < doubling_; bit *= 2) {
            MPI_Sendrecv(values.data(), n, MPI_DOUBLE, rank_ ^ bit, sum_tag, other_.data(), n,
                         MPI_DOUBLE, rank_ ^ bit, sum_tag, all_, MPI_STATUS_IGNORE);
            add();
        }
        if (partner < size_) {
            MPI_Send(values.data(), n, MPI_DOUBLE, partner, sum_tag, all_);
        }
    }

    void largest(std::span<double> values) override
    {
        const Timer timer(seconds_);
        MPI_Allreduce(MPI_IN_PLACE, values.data(), count(values.size()), MPI_DOUBLE, MPI_MAX, all_);
    }

    std::vector<Bytes> exchange(const std::vector<Bytes>& out) override
    {
        const Timer timer(seconds_);
        const auto n = static_cast<std::size_t>(size_);
        std::vector<int> sends(n), receives(n);
        for (std::size_t r = 0; r < n; ++r) {
            sends[r] = count(out[r].size());
        }
        MPI_Alltoall(sends.data(), 1, MPI_INT, receives.data(), 1, MPI_INT, all_);
        std::vector<Bytes> in(n);
        requests_.clear();
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

    void swap(std::span<const Message> messages) override
    {
        const Timer timer(seconds_);
        requests_.clear();
        for (const Message& m : messages) {
            if (!m.receive.empty()) {
                MPI_Irecv(m.receive.data(), count(m.receive.size()), MPI_DOUBLE, m.rank, swap_tag,
                          all_, &next_request());
            }
        }
        for (const Message& m : messages) {
            if (!m.send.empty()) {
                MPI_Isend(m.send.data(), count(m.send.size()), MPI_DOUBLE, m.rank, swap_tag, all_,
                          &next_request());
            }
        }
        wait();
    }

private:
    static constexpr int sum_tag = 1, bytes_tag = 2, swap_tag = 3;

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
    MPI_Request& next_request() { return requests_.emplace_back(MPI_REQUEST_NULL); }
    void wait()
    {
        MPI_Waitall(static_cast<int>(requests_.size()), requests_.data(), MPI_STATUSES_IGNORE);
    }

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
