// A field over a plane as a picture: a colour for every cell, with a colour bar, axes in true
// proportion, the outlines of obstacles and, if wanted, arrows for a flow. Cells are stored as a
// raster image inside the SVG, so that large maps stay small files.
#pragma once

#include "scree/analyse/colour_map.hpp"
#include "scree/analyse/field_maps.hpp"

#include <array>
#include <optional>
#include <string>
#include <vector>

namespace scree::analyse {

/// A body's border as seen along the third axis.
struct Outline {
    /// A closed polygon: places along the grid's first and second axis [m].
    std::vector<std::array<double, 2>> points;
    bool filled = true;  ///< false for walls around the particles
};

/// Of the prescribed bodies that reach into the grid's region: bounded ones, drums seen along their
/// axis and spherical containers. Half-spaces have none.
std::vector<Outline> outlines(const Frame& frame, const CellGrid& grid);

/// What a map shows.
struct HeatMap {
    CellGrid grid;  ///< the cells
    std::vector<double>
        values{};          ///< one per cell; NaN stays white, or grey among diverging colours
    std::string quantity;  ///< for the colour bar
    std::string unit{};    ///< may be empty
    std::string title{};   ///< may be empty
    ColourMap colours = ColourMap::sequential;  ///< from the least to the greatest value
    /// Values of the first and last colour. Left out: the least value, or 0 if that is nearly as
    /// low, and the greatest; for diverging colours the greatest magnitude and its negative.
    std::optional<double> low{}, high{};
    std::vector<Outline> outlines{};  ///< of obstacles
    /// One vector per cell or none, drawn as arrows that average over neighbouring cells.
    std::vector<Vec> arrows{};
};

/// The whole SVG document. Throws Error if values or arrows are not as many as cells.
std::string heat_map_svg(const HeatMap& map);

}  // namespace scree::analyse
