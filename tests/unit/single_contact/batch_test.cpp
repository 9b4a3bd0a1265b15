// Batches: every instruction set gives the bits of the scalar kernel, for every law, length and
// lane.
#include "law/laws.hpp"
#include "scree/contact.hpp"
#include "support/batch_data.hpp"
#include "support/compare.hpp"

#include <gtest/gtest.h>

#include <cstring>

namespace scree {
namespace {

template <class Real>
void expect_same_bits(const test::Impulses<Real>& a, const test::Impulses<Real>& b)
{
    for (std::size_t i = 0; i < a.xn.size(); ++i) {
        ASSERT_EQ(std::memcmp(&a.xn[i], &b.xn[i], sizeof(Real)), 0) << i;
        ASSERT_EQ(std::memcmp(&a.xt[i], &b.xt[i], sizeof(Real)), 0) << i;
        ASSERT_EQ(std::memcmp(&a.xo[i], &b.xo[i], sizeof(Real)), 0) << i;
        ASSERT_EQ(a.state[i], b.state[i]) << i;
        ASSERT_EQ(std::memcmp(&a.residual[i], &b.residual[i], sizeof(Real)), 0) << i;
    }
}

template <class Real> class Batch : public testing::Test {
};
using Reals = testing::Types<double, float>;
TYPED_TEST_SUITE(Batch, Reals);

TYPED_TEST(Batch, GivesTheSameBitsForEveryInstructionSet)
{
    const auto problems = test::mixed_problems<TypeParam>(12000, 71);
    for (const LawName& entry : law_names) {
        test::Impulses<TypeParam> reference(problems.size());
        (void)solve_batch<TypeParam>(problems.columns(), reference.columns(), entry.law,
                                     InstructionSet::scalar);
        for (const InstructionSet isa : available_instruction_sets()) {
            SCOPED_TRACE(std::string(entry.name) + " " + std::string(name_of(isa)));
            test::Impulses<TypeParam> result(problems.size());
            (void)solve_batch<TypeParam>(problems.columns(), result.columns(), entry.law, isa);
            expect_same_bits(reference, result);
        }
    }
}

// A lane's result does not depend on its neighbours, its position or the length of the batch.
TYPED_TEST(Batch, GivesTheSameBitsForEveryLengthAndLane)
{
    const auto problems = test::mixed_problems<TypeParam>(100, 72);
    for (std::size_t first = 0; first < 20; ++first) {
        for (std::size_t length = 1; length <= 40; ++length) {
            const auto part = problems.slice(first, length);
            test::Impulses<TypeParam> result(length);
            (void)solve_batch<TypeParam>(part.columns(), result.columns());
            for (std::size_t i = 0; i < length; ++i) {
                const auto alone = law::solve<Law::max_dissipation>(part.row(i));
                ASSERT_EQ(result.xn[i], alone.x.n);
                ASSERT_EQ(result.xt[i], alone.x.t);
                ASSERT_EQ(result.xo[i], alone.x.o);
            }
        }
    }
}

TYPED_TEST(Batch, ReportCountsAndLocates)
{
    auto problems = test::mixed_problems<TypeParam>(5000, 73);
    problems.values[6][17] = std::numeric_limits<TypeParam>::quiet_NaN();
    problems.values[10][40] = TypeParam(-1);
    problems.values[0][99] = TypeParam(0);
    test::Impulses<TypeParam> result(problems.size());
    const BatchReport report = solve_batch<TypeParam>(problems.columns(), result.columns());
    for (const std::size_t row : {17u, 40u, 99u}) {
        EXPECT_EQ(result.state[row], ContactState::invalid);
        EXPECT_EQ(result.xn[row], TypeParam(0));
    }
    EXPECT_GE(report.invalid, 3u);
    EXPECT_EQ(report.separating + report.sticking + report.sliding + report.invalid, 5000u);
    EXPECT_GT(report.long_way_rows, 0u);
    EXPECT_EQ(double(result.residual[report.worst_row]), report.max_residual);
    EXPECT_LE(report.max_residual, sizeof(TypeParam) == 8 ? 1e-11 : 1e-3);
}

// Ill-conditioned rows, tiny b_n, tiny μ: whatever a float cannot do is done in double, for every
// law.
TYPED_TEST(Batch, NoRowIsSilentlyBad)
{
    const auto problems = test::mixed_problems<TypeParam>(24000, 77);
    for (const LawName& entry : law_names) {
        test::Impulses<TypeParam> result(problems.size());
        const BatchReport report =
            solve_batch<TypeParam>(problems.columns(), result.columns(), entry.law);
        EXPECT_LE(report.max_residual, sizeof(TypeParam) == 8 ? 1e-7 : 1e-3)
            << entry.name << ", row " << report.worst_row;
    }
}

TYPED_TEST(Batch, ChangesNothingElseWithoutResidual)
{
    const auto problems = test::mixed_problems<TypeParam>(1000, 74);
    test::Impulses<TypeParam> with(problems.size()), without(problems.size());
    (void)solve_batch<TypeParam>(problems.columns(), with.columns());
    auto columns = without.columns();
    columns.residual = {};
    (void)solve_batch<TypeParam>(problems.columns(), columns);
    EXPECT_EQ(with.xn, without.xn);
    EXPECT_EQ(with.xt, without.xt);
}

// Rows whose products leave the range of the type still get a residual, and none hides another.
TEST(BatchErrors, ExtremeRowsAreCertifiedToo)
{
    auto problems = test::mixed_problems<double>(100, 76);
    for (const std::size_t k : {6u, 7u, 8u, 9u}) {
        for (double& value : problems.values[k]) {
            value *= 1e-250;
        }
    }
    for (const LawName& entry : law_names) {
        test::Impulses<double> result(100);
        const BatchReport report =
            solve_batch<double>(problems.columns(), result.columns(), entry.law);
        EXPECT_EQ(report.invalid, 0u);
        EXPECT_LE(report.max_residual, 1e-10) << entry.name;
    }
    // Beyond that a row is no problem any more.
    ContactProblem<double> c{{1, 0, 0, 3.5, 0, 3.5}, {1, 1, 0}, 1, 0.5};
    EXPECT_TRUE(problems_with(c).empty());
    c.b.n = 1e101;
    EXPECT_NE(problems_with(c).find("must be between"), std::string::npos);
    EXPECT_EQ(law::solve<Law::frictionless>(c).state, -1);
}

TEST(BatchErrors, UnequalColumnsAreRefused)
{
    auto problems = test::mixed_problems<double>(10, 75);
    test::Impulses<double> result(10);
    auto columns = problems.columns();
    columns.mu = columns.mu.first(9);
    EXPECT_THROW((void)solve_batch<double>(columns, result.columns()), Error);
}

TEST(BatchErrors, UnknownInstructionSetsAreRefused)
{
    ASSERT_EQ(setenv("SCREE_ISA", "mmx", 1), 0);
    EXPECT_THROW((void)default_instruction_set(), Error);
    ASSERT_EQ(setenv("SCREE_ISA", "scalar", 1), 0);
    EXPECT_EQ(default_instruction_set(), InstructionSet::scalar);
    ASSERT_EQ(unsetenv("SCREE_ISA"), 0);
    EXPECT_EQ(default_instruction_set(), available_instruction_sets().back());
}

}  // namespace
}  // namespace scree
