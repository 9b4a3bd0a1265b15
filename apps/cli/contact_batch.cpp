// Batches: rows are read in chunks, solved at vector width and written as they come, so that memory
// does not grow with the file.
#include "contact_batch.hpp"

#include "io/atomic_file.hpp"
#include "progress.hpp"
#include "scene/printable.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <system_error>
#include <vector>

namespace scree::cli {
namespace {

using scene::printable;

constexpr std::array column_names{"Ann", "Ant", "Ano", "Att",  "Ato", "Aoo",
                                  "bn",  "bt",  "bo",  "beta", "mu"};
constexpr std::size_t columns = column_names.size();
constexpr std::size_t beta_column = 9;
constexpr std::size_t chunk_rows = 1 << 16;
constexpr std::size_t complaints_shown = 10;

std::string_view trimmed(std::string_view text)
{
    while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) {
        text.remove_prefix(1);
    }
    while (!text.empty() && (text.back() == ' ' || text.back() == '\t')) {
        text.remove_suffix(1);
    }
    return text;
}

/// Splits a line at commas outside double quotes.
void split(std::string_view line, std::vector<std::string_view>& cells)
{
    cells.clear();
    bool quoted = false;
    std::size_t begin = 0;
    for (std::size_t i = 0; i <= line.size(); ++i) {
        if (i < line.size() && line[i] == '"') {
            quoted = !quoted;
        }
        if (i == line.size() || (line[i] == ',' && !quoted)) {
            std::string_view cell = trimmed(line.substr(begin, i - begin));
            if (cell.size() >= 2 && cell.front() == '"' && cell.back() == '"') {
                cell = trimmed(cell.substr(1, cell.size() - 2));
            }
            cells.push_back(cell);
            begin = i + 1;
        }
    }
}

/// A decimal or hexadecimal number ("0x1.8p+3") that fills the whole cell; else says what is wrong.
const char* parse_number(std::string_view cell, double& value)
{
    const bool negative = cell.starts_with('-');
    if (negative || cell.starts_with('+')) {
        cell.remove_prefix(1);
    }
    const char* const no_number = "is not a number (decimal or hexadecimal)";
    if (cell.starts_with('-')) {
        return no_number;
    }
    auto format = std::chars_format::general;
    if (cell.starts_with("0x") || cell.starts_with("0X")) {
        cell.remove_prefix(2);
        format = std::chars_format::hex;
    }
    const auto [end, error] =
        std::from_chars(cell.data(), cell.data() + cell.size(), value, format);
    value = negative ? -value : value;
    if (error == std::errc::result_out_of_range) {
        return "is beyond the range of double precision";
    }
    return error == std::errc() && end == cell.data() + cell.size() ? nullptr : no_number;
}

/// Which cell of a row holds which column; `beta` may be missing.
struct Header {
    std::array<std::size_t, columns> places{};
    std::size_t cells = 0;
};

constexpr std::size_t missing_place = std::string_view::npos;

Header read_header(const std::string& file, std::string_view line)
{
    std::vector<std::string_view> cells;
    split(line, cells);
    Header header{.cells = cells.size()};
    std::vector<std::string_view> missing;
    for (std::size_t k = 0; k < columns; ++k) {
        const auto found = std::find(cells.begin(), cells.end(), column_names[k]);
        header.places[k] =
            found == cells.end() ? missing_place : static_cast<std::size_t>(found - cells.begin());
        if (found == cells.end() && k != beta_column) {
            missing.push_back(column_names[k]);
        }
        if (found != cells.end() &&
            std::find(found + 1, cells.end(), column_names[k]) != cells.end()) {
            throw Error(
                fmt::format("{}:1: the header names column {} twice", file, column_names[k]));
        }
    }
    if (!missing.empty()) {
        throw Error(fmt::format(
            "{}:1: the header has no column {}; needed: {} (beta may be left out: it is then bn)",
            file, fmt::join(missing, ", "), fmt::join(column_names, ",")));
    }
    return header;
}

/// The rows in work: input columns and where they came from.
struct Chunk {
    std::array<std::vector<double>, columns> values;
    std::vector<std::size_t> lines;
    std::vector<double> xn, xt, xo, residual;
    std::vector<ContactState> state;

    std::size_t size() const { return lines.size(); }
    void clear()
    {
        for (auto& column : values) {
            column.clear();
        }
        lines.clear();
    }
    BatchReport solve(Law law)
    {
        for (auto* column : {&xn, &xt, &xo, &residual}) {
            column->resize(size());
        }
        state.resize(size());
        const auto& v = values;
        return solve_batch<double>(
            {v[0], v[1], v[2], v[3], v[4], v[5], v[6], v[7], v[8], v[9], v[10]},
            {xn, xt, xo, state, residual}, law);
    }
    ContactProblem<double> problem(std::size_t i) const
    {
        const auto& v = values;
        return {{v[0][i], v[1][i], v[2][i], v[3][i], v[4][i], v[5][i]},
                {v[6][i], v[7][i], v[8][i]},
                v[9][i],
                v[10][i]};
    }
};

/// Complaints about rows, of which the first few are shown.
class Complaints {
public:
    explicit Complaints(std::string file) : file_(std::move(file)) {}
    void add(std::size_t line, const std::string& what)
    {
        ++count_;
        if (first_ones_.size() < 1000) {
            first_ones_.emplace_back(line, what);
        }
    }
    bool any() const { return count_ > 0; }
    [[noreturn]] void fail()
    {
        std::sort(first_ones_.begin(), first_ones_.end());
        const std::size_t shown = std::min(first_ones_.size(), complaints_shown);
        std::string text;
        for (std::size_t i = 0; i < shown; ++i) {
            text += fmt::format("{}:{}: {}\n", file_, first_ones_[i].first, first_ones_[i].second);
        }
        if (count_ > shown) {
            text += fmt::format("… and {} more rows\n", count_ - shown);
        }
        throw Error(printable(text) + "nothing was written");
    }

private:
    std::string file_;
    std::vector<std::pair<std::size_t, std::string>> first_ones_;
    std::size_t count_ = 0;
};

void read_row(std::string_view line, std::size_t number, const Header& header,
              std::vector<std::string_view>& cells, Chunk& chunk, Complaints& complaints)
{
    split(line, cells);
    if (cells.size() != header.cells) {
        complaints.add(
            number, fmt::format("the row has {} cells, the header {}", cells.size(), header.cells));
        return;
    }
    std::array<double, columns> row{};
    for (std::size_t k = 0; k < columns; ++k) {
        if (header.places[k] == missing_place) {
            row[k] = row[6];  // beta = bn
            continue;
        }
        const std::string_view cell = cells[header.places[k]];
        if (const char* wrong = parse_number(cell, row[k])) {
            complaints.add(
                number, fmt::format("{} = \"{}\" {}", column_names[k], cell.substr(0, 40), wrong));
            return;
        }
    }
    for (std::size_t k = 0; k < columns; ++k) {
        chunk.values[k].push_back(row[k]);
    }
    chunk.lines.push_back(number);
}

void solve_chunk(Chunk& chunk, Law law, BatchSummary& summary, Complaints& complaints,
                 io::NewFile& out)
{
    const BatchReport report = chunk.solve(law);
    BatchReport& all = summary.report;
    if (report.max_residual > all.max_residual) {
        all.max_residual = report.max_residual;
        summary.worst_line = chunk.lines[report.worst_row];
    }
    all.separating += report.separating;
    all.sticking += report.sticking;
    all.sliding += report.sliding;
    all.invalid += report.invalid;
    all.long_way_rows += report.long_way_rows;
    summary.rows += chunk.size();
    fmt::memory_buffer buffer;
    for (std::size_t i = 0; i < chunk.size(); ++i) {
        if (chunk.state[i] == ContactState::invalid) {
            complaints.add(chunk.lines[i], problems_with(chunk.problem(i)));
            continue;
        }
        fmt::format_to(std::back_inserter(buffer), "{:.17g},{:.17g},{:.17g},{},{:.17g}\n",
                       chunk.xn[i], chunk.xt[i], chunk.xo[i], name_of(chunk.state[i]),
                       chunk.residual[i]);
    }
    out.write({buffer.data(), buffer.size()});
    chunk.clear();
}

std::string_view without_return(std::string_view text)
{
    return text.ends_with('\r') ? text.substr(0, text.size() - 1) : text;
}

/// What the first line of a file says.
Header header_of(std::ifstream& in, const std::string& name)
{
    std::string line;
    if (!std::getline(in, line)) {
        throw Error(fmt::format("{}: is empty; the first line must name the columns {}", name,
                                fmt::join(column_names, ",")));
    }
    constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";
    std::string_view first = without_return(line);
    first.remove_prefix(first.starts_with(byte_order_mark) ? byte_order_mark.size() : 0);
    return read_header(name, first);
}

}  // namespace

BatchSummary solve_csv(const std::string& input, const std::string& output, Law law)
{
    const auto start = std::chrono::steady_clock::now();
    std::ifstream in(input, std::ios::binary);
    if (!in) {
        throw Error(
            fmt::format("{}: cannot be read: {}", input, std::generic_category().message(errno)));
    }
    const Header header = header_of(in, input);

    std::error_code ignored;
    Progress progress(static_cast<double>(std::filesystem::file_size(input, ignored)));
    io::NewFile out(output);
    out.write("xn,xt,xo,state,residual\n");
    Complaints complaints(input);
    BatchSummary summary;
    Chunk chunk;
    std::vector<std::string_view> cells;
    double bytes = 0;
    std::size_t blank_line = 0;  // allowed at the end of the file only
    std::string line;
    for (std::size_t number = 2; std::getline(in, line); ++number) {
        bytes += static_cast<double>(line.size() + 1);
        const std::string_view row = without_return(line);
        if (trimmed(row).empty()) {
            blank_line = blank_line == 0 ? number : blank_line;
            continue;
        }
        if (blank_line != 0) {
            complaints.add(blank_line, "the row is empty");
            blank_line = 0;
        }
        read_row(row, number, header, cells, chunk, complaints);
        if (chunk.size() == chunk_rows) {
            solve_chunk(chunk, law, summary, complaints, out);
            progress.update(bytes, fmt::format("{} contacts", summary.rows));
        }
    }
    if (in.bad()) {
        throw std::runtime_error(
            fmt::format("{}: reading failed after {} bytes; nothing was written", input, bytes));
    }
    solve_chunk(chunk, law, summary, complaints, out);
    if (complaints.any()) {
        complaints.fail();
    }
    out.commit();
    summary.seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    return summary;
}

}  // namespace scree::cli
