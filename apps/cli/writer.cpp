#include "writer.hpp"

#include <pthread.h>

#include <chrono>
#include <csignal>

namespace scree::cli {

Writer::Writer()
{
    // Signals are the run's business: they come to the thread that steps.
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    thread_ = std::thread([this] { work(); });
    pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

Writer::~Writer()
{
    {
        const std::scoped_lock lock(mutex_);
        ended_ = true;
    }
    state_changed_.notify_all();
    thread_.join();
}

void Writer::give(Size size, std::function<void()> job)
{
    std::unique_lock lock(mutex_);
    const bool large = size == Size::large;
    state_changed_.wait(lock, [&] {
        return error_ || (large ? large_waiting_ < most_large : waiting_.size() < most_small);
    });
    raise();
    waiting_.push_back({size, std::move(job)});
    large_waiting_ += large ? 1 : 0;
    state_changed_.notify_all();
}

void Writer::finish()
{
    std::unique_lock lock(mutex_);
    state_changed_.wait(lock, [&] { return error_ || (waiting_.empty() && !busy_); });
    raise();
}

std::uint64_t Writer::large_done()
{
    const std::scoped_lock lock(mutex_);
    raise();
    return large_done_;
}

double Writer::seconds()
{
    const std::scoped_lock lock(mutex_);
    return seconds_;
}

void Writer::raise()
{
    if (error_) {
        std::rethrow_exception(error_);
    }
}

void Writer::work()
{
    std::unique_lock lock(mutex_);
    while (true) {
        state_changed_.wait(lock, [&] { return ended_ || !waiting_.empty(); });
        if (waiting_.empty()) {
            return;
        }
        Job job = std::move(waiting_.front());
        waiting_.pop_front();
        large_waiting_ -= job.size == Size::large ? 1 : 0;
        busy_ = true;
        lock.unlock();
        state_changed_.notify_all();
        const auto start = std::chrono::steady_clock::now();
        std::exception_ptr error;
        try {
            job.run();
        } catch (...) {
            error = std::current_exception();
        }
        job.run = nullptr;  // what it holds goes before the next one comes
        lock.lock();
        seconds_ += std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
        busy_ = false;
        large_done_ += !error && job.size == Size::large ? 1 : 0;
        if (error) {
            error_ = error;
            waiting_.clear();
            large_waiting_ = 0;
        }
        state_changed_.notify_all();
    }
}

}  // namespace scree::cli
