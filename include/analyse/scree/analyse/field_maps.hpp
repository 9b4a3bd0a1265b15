// Fields averaged over the cells of a grid in a plane of two axes, the third one ignored: particles
// are sorted into cells by their origins, and a cell's mean is over all particles in it. Frames can
// be added up; means are then over all particles of all frames.
#pragma once

#include "scree/analyse/region.hpp"
#include "scree/analyse/series.hpp"

#include <optional>
#include <vector>

namespace scree::analyse {

/// A grid of cells in a plane of two axes.
struct CellGrid {
    /// Bounded along the two axes; along the third, particles outside are left out.
    Region region;
    int columns = 150, rows = 65;  ///< cells along the first and second axis
    int first = 0, second = 1;     ///< axes: 0, 1, 2 for x, y, z

    /// The axis that is ignored: 0, 1, 2.
    [[nodiscard]] int third() const { return 3 - first - second; }
    /// The number of cells.
    [[nodiscard]] std::size_t cells() const
    {
        return static_cast<std::size_t>(columns) * static_cast<std::size_t>(rows);
    }
    /// Number column + columns · row of the cell that holds a point, if one does.
    [[nodiscard]] std::optional<std::size_t> cell_of(const Vec& point) const;
    /// Its middle along the first or second axis [m].
    [[nodiscard]] double middle(int axis, std::size_t cell) const;
    [[nodiscard]] double cell_volume() const;  ///< [m³]
};

/// Each field has a value for every cell. Means of empty cells are NaN.
class CellAverages {
public:
    /// Throws Error if the grid has no cells or axes, or its region is not bounded along them.
    explicit CellAverages(const CellGrid& grid);

    /// Adds the particles of a frame.
    void add(const Frame& frame);

    /// The grid it was made with.
    [[nodiscard]] const CellGrid& grid() const { return grid_; }
    [[nodiscard]] std::vector<double> count() const;        ///< particles per frame
    [[nodiscard]] std::vector<Vec> velocity() const;        ///< ⟨v⟩ [m/s]
    [[nodiscard]] std::vector<double> speed() const;        ///< |⟨v⟩| [m/s]
    [[nodiscard]] std::vector<double> mean_speed() const;   ///< ⟨|v|⟩ [m/s]
    [[nodiscard]] std::vector<double> temperature() const;  ///< ⅓⟨|v − ⟨v⟩|²⟩ [m²/s²]
    [[nodiscard]] std::vector<Vec> angular_velocity() const;       ///< ⟨ω⟩ [rad/s]
    [[nodiscard]] std::vector<double> angular_speed() const;       ///< |⟨ω⟩| [rad/s]
    [[nodiscard]] std::vector<double> mean_angular_speed() const;  ///< ⟨|ω|⟩ [rad/s]
    /// Volume of whole particles by their origins over the cell's; 0 for empty cells, NaN if the
    /// region is unbounded along the third axis.
    [[nodiscard]] std::vector<double> solid_fraction() const;

    /// All of it as a table with a line per cell, for a CSV file.
    [[nodiscard]] Series table() const;

private:
    struct Sums {
        double count = 0, volume = 0;
        Vec velocity{0, 0, 0}, angular_velocity{0, 0, 0};
        double speed = 0, speed_squared = 0, angular_speed = 0;
    };
    template <class Value> auto each(const Value& value) const;

    CellGrid grid_;
    std::vector<Sums> sums_;
    double frames_ = 0;
};

}  // namespace scree::analyse
