// A world's only rank, for what ranks do without talking to each other.
#pragma once

#include "scree/ranks.hpp"

namespace scree::test {

class LoneRank final : public Ranks {
public:
    [[nodiscard]] int rank() const override { return 0; }
    [[nodiscard]] int size() const override { return 1; }
    void combine(Group, std::span<double>, std::span<double>) override {}
    Messages exchange(const Messages& out) override { return out; }
    Bytes everywhere(const Bytes& mine) override { return mine; }
    void hear(const PersistentMessages&) override {}
    void tell() override {}
    void answer() override {}
    void finish() override {}
    [[nodiscard]] double seconds() const override { return 0; }
};

}  // namespace scree::test
