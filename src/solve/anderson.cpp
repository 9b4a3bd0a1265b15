#include "solve/anderson.hpp"

#include "exec/parallel.hpp"

#include <algorithm>
#include <cmath>

namespace scree::sweeps {

double Anderson::product(const std::vector<double>& a, const std::vector<double>& b,
                         const std::vector<double>& weight, int threads)
{
    const auto item = [&](std::size_t i) { return exec::Sums<1>{{weight[i] * a[i] * b[i]}}; };
    return exec::tree_sum<1>(a.size(), threads, chunks_, item).of[0];
}

void Anderson::restart(std::size_t size)
{
    count_ = 0;
    next_ = 0;
    started_ = false;
    last_change_.resize(size);
    last_image_.resize(size);
    change_.resize(size);
    for (Difference& d : history_) {
        d.change.resize(size);
        d.image.resize(size);
    }
}

bool Anderson::propose(const std::vector<double>& iterate, const std::vector<double>& image,
                       const std::vector<double>& weight, std::vector<double>& next, int threads)
{
    const std::size_t n = iterate.size();
    exec::for_each(n, threads, [&](std::size_t i) { change_[i] = image[i] - iterate[i]; });
    if (started_) {
        Difference& d = history_[static_cast<std::size_t>(next_)];
        exec::for_each(n, threads, [&](std::size_t i) {
            d.change[i] = change_[i] - last_change_[i];
            d.image[i] = image[i] - last_image_[i];
        });
        count_ = std::min(count_ + 1, depth);
        for (int k = 0; k < count_; ++k) {
            const auto i = static_cast<std::size_t>(next_);
            const auto j = static_cast<std::size_t>(k);
            gram_[i][j] = product(d.change, history_[j].change, weight, threads);
            gram_[j][i] = gram_[i][j];
        }
        next_ = (next_ + 1) % depth;
    }
    started_ = true;
    std::swap(last_change_, change_);
    last_image_ = image;
    if (count_ == 0) {
        return false;
    }

    // (ΔFᵀΔF + δ) γ = ΔFᵀf by Cholesky, δ a touch of the diagonal against dependent differences.
    const auto m = static_cast<std::size_t>(count_);
    std::array<std::array<double, depth>, depth> L{};
    std::array<double, depth> gamma{};
    for (std::size_t i = 0; i < m; ++i) {
        gamma[i] = product(history_[i].change, last_change_, weight, threads);
        for (std::size_t j = 0; j <= i; ++j) {
            double sum = gram_[i][j];
            if (i == j) {
                sum += 1e-10 * gram_[i][i];
            }
            for (std::size_t k = 0; k < j; ++k) {
                sum -= L[i][k] * L[j][k];
            }
            if (i == j) {
                if (!(sum > 0)) {
                    return false;
                }
                L[i][i] = std::sqrt(sum);
            } else {
                L[i][j] = sum / L[j][j];
            }
        }
    }
    for (std::size_t i = 0; i < m; ++i) {
        for (std::size_t k = 0; k < i; ++k) {
            gamma[i] -= L[i][k] * gamma[k];
        }
        gamma[i] /= L[i][i];
    }
    for (std::size_t i = m; i-- > 0;) {
        for (std::size_t k = i + 1; k < m; ++k) {
            gamma[i] -= L[k][i] * gamma[k];
        }
        gamma[i] /= L[i][i];
    }
    exec::for_each(n, threads, [&](std::size_t i) {
        double x = image[i];
        for (std::size_t k = 0; k < m; ++k) {
            x -= gamma[k] * history_[k].image[i];
        }
        next[i] = x;
    });
    return true;
}

std::size_t Anderson::bytes() const
{
    std::size_t entries = last_change_.capacity() + last_image_.capacity() + change_.capacity();
    for (const Difference& d : history_) {
        entries += d.change.capacity() + d.image.capacity();
    }
    return entries * sizeof(double);
}

}  // namespace scree::sweeps
