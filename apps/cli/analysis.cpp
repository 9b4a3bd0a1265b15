// The analysis of a run's folder: what the paper reports and granular people expect, as numbers,
// tables and pictures. docs/analysis.md has the definitions.
#include "analyse/curves.hpp"
#include "analyse/heap.hpp"
#include "analyse/heat_map.hpp"
#include "analyse/maps.hpp"
#include "analyse/packing.hpp"
#include "analyse/radial_distribution.hpp"
#include "analyse/series.hpp"
#include "analyse/stress.hpp"
#include "files.hpp"
#include "io/new_file.hpp"
#include "io/stored_frame.hpp"
#include "law_columns.hpp"
#include "results.hpp"
#include "scene/reader.hpp"
#include "scene/regions.hpp"
#include "scene/simulation.hpp"
#include "scree/error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <unordered_map>

namespace scree::cli {

namespace {

namespace fs = std::filesystem;
using namespace analyse;

int axis_number(const std::string& name) { return name == "x" ? 0 : (name == "y" ? 1 : 2); }

class Analysis {
public:
    Analysis(const io::RunFolder& folder, const scene::Scene& scene)
        : folder_(folder), scene_(scene),
          series_(
              parse_series(scene::read_text(folder.series().string()), folder.series().string())),
          time_(series_.column("time").values)
    {
        if (time_.empty()) {
            throw Error(fmt::format("{}: has no samples yet", folder.series().string()));
        }
        const double last = time_.back();
        steady_from_ = scene.analysis.steady_from.value_or(last * 2 / 3);
        if (steady_from_ >= last) {
            steady_from_ = last * 2 / 3;
        }
        const std::vector<io::FrameFiles> frames = io::frames_of(folder.dir);
        if (frames.empty()) {
            throw Error(fmt::format("{}: has no frames", folder.dir.string()));
        }
        const io::FrameFiles& newest = frames.back();
        frame_ = newest.contacts.empty() ? io::read_frame(newest.particles)
                                         : io::read_frame(newest.particles, newest.contacts);
        region_ = region_of(scene.analysis.region);
        fs::create_directories(folder.analysis());
    }

    Results run()
    {
        averages();
        flows();
        packing_of_last_frame();
        maps();
        radial();
        curves();
        for (const scene::MeasureTable& m : scene_.measures) {
            measure(m);
        }
        return std::move(results_);
    }

private:
    [[nodiscard]] Frame frame() const { return frame_.view(); }

    /// A region of the scene, else the domain, else where the grains are.
    [[nodiscard]] Region region_of(const std::optional<scene::RegionTable>& table) const
    {
        if (table) {
            const Box box = scene::box_of(*table);
            return {box.min, box.max};
        }
        if (scene_.domain) {
            return {scene_.domain->min, scene_.domain->max};
        }
        return bounds_of(frame());
    }

    /// Over the whole run and over its steady part.
    void average(const std::string& name, const std::string& column, double factor = 1,
                 const std::string& unit = "")
    {
        const std::vector<double>& values = series_.column(column).values;
        const Statistics all = statistics(time_, values);
        const Statistics steady = statistics(time_, values, steady_from_);
        results_.set(name + ".mean", factor * all.mean, unit, std::abs(factor) * all.error);
        results_.set(name + ".steady", factor * steady.mean, unit, std::abs(factor) * steady.error);
        results_.set(name + ".last", factor * values.back(), unit);
    }

    void averages()
    {
        results_.set("time.end", time_.back(), "s");
        results_.set("time.steady_from", steady_from_, "s");
        average("particles", "particles");
        average("contacts", "contacts");
        average("contacts_per_particle", "contacts per particle");
        if (scene_.domain) {
            results_.set("particles.beyond_walls", static_cast<double>(beyond_walls()));
            const SolidFraction f =
                solid_fraction(frame(), {scene_.domain->min, scene_.domain->max});
            average("solid_fraction", "solid volume", 1 / f.space);
        }
        const std::vector<double>& depth = series_.column("largest penetration").values;
        results_.set("penetration.largest", statistics(time_, depth).most, "m");
        results_.set("penetration.steady", statistics(time_, depth, steady_from_).most, "m");
        results_.set("residual.largest",
                     statistics(time_, series_.column("largest residual").values).most);
        average("sweeps", "sweeps per step");
        average("kinetic_energy", "kinetic energy", 1, "J");
        const double worst = std::abs(
            *std::max_element(series_.column("energy imbalance").values.begin(),
                              series_.column("energy imbalance").values.end(),
                              [](double a, double b) { return std::abs(a) < std::abs(b); }));
        results_.set("energy_imbalance", worst, "J");
    }

    /// Bodies of the last frame whose position is behind a wall of the domain.
    [[nodiscard]] std::size_t beyond_walls() const
    {
        const scene::DomainTable& d = *scene_.domain;
        const Frame f = frame();
        std::size_t count = 0;
        for (std::size_t i = 0; i < f.dynamic_count; ++i) {
            bool beyond = false;
            for (int axis = 0; axis < 3; ++axis) {
                const auto face = 2 * static_cast<std::size_t>(axis);
                const double x = along(f.positions[i], axis);
                beyond = beyond || (d.faces[face] == scene::Face::wall && x < along(d.min, axis)) ||
                         (d.faces[face + 1] == scene::Face::wall && x > along(d.max, axis));
            }
            count += beyond ? 1 : 0;
        }
        return count;
    }

    /// Grains and mass per second through sources and sinks, over the steady part.
    void flows()
    {
        double in = 0, out = 0;
        const auto rate = [&](const std::string& column) {
            const std::vector<double>& values = series_.column(column).values;
            const auto from = static_cast<std::size_t>(
                std::lower_bound(time_.begin(), time_.end(), steady_from_) - time_.begin());
            const double span = time_.back() - time_[from];
            return span > 0 ? (values.back() - values[from]) / span : 0;
        };
        const auto flow = [&](const std::string& given, const char* kind, std::size_t i,
                              double& sum) {
            const std::string name = given.empty() ? fmt::format("{} {}", kind, i + 1) : given;
            const double grains = rate(name + " grains");
            results_.set(name + ".rate", grains, "1/s");
            results_.set(name + ".mass_rate", rate(name + " mass"), "kg/s");
            results_.set(name + ".grains", series_.column(name + " grains").values.back());
            sum += grains;
        };
        for (std::size_t i = 0; i < scene_.sources.size(); ++i) {
            flow(scene_.sources[i].name, "source", i, in);
        }
        for (std::size_t i = 0; i < scene_.sinks.size(); ++i) {
            flow(scene_.sinks[i].name, "sink", i, out);
        }
        if (in > 0 && out > 0) {
            results_.set("flow.out_over_in", out / in);
        }
    }

    void packing_of_last_frame()
    {
        if (frame_.dynamic_count == 0) {
            return;
        }
        const Packing p = packing(frame(), region_);
        results_.set("coordination.last", p.coordination);
        results_.set("coordination.without_rattlers", p.coordination_without_rattlers);
        Series table{{{"bodies touched", "", {}}, {"particles", "", {}}}, false};
        for (std::size_t i = 0; i < p.histogram.size(); ++i) {
            table.columns[0].values.push_back(static_cast<double>(i));
            table.columns[1].values.push_back(static_cast<double>(p.histogram[i]));
        }
        write("coordination.csv", series_csv(table));
        Curve bars{.label = "", .x = table.columns[0].values, .y = table.columns[1].values};
        bars.style = CurveStyle::bars;
        picture(
            "coordination",
            curves_svg(
                {.x_name = "bodies touched", .y_name = "particles", .curves = {bars}, .y_low = 0}));
        const Stress s = stress(frame(), region_, scene_.settings().period);
        results_.set("temperature.last", s.temperature, "m2/s2");
        results_.set("pressure.last", s.pressure, "Pa");
        results_.set("stress_deviator.last", s.deviator, "Pa");
        std::string text = "quantity,xx,xy,xz,yy,yz,zz\n";
        const auto row = [&](const char* name, const Tensor& t) {
            text += fmt::format("{},{},{},{},{},{},{}\n", name, t.xx, t.xy, t.xz, t.yy, t.yz, t.zz);
        };
        row("contact stress [Pa]", s.contact);
        row("kinetic stress [Pa]", s.kinetic);
        row("stress [Pa]", s.total);
        row("fabric", p.fabric);
        if (const OrientationOrder axes = orientation_order(frame(), region_); axes.particles > 0) {
            results_.set("orientation_order.last", axes.order);
            row("orientation", axes.nematic);
        }
        write("tensors.csv", text);
    }

    void maps()
    {
        const int first = axis_number(scene_.analysis.plane[0]);
        const int second = axis_number(scene_.analysis.plane[1]);
        if (first == second || frame_.dynamic_count == 0) {
            return;
        }
        CellGrid grid;
        grid.region = region_;
        grid.columns = static_cast<int>(scene_.analysis.cells_across);
        grid.rows = static_cast<int>(scene_.analysis.cells_up);
        grid.first = first;
        grid.second = second;
        CellAverages cells(grid);
        cells.add(frame());
        write("cells.csv", series_csv(cells.table()));
        const auto peak = [](const std::vector<double>& values) {
            double most = 0;
            for (const double v : values) {
                most = std::max(most, std::isfinite(v) ? v : 0);
            }
            return most;
        };
        results_.set("cells.peak_speed", peak(cells.speed()), "m/s");
        results_.set("cells.peak_angular_speed", peak(cells.angular_speed()), "rad/s");
        const std::vector<Outline> borders = outlines(frame(), grid);
        const auto map = [&](const char* name, std::vector<double> values, const char* quantity,
                             const char* unit) {
            HeatMap h{.grid = grid, .quantity = quantity};
            h.values = std::move(values);
            h.unit = unit;
            h.outlines = borders;
            picture(name, heat_map_svg(h));
        };
        map("velocity", cells.speed(), "cell-averaged speed", "m/s");
        map("angular-velocity", cells.angular_speed(), "cell-averaged angular speed", "rad/s");
        map("solid-fraction", cells.solid_fraction(), "solid fraction", "");
    }

    void radial()
    {
        const Region region = scene_.analysis.rdf ? region_of(scene_.analysis.rdf) : region_;
        std::size_t inside = 0;
        const Frame f = frame();
        for (std::size_t i = 0; i < f.dynamic_count; ++i) {
            inside += region.contains(f.positions[i]) ? 1 : 0;
        }
        if (inside < 50) {
            return;  // no statistics
        }
        RadialOptions options;
        options.r_max = scene_.analysis.rdf_diameters;
        options.bins = static_cast<int>(scene_.analysis.rdf_bins);
        const RadialDistribution g = radial_distribution(f, region, options);
        write("radial-distribution.csv", series_csv(g.table()));
        const std::size_t top = static_cast<std::size_t>(
            std::max_element(g.paper.begin(), g.paper.end()) - g.paper.begin());
        results_.set("rdf.peak", g.paper[top]);
        results_.set("rdf.peak_at", g.r[top]);
        CurvePicture p{.x_name = "r / d", .y_name = "g(r)"};
        p.curves.push_back({.label = "as in the paper", .x = g.r, .y = g.paper});
        p.curves.push_back(
            {.label = "corrected for the border", .x = g.r, .y = g.corrected, .dash = "5 3"});
        p.references.push_back({.value = 1});
        p.y_low = 0;
        picture("radial-distribution", curves_svg(p));
    }

    void curves()
    {
        if (time_.size() < 3) {
            return;
        }
        const auto column = [&](const char* name) { return series_.column(name).values; };
        CurvePicture counts{.x_name = "time", .x_unit = "s", .y_name = "number"};
        counts.curves.push_back({.label = "particles", .x = time_, .y = column("particles")});
        counts.curves.push_back(
            {.label = "touching contacts", .x = time_, .y = column("contacts")});
        counts.y_low = 0;
        picture("counts", curves_svg(counts));
        CurvePicture energy{.x_name = "time", .x_unit = "s", .y_name = "energy", .y_unit = "J"};
        for (const char* name : {"kinetic energy", "gravity work", "wall work", "normal work",
                                 "friction work", "inserted energy", "removed energy"}) {
            const std::vector<double> values = column(name);
            if (std::any_of(values.begin(), values.end(), [](double v) { return v != 0; })) {
                energy.curves.push_back({.label = name, .x = time_, .y = values});
            }
        }
        picture("energy", curves_svg(energy));
    }

    void measure(const scene::MeasureTable& m)
    {
        switch (m.kind) {
        case scene::MeasureKind::region: in_region(m); break;
        case scene::MeasureKind::force: force(m); break;
        case scene::MeasureKind::laws: laws(m); break;
        case scene::MeasureKind::surface: surface(m); break;
        case scene::MeasureKind::displacement: displacement(m); break;
        }
    }

    void in_region(const scene::MeasureTable& m)
    {
        const Region region = region_of(m.region);
        const SolidFraction f = solid_fraction(frame(), region);
        const Packing p = packing(frame(), region);
        const Stress s = stress(frame(), region, scene_.settings().period);
        results_.set(m.name + ".particles", static_cast<double>(p.particles));
        results_.set(m.name + ".mass", s.mass, "kg");
        results_.set(m.name + ".solid_fraction", f.fraction);
        results_.set(m.name + ".coordination", p.coordination);
        results_.set(m.name + ".speed", std::hypot(s.velocity.x, s.velocity.y, s.velocity.z),
                     "m/s");
        results_.set(m.name + ".temperature", s.temperature, "m2/s2");
        results_.set(m.name + ".pressure", s.pressure, "Pa");
    }

    /// On an obstacle, over the steady part.
    void force(const scene::MeasureTable& m)
    {
        for (const char* axis : {"x", "y", "z"}) {
            const std::string column = fmt::format("{} force {}", m.name, axis);
            const std::vector<double>& values = series_.column(column).values;
            const Statistics s = statistics(time_, values, steady_from_);
            results_.set(fmt::format("{}.{}", m.name, axis), s.mean, "N", s.error);
            double zero = 0, n = 0;
            for (std::size_t i = 0; i < time_.size(); ++i) {
                if (time_[i] >= steady_from_) {
                    zero += values[i] == 0 ? 1 : 0;
                    n += 1;
                }
            }
            results_.set(fmt::format("{}.{}_zero_share", m.name, axis), zero / n);
        }
    }

    /// What two laws make of the same contacts, over the steady part.
    void laws(const scene::MeasureTable& m)
    {
        for (const cli::LawColumn& column : cli::law_columns) {
            const std::string name = fmt::format("{} {}", m.name, column.name);
            const Statistics s = statistics(time_, series_.column(name).values, steady_from_);
            results_.set(fmt::format("{}.{}", m.name, column.result), s.mean, column.unit, s.error);
        }
    }

    /// Height of the free surface along an axis: its slope, its front, its crest.
    void surface(const scene::MeasureTable& m)
    {
        SurfaceOptions o;
        o.from = m.from;
        o.to = m.to;
        o.bins = static_cast<int>(m.bins);
        o.radial = m.axis == "r";
        o.axis = m.axis == "y" ? 1 : 0;
        o.centre = m.centre;
        o.strips = 4;
        o.region = region_;
        const SurfaceProfile profile = surface_profile(frame(), o);
        write(m.name + "-surface.csv", series_csv(profile.table()));
        picture(
            m.name + "-surface",
            curves_svg({.x_name = o.radial ? "distance from the axis" : m.axis,
                        .x_unit = "m",
                        .y_name = "surface height",
                        .y_unit = "m",
                        .curves = {{.label = "", .x = profile.position, .y = profile.height}}}));
        const SurfaceSlope slope = surface_slope(profile, m.from, m.to);
        constexpr double degree = 180 / 3.14159265358979323846;
        results_.set(m.name + ".angle", std::abs(slope.angle) * degree, "degree",
                     slope.angle_error * degree);
        double crest = -std::numeric_limits<double>::infinity();
        for (const double h : profile.height) {
            crest = std::isfinite(h) ? std::max(crest, h) : crest;
        }
        results_.set(m.name + ".crest", crest, "m");
        results_.set(m.name + ".extent", surface_front(profile, m.least_height), "m");
    }

    /// How far bodies are from where the scene placed them.
    void displacement(const scene::MeasureTable& m)
    {
        const scene::Simulation start(scene_);
        std::unordered_map<BodyId, Vec> places;
        const Frame first = start.world().frame();
        for (std::size_t i = 0; i < first.dynamic_count; ++i) {
            places[first.ids[i]] = first.positions[i];
        }
        double farthest = 0, sum = 0, n = 0;
        const Frame last = frame();
        for (std::size_t i = 0; i < last.dynamic_count; ++i) {
            const auto at = places.find(last.ids[i]);
            if (at != places.end()) {
                const double d =
                    norm(nearest_image(last.positions[i] - at->second, scene_.settings().period));
                farthest = std::max(farthest, d);
                sum += d;
                n += 1;
            }
        }
        results_.set(m.name + ".largest", farthest, "m");
        results_.set(m.name + ".mean", n > 0 ? sum / n : 0, "m");
    }

    void write(const std::string& name, const std::string& text)
    {
        io::NewFile file((folder_.analysis() / name).string());
        file.write(text);
        file.commit();
    }
    void picture(const std::string& name, const std::string& svg)
    {
        write(name + ".svg", svg);
        const std::string png = (folder_.analysis() / (name + ".png")).string();
        const bool converted = convert_svg((folder_.analysis() / (name + ".svg")).string(), png);
        results_.pictures.push_back(converted ? png
                                              : (folder_.analysis() / (name + ".svg")).string());
    }

    const io::RunFolder& folder_;
    const scene::Scene& scene_;
    Series series_;
    std::vector<double> time_;
    double steady_from_ = 0;
    io::StoredFrame frame_;
    Region region_{};
    Results results_;
};

}  // namespace

Results analyse_run(const io::RunFolder& folder, const scene::Scene& scene)
{
    return Analysis(folder, scene).run();
}

}  // namespace scree::cli
