// What a device knows of the next step before it begins: that its candidates, margins and slots are
// ready, which bodies are in the boxes of sinks, and whether the neighbour list is still good. The
// candidates hold only if the step begins as expected: at the same spare speed, and with all bodies
// in those boxes removed. Otherwise they are found again.
#pragma once

#include "engine/legal_state.hpp"
#include "engine/watched_boxes.hpp"

#include <utility>

namespace scree::engine {

class Prediction {
public:
    enum class State : std::uint8_t {
        none,   ///< nothing is ready
        ready,  ///< candidates are there for a step that begins as expected
        in_use  ///< the step that has begun is that one
    };

    [[nodiscard]] State state() const { return state_; }
    [[nodiscard]] const WatchedBoxes& boxes() const { return bodies_in_boxes_.boxes(); }

    /// The device has ended a step. The list is stale for bodies outside the boxes, or inside.
    /// `found`: as many of the `inside` bodies in the boxes as there was room for.
    void step_ended(bool stale_outside, bool stale_inside, std::span<const InsideBox> found,
                    std::size_t inside)
    {
        list_outside_ = stale_outside ? List::stale : List::good;
        list_inside_ = stale_inside ? List::stale : List::good;
        bodies_in_boxes_.found(found, inside);
    }
    /// Candidates are made for a step with this spare speed.
    void predicted(double spare)
    {
        require_legal(state_ == State::none && list_outside_ == List::good, "a prediction");
        state_ = State::ready;
        spare_speed_ = spare;
    }
    /// Something was uploaded, or there is a new list: nothing of this holds.
    void discard()
    {
        state_ = State::none;
        list_outside_ = list_inside_ = List::unknown;
        bodies_in_boxes_.forget();
    }
    void begin_step(double spare)
    {
        const bool as_expected =
            state_ == State::ready && spare == spare_speed_ && bodies_in_boxes_.left() == 0;
        state_ = as_expected ? State::in_use : State::none;
        bodies_in_boxes_.begin_step();
    }
    /// Whether the candidates of the pass that begins are those that were predicted.
    [[nodiscard]] bool take()
    {
        require_legal(state_ != State::ready, "a pass");
        return std::exchange(state_, State::none) == State::in_use;
    }

    /// Whether the list is stale, if that is known. It is told once.
    [[nodiscard]] std::optional<bool> take_staleness()
    {
        const List outside = std::exchange(list_outside_, List::unknown);
        const List inside = std::exchange(list_inside_, List::unknown);
        if (outside == List::unknown || inside == List::unknown) {
            return std::nullopt;
        }
        return outside == List::stale || inside == List::stale;
    }
    /// The bodies in a box if they are known. The box is watched from now on, if there is room.
    [[nodiscard]] std::optional<std::vector<BodyInBox>> find_inside(const Box& box)
    {
        return bodies_in_boxes_.find(box);
    }
    void removed(const std::vector<BodyInBox>& gone)
    {
        if (!bodies_in_boxes_.remove(gone)) {
            discard();
        } else if (list_inside_ != List::unknown && bodies_in_boxes_.left() == 0) {
            list_inside_ = List::good;
        } else if (list_inside_ == List::stale) {
            list_inside_ = List::unknown;  // a body that is gone may have been the one that strayed
        }
    }

private:
    enum class List : std::uint8_t { unknown, good, stale };

    State state_ = State::none;
    double spare_speed_ = 0;  ///< of the step that is ready
    List list_outside_ = List::unknown, list_inside_ = List::unknown;
    BodiesInBoxes bodies_in_boxes_;
};

}  // namespace scree::engine
