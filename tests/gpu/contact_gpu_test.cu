// The law kernels on the GPU, one contact per thread: the same source as on the CPU, and the same
// bits as the CPU's scalar result for every problem, law and precision. Prints a table with the
// time per contact; the exit status is 0 only if every bit agrees.
#include "law/laws.hpp"
#include "support/batch_data.hpp"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

namespace {

using namespace scree;

void check(cudaError_t status, const char* what)
{
    if (status != cudaSuccess) {
        std::fprintf(stderr, "%s: %s\n", what, cudaGetErrorString(status));
        const bool no_gpu = status == cudaErrorNoDevice || status == cudaErrorInsufficientDriver;
        std::exit(no_gpu ? 77 : 1);  // 77: a skipped test
    }
}

template <class Real> struct Columns {
    const Real* in[11];
    Real* out[5];  // xn, xt, xo, state, residual
};

template <Law L, class Real> __global__ void solve_rows(Columns<Real> columns, int rows)
{
    const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
    if (i >= rows) {
        return;
    }
    const auto& in = columns.in;
    const ContactProblem<Real> c{{in[0][i], in[1][i], in[2][i], in[3][i], in[4][i], in[5][i]},
                                 {in[6][i], in[7][i], in[8][i]},
                                 in[9][i],
                                 in[10][i]};
    const law::Outcome<Real> outcome = law::solve<L>(c);
    columns.out[0][i] = outcome.x.n;
    columns.out[1][i] = outcome.x.t;
    columns.out[2][i] = outcome.x.o;
    columns.out[3][i] = outcome.state;
    columns.out[4][i] = law::residual<L>(c, outcome.x);
}

template <class Real> Real* on_device(const std::vector<Real>& values)
{
    Real* pointer = nullptr;
    check(cudaMalloc(&pointer, values.size() * sizeof(Real)), "cudaMalloc");
    check(cudaMemcpy(pointer, values.data(), values.size() * sizeof(Real), cudaMemcpyHostToDevice),
          "cudaMemcpy");
    return pointer;
}

template <Law L, class Real>
bool compare(const test::Problems<Real>& problems, const char* precision)
{
    const std::size_t rows = problems.size();
    Columns<Real> columns;
    for (std::size_t k = 0; k < 11; ++k) {
        columns.in[k] = on_device(problems.values[k]);
    }
    std::vector<Real> result[5];
    for (std::size_t k = 0; k < 5; ++k) {
        result[k].resize(rows);
        columns.out[k] = on_device(result[k]);
    }
    const int threads = 128;
    const int blocks = static_cast<int>((rows + threads - 1) / threads);
    cudaEvent_t start, stop;
    cudaEventCreate(&start);
    cudaEventCreate(&stop);
    float best = 1e30f;
    for (int round = 0; round < 10; ++round) {
        cudaEventRecord(start);
        solve_rows<L, Real><<<blocks, threads>>>(columns, static_cast<int>(rows));
        cudaEventRecord(stop);
        check(cudaEventSynchronize(stop), "kernel");
        float ms = 0;
        cudaEventElapsedTime(&ms, start, stop);
        best = ms < best ? ms : best;
    }
    for (std::size_t k = 0; k < 5; ++k) {
        check(cudaMemcpy(result[k].data(), columns.out[k], rows * sizeof(Real),
                         cudaMemcpyDeviceToHost),
              "cudaMemcpy");
    }
    std::size_t different = 0, invalid = 0;
    for (std::size_t i = 0; i < rows; ++i) {
        const auto c = problems.row(i);
        const law::Outcome<Real> outcome = law::solve<L>(c);
        const Real expected[5] = {outcome.x.n, outcome.x.t, outcome.x.o, outcome.state,
                                  law::residual<L>(c, outcome.x)};
        invalid += outcome.state < Real(0);
        bool same = true;
        for (std::size_t k = 0; k < 5; ++k) {
            // Where products leave the range of float the quick residual is NaN, of either sign.
            const bool both_nan = result[k][i] != result[k][i] && expected[k] != expected[k];
            same =
                same && (both_nan || std::memcmp(&result[k][i], &expected[k], sizeof(Real)) == 0);
        }
        different += !same;
    }
    std::printf(
        "%-16s %-7s %8zu rows %6zu invalid %8zu different   %.4f ns per contact with certificate\n",
        std::string(name_of(L)).c_str(), precision, rows, invalid, different,
        double(best) * 1e6 / double(rows));
    for (const Real* pointer : columns.in) {
        cudaFree(const_cast<Real*>(pointer));
    }
    for (Real* pointer : columns.out) {
        cudaFree(pointer);
    }
    return different == 0;
}

template <class Real> bool compare_all(std::size_t rows, const char* precision)
{
    const auto problems = test::mixed_problems<Real>(rows, 2026);
    bool same = compare<Law::max_dissipation>(problems, precision);
    same = compare<Law::coulomb>(problems, precision) && same;
    same = compare<Law::frictionless>(problems, precision) && same;
    same = compare<Law::projected>(problems, precision) && same;
    return same;
}

}  // namespace

int main(int argc, char** argv)
{
    const std::size_t rows = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 1000000;
    cudaDeviceProp device;
    check(cudaGetDeviceProperties(&device, 0), "no GPU");
    std::printf("%s\n", device.name);
    const bool wide = compare_all<double>(rows, "double");
    const bool narrow = compare_all<float>(rows, "float");
    std::printf("%s\n",
                wide && narrow ? "every bit agrees with the CPU" : "NOT the bits of the CPU");
    return wide && narrow ? 0 : 1;
}
