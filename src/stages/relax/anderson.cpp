#include "stages/relax/anderson.hpp"

#include <cmath>

namespace scree::relax {

bool solve_gram(const Gram& gram, std::size_t m, Gamma& gamma)
{
    // By Cholesky.
    Gram L{};
    for (std::size_t i = 0; i < m; ++i) {
        for (std::size_t j = 0; j <= i; ++j) {
            double sum = gram[i][j];
            if (i == j) {
                sum += 1e-10 * gram[i][i];
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
    return true;
}

}  // namespace scree::relax
