// The stages of a step on the host: packs of contacts, threads over chunks.
#pragma once

#include "engine/engine.hpp"
#include "engine/pass_rule.hpp"
#include "stages/neighbours/verlet_list.hpp"
#include "stages/relax/bounce.hpp"
#include "stages/relax/host_restitution_guard.hpp"

namespace scree::engine {

class HostEngine final : public Engine {
public:
    explicit HostEngine(const WorldData& matter) : matter_(matter) {}

    bool stale(double margin) override;
    bool rebuild(bool changed, bool relaxed) override;
    void begin_step(double spare) override;
    PassReport pass(candidates::Pass pass, double spare, StepReport& report) override;
    BounceReport bounce(double velocity_scale) override;
    MissedPairs find_missed(double spare) override;
    void store_impulses() override;
    EndReport end_step(StepReport& report) override;
    std::pair<BodyId, BodyId> bodies_of_pair(std::size_t pair) override
    {
        const state::BodyPair p = matter_.list.pair[pair];
        return {matter_.bodies.id[p.first], matter_.bodies.id[p.second]};
    }
    void contacts(std::vector<Contact>& out) override;
    double true_residual() override;
    std::vector<StepContact> problems() override;
    void fetch(Fetch /*need*/) override {}
    [[nodiscard]] bool elsewhere() const override { return false; }
    void touch() override {}
    std::vector<BodyInBox> find_inside(const Box& box) override;
    void make_gaps(const std::vector<BodyInBox>& bodies) override;
    [[nodiscard]] std::size_t pairs() const override { return matter_.list.pair.size(); }
    [[nodiscard]] int colours() const override { return matter_.list.colours; }
    [[nodiscard]] int copies() const override { return static_cast<int>(matter_.list.copy_count); }
    [[nodiscard]] std::uint32_t rebuilds() const override { return broad_phase_.rebuilds(); }
    void set_rebuilds(std::uint32_t rebuilds) override { broad_phase_.set_rebuilds(rebuilds); }
    [[nodiscard]] EngineMemory memory() const override;

private:
    bool on_any_rank(bool here);
    void give_copies_inertia();
    [[nodiscard]] PassOutlook outlook(double pushed) const;

    WorldData matter_;
    neighbours::VerletList broad_phase_;
    candidates::Candidates candidates_;
    rows::Setup setup_;
    state::ContactRows rows_;
    std::vector<state::Bounce> bounces_;
    relax::Relaxation relaxation_;
    relax::RestitutionGuard guard_;
    std::vector<finish::BodySums> body_sums_;
    rows::SetupReport contact_counts_;  ///< of the last pass
};

}  // namespace scree::engine
