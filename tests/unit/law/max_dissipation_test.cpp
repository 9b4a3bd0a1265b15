// Maximum dissipation against the 113-bit oracle, the published vectors and hand-made corner cases.
#include "law/laws.hpp"
#include "scree/contact.hpp"
#include "support/compare.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <sstream>

namespace scree {
namespace {

using test::ProblemClass;

ContactVector<double> x_of(const ContactProblem<double>& c) { return solve_contact(c).x; }

class EveryClass : public testing::TestWithParam<int> {};

TEST_P(EveryClass, AgreesWithTheOracleInDouble)
{
    const auto which = static_cast<ProblemClass>(GetParam());
    test::Random random(7000u + static_cast<unsigned>(GetParam()));
    test::Errors errors;
    for (int i = 0; i < 5000; ++i) {
        const ContactProblem<double> c = test::random_problem(random, which);
        const auto out = law::solve<Law::max_dissipation>(c);
        ASSERT_FALSE(out.unfinished);
        ASSERT_GE(out.state, 0);
        errors.add(test::Oracle(c), c, out.x);
    }
    const test::Limits limit = test::limits(which);
    EXPECT_EQ(errors.uncertified, 0);
    EXPECT_LE(errors.a_norm, limit.a_norm);
    EXPECT_LE(errors.suboptimal, limit.suboptimal);
    EXPECT_LE(errors.cone, limit.cone);
}

TEST_P(EveryClass, AgreesWithTheOracleInFloat)
{
    const auto which = static_cast<ProblemClass>(GetParam());
    test::Random random(8000u + static_cast<unsigned>(GetParam()));
    test::Errors errors;
    int solved = 0;
    for (int i = 0; i < 2000; ++i) {
        const auto narrow = test::converted<float>(test::random_problem(random, which));
        const auto c = test::converted<double>(narrow);
        if (!problems_with(c).empty()) {
            continue;  // rounding to float made A indefinite
        }
        const auto out = law::solve<Law::max_dissipation>(narrow);
        ASSERT_FALSE(out.unfinished);
        ASSERT_GE(out.state, 0.0f);
        errors.add(test::Oracle(c), c, {double(out.x.n), double(out.x.t), double(out.x.o)});
        ++solved;
    }
    EXPECT_GT(solved, 1000);
    EXPECT_EQ(errors.uncertified, 0);
    EXPECT_LE(errors.a_norm, test::physical(which) ? 1e-5 : 2e-3);
    EXPECT_LE(errors.suboptimal, 1e-5);
    EXPECT_LE(errors.cone, 5e-7);
}

INSTANTIATE_TEST_SUITE_P(MaxDissipation, EveryClass, testing::Range(0, test::class_count),
                         [](const auto& param_info) {
                             std::string name =
                                 test::class_names[static_cast<std::size_t>(param_info.param)];
                             for (char& ch : name) {
                                 ch = std::isalnum(static_cast<unsigned char>(ch)) ? ch : '_';
                             }
                             return name;
                         });

// 320 problems with 25-digit solutions, hexadecimal in, made independently of this project.
TEST(MaxDissipation, AgreesWithPublishedVectors)
{
    std::ifstream file(SCREE_SOURCE_DIR "/tests/data/contact-vectors.csv");
    std::string line;
    std::getline(file, line);
    int count = 0;
    while (std::getline(file, line)) {
        std::stringstream cells(line);
        std::string name, cell;
        std::getline(cells, name, ',');
        double v[15];
        for (double& value : v) {
            ASSERT_TRUE(std::getline(cells, cell, ','));
            value = std::strtod(cell.c_str(), nullptr);
        }
        const ContactProblem<double> c{
            {v[0], v[1], v[2], v[3], v[4], v[5]}, {v[6], v[7], v[8]}, v[9], v[10]};
        const ContactSolution s = solve_contact(c);
        const test::Oracle oracle(c);
        const ContactVector<test::Quad> off{s.x.n - v[11], s.x.t - v[12], s.x.o - v[13]};
        const double error =
            static_cast<double>(oracle.a_norm(off) / oracle.a_norm({v[11], v[12], v[13]}));
        EXPECT_LE(error, name.find("phys") != std::string::npos ? 1e-14 : 1e-9) << line;
        EXPECT_EQ(s.state, v[14] == 1 ? ContactState::sticking : ContactState::sliding) << line;
        ++count;
    }
    EXPECT_EQ(count, 320);
}

TEST(MaxDissipation, TakesItsExitsInTheirOrder)
{
    const DelassusBlock<double> A{2, 0.3, -0.2, 5, 0.4, 6};
    const auto state = [&](double bn, double bt, double mu) {
        return solve_contact({A, {bn, bt, 0.1}, bn, mu}).state;
    };
    EXPECT_EQ(state(-1e-300, 5, 0.5), ContactState::separating);
    EXPECT_EQ(state(1, 0.1, 0.5), ContactState::sticking);
    EXPECT_EQ(state(1, 9, 0.5), ContactState::sliding);
    const auto smooth = x_of({A, {1, 9, 0.1}, 1, 0});
    EXPECT_EQ(smooth.n, 0.5);
    EXPECT_EQ(smooth.t, 0);
    EXPECT_EQ(smooth.o, 0);
    // β = 0 and |κ| < 1: only the apex is feasible.
    const auto apex = x_of({A, {0, 9, 0.1}, 0, 0.5});
    EXPECT_EQ(apex.n, 0);
    EXPECT_EQ(apex.t, 0);
    // Nothing at all moves: a sticking contact without impulse.
    const ContactSolution rest = solve_contact({A, {0, 0, 0}, 0, 0.5});
    EXPECT_EQ(rest.state, ContactState::sticking);
    EXPECT_EQ(rest.x.n, 0);
}

// Erratum E3: the paper's rule chooses the ray that gains nothing.
TEST(MaxDissipation, TakesTheBetterOfTwoRays)
{
    const ContactProblem<double> c{
        {1, 0, -0.5, 0.901, -0.297, 0.359}, {0, 0.2069, -0.0793}, 0, 2 * std::sqrt(2.0)};
    const ContactSolution s = solve_contact(c);
    EXPECT_NEAR(std::hypot(s.x.t, s.x.o), 0.4337828138, 1e-10);
    EXPECT_NEAR(s.certificate.energy, -0.0195694231, 1e-10);
    EXPECT_LE(s.residual, 1e-14);
}

// A of condition 1e12, of which a sloppy right-hand side in the frame of u₀ would lose the
// solution.
TEST(MaxDissipation, BearsIllConditionedMatrices)
{
    const ContactProblem<double> c{{0.7989923856615874, 0.3269662635035398, -0.02462450691092042,
                                    2.2815763855614684, -0.08261205399548929,
                                    0.0032085873062338223},
                                   {1.8438537591925586, -1.0056755298552358, 2.4451354168648947},
                                   1.8438537591925586,
                                   0.11748319378814705};
    const ContactSolution s = solve_contact(c);
    EXPECT_NEAR(s.x.n, 2.37564, 1e-5);
    EXPECT_NEAR(s.x.t, -0.14816, 1e-5);
    EXPECT_NEAR(s.x.o, 0.23653, 1e-5);
    EXPECT_LE(s.residual, 1e-12);
}

// Nearly a parabola and β tiny: the optimum lies far out where f and N cancel.
TEST(MaxDissipation, IsRightFarOutOnNearParabolas)
{
    const struct {
        ContactProblem<double> c;
        double energy;  // 0: only that it does not rise
    } known[] = {{{{0x1.fd1711a1a654ap+5, 0x1.08c1a1008a5b3p+2, 0x1.35839617bc962p+3,
                    0x1.e04124f1385e6p+5, -0x1.1a10c259081a4p+5, 0x1.d029d6e4bd51bp+5},
                   {0x1.25737cd1b9185p-41, -0x1.95112c6c160d3p-5, -0x1.6aa1f79289005p-2},
                   0x1.25737cd1b9185p-41,
                   0x1.83259ad22dec7p+2},
                  -0.00191},
                 {{{0x1.b91153f19aep+3, -0x1.6524627298826p-1, 0, 0x1.21c41fdda4572p+1, 0,
                    0x1.3bd0530305ab1p+0},
                   {0x1.299c6d7d3f6d4p-1, 0, 0},
                   0x1.de4d43d4da821p-63,
                   0x1.3c2870597e276p+4},
                  0},
                 {{{0x1.b4b0794260398p+7, 0x1.bf3382877271ep+4, 0x1.0623eeefc812cp+4,
                    0x1.e3a272cb636ecp+6, 0x1.fb4c611242597p+4, 0x1.58ac7028d9b35p+6},
                   {0x1.1ef48be136989p-49, 0x1.24efd59cd5f3ap-3, -0x1.8a8d54f236e31p-1},
                   0x1.1ef48be136989p-49,
                   0x1.af52e858de68dp+2},
                  0},
                 {{{0x1.341b418fbbd1ep+6, -0x1.154ec2c244aap+7, 0x1.255ce62c640f8p+7,
                    0x1.fc22e3dbd504ep+7, -0x1.0d1890face3cap+8, 0x1.256774943192bp+8},
                   {0x1.9d897888bf2fcp-38, -0x1.dbc85676863cep-4, -0x1.c95a9783853a9p-4},
                   0x1.08802aa88e7a4p-37,
                   0x1.86c6ccda4ee78p-2},
                  0}};
    for (const auto& [c, energy] : known) {
        const ContactSolution s = solve_contact(c);
        EXPECT_GT(s.x.n, 0);
        EXPECT_TRUE(std::isfinite(s.x.n) && std::isfinite(s.x.t) && std::isfinite(s.x.o));
        EXPECT_LE(s.certificate.energy, 0);
        if (energy != 0) {
            EXPECT_NEAR(s.certificate.energy, energy, 1e-5);
        }
    }
}

// The same corner at random. Where a last digit of the input changes the solution by more than
// 1e-11 E₀, only that much is asked for.
TEST(MaxDissipation, IsRightFarOutOnRandomNearParabolas)
{
    test::Random random(9);
    int wrong = 0;
    for (int i = 0; i < 20000; ++i) {
        auto c = test::random_problem(random, i % 2 == 0 ? ProblemClass::physical_moderate
                                                         : ProblemClass::spd_1e3);
        if (i % 5 == 0) {  // planar
            c.A.no = c.A.to = c.b.o = 0;
        }
        const double speed = std::sqrt(c.b.n * c.b.n + c.b.t * c.b.t + c.b.o * c.b.o);
        c.mu = c.A.nn / std::sqrt(c.A.nt * c.A.nt + c.A.no * c.A.no) * random.near_one(-16, -3);
        c.b.n = c.beta = speed * random.decades(-16, -3);
        if (!problems_with(c).empty()) {
            continue;
        }
        const auto x = law::solve<Law::max_dissipation>(c).x;
        ASSERT_GE(x.n, 0) << i;
        ASSERT_TRUE(std::isfinite(x.n) && std::isfinite(x.t) && std::isfinite(x.o)) << i;
        const test::Oracle oracle(c);
        const test::Reference reference = oracle.solve();
        if (!reference.certified) {
            continue;
        }
        const auto off = [&](const ContactVector<test::Quad>& y) {
            return std::abs(static_cast<double>((oracle.energy(y) - oracle.energy(reference.x)) /
                                                oracle.available()));
        };
        double sensitivity = 1e-11;
        if (off({x.n, x.t, x.o}) <= 100 * sensitivity) {
            continue;
        }
        for (const int which : {0, 1, 2, 3}) {
            auto next = c;
            double* entry[] = {&next.mu, &next.A.nn, &next.A.nt, &next.A.no};
            *entry[which] = std::nextafter(*entry[which], HUGE_VAL);
            sensitivity = std::max(sensitivity, off(test::Oracle(next).solve().x));
        }
        wrong += off({x.n, x.t, x.o}) > 100 * sensitivity;
    }
    EXPECT_LE(wrong, 2);
}

// Erratum E2: at |κ| = 1 and β = 0 the conic is the ray −r (A_nt, A_no).
TEST(MaxDissipation, TakesADegenerateParabolaForARay)
{
    const ContactProblem<double> c{{1, 0.5, 0, 2, 0, 2}, {0, -1, 3}, 0, 2};
    const ContactSolution s = solve_contact(c);
    EXPECT_TRUE(s.degenerate);
    EXPECT_EQ(s.x.o, 0);
    EXPECT_LT(s.x.t, 0);
    EXPECT_GT(s.x.n, 0);
    // min over r of ½ Ĥ r² − r·1 along −t, Â_tt = 2 − 0.25
    EXPECT_NEAR(s.x.t, -1 / 1.75, 1e-15);
    EXPECT_NEAR(s.x.n, 1 / 1.75 / 2, 1e-15);
}

TEST(MaxDissipation, ScalesWithVelocityAndMass)
{
    test::Random random(3);
    for (int i = 0; i < 2000; ++i) {
        const auto c =
            test::random_problem(random, static_cast<ProblemClass>(i % test::class_count));
        auto scaled = c;
        for (double* b : {&scaled.b.n, &scaled.b.t, &scaled.b.o, &scaled.beta}) {
            *b *= 0x1p40;
        }
        for (double* a :
             {&scaled.A.nn, &scaled.A.nt, &scaled.A.no, &scaled.A.tt, &scaled.A.to, &scaled.A.oo}) {
            *a *= 0x1p-60;
        }
        // Powers of two change no digit of any intermediate result.
        const auto x = x_of(c);
        const auto y = x_of(scaled);
        EXPECT_EQ(y.n, x.n * 0x1p100);
        EXPECT_EQ(y.t, x.t * 0x1p100);
        EXPECT_EQ(y.o, x.o * 0x1p100);
    }
}

// Impulses whose squares underflow or overflow, in double and in float.
TEST(MaxDissipation, BearsExtremeScales)
{
    test::Random random(5);
    for (int i = 0; i < 3000; ++i) {
        const auto c = test::random_problem(random, ProblemClass::physical_moderate);
        const auto x = law::solve<Law::max_dissipation>(c);
        for (const double scale : {0x1p-700, 0x1p-520, 0x1p200, 0x1p300}) {
            auto far = c;
            far.b = {c.b.n * scale, c.b.t * scale, c.b.o * scale};
            far.beta = c.beta * scale;
            const auto y = law::solve<Law::max_dissipation>(far);
            ASSERT_EQ(y.state, x.state);
            ASSERT_EQ(y.x.n, x.x.n * scale);
            ASSERT_EQ(y.x.t, x.x.t * scale);
            ASSERT_LE(law::residual<Law::max_dissipation>(
                          c, {y.x.n / scale, y.x.t / scale, y.x.o / scale}),
                      1e-13);
        }
        for (const float scale : {0x1p-90f, 0x1p-70f, 0x1p70f}) {
            auto near = test::converted<float>(c);
            auto far = near;
            far.b = {near.b.n * scale, near.b.t * scale, near.b.o * scale};
            far.beta = near.beta * scale;
            const auto y = law::solve<Law::max_dissipation>(far);
            const auto z = law::solve<Law::max_dissipation>(near);
            ASSERT_EQ(y.state, z.state);
            ASSERT_NEAR(y.x.n / scale, z.x.n, 1e-5f * z.x.n);
        }
    }
}

TEST(MaxDissipation, HasAStateForBadInputInsideAndAMessageOutside)
{
    const double nan = std::nan("");
    const double inf = HUGE_VAL;
    const ContactProblem<double> good{{1, 0, 0, 3, 0, 3}, {1, 1, 0}, 1, 0.5};
    std::vector<std::pair<ContactProblem<double>, const char*>> bad;
    const auto with = [&](auto change, const char* word) {
        ContactProblem<double> c = good;
        change(c);
        bad.emplace_back(c, word);
    };
    for (const double value : {nan, inf, -inf}) {
        with([&](auto& c) { c.A.nn = value; }, "Ann");
        with([&](auto& c) { c.A.to = value; }, "Ato");
        with([&](auto& c) { c.b.n = value; }, "bn");
        with([&](auto& c) { c.b.o = value; }, "bo");
        with([&](auto& c) { c.beta = value; }, "beta");
        with([&](auto& c) { c.mu = value; }, "mu");
    }
    with([&](auto& c) { c.mu = -0.1; }, "mu = -0.1");
    with([&](auto& c) { c.A.nn = 0; }, "positive definite");
    with([&](auto& c) { c.A.tt = -1; }, "positive definite");
    with([&](auto& c) { c.A.to = 3; }, "positive definite");
    with([&](auto& c) { c.A.nt = 2; }, "positive definite");
    for (const auto& [c, word] : bad) {
        const auto out = law::solve<Law::max_dissipation>(c);
        EXPECT_EQ(out.state, -1) << word;
        EXPECT_EQ(out.x.n, 0) << word;
        EXPECT_EQ(out.x.t, 0) << word;
        EXPECT_FALSE(out.unfinished);
        try {
            (void)solve_contact(c);
            ADD_FAILURE() << "accepted: " << word;
        } catch (const Error& error) {
            EXPECT_NE(std::string(error.what()).find(word), std::string::npos) << error.what();
        }
    }
}

}  // namespace
}  // namespace scree
