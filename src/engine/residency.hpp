// What is current where: of dynamic bodies, the neighbour list and stored impulses, which live on
// the host and on a device. Prescribed bodies and those appended since the last upload are always
// current on the host.
#pragma once

#include "engine/legal_state.hpp"

#include <cstddef>
#include <cstdint>
#include <utility>

namespace scree::engine {

class Residency {
public:
    enum class State : std::uint8_t {
        host_only,       ///< the device has nothing, or something old
        both,            ///< host and device have the same
        frames_on_host,  ///< the host has what frames show; the rest of its columns is old
        device_only      ///< all of the host's columns are old
    };
    /// What the host has changed while the device has a copy.
    struct Edits {
        bool prescribed = false, forces = false;
    };

    [[nodiscard]] State state() const { return state_; }
    [[nodiscard]] bool on_device() const { return state_ != State::host_only; }
    /// What frames show is old on the host.
    [[nodiscard]] bool frames_are_old() const { return state_ == State::device_only; }
    /// Something is old on the host.
    [[nodiscard]] bool host_is_old() const { return frames_are_old() || frames_only(); }
    [[nodiscard]] const Edits& edits() const { return edits_; }
    /// Bytes of old columns that the host gave back to the system.
    [[nodiscard]] std::size_t forgotten_bytes() const { return forgotten_bytes_; }

    void uploaded_all()
    {
        require_legal(!on_device(), "an upload of everything");
        state_ = State::both;
        edits_ = {};
    }
    /// The device changes bodies, list or impulses. Returns whether all of the host's columns are
    /// old from here on and were not before: their memory is worth giving back then.
    [[nodiscard]] bool device_changes()
    {
        require_legal(on_device(), "a change on the device");
        return std::exchange(state_, State::device_only) != State::device_only;
    }
    void forgot(std::size_t bytes) { forgotten_bytes_ = bytes; }
    void fetched_frames()
    {
        if (frames_are_old()) {
            state_ = State::frames_on_host;
            forgotten_bytes_ = 0;
        }
    }
    void fetched_all()
    {
        fetched_frames();
        if (frames_only()) {
            state_ = State::both;
        }
    }
    /// The host is going to change anything: the device's copy is worth nothing any more.
    void host_will_change()
    {
        require_legal(!host_is_old(), "a change on the host");
        state_ = State::host_only;
        edits_ = {};
    }

    void edited_prescribed() { edits_.prescribed = on_device(); }
    void edited_forces() { edits_.forces = on_device(); }
    void uploaded_edits() { edits_ = {}; }

private:
    [[nodiscard]] bool frames_only() const { return state_ == State::frames_on_host; }

    State state_ = State::host_only;
    Edits edits_;
    std::size_t forgotten_bytes_ = 0;
};

}  // namespace scree::engine
