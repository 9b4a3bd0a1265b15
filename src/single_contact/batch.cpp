// Batches of contact problems: picks the instruction set, runs its loop over blocks of rows that
// fit the cache, and finishes the few rows that a fixed amount of work did not.
#include "scree/contact.hpp"
#include "single_contact/batch_kernel.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <limits>

namespace scree {
namespace single_contact {

void batch_rows_scalar(Pass pass, Law law, const double* const* in, double* const* out,
                       std::size_t n)
{
    batch_rows<double>(pass, law, in, out, n);
}

void batch_rows_scalar(Pass pass, Law law, const float* const* in, float* const* out, std::size_t n)
{
    batch_rows<float>(pass, law, in, out, n);
}

namespace {

template <class Real> BatchRows<Real> rows_of(InstructionSet isa)
{
    switch (isa) {
#if defined(SCREE_X86)
    case InstructionSet::avx512: return batch_rows_avx512;
    case InstructionSet::avx2: return batch_rows_avx2;
    case InstructionSet::sse2: return batch_rows_sse2;
#endif
    default: return batch_rows_scalar;
    }
}

/// Calls f with the law as a compile-time constant.
template <class F> auto with_law(Law law, F f)
{
    switch (law) {
    case Law::coulomb: return f.template operator()<Law::coulomb>();
    case Law::frictionless: return f.template operator()<Law::frictionless>();
    case Law::projected: return f.template operator()<Law::projected>();
    default: return f.template operator()<Law::max_dissipation>();
    }
}

}  // namespace
}  // namespace single_contact

std::string_view name_of(InstructionSet isa)
{
    switch (isa) {
    case InstructionSet::avx512: return "avx512";
    case InstructionSet::avx2: return "avx2";
    case InstructionSet::sse2: return "sse2";
    default: return "scalar";
    }
}

std::vector<InstructionSet> available_instruction_sets()
{
    std::vector<InstructionSet> isas{InstructionSet::scalar};
#if defined(SCREE_X86)
    isas.push_back(InstructionSet::sse2);
    if (__builtin_cpu_supports("avx2")) {
        isas.push_back(InstructionSet::avx2);
    }
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512cd") &&
        __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512bw")) {
        isas.push_back(InstructionSet::avx512);
    }
#endif
    return isas;
}

InstructionSet default_instruction_set()
{
    const std::vector<InstructionSet> isas = available_instruction_sets();
    const char* wanted = std::getenv("SCREE_ISA");
    if (wanted == nullptr || *wanted == '\0') {
        return isas.back();
    }
    std::string known;
    for (const InstructionSet isa : isas) {
        if (name_of(isa) == wanted) {
            return isa;
        }
        known += (known.empty() ? "" : ", ") + std::string(name_of(isa));
    }
    throw Error("SCREE_ISA = \"" + std::string(wanted) +
                "\" is not an instruction set of this machine: " + known);
}

namespace {

/// The columns of all problems, in the order of the kernels' rows.
template <class Real>
std::array<std::span<const Real>, single_contact::problem_columns>
columns_of(const ContactColumns<Real>& p)
{
    return {p.Ann, p.Ant, p.Ano, p.Att, p.Ato, p.Aoo, p.bn, p.bt, p.bo, p.beta, p.mu};
}

template <class Real>
void check_lengths(const ContactColumns<Real>& problems, const ImpulseColumns<Real>& impulses)
{
    const auto columns = columns_of(problems);
    const std::size_t rows = problems.Ann.size();
    const bool same_length =
        std::all_of(columns.begin(), columns.end(), [&](auto c) { return c.size() == rows; });
    if (!same_length || impulses.xn.size() != rows || impulses.xt.size() != rows ||
        impulses.xo.size() != rows || impulses.state.size() != rows ||
        (!impulses.residual.empty() && impulses.residual.size() != rows)) {
        throw Error("solve_batch: all columns must have the length of Ann, " +
                    std::to_string(rows) + " (residual may be empty)");
    }
}

/// Rows that fit the cache.
template <class Real> struct Block {
    static constexpr std::size_t capacity = 1024;

    Block(const ContactColumns<Real>& problems, const ImpulseColumns<Real>& impulses,
          std::size_t first, std::size_t rows)
        : begin(first), count(rows), xn(impulses.xn.data() + first), xt(impulses.xt.data() + first),
          xo(impulses.xo.data() + first), state(impulses.state.subspan(first, rows))
    {
        const auto columns = columns_of(problems);
        for (std::size_t k = 0; k < columns.size(); ++k) {
            in[k] = columns[k].data() + first;
        }
        in[11] = xn;
        in[12] = xt;
        in[13] = xo;
    }

    [[nodiscard]] ContactProblem<Real> problem(std::size_t i) const
    {
        return {{in[0][i], in[1][i], in[2][i], in[3][i], in[4][i], in[5][i]},
                {in[6][i], in[7][i], in[8][i]},
                in[9][i],
                in[10][i]};
    }

    std::size_t begin, count;
    std::array<const Real*, single_contact::problem_columns + 3> in;  ///< problems and impulses
    Real *xn, *xt, *xo;
    std::span<ContactState> state;
};

/// Impulses and states of a block; counts them.
template <class Real>
void solve_block(const Block<Real>& block, Law law, single_contact::BatchRows<Real> run,
                 BatchReport& report)
{
    std::array<Real, Block<Real>::capacity> codes;
    Real* const out[4] = {block.xn, block.xt, block.xo, codes.data()};
    run(single_contact::Pass::solve, law, block.in.data(), out, block.count);
    for (std::size_t i = 0; i < block.count; ++i) {
        if (codes[i] == Real(single_contact::unfinished_code)) {
            const law::Outcome<Real> outcome = single_contact::with_law(
                law, [&]<Law L>() { return law::finish<L>(block.problem(i)); });
            block.xn[i] = outcome.x.n;
            block.xt[i] = outcome.x.t;
            block.xo[i] = outcome.x.o;
            codes[i] = outcome.state;
            ++report.long_way_rows;
        }
    }
    for (std::size_t i = 0; i < block.count; ++i) {
        block.state[i] = static_cast<ContactState>(static_cast<int>(codes[i]));
    }
    const auto rows_in = [&](ContactState state) {
        return static_cast<std::size_t>(std::count(block.state.begin(), block.state.end(), state));
    };
    report.separating += rows_in(ContactState::separating);
    report.sticking += rows_in(ContactState::sticking);
    report.sliding += rows_in(ContactState::sliding);
    report.invalid += rows_in(ContactState::invalid);
}

/// Residuals of a block that has been solved; notes the largest.
template <class Real>
void certify_block(const Block<Real>& block, Law law, single_contact::BatchRows<Real> run,
                   Real* residual, BatchReport& report)
{
    run(single_contact::Pass::certify, law, block.in.data(), &residual, block.count);
    for (std::size_t i = 0; i < block.count; ++i) {
        if (block.state[i] == ContactState::invalid) {
            residual[i] = std::numeric_limits<Real>::quiet_NaN();
            continue;
        }
        if (residual[i] == Real(single_contact::unfinished_code)) {
            residual[i] = Real(single_contact::with_law(law, [&]<Law L>() {
                return law::finish_residual<L>(
                    block.problem(i), ContactVector<Real>{block.xn[i], block.xt[i], block.xo[i]});
            }));
        }
        // A residual that cannot be computed is the worst of all.
        const double value =
            std::isnan(residual[i]) ? std::numeric_limits<double>::infinity() : double(residual[i]);
        if (!(value <= report.max_residual)) {
            report.max_residual = value;
            report.worst_row = block.begin + i;
        }
    }
}

}  // namespace

template <class Real>
BatchReport solve_batch(const ContactColumns<Real>& problems, const ImpulseColumns<Real>& impulses,
                        Law law, InstructionSet isa)
{
    check_lengths(problems, impulses);
    const single_contact::BatchRows<Real> run = single_contact::rows_of<Real>(isa);
    const std::size_t rows = problems.Ann.size();
    BatchReport report;
    for (std::size_t begin = 0; begin < rows; begin += Block<Real>::capacity) {
        const Block<Real> block(problems, impulses, begin,
                                std::min(Block<Real>::capacity, rows - begin));
        solve_block(block, law, run, report);
        if (!impulses.residual.empty()) {
            certify_block(block, law, run, impulses.residual.data() + begin, report);
        }
    }
    return report;
}

template BatchReport solve_batch(const ContactColumns<double>&, const ImpulseColumns<double>&, Law,
                                 InstructionSet);
template BatchReport solve_batch(const ContactColumns<float>&, const ImpulseColumns<float>&, Law,
                                 InstructionSet);

}  // namespace scree
