// The lights of pictures: a soft sun behind the viewer's left shoulder, and a bright sky all round.
// Rays to them follow fixed patterns, one for each ray of a pixel and each place in a tile of four
// by four pixels: averaged over any such square, light is smooth. Nothing is random, so that films
// do not flicker.
#pragma once

#include "analyse/camera.hpp"

#include <vector>

namespace scree::analyse {

class Lights {
public:
    static constexpr int tile = 4;  ///< pixels along the side of a square with all patterns
    // A white floor in the open gets about 1.
    static constexpr float sun_strength = 0.72f, sky_strength = 0.56f;

    /// One ray of a pixel, and its share of the lights' rays.
    struct Sample {
        double x, y;           ///< within the pixel, 0 … 1
        Vec sun;               ///< towards it
        std::vector<Vec> sky;  ///< lines; of each the end above the surface counts
    };

    /// `samples` squared rays per pixel.
    Lights(const Camera& camera, const Vec& up, int samples);

    [[nodiscard]] int samples() const { return samples_; }
    [[nodiscard]] const Sample& sample(int column, int row, int number) const;
    /// How bright the sky is in a direction: dimmer from below, where the floor is.
    [[nodiscard]] float sky(const Vec& direction) const;

private:
    Vec up_;
    int samples_;
    std::vector<Sample> patterns_;  ///< for each pixel of a tile
};

}  // namespace scree::analyse
