// A thread that writes files while a run goes on: jobs are done one after the other in the order in
// which they were given, so that files are the same as if the run had waited for each. Libraries
// that only one thread may use, as HDF5, are used by its jobs alone meanwhile.
#pragma once

#include <condition_variable>
#include <deque>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>

namespace scree::cli {

class Writer {
public:
    enum class Size : std::uint8_t {
        small,  ///< some text: many may wait
        large   ///< holds much memory: one may wait while another is being done
    };

    Writer();
    /// Finishes what was given; what then fails is not heard of.
    ~Writer();
    Writer(const Writer&) = delete;
    Writer& operator=(const Writer&) = delete;

    /// Waits while too many jobs do. A job that fails is the last one: those behind it are dropped,
    /// and `give` and `finish` throw what it threw.
    void give(Size size, std::function<void()> job);
    /// Waits until all is done.
    void finish();
    /// How many large jobs are done. Throws like `give`.
    [[nodiscard]] std::uint64_t large_done();
    /// That jobs took until now [s].
    [[nodiscard]] double seconds();

private:
    struct Job {
        Size size;
        std::function<void()> run;
    };
    static constexpr std::size_t most_small = 1024, most_large = 1;

    void work();
    void raise();

    std::mutex mutex_;
    std::condition_variable state_changed_;
    std::deque<Job> waiting_;
    std::size_t large_waiting_ = 0;
    std::uint64_t large_done_ = 0;
    bool busy_ = false, ended_ = false;
    std::exception_ptr error_;
    double seconds_ = 0;
    std::thread thread_;  ///< last, since it uses the others
};

}  // namespace scree::cli
