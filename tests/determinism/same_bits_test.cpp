// The same bits whatever compiler, optimisation level and instruction set: hashes of results, fixed
// once and for all. A change of any of them is a change of results and belongs in the changelog.
#include "scree/contact.hpp"
#include "support/batch_data.hpp"

#include <gtest/gtest.h>

#include <cstring>

namespace scree {
namespace {

class Hash {
public:
    template <class T> void add(const std::vector<T>& values)
    {
        for (const T& value : values) {
            unsigned char bytes[sizeof(T)];
            std::memcpy(bytes, &value, sizeof(T));
            for (const unsigned char byte : bytes) {
                hash_ = (hash_ ^ byte) * 0x100000001b3u;
            }
        }
    }
    std::uint64_t value() const { return hash_; }

private:
    std::uint64_t hash_ = 0xcbf29ce484222325u;
};

template <class Real> std::uint64_t hash_of(Law law, InstructionSet isa)
{
    const auto problems = test::mixed_problems<Real>(20000, 4711);
    test::Impulses<Real> result(problems.size());
    (void)solve_batch<Real>(problems.columns(), result.columns(), law, isa);
    Hash hash;
    hash.add(result.xn);
    hash.add(result.xt);
    hash.add(result.xo);
    hash.add(result.state);
    hash.add(result.residual);
    return hash.value();
}

TEST(SameBits, AreInTheProblemsThemselves)
{
    Hash hash;
    for (const auto& column : test::mixed_problems<double>(20000, 4711).values) {
        hash.add(column);
    }
    EXPECT_EQ(hash.value(), 0x77b2caf5a6d28011u);
}

TEST(SameBits, AreGivenByEveryLawOnEveryInstructionSet)
{
    const struct {
        Law law;
        std::uint64_t in_double, in_float;
    } expected[] = {{Law::max_dissipation, 0x92d303def8ff3422u, 0x5c09b0cd35ffd105u},
                    {Law::coulomb, 0x94eb01ab33989fbeu, 0x084df33c59c80b62u},
                    {Law::frictionless, 0x9143ca5c13762167u, 0xc6ee50c29f9d2deau},
                    {Law::projected, 0x03ed29951d00d23bu, 0x5dd876462352dc26u}};
    for (const auto& row : expected) {
        for (const InstructionSet isa : available_instruction_sets()) {
            EXPECT_EQ(hash_of<double>(row.law, isa), row.in_double)
                << name_of(row.law) << " " << name_of(isa);
            EXPECT_EQ(hash_of<float>(row.law, isa), row.in_float)
                << name_of(row.law) << " " << name_of(isa);
        }
    }
}

}  // namespace
}  // namespace scree
