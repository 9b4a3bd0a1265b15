// Everything a world holds, and the one function that steps it.
#pragma once

#include "engine/engine.hpp"
#include "exec/team_size.hpp"
#include "ranks/body_message.hpp"
#include "ranks/halo_exchange.hpp"
#include "scree/world.hpp"
#include "world/id_runs.hpp"
#include "world/loader.hpp"

#include <functional>
#include <optional>
#include <unordered_map>

namespace scree {

namespace world {
struct SavedShare;
}  // namespace world

struct World::State {
    State();

    state::Model model;
    exec::TeamSize team_size;  ///< how many threads share the next step
    state::Bodies bodies;
    state::PairList list;
    state::StoredImpulses stored;
    bool changed = true;     ///< bodies were added, removed or placed anew
    double spare_speed = 0;  ///< what relaxation may change velocities by unseen [m/s]

    std::unique_ptr<ranks::Domain> domain;  ///< null where one process has all
    std::unique_ptr<engine::Engine> engine;

    StepReport report;
    EnergyLedger totals;
    double inserted = 0, removed = 0;  ///< energy of bodies since the last step; of this rank's
    double time = 0;
    std::uint64_t steps = 0;
    bool stepped = false;  ///< rows and velocities belong together

    BodyId next_id = 0;
    world::IdRuns used_ids;  ///< by bodies that are there, and some that are not any more
    std::size_t alive = 0, alive_dynamic = 0;  ///< on all ranks
    std::size_t gaps = 0;                      ///< places of removed bodies
    std::vector<std::uint32_t> free_prototypes;
    std::unordered_multimap<std::uint64_t, std::uint32_t> prototype_by_hash;
    mutable std::vector<std::uint32_t> by_id;  ///< places sorted by id
    mutable bool by_id_valid = false;

    struct Observer {
        std::uint64_t interval;
        std::function<void(const Frame&)> call;
    };
    std::vector<Observer> observers;
    /// What Frame's spans look at.
    struct FrameColumns {
        std::vector<BodyId> ids;
        std::vector<Vec3<double>> positions, velocities, angular_velocities;
        std::vector<Quat<double>> orientations;
        std::vector<double> masses;
        std::vector<Shape> shapes;
        std::vector<MaterialId> materials;
        std::vector<Contact> contacts;
        std::vector<Ghost> ghosts;
    };
    mutable FrameColumns frame;

    /// How ranks shared out the space of a world that was saved: their number, what the slowest
    /// had more to do than the mean, and the cuts. Empty once it has been used.
    std::vector<double> partition;
    /// One rank's share of a world that was saved, which has so many dynamic bodies in all: not all
    /// of them, and those of other ranks that contacts here have to do with. For `spread` and
    /// `joined` alone.
    std::optional<std::uint64_t> share_of;
    [[nodiscard]] std::vector<double> current_partition() const;

    void step();
    void choose_threads();
    void do_step();
    void relax_contacts();
    void account_step(const engine::EndReport& end);
    bool agree(engine::EndReport& end);
    void agree_on_conditions();
    void rebuild_list(bool relaxed);
    void migrate(bool relaxed);
    [[nodiscard]] bool waited_for(double cost) const;
    [[nodiscard]] bool wants_cuts() const;
    void make_cuts();
    [[nodiscard]] std::vector<ranks::Work> work() const;
    std::vector<ranks::BodyMessage> send_home(ranks::PendingWarmStart& carried);
    void send_ghosts(std::span<const std::pair<BodyId, std::uint32_t>> own);
    void unpack(const ranks::BodyMessage& parcel, std::uint8_t more_flags);
    void drop(std::size_t i);
    void drop_unused_ghosts();
    void count_contacts(const engine::PassReport& pass);
    void observe();
    [[nodiscard]] Frame make_frame(bool with_contacts) const;
    void find_guests() const;

    [[nodiscard]] std::size_t index_of(BodyId id) const;  ///< SIZE_MAX if there is none
    [[nodiscard]] std::size_t required(BodyId id) const;  ///< throws if there is none
    /// The same; SIZE_MAX if only other ranks have it.
    [[nodiscard]] std::size_t required_somewhere(BodyId id) const;
    [[nodiscard]] bool exists(BodyId id) const;
    [[nodiscard]] bool is_everywhere(std::size_t i) const;
    [[nodiscard]] bool counts(std::size_t i) const  ///< on this rank, and not on another
    {
        return (bodies.flags[i] & state::flag_ghost) == 0;
    }
    [[nodiscard]] world::SavedShare own_share() const;
    [[nodiscard]] ranks::BodyMessage parcel() const;
    [[nodiscard]] World made_of(const std::vector<ranks::BodyMessage>& parcels) const;
    void collect_bodies(const std::vector<ranks::BodyMessage>& parcels);
    void collect_pairs(const std::vector<ranks::BodyMessage>& parcels);
    void leave_all();
    void about_to_change(std::size_t i);
    void forget(BodyId id, std::uint32_t prototype, double energy);
    void require_dynamic(std::size_t i, const char* what) const;
    template <class Kind, class Make>
    void append_bodies(const std::vector<BodyId>& ids, const Kind& next_kind, const Make& body);
    void give_ids(std::vector<BodyId>& ids) const;
    void note_ids(const std::vector<BodyId>& ids, std::size_t from);
    [[nodiscard]] std::uint32_t known_kind(const state::Prototype& kind) const;
    std::uint32_t acquire(const state::Prototype& kind);
    void release(std::uint32_t prototype);
    [[nodiscard]] bool needs_inertia(std::size_t i) const;
    void need_inertia(std::size_t from);
    [[nodiscard]] double energy_of(std::size_t i);
    [[nodiscard]] double potential();
    void save(const ColumnSink& put) const;
    void load(const world::Loader& load);
    void load_bodies(const world::Loader& load);
    void load_pairs(const world::Loader& load);
    void load_share(const world::Loader& load);
    [[nodiscard]] std::uint32_t first_not_finite() const;
    void note(Condition condition, std::size_t count,
              std::optional<std::size_t> pair = std::nullopt);
    void note(Condition condition, std::size_t count, BodyId first, BodyId second);
};

}  // namespace scree
