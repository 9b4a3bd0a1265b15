// Bodies and the impulses stored at their contacts, as one rank sends them to another.
#pragma once

#include "ranks/geometry_message.hpp"
#include "ranks/message.hpp"
#include "state/model.hpp"
#include "state/pairs.hpp"

#include <algorithm>
#include <cstring>

namespace scree::ranks {

struct BodyRecord {
    state::VelocityLine velocity, before;
    shapes::Ball ball;
    Quat<double> orientation;
    state::Force force;
    BodyId id;
    std::uint32_t kind;  ///< in the message's table
    float reach, allowance;
    std::uint8_t flags;
};

struct StoredContact {
    Vec3<double> impulse;
    std::uint32_t feature;
};
struct PairRecord {
    BodyId first, second;
    std::uint32_t count;
};

/// Bodies and stored contacts for one rank.
struct BodyMessage {
    std::vector<state::Prototype> kinds;
    std::vector<std::uint32_t> kind_of;  ///< by kinds here: place in the table + 1
    std::vector<BodyRecord> bodies;
    std::vector<PairRecord> pairs;
    std::vector<StoredContact> contacts;
    Solids solids;  ///< of the kinds' shapes

    void add(const state::Model& model, const state::Bodies& b, std::size_t i)
    {
        BodyRecord r;
        std::memset(static_cast<void*>(&r), 0, sizeof r);  // also what lies between members
        r.id = b.id[i];
        r.ball = b.ball[i];
        r.orientation = b.orientation[i];
        r.velocity = b.velocity[i];
        r.before = b.velocity_before[i];
        r.force = b.force.empty() ? state::Force{} : b.force[i];
        r.reach = b.reach[i];
        r.allowance = b.drift[i].allowance;
        r.flags = b.flags[i];
        kind_of.resize(std::max<std::size_t>(kind_of.size(), b.prototype[i] + std::size_t(1)));
        std::uint32_t& kind = kind_of[b.prototype[i]];
        if (kind == 0) {
            kinds.push_back(model.prototypes[b.prototype[i]]);
            solids.add(kinds.back().shape);
            kind = static_cast<std::uint32_t>(kinds.size());
        }
        r.kind = kind - 1;
        bodies.push_back(r);
    }
    [[nodiscard]] Bytes pack() const
    {
        Bytes bytes;
        put(bytes, kinds);
        put(bytes, bodies);
        put(bytes, pairs);
        put(bytes, contacts);
        solids.put(bytes);
        return bytes;
    }
    explicit BodyMessage(const Bytes& bytes)
    {
        Reader reader(bytes);
        kinds = reader.get_all<state::Prototype>();
        bodies = reader.get_all<BodyRecord>();
        pairs = reader.get_all<PairRecord>();
        contacts = reader.get_all<StoredContact>();
        solids = Solids(reader);
        for (state::Prototype& kind : kinds) {
            solids.settle(kind.shape);
        }
    }
    BodyMessage() = default;
};

/// By the ranks that they are for. Parcels are used up one by one, since there may be a lot in
/// them.
inline Ranks::Messages pack(std::map<int, BodyMessage>&& parcels)
{
    Ranks::Messages letters;
    while (!parcels.empty()) {
        letters[parcels.begin()->first] = parcels.begin()->second.pack();
        parcels.erase(parcels.begin());
    }
    return letters;
}

/// Stored impulses that wait for their pairs' bodies.
class PendingWarmStart {
public:
    void add(state::BodyPair pair, std::span<const StoredContact> contacts)
    {
        pairs_.push_back(pair);
        stored_.count.push_back(static_cast<std::uint8_t>(contacts.size()));
        for (const StoredContact& c : contacts) {
            stored_.impulse.push_back(c.impulse);
            stored_.feature.push_back(c.feature);
            any_feature_ = any_feature_ || c.feature != 0;
        }
    }
    void give(state::PairList& list, state::StoredImpulses& stored, bool features)
    {
        if (!features && !any_feature_) {
            stored_.feature.clear();
        }
        list.pair = std::move(pairs_);
        stored = std::move(stored_);
    }

private:
    std::vector<state::BodyPair> pairs_;
    state::StoredImpulses stored_;
    bool any_feature_ = false;
};

}  // namespace scree::ranks
