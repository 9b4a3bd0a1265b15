// Nanoseconds per contact of every way to solve the single-contact problem, on the same problems in
// one run: each round times every method once, and the fastest of all rounds counts. Errors are
// those against the converged solver.
#include "law/laws.hpp"
#include "law/paper_quartic.hpp"
#include "rivals.hpp"
#include "scree/contact.hpp"
#include "support/batch_data.hpp"

#include <fmt/format.h>

#include <chrono>
#include <fstream>
#include <functional>
#include <string>

namespace {

using namespace scree;
using Clock = std::chrono::steady_clock;

constexpr std::size_t count = 4096;
constexpr int rounds = 15;

enum class Mix { stick, slide, mostly_slide, sphere };

template <class Real> test::Problems<Real> problems_of(Mix mix)
{
    test::Random random(99);
    test::Problems<Real> problems;
    while (problems.size() < count) {
        auto c = test::random_problem(random, mix == Mix::sphere
                                                  ? test::ProblemClass::sphere
                                                  : test::ProblemClass::physical_moderate);
        c.beta = c.b.n;
        const bool slides = solve_contact(c).state == ContactState::sliding;
        const double wanted = mix == Mix::stick ? 0 : mix == Mix::slide ? 1 : 0.72;
        if (mix == Mix::sphere || slides == random.chance(wanted)) {
            problems.add(c);
        }
    }
    return problems;
}

template <class Real> struct Method {
    std::string name;
    std::function<void(const test::Problems<Real>&, test::Impulses<Real>&)> run;
    double best = 1e300;
    double worst_error = 0;
    double failures = 0;
};

template <class Real, class F> auto one_by_one(F solve_one)
{
    return [solve_one](const test::Problems<Real>& problems, test::Impulses<Real>& out) {
        for (std::size_t i = 0; i < problems.size(); ++i) {
            const ContactVector<Real> x = solve_one(problems.row(i));
            out.xn[i] = x.n;
            out.xt[i] = x.t;
            out.xo[i] = x.o;
        }
    };
}

template <class Real> std::vector<Method<Real>> methods()
{
    std::vector<Method<Real>> all;
    for (const InstructionSet isa : available_instruction_sets()) {
        all.push_back({fmt::format("batch {}", name_of(isa)),
                       [isa](const test::Problems<Real>& problems, test::Impulses<Real>& out) {
                           auto columns = out.columns();
                           columns.residual = {};
                           (void)solve_batch<Real>(problems.columns(), columns,
                                                   Law::max_dissipation, isa);
                       }});
    }
    all.push_back({"batch + certificate",
                   [](const test::Problems<Real>& problems, test::Impulses<Real>& out) {
                       (void)solve_batch<Real>(problems.columns(), out.columns());
                   }});
    all.push_back(
        {"coulomb batch", [](const test::Problems<Real>& problems, test::Impulses<Real>& out) {
             auto columns = out.columns();
             columns.residual = {};
             (void)solve_batch<Real>(problems.columns(), columns, Law::coulomb);
         }});
    all.push_back({"scalar", one_by_one<Real>([](const ContactProblem<Real>& c) {
                       return law::solve<Law::max_dissipation>(c).x;
                   })});
    all.push_back({"golden section, 20 steps", one_by_one<Real>([](const ContactProblem<Real>& c) {
                       return bench::golden_section(c);
                   })});
    all.push_back(
        {"paper's complex quartic", one_by_one<Real>([](const ContactProblem<Real>& c) {
             const auto quick = bench::slide_input(c);
             if (bench::sticks(quick, c.mu)) {
                 return law::quick<Law::max_dissipation>(c).x;
             }
             const Real nan = std::numeric_limits<Real>::quiet_NaN();
             return law::paper_quartic_slide(c).value_or(ContactVector<Real>{nan, nan, nan});
         })});
    all.push_back({"closed-form real quartic", one_by_one<Real>([](const ContactProblem<Real>& c) {
                       return bench::real_quartic(c);
                   })});
    return all;
}

template <class Real> void measure(Mix mix, const char* mix_name, const char* precision)
{
    const auto problems = problems_of<Real>(mix);
    auto all = methods<Real>();
    test::Impulses<Real> out(count), exact(count);
    all.front().run(problems, exact);
    const int repeats = 4;
    for (int round = 0; round < rounds; ++round) {
        for (Method<Real>& method : all) {
            const auto start = Clock::now();
            for (int k = 0; k < repeats; ++k) {
                method.run(problems, out);
            }
            const double ns =
                std::chrono::duration<double, std::nano>(Clock::now() - start).count();
            method.best = std::min(method.best, ns / (repeats * double(count)));
            if (round == 0 && method.name != "coulomb batch") {
                for (std::size_t i = 0; i < count; ++i) {
                    const double size = std::abs(double(exact.xn[i])) +
                                        std::abs(double(exact.xt[i])) +
                                        std::abs(double(exact.xo[i]));
                    const double off = std::abs(double(out.xn[i] - exact.xn[i])) +
                                       std::abs(double(out.xt[i] - exact.xt[i])) +
                                       std::abs(double(out.xo[i] - exact.xo[i]));
                    const bool failed = !(off <= 0.1 * size);
                    method.failures += failed;
                    if (!failed) {
                        method.worst_error = std::max(method.worst_error, off / size);
                    }
                }
            }
        }
    }
    const double golden = std::find_if(all.begin(), all.end(), [](const auto& m) {
                              return m.name.starts_with("golden");
                          })->best;
    for (const Method<Real>& method : all) {
        fmt::print("{:<8} {:<7} {:<26} {:>8.2f} {:>10.1f} {:>12.1e} {:>9.2f}\n", mix_name,
                   precision, method.name, method.best, golden / method.best, method.worst_error,
                   100 * method.failures / double(count));
    }
}

std::string cpu_model()
{
    std::ifstream info("/proc/cpuinfo");
    for (std::string line; std::getline(info, line);) {
        if (line.starts_with("model name")) {
            return line.substr(line.find(':') + 2);
        }
    }
    return "unknown";
}

}  // namespace

int main()
{
    fmt::print(
        "# CPU: {}; compiler: {}; one thread; {} problems of each mix; fastest of {} rounds\n",
        cpu_model(), SCREE_COMPILER, count, rounds);
    fmt::print("# error: largest relative difference from the solver where it is below 10 %; "
               "failed: share above\n");
    fmt::print("{:<8} {:<7} {:<26} {:>8} {:>10} {:>12} {:>9}\n", "mix", "scalar", "method", "ns",
               "x golden", "error", "failed %");
    const struct {
        Mix mix;
        const char* name;
    } mixes[] = {{Mix::stick, "stick"},
                 {Mix::slide, "slide"},
                 {Mix::mostly_slide, "72 %"},
                 {Mix::sphere, "sphere"}};
    for (const auto& [mix, name] : mixes) {
        measure<double>(mix, name, "double");
        measure<float>(mix, name, "float");
    }
}
