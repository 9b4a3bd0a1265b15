// Invariants and Jacobi's method for the tensors of tensor.hpp.
#include "scree/analyse/tensor.hpp"

#include "math/vec.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace scree::analyse {

double deviator(const Tensor& a)
{
    const double mean = trace(a) / 3;
    const double xx = a.xx - mean, yy = a.yy - mean, zz = a.zz - mean;
    return std::sqrt(1.5 *
                     (xx * xx + yy * yy + zz * zz + 2 * (a.xy * a.xy + a.xz * a.xz + a.yz * a.yz)));
}

Principal principal(const Tensor& a)
{
    double m[3][3] = {{a.xx, a.xy, a.xz}, {a.xy, a.yy, a.yz}, {a.xz, a.yz, a.zz}};
    double v[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};  // columns are directions
    constexpr std::pair<int, int> off_diagonal[] = {{0, 1}, {0, 2}, {1, 2}};
    for (int sweep = 0; sweep < 20; ++sweep) {
        for (const auto& [p, q] : off_diagonal) {
            if (m[p][q] == 0) {
                continue;
            }
            // The smaller angle whose rotation makes m[p][q] vanish.
            const double theta = (m[q][q] - m[p][p]) / (2 * m[p][q]);
            const double t = std::copysign(1, theta) / (std::abs(theta) + std::hypot(theta, 1.0));
            const double c = 1 / std::hypot(t, 1.0), s = t * c;
            for (auto& row : m) {
                const double x = row[p], y = row[q];
                row[p] = c * x - s * y;
                row[q] = s * x + c * y;
            }
            for (int k = 0; k < 3; ++k) {
                const double x = m[p][k], y = m[q][k];
                m[p][k] = c * x - s * y;
                m[q][k] = s * x + c * y;
                const double u = v[k][p], w = v[k][q];
                v[k][p] = c * u - s * w;
                v[k][q] = s * u + c * w;
            }
            m[p][q] = m[q][p] = 0;
        }
    }
    std::array<int, 3> order{0, 1, 2};
    std::stable_sort(order.begin(), order.end(), [&](int i, int j) { return m[i][i] > m[j][j]; });
    Principal result{};
    for (std::size_t k = 0; k < 3; ++k) {
        const int i = order[k];
        result.values[k] = m[i][i];
        result.directions[k] = {v[0][i], v[1][i], v[2][i]};
    }
    return result;
}

}  // namespace scree::analyse
