// Anderson acceleration of a fixed-point iteration x ↦ S(x): from the last few iterates and what
// the iteration made of them, the combination whose change S(x) − x would be least. Inner products
// weigh each entry, so that the change is measured as an energy and not as an impulse. Vectors are
// where the loops run.
#pragma once

#include "exec/thread_loops.hpp"
#include "math/lane.hpp"

#include <array>
#include <cstddef>
#include <span>
#include <utility>

namespace scree::relax {

inline constexpr int anderson_depth = 16;
using Gram = std::array<std::array<double, anderson_depth>, anderson_depth>;
using Gamma = std::array<double, anderson_depth>;

/// Solves (ΔFᵀΔF + δ) γ = ΔFᵀf of the first m differences, from the right-hand side to γ; δ is a
/// touch of the diagonal against dependent differences. Returns false if it cannot.
bool solve_gram(const Gram& gram, std::size_t m, Gamma& gamma);

/// Vectors whose weighted products Σ w a b are wanted.
struct Products {
    static constexpr int most = 2 * anderson_depth;
    const double *a[most] = {}, *b[most] = {};
    int count = 0;
    void add(const double* x, const double* y)
    {
        a[count] = x;
        b[count++] = y;
    }
};

using ProductSums = exec::Sums<Products::most>;

/// `memory` is for one item, where the loops run.
template <class Loops>
void sum_products(Loops& loops, const Products& p, const double* weight, std::size_t n,
                  typename Loops::template Buffer<ProductSums>& memory,
                  double (&out)[Products::most])
{
    memory.fit(1);
    const auto item = [=] SCREE_DEVICE(std::size_t i) -> ProductSums {
        ProductSums s;
        for (int k = 0; k < Products::most; ++k) {
            s.of[k] = k < p.count ? weight[i] * p.a[k][i] * p.b[k][i] : 0;
        }
        return s;
    };
    loops.template sum<Products::most>(n, memory.data(), item);
    loops.download(&memory.data()->of[0], out, static_cast<std::size_t>(p.count));
    loops.sum_over_ranks(std::span<double>(out, static_cast<std::size_t>(p.count)));
}
/// The CPU's memory is nearer: one after another.
inline void sum_products(exec::ThreadLoops& loops, const Products& p, const double* weight,
                         std::size_t n, exec::ThreadLoops::Buffer<ProductSums>& /*memory*/,
                         double (&out)[Products::most])
{
    for (int k = 0; k < p.count; ++k) {
        const double* const a = p.a[k];
        const double* const b = p.b[k];
        exec::Sums<1> sum;
        loops.sum<1>(n, &sum,
                     [=](std::size_t i) { return exec::Sums<1>{{weight[i] * a[i] * b[i]}}; });
        out[k] = sum.of[0];
    }
    loops.sum_over_ranks(std::span<double>(out, static_cast<std::size_t>(p.count)));
}

/// What is taken off an image.
struct Terms {
    double factor[anderson_depth];
    const double* image[anderson_depth];
};

template <class Loops> class Anderson {
public:
    using Vector = typename Loops::template Buffer<double>;

    /// Forgets all iterates. Vectors have `size` entries from now on.
    void restart(std::size_t size)
    {
        count_ = 0;
        next_ = 0;
        started_ = false;
        last_change_.fit(size);
        last_image_.fit(size);
        change_.fit(size);
        for (Difference& d : history_) {
            d.change.fit(size);
            d.image.fit(size);
        }
    }
    /// Takes an iterate, S of it, and writes the accelerated next iterate into `next`, which may be
    /// `image`. Returns false if there is no history to work with yet; `next` is then untouched.
    bool propose(Loops& loops, const Vector& iterate, const Vector& image, const Vector& weight,
                 Vector& next)
    {
        const std::size_t n = iterate.size();
        remember(loops, n, iterate.data(), image.data());
        if (count_ == 0) {
            return false;
        }
        const auto m = static_cast<std::size_t>(count_);
        Gamma gamma{};
        multiply(loops, n, weight.data(), gamma);
        if (!solve_gram(gram_, m, gamma)) {
            return false;
        }
        combine(loops, n, image.data(), gamma, next.data());
        return true;
    }
    [[nodiscard]] std::size_t bytes() const
    {
        std::size_t bytes = last_change_.bytes() + last_image_.bytes() + change_.bytes();
        for (const Difference& d : history_) {
            bytes += d.change.bytes() + d.image.bytes();
        }
        return bytes;
    }

    // The parts of `propose`; public since a device's compiler asks for that.

    void remember(Loops& loops, std::size_t n, const double* iterate, const double* image)
    {
        const bool differs = started_;
        started_ = true;
        change_.swap(last_change_);
        double* const change = last_change_.data();
        double* const last_change = change_.data();
        double* const last_image = last_image_.data();
        double *change_difference = nullptr, *image_difference = nullptr;
        if (differs) {
            fresh_ = next_;
            Difference& d = history_[static_cast<std::size_t>(next_)];
            change_difference = d.change.data();
            image_difference = d.image.data();
            count_ = count_ < anderson_depth ? count_ + 1 : anderson_depth;
            next_ = (next_ + 1) % anderson_depth;
        }
        loops.for_each(n, [=] SCREE_DEVICE(std::size_t i) {
            change[i] = image[i] - iterate[i];
            if (differs) {
                change_difference[i] = change[i] - last_change[i];
                image_difference[i] = image[i] - last_image[i];
            }
            last_image[i] = image[i];
        });
    }
    /// The products that are new: of the last difference with all, and of all with the change.
    void multiply(Loops& loops, std::size_t n, const double* weight, Gamma& gamma)
    {
        const auto change = [&](int k) {
            return history_[static_cast<std::size_t>(k)].change.data();
        };
        Products p;
        for (int k = 0; k < count_; ++k) {
            p.add(change(k), last_change_.data());
        }
        for (int k = 0; k < count_; ++k) {
            p.add(change(fresh_), change(k));
        }
        double sum[Products::most];
        sum_products(loops, p, weight, n, sums_, sum);
        for (int k = 0; k < count_; ++k) {
            const auto i = static_cast<std::size_t>(k);
            const auto j = static_cast<std::size_t>(fresh_);
            gamma[i] = sum[k];
            gram_[i][j] = gram_[j][i] = sum[count_ + k];
        }
    }
    void combine(Loops& loops, std::size_t n, const double* image, const Gamma& gamma, double* next)
    {
        Terms terms;
        const int m = count_;
        for (int k = 0; k < m; ++k) {
            terms.factor[k] = gamma[static_cast<std::size_t>(k)];
            terms.image[k] = history_[static_cast<std::size_t>(k)].image.data();
        }
        loops.for_each(n, [=] SCREE_DEVICE(std::size_t i) {
            double x = image[i];
            for (int k = 0; k < m; ++k) {
                x -= terms.factor[k] * terms.image[k][i];
            }
            next[i] = x;
        });
    }

private:
    struct Difference {
        Vector change, image;
    };
    std::array<Difference, anderson_depth> history_;  ///< of successive changes and images
    Gram gram_{};
    Vector last_change_, last_image_, change_;
    typename Loops::template Buffer<ProductSums> sums_;
    int count_ = 0, next_ = 0;
    int fresh_ = 0;  ///< the difference that the last iterate added
    bool started_ = false;
};

}  // namespace scree::relax
