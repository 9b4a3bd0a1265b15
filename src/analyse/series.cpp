// Reading, writing and statistics of the time series declared in series.hpp.
#include "scree/analyse/series.hpp"

#include "scree/error.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>

#include <fmt/format.h>

namespace scree::analyse {

namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

std::string_view trimmed(std::string_view text)
{
    constexpr std::string_view space = " \t\r";
    const std::size_t begin = text.find_first_not_of(space);
    return begin == std::string_view::npos
               ? std::string_view{}
               : text.substr(begin, text.find_last_not_of(space) - begin + 1);
}

std::vector<std::string_view> cells_of(std::string_view line)
{
    std::vector<std::string_view> cells;
    for (;;) {
        const std::size_t comma = line.find(',');
        cells.push_back(trimmed(line.substr(0, comma)));
        if (comma == std::string_view::npos) {
            return cells;
        }
        line.remove_prefix(comma + 1);
    }
}

/// "kinetic energy [J]" as name and unit.
Column heading(std::string_view cell)
{
    const std::size_t open = cell.rfind('[');
    if (open == std::string_view::npos || cell.back() != ']') {
        return {std::string(cell), {}};
    }
    return {std::string(trimmed(cell.substr(0, open))),
            std::string(trimmed(cell.substr(open + 1, cell.size() - open - 2)))};
}

double value_of(std::string_view cell, std::string_view source, std::size_t line,
                const Column& column)
{
    if (cell.empty()) {
        return nan;
    }
    double value = 0;
    const char* end = cell.data() + cell.size();
    const auto [stop, error] = std::from_chars(cell.data(), end, value);
    if (error != std::errc{} || stop != end) {
        throw Error(fmt::format("{}:{}: column \"{}\" is \"{}\"; a number within the range of "
                                "double is needed, or nothing",
                                source, line, column.name, cell));
    }
    return value;
}

void require_clean(std::string_view text)
{
    const auto bad = [](char c) {
        return std::string_view(",\"[]").find(c) != std::string_view::npos ||
               static_cast<unsigned char>(c) < 0x20;
    };
    if (std::any_of(text.begin(), text.end(), bad)) {
        throw Error(fmt::format("time series: the name or unit \"{}\" must do without , \" [ ] and "
                                "control characters",
                                text));
    }
}

}  // namespace

const Column& Series::column(std::string_view name) const
{
    const auto same = [&](const Column& c) { return c.name == name; };
    const auto found = std::find_if(columns.begin(), columns.end(), same);
    if (found == columns.end()) {
        std::string names;
        for (const Column& c : columns) {
            names += fmt::format("{}\"{}\"", names.empty() ? "" : ", ", c.name);
        }
        throw Error(fmt::format("time series: no column \"{}\"; there are {}", name, names));
    }
    return *found;
}

Series parse_series(std::string_view text, std::string_view source)
{
    Series series;
    for (std::size_t line_number = 1; !text.empty(); ++line_number) {
        const std::size_t end = text.find('\n');
        const std::string_view line = trimmed(text.substr(0, end));
        text.remove_prefix(std::min(text.size(), end == text.npos ? end : end + 1));
        if (line.empty() || line.front() == '#') {
            continue;
        }
        if (end == std::string_view::npos) {
            series.truncated = true;
            break;
        }
        const std::vector<std::string_view> cells = cells_of(line);
        if (series.columns.empty()) {
            std::transform(cells.begin(), cells.end(), std::back_inserter(series.columns), heading);
            continue;
        }
        if (cells.size() != series.columns.size()) {
            throw Error(fmt::format("{}:{}: {} cells; the first line names {} columns", source,
                                    line_number, cells.size(), series.columns.size()));
        }
        for (std::size_t i = 0; i < cells.size(); ++i) {
            Column& column = series.columns[i];
            column.values.push_back(value_of(cells[i], source, line_number, column));
        }
    }
    if (series.columns.empty()) {
        throw Error(fmt::format("{}: no line with the names of columns, like \"time [s],kinetic "
                                "energy [J]\"",
                                source));
    }
    return series;
}

std::string csv_header(std::span<const Column> columns)
{
    std::string out;
    for (const Column& c : columns) {
        require_clean(c.name);
        require_clean(c.unit);
        if (c.name.empty()) {
            throw Error("time series: a column has no name; give it one");
        }
        out += fmt::format("{}{}", out.empty() ? "" : ",", c.name);
        out += c.unit.empty() ? "" : fmt::format(" [{}]", c.unit);
    }
    return out + "\n";
}

std::string csv_row(std::span<const double> values)
{
    std::string out;
    for (std::size_t i = 0; i < values.size(); ++i) {
        out += i == 0 ? "" : ",";
        out += std::isnan(values[i]) ? "" : fmt::format("{}", values[i]);
    }
    return out + "\n";
}

std::string series_csv(const Series& series)
{
    std::string out = csv_header(series.columns);
    for (const Column& c : series.columns) {
        if (c.values.size() != series.rows()) {
            throw Error(fmt::format("time series: column \"{}\" has {} values, the first one {}; "
                                    "they must be as many",
                                    c.name, c.values.size(), series.rows()));
        }
    }
    std::vector<double> row(series.columns.size());
    for (std::size_t i = 0; i < series.rows(); ++i) {
        std::transform(series.columns.begin(), series.columns.end(), row.begin(),
                       [&](const Column& c) { return c.values[i]; });
        out += csv_row(row);
    }
    return out;
}

double block_error(std::span<const double> values)
{
    constexpr std::size_t least_blocks = 8;
    std::vector<double> blocks(values.begin(), values.end());
    double best = nan;
    while (blocks.size() >= 2) {
        const auto n = static_cast<double>(blocks.size());
        double mean = 0, squares = 0;
        for (const double b : blocks) {
            mean += b / n;
        }
        for (const double b : blocks) {
            squares += (b - mean) * (b - mean);
        }
        const double error = std::sqrt(squares / n / (n - 1));
        if (!(error - error / std::sqrt(2 * (n - 1)) <= best)) {
            best = error;
        }
        if (blocks.size() / 2 < least_blocks) {
            break;
        }
        for (std::size_t i = 0; i < blocks.size() / 2; ++i) {
            blocks[i] = 0.5 * (blocks[2 * i] + blocks[2 * i + 1]);
        }
        blocks.resize(blocks.size() / 2);
    }
    return best;
}

Statistics statistics(std::span<const double> time, std::span<const double> values, double from,
                      double to)
{
    std::vector<double> t, v;
    for (std::size_t i = 0; i < std::min(time.size(), values.size()); ++i) {
        if (time[i] >= from && time[i] <= to && std::isfinite(values[i])) {
            if (!t.empty() && !(time[i] > t.back())) {
                throw Error(fmt::format("time series: time {} s comes after {} s; times must "
                                        "increase. Was a run continued into an old file?",
                                        time[i], t.back()));
            }
            t.push_back(time[i]);
            v.push_back(values[i]);
        }
    }
    if (t.empty()) {
        throw Error(
            fmt::format("time series: no finite value between {} s and {} s; choose another "
                        "window",
                        from, to));
    }
    const std::size_t n = t.size();
    // Trapezoidal weights; they add up to the time span.
    std::vector<double> weight(n, 1);
    for (std::size_t i = 0; i < n && n > 1; ++i) {
        weight[i] = 0.5 * (t[std::min(i + 1, n - 1)] - t[i == 0 ? 0 : i - 1]);
    }
    double sum = 0, sum_squared = 0, mean = 0, squares = 0;
    for (std::size_t i = 0; i < n; ++i) {
        sum += weight[i];
        sum_squared += weight[i] * weight[i];
        mean += weight[i] * v[i];
    }
    mean /= sum;
    for (std::size_t i = 0; i < n; ++i) {
        squares += weight[i] * (v[i] - mean) * (v[i] - mean);
    }
    Statistics s;
    s.samples = n;
    s.from = t.front();
    s.to = t.back();
    s.mean = mean;
    s.deviation = n > 1 ? std::sqrt(squares / (sum - sum_squared / sum)) : nan;
    s.error = block_error(v);
    const auto [least, most] = std::minmax_element(v.begin(), v.end());
    s.least = *least;
    s.most = *most;
    s.trend = fit_line(t, v);
    return s;
}

}  // namespace scree::analyse
