// What rays of a picture meet: bodies, floors and glass under the lights. Looking has two parts, so
// that light can be evened out between neighbouring pixels: `look` finds the surface and the light
// that reaches it, `colour` makes a colour of these.
#pragma once

#include "analyse/body_colours.hpp"
#include "analyse/lights.hpp"
#include "analyse/wall_view.hpp"

namespace scree::analyse {

/// What a ray sees, and the light there.
struct Look {
    static constexpr std::uint32_t nothing = no_body;
    static constexpr std::uint32_t first_floor = 0xffff0000;  ///< below this: bodies

    double at = unbounded;            ///< distance along the ray [m]
    std::uint32_t surface = nothing;  ///< a body, or a floor
    float sun = 0;                    ///< how much of it is to be seen, 0 … 1
    Vec normal{0, 0, 0};
    Light sky{0, 0, 0};    ///< light from the sky and from other bodies, with weights
    float sky_weight = 0;  ///< the sum of these
};

/// Something that one sees through.
struct Layer {
    double at;
    float opacity;
    Light colour;
};

class Scene {
public:
    Scene(const Frame& frame, const RenderOptions& options, const Survey& survey);

    [[nodiscard]] int samples() const { return lights_.samples(); }
    /// One of the rays of a pixel.
    [[nodiscard]] Look look(int column, int row, int sample) const;
    /// Its colour, with the light that is given. `layers` is memory to work with.
    [[nodiscard]] Light colour(int column, int row, int sample, const Look& look,
                               std::vector<Layer>& layers) const;

private:
    struct Place {
        Ray ray;
        const Lights::Sample* sample;
    };
    [[nodiscard]] Place place(int column, int row, int sample) const;
    [[nodiscard]] Ray towards_light(const Vec& p, const Vec& d) const;
    void take_light(Look& look, const Vec& p, const Lights::Sample& sample) const;
    void see_through(const Place& place, double end, std::vector<Layer>& layers) const;

    RenderOptions options_;
    Camera camera_;
    Vec up_;
    Lights lights_;
    WallView walls_;
    BodyTree solids_, ghosts_;
    std::vector<Light> colours_, ghost_colours_;
    std::vector<float> ghost_opacities_;
};

/// A body as pictures show it: thin rods get some thickness.
PlacedShape drawn_shape(const Frame& frame, std::size_t i);
/// Whether a body is part of pictures: bounded, with a finite place, and not clipped away.
bool shown(const Frame& frame, std::size_t i, const Region& clip);

}  // namespace scree::analyse
