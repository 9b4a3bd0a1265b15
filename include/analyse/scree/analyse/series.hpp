// Time series as CSV, and what can be said about a column of them. The first line names the
// columns with their units, "time [s],particles,kinetic energy [J]"; each further line is one
// moment. A run that was killed while writing leaves a line without its end, which is left out.
#pragma once

#include "scree/analyse/line_fit.hpp"

#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace scree::analyse {

/// A quantity over time.
struct Column {
    std::string name;              ///< without its unit
    std::string unit;              ///< empty for counts and ratios
    std::vector<double> values{};  ///< one per row; NaN for an empty cell
};

/// Columns of equal length, usually with the time in the first.
struct Series {
    std::vector<Column> columns;  ///< in the file's order
    bool truncated = false;       ///< a last line without its end was left out

    /// The number of moments.
    [[nodiscard]] std::size_t rows() const
    {
        return columns.empty() ? 0 : columns.front().values.size();
    }
    /// Throws Error with the names there are.
    [[nodiscard]] const Column& column(std::string_view name) const;
};

/// Reads the text of a file; `source` is its name for complaints. Empty cells are NaN; empty lines
/// and lines that begin with # are skipped. Throws Error with line and column.
Series parse_series(std::string_view text, std::string_view source);

/// The first line, from names and units. Throws Error if a name or unit holds ',', '"', '[', ']' or
/// a control character, or a name is empty.
std::string csv_header(std::span<const Column> columns);
/// One further line; numbers are as short as possible to come back exactly, NaN an empty cell.
std::string csv_row(std::span<const double> values);
/// The whole file. Throws Error if the columns are of different lengths.
std::string series_csv(const Series& series);

/// What can be said about a column.
struct Statistics {
    std::size_t samples = 0;     ///< finite ones within the window
    double from = 0, to = 0;     ///< the first and last one's time [s]
    double mean = 0;             ///< over time: ∫ v dt / (to − from), by the trapezoidal rule
    double deviation = 0;        ///< standard deviation over time
    double error = 0;            ///< standard error of the mean, by block averages
    double least = 0, most = 0;  ///< extreme values
    LinearFit trend{};           ///< over time, by least squares
};

/// Of the values between two times. A single sample has deviation and error NaN; none is an Error,
/// as are times that do not increase.
Statistics statistics(std::span<const double> time, std::span<const double> values,
                      double from = -std::numeric_limits<double>::infinity(),
                      double to = std::numeric_limits<double>::infinity());

/// Standard error of the mean of correlated, equally spaced samples (Flyvbjerg and Petersen, J.
/// Chem. Phys. 91, 461, 1989): neighbours are averaged again and again, and the error that the
/// averages' scatter tells grows until they are independent. The last one that exceeds all before
/// by more than its own uncertainty is taken, from at least 8 averages.
double block_error(std::span<const double> values);

}  // namespace scree::analyse
