#include "mpi/shared_mailbox.hpp"

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <cstring>
#include <new>

namespace scree {

namespace {

constexpr std::size_t line = 64;

std::size_t whole_lines(std::size_t bytes) { return (bytes + line - 1) / line * line; }

}  // namespace

SharedMailbox::SharedMailbox(MPI_Comm all, Wait wait) : wait_(std::move(wait))
{
    int rank = 0, place = 0, count = 1;
    MPI_Comm_rank(all, &rank);
    MPI_Comm_split_type(all, MPI_COMM_TYPE_SHARED, rank, MPI_INFO_NULL, &near_);
    const auto keep_alike = [&](int colour) {
        MPI_Comm some = MPI_COMM_NULL;
        MPI_Comm_split(near_, colour, rank, &some);
        MPI_Comm_free(&near_);
        near_ = some;
    };
    if (const char* const machines = std::getenv("SCREE_MACHINES")) {
        keep_alike(rank % std::max(std::atoi(machines), 1));
    }
    MPI_Comm_size(near_, &on_machine_);
    MPI_Comm_rank(near_, &number_on_machine_);
    if (const char* const wanted = std::getenv("SCREE_SHARED_MEMORY")) {
        keep_alike(number_on_machine_ / std::max(std::atoi(wanted), 1));
    }
    MPI_Comm_rank(near_, &place);
    MPI_Comm_set_errhandler(near_, MPI_ERRORS_RETURN);
    MPI_Comm_size(near_, &count);
    place_ = static_cast<std::size_t>(place);
    ranks_.resize(static_cast<std::size_t>(count));
    MPI_Allgather(&rank, 1, MPI_INT, ranks_.data(), 1, MPI_INT, near_);
}

SharedMailbox::~SharedMailbox()
{
    close();
    MPI_Comm_free(&near_);
}

void SharedMailbox::lay_out(std::span<const Ranks::Message> messages)
{
    paths_.assign(messages.size(), {});
    if (count() == 1 || broken_) {
        return;
    }
    std::uint64_t end = sizeof(exec::Bell) + ranks_.size() * sizeof(Entry);
    std::vector<std::size_t> here;
    for (std::size_t m = 0; m < messages.size(); ++m) {
        const auto at = std::find(ranks_.begin(), ranks_.end(), messages[m].rank);
        if (at != ranks_.end()) {
            here.push_back(m);
            paths_[m].place = static_cast<std::size_t>(at - ranks_.begin());
            for (std::uint64_t& begin : paths_[m].begin) {
                begin = end;
                end += whole_lines(messages[m].send.size_bytes());
            }
        }
    }
    // When all ranks have come here, nobody reads what was left before.
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_Iallreduce(MPI_IN_PLACE, &end, 1, MPI_UINT64_T, MPI_MAX, near_, &request);
    wait_(request);
    if (end > bytes_) {
        open(end + end / 2);
    }
    for (const std::size_t m : here) {
        if (!broken_) {
            paths_[m].own = entry(place_, paths_[m].place);
            paths_[m].other = entry(paths_[m].place, place_);
        }
    }
}

void SharedMailbox::leave(std::size_t message, std::span<const double> values, std::uint64_t turn)
{
    const Path& path = paths_[message];
    const std::uint64_t begin = path.begin[turn % 2];
    if (!values.empty()) {
        std::memcpy(boards_[place_] + begin, values.data(), values.size_bytes());
    }
    path.own->begin[turn % 2] = begin;
    std::atomic_ref(path.own->turn).store(turn, std::memory_order_release);
    bell(path.place).ring(exec::Ears::of_all_processes);
}

bool SharedMailbox::is_there(std::size_t message, std::uint64_t turn) const
{
    return std::atomic_ref(paths_[message].other->turn).load(std::memory_order_acquire) >= turn;
}

void SharedMailbox::take(std::size_t message, std::span<double> values, std::uint64_t turn) const
{
    const Path& path = paths_[message];
    if (!values.empty()) {
        std::memcpy(values.data(), boards_[path.place] + path.other->begin[turn % 2],
                    values.size_bytes());
    }
}

void SharedMailbox::open(std::size_t bytes)
{
    close();
    bytes_ = whole_lines(bytes);
    void* own = nullptr;
    int failed = MPI_Win_allocate_shared(static_cast<MPI_Aint>(bytes_ + line), 1, MPI_INFO_NULL,
                                         near_, static_cast<void*>(&own), &window_);
    for (int place = 0; place < count() && failed == MPI_SUCCESS; ++place) {
        MPI_Aint size = 0;
        int unit = 1;
        void* at = nullptr;
        failed = MPI_Win_shared_query(window_, place, &size, &unit, static_cast<void*>(&at));
        const auto address = reinterpret_cast<std::uintptr_t>(at);
        boards_.push_back(static_cast<std::byte*>(at) + (whole_lines(address) - address));
    }
    if (failed == MPI_SUCCESS) {
        new (boards_[place_]) exec::Bell;
        std::memset(boards_[place_] + sizeof(exec::Bell), 0, ranks_.size() * sizeof(Entry));
    }
    // Nobody looks at a board before it is clean, and one rank without a board is enough.
    int outcome = failed == MPI_SUCCESS ? 0 : 1;
    MPI_Allreduce(MPI_IN_PLACE, &outcome, 1, MPI_INT, MPI_MAX, near_);
    broken_ = outcome != 0;
}

void SharedMailbox::close()
{
    if (window_ != MPI_WIN_NULL) {
        boards_.clear();
        MPI_Win_free(&window_);
    }
}

}  // namespace scree
