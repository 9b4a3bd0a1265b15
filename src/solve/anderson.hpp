// Anderson acceleration of a fixed-point iteration x ↦ S(x): from the last few iterates and what
// the iteration made of them, the combination whose change S(x) − x would be least. Inner products
// weigh each entry, so that the change is measured as an energy and not as an impulse.
#pragma once

#include "exec/tree.hpp"

#include <array>
#include <cstddef>
#include <vector>

namespace scree::sweeps {

class Anderson {
public:
    static constexpr int depth = 16;

    /// Forgets all iterates. Vectors have `size` entries from now on.
    void restart(std::size_t size);
    /// Takes an iterate, S of it, and writes the accelerated next iterate into `next`, which may be
    /// `image`. Returns false if there is no history to work with yet; `next` is then untouched.
    bool propose(const std::vector<double>& iterate, const std::vector<double>& image,
                 const std::vector<double>& weight, std::vector<double>& next, int threads);
    [[nodiscard]] std::size_t bytes() const;

private:
    double product(const std::vector<double>& a, const std::vector<double>& b,
                   const std::vector<double>& weight, int threads);

    struct Difference {
        std::vector<double> change, image;
    };
    std::array<Difference, depth> history_;  ///< differences of successive changes and images
    std::array<std::array<double, depth>, depth> gram_{};
    std::vector<double> last_change_, last_image_, change_;
    std::vector<exec::Sums<1>> chunks_;
    int count_ = 0, next_ = 0;
    bool started_ = false;
};

}  // namespace scree::sweeps
