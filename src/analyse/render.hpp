// Still pictures of a simulation by casting rays: exact shapes, one soft sun, the light of the sky
// with what bodies take from and give to each other, and nothing random, so that films do not
// flicker. The same picture for any number of threads.
//
//   Image image = render(world.frame(), {.colour_by = ColourBy::id});
#pragma once

#include "analyse/body_colours.hpp"
#include "analyse/camera.hpp"
#include "analyse/region.hpp"

namespace scree::analyse {

struct Image {
    int width, height;
    std::vector<std::uint8_t> rgb;  ///< rows from the top, sRGB
};

struct RenderOptions {
    int width = 1600, height = 1000;  ///< [pixels]
    int legend = 0;                   ///< pixels at the right that stay free of bodies
    int samples = 3;                  ///< the square of this many rays per pixel
    ColourBy colour_by = ColourBy::speed;
    std::optional<Range> range;  ///< of the colour scale, if not the quantity's own
    View view;
    Region clip = everywhere;     ///< bodies are cut off outside [m]
    double obstacle_opacity = 1;  ///< of bounded prescribed bodies; 0 leaves them out
    bool walls = true;            ///< floors, outlines of walls, glass
    int threads = 0;              ///< 0: all there are
};

/// What the pictures of one film share: the camera that sees the bodies of all frames, and the
/// range of the colours.
class Survey {
public:
    explicit Survey(const RenderOptions& options);
    void add(const Frame& frame);

    [[nodiscard]] Camera camera() const { return framing_.camera(); }
    [[nodiscard]] const Region& bounds() const { return bounds_; }  ///< of dynamic bodies
    /// Of the colour scale, the name of which is empty if there is none.
    [[nodiscard]] const Range& range() const { return range_; }
    [[nodiscard]] const std::string& quantity() const { return quantity_; }
    [[nodiscard]] const std::string& unit() const { return unit_; }

private:
    RenderOptions options_;
    Framing framing_;
    Region bounds_ = nowhere;
    Range range_{unbounded, -unbounded};
    std::string quantity_, unit_;
};

/// Throws Error if nothing is to be seen or an option is out of its range.
Image render(const Frame& frame, const RenderOptions& options, const Survey& survey);
Image render(const Frame& frame, const RenderOptions& options);

}  // namespace scree::analyse
