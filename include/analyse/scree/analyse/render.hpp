// Still pictures of a simulation by casting rays: exact shapes, one soft sun, the light of the sky
// with what bodies take from and give to each other, and nothing random, so that films do not
// flicker. The same picture for any number of threads.
//
//   Image image = render(world.frame(), {.colour_by = ColourBy::id});
#pragma once

#include "scree/analyse/region.hpp"

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace scree::analyse {

/// A picture of pixels.
struct Image {
    int width, height;              ///< [pixels]
    std::vector<std::uint8_t> rgb;  ///< rows from the top, sRGB
};

/// What the colours of bodies say.
enum class ColourBy : std::uint8_t {
    plain,
    speed,
    angular_speed,
    id,
    size,
    material,
    height,
    coordination,
    force  ///< of contacts, drawn as rods in bodies of glass
};
/// Their names on the command line, in the order of ColourBy.
inline constexpr std::array<std::string_view, 9> colour_names{
    "plain", "speed", "angular-speed", "id", "size", "material", "height", "coordination", "force"};

/// Whether it is a quantity on a scale; else colours only tell bodies apart.
constexpr bool has_scale(ColourBy by)
{
    return by != ColourBy::plain && by != ColourBy::id && by != ColourBy::material;
}

/// Values of the first and last colour.
struct Range {
    double low, high;  ///< in the unit of the quantity
};

/// From which direction a picture is taken, and how.
struct View {
    double azimuth = -60;          ///< of the camera as seen from the bodies, from x towards y [°]
    double elevation = 20;         ///< of the camera above the horizon [°]
    double field_of_view = 25;     ///< of the longer side; 0 is a parallel projection [°]
    double zoom = 1;               ///< 2 shows half of the width
    std::optional<Vec> look_at{};  ///< what is in the middle, else what makes everything fit in [m]
    Vec up{0, 0, 1};               ///< which direction is up; any length but 0
};

/// What a picture shows, and how.
struct RenderOptions {
    int width = 1600, height = 1000;       ///< [pixels]
    int legend = 0;                        ///< pixels at the right that stay free of bodies
    int samples = 3;                       ///< the square of this many rays per pixel
    ColourBy colour_by = ColourBy::speed;  ///< what colours of bodies say
    std::optional<Range> range;            ///< of the colour scale, if not the quantity's own
    View view;                             ///< from where
    Region clip = everywhere;              ///< bodies are cut off outside [m]
    double obstacle_opacity = 1;           ///< of bounded prescribed bodies; 0 leaves them out
    bool walls = true;                     ///< floors, outlines of walls, glass
    int threads = 0;                       ///< 0: all there are
};

class Camera;
class Framing;

/// What the pictures of one film share: the camera that sees the bodies of all frames, and the
/// range of the colours.
class Survey {
public:
    /// Of frames that are drawn with these options.
    explicit Survey(const RenderOptions& options);
    ~Survey();
    /// Moves.
    Survey(Survey&&) noexcept;
    /// Moves.
    Survey& operator=(Survey&&) noexcept;
    /// Takes the bodies of a frame into account.
    void add(const Frame& frame);

    /// Throws Error if nothing is to be seen.
    void require_bodies() const;
    [[nodiscard]] const Region& bounds() const { return bounds_; }  ///< of dynamic bodies
    /// Of the colour scale, the name of which is empty if there is none.
    [[nodiscard]] const Range& range() const { return range_; }
    /// What the colours show; empty if there is no scale.
    [[nodiscard]] const std::string& quantity() const { return quantity_; }
    /// Its unit.
    [[nodiscard]] const std::string& unit() const { return unit_; }

private:
    friend class Scene;
    [[nodiscard]] Camera camera() const;

    RenderOptions options_;
    std::unique_ptr<Framing> framing_;
    Region bounds_ = nowhere;
    Range range_{unbounded, -unbounded};
    std::string quantity_, unit_;
};

/// Throws Error if nothing is to be seen or an option is out of its range.
Image render(const Frame& frame, const RenderOptions& options, const Survey& survey);
/// A single picture, surveyed by itself. Throws likewise.
Image render(const Frame& frame, const RenderOptions& options);

}  // namespace scree::analyse
