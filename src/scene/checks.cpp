#include "scene/checks.hpp"

#include "math/vec.hpp"
#include "scene/grain_counts.hpp"
#include "scene/grains.hpp"
#include "scene/text.hpp"
#include "scree/error.hpp"
#include "scree/query.hpp"

#include <fmt/format.h>

#include <cmath>
#include <set>

namespace scree::scene {

namespace {

/// Whatever needs more than one key.
class Checks {
public:
    Checks(const Scene& scene, Diagnostics& diagnostics) : scene_(scene), diagnostics_(diagnostics)
    {
    }

    void run()
    {
        check_time();
        check_materials();
        check_surfaces();
        check_domain();
        check_bodies();
        check_obstacles();
        check_fills();
        check_sources();
        check_sinks();
        check_analysis();
        check_measures();
        if (scene_.bodies.empty() && scene_.fills.empty() && scene_.sources.empty()) {
            say({}, "", "nothing would move: there is no [[body]], [[fill]] or [[source]]");
        }
    }

private:
    void check_time()
    {
        const TimeTable& time = scene_.time;
        if (time.step > 0 && time.end < time.step) {
            say({}, "time.end", "is before the first step");
        }
        if (time.step > 0 && time.end / time.step > 1e15) {
            say({}, "time", "more than 1e15 steps");
        }
    }
    void check_materials()
    {
        for (const MaterialTable& m : scene_.materials) {
            if (!materials_.insert(m.name).second) {
                say(m.place, "material.name", fmt::format("\"{}\" is there already", m.name));
            }
        }
        if (scene_.materials.size() > 255) {
            say(scene_.materials.back().place, "material", "at most 255 materials");
        }
    }
    void check_surfaces()
    {
        for (const SurfaceTable& t : scene_.surfaces) {
            for (const std::string& name : t.between) {
                material(t.place, "surface.between", name);
            }
        }
    }
    void check_domain()
    {
        if (scene_.domain) {
            box({}, "domain", scene_.domain->min, scene_.domain->max);
            material({}, "domain.material", scene_.domain->material);
        }
    }
    void check_bodies()
    {
        for (const BodyTable& b : scene_.bodies) {
            unique_name(b.place, "body", b.name);
            material(b.place, "body.material", b.material);
            shape(b.place, "body", b);
            direction(b.place, "body.direction", b.direction);
            turn(b.place, "body.turn", b.turn);
            copies(b);
        }
    }
    void check_obstacles()
    {
        for (const ObstacleTable& o : scene_.obstacles) {
            unique_name(o.place, "obstacle", o.name);
            material(o.place, "obstacle.material", o.material);
            if (o.shapes.empty()) {
                say(o.place, "obstacle.shapes", "needs at least one shape");
            }
            for (const PlacedShapeTable& p : o.shapes) {
                shape(p.place, "obstacle.shapes", p);
                direction(p.place, "obstacle.shapes.direction", p.direction);
                turn(p.place, "obstacle.shapes.turn", p.turn);
            }
            turn(o.place, "obstacle.turn", o.turn);
            if (o.motion) {
                direction(o.place, "obstacle.motion.axis", o.motion->axis);
            }
        }
    }
    void check_fills()
    {
        for (const FillTable& f : scene_.fills) {
            grains(f.place, "fill", f);
            region(f.place, "fill.region", f.region);
            if (f.kind == FillKind::random && (f.count > 0) == (f.fraction > 0)) {
                say(f.place, "fill", "give either count or fraction");
            }
            if (f.kind == FillKind::grid) {
                grid(f.place, "fill.spacing", f.region, f.spacing);
            } else if (diagnostics_.count() == 0) {
                amount(f);
            }
            if (f.kind == FillKind::pour && f.region.kind == RegionKind::sphere) {
                say(f.place, "fill.region", "layers are poured into a box or a cylinder");
            }
        }
    }
    void check_sources()
    {
        for (const SourceTable& t : scene_.sources) {
            unique_name(t.place, "source", t.name);
            grains(t.place, "source", t);
            region(t.place, "source.region", t.region);
            if (t.kind == SourceKind::piston) {
                piston(t);
            } else {
                rain(t);
            }
        }
        if (scene_.sources.size() + scene_.fills.size() >= most_sources) {
            say({}, "source",
                fmt::format("at most {} fills and sources together", most_sources - 1));
        }
    }
    void check_sinks()
    {
        for (const SinkTable& t : scene_.sinks) {
            unique_name(t.place, "sink", t.name);
            if (!t.min && !t.max) {
                say(t.place, "sink", "give min, max or both: this one would delete everything");
            }
        }
    }
    void check_analysis()
    {
        for (const std::string& axis : scene_.analysis.plane) {
            if (axis != "x" && axis != "y" && axis != "z") {
                say({}, "analysis.plane", "expected two of \"x\", \"y\", \"z\"");
            }
        }
    }
    void check_measures()
    {
        for (const MeasureTable& m : scene_.measures) {
            if (m.kind == MeasureKind::surface && !(m.from < m.to)) {
                say(m.place, "measure.to", "must be larger than from");
            }
            if (m.kind == MeasureKind::force && !names_.contains(m.obstacle)) {
                const auto close = nearest(m.obstacle, names_);
                say(m.place, "measure.obstacle",
                    fmt::format("there is no obstacle \"{}\"{}", m.obstacle,
                                close ? fmt::format("; did you mean \"{}\"?", *close) : ""));
            }
        }
    }

    void say(const Place& where, const std::string& key, const std::string& what)
    {
        diagnostics_.add(where, key, what);
    }
    void material(const Place& where, const std::string& key, const std::string& name)
    {
        if (name.empty() || materials_.contains(name)) {
            return;
        }
        const auto close = nearest(name, materials_);
        say(where, key,
            fmt::format("there is no material \"{}\"{}", name,
                        close ? fmt::format("; did you mean \"{}\"?", *close)
                              : fmt::format("; known: {}", fmt::join(materials_, ", "))));
    }
    void unique_name(const Place& where, const std::string& kind, const std::string& name)
    {
        if (!name.empty() && !names_.insert(name).second) {
            say(where, kind + ".name", fmt::format("\"{}\" is there already", name));
        }
    }
    void grains(const Place& where, const std::string& kind, const GrainTable& g)
    {
        material(where, kind + ".material", g.material);
        shape(where, kind + ".shape", g.shape);
        turn(where, kind + ".turn", g.turn);
        if (g.shape.kind == ShapeKind::capsule && g.shape.radius == 0 && g.sizes) {
            say(where, kind + ".sizes", "a rod without thickness has no volume");
        }
        if (g.sizes) {
            sizes(where, kind + ".sizes", *g.sizes);
        }
    }
    void piston(const SourceTable& t)
    {
        along_an_axis(t.place, "source.normal", t.normal);
        grid(t.place, "source.spacing", t.region, t.spacing);
        const double layers = layers_of(t, scene_.time);
        if (!(layers < static_cast<double>(most_layers))) {
            say(t.place, "source.distance",
                fmt::format("gives {:.3g} layers in the run, must be fewer than {}", layers,
                            most_layers));
        }
        if (t.speed * scene_.time.step > t.distance && t.distance > 0) {
            say(t.place, "source.distance", "is less than the piston's way in one step");
        }
    }
    void rain(const SourceTable& t)
    {
        const double all = grains_of(t, scene_.time);
        if (!(all <= most_grains)) {
            say(t.place, "source.rate",
                fmt::format("brings {:.3g} grains in the run, must be at most {:.0e}; give a "
                            "count, a smaller rate or an earlier stop",
                            all, most_grains));
        }
    }
    void box(const Place& where, const std::string& key, const Vec3<double>& min,
             const Vec3<double>& max)
    {
        if (!(min.x < max.x && min.y < max.y && min.z < max.z)) {
            say(where, key, "max must be larger than min along every axis");
        }
    }
    void region(const Place& where, const std::string& key, const RegionTable& r)
    {
        if (r.kind == RegionKind::box) {
            box(where, key, r.min, r.max);
        }
        if (r.kind == RegionKind::cylinder) {
            along_an_axis(where, key + ".axis", r.axis);
        }
    }
    void along_an_axis(const Place& where, const std::string& key, const Vec3<double>& v)
    {
        direction(where, key, v);
        if ((v.x != 0) + (v.y != 0) + (v.z != 0) > 1) {
            say(where, key, "must be along a coordinate axis");
        }
    }
    void grid(const Place& where, const std::string& key, const RegionTable& r,
              const Vec3<double>& spacing)
    {
        const double places = places_of(r, spacing);
        if (!(places <= most_grains)) {
            say(where, key,
                fmt::format("gives {:.3g} places, must be at most {:.0e}; is the unit right?",
                            places, most_grains));
        }
    }
    /// Of grains that are placed at random or poured.
    void amount(const FillTable& f)
    {
        const double grains = grains_of(f, scene_.seed);
        if (!(grains <= most_grains)) {
            say(f.place, "fill",
                fmt::format("wants {:.3g} grains, must be at most {:.0e}; is the unit right?",
                            grains, most_grains));
        }
        const double share = grains * mean_volume(f, scene_.seed) / volume_of(f.region);
        if (f.kind == FillKind::random && !(share <= 0.7)) {
            say(f.place, "fill.count",
                fmt::format("would fill {:.3g} of the region; random placement ends near 0.3, use "
                            "type = \"pour\" or a smaller count",
                            share));
        }
    }
    void shape(const Place& where, const std::string& key, const ShapeTable& s)
    {
        if (s.kind == ShapeKind::clump) {
            for (const PartTable& p : s.parts) {
                shape(p.place, key + ".parts", p);
                direction(p.place, key + ".parts.direction", p.direction);
                turn(p.place, key + ".parts.turn", p.turn);
            }
        }
        if (s.kind == ShapeKind::polyhedron || s.kind == ShapeKind::clump ||
            s.kind == ShapeKind::mesh) {
            solid(where, key, s);
            return;
        }
        const std::string_view what = problems_with(s.shape());
        if (!what.empty() && diagnostics_.count() == 0) {
            say(where, key, std::string(what));
        }
        if (s.kind == ShapeKind::capsule && s.radius > 0 && s.radius < 1e-9) {
            say(where, key + ".radius", "must be 0 or at least 1e-9 m");
        }
    }
    void solid(const Place& where, const std::string& key, const ShapeTable& s)
    {
        const std::string part = s.kind == ShapeKind::clump  ? ".parts"
                                 : s.kind == ShapeKind::mesh ? ".triangles"
                                                             : ".vertices";
        if (diagnostics_.count() > 0) {
            return;  // a part that cannot be has been told
        }
        if (s.kind == ShapeKind::polyhedron && s.vertices.empty()) {
            say(where, key, "a polyhedron needs vertices, or a file with them");
            return;
        }
        if (s.kind == ShapeKind::mesh && (s.vertices.empty() || s.triangles.empty())) {
            say(where, key, "a mesh needs vertices and triangles, or a file with them");
            return;
        }
        try {
            const Shape made = s.shape();
            double radius = s.kind == ShapeKind::mesh ? 0 : outer_radius(made);
            for (const Vec3<double>& p : points_of(made)) {
                radius = std::max(radius, norm(p));
            }
            if (!(radius >= 1e-9 && radius <= 1e9)) {
                say(where, key + part,
                    fmt::format("reach {:g} m far from the origin, must be from 1e-9 to 1e9",
                                radius));
            }
        } catch (const Error& error) {
            say(where, key + part, error.what());
        }
    }
    void direction(const Place& where, const std::string& key, const std::optional<Vec3<double>>& v)
    {
        if (v && !(norm(*v) >= 1e-9)) {
            say(where, key, "must not be zero (its length must be at least 1e-9)");
        }
    }
    void turn(const Place& where, const std::string& key, const std::optional<Turn>& t)
    {
        if (t) {
            direction(where, key + ".axis", t->axis);
        }
    }
    void copies(const BodyTable& b)
    {
        for (const RepeatTable& r : b.repeat) {
            turn(r.place, "body.repeat.turn", r.turn);
            if (r.count > 1 && norm(r.step) == 0 && !r.turn) {
                say(r.place, "body.repeat",
                    "all copies would be at the same place: give step, turn or both");
            }
        }
        if (!(b.count() <= most_copies)) {
            say(b.place, "body.repeat",
                fmt::format("makes {:.3g} bodies, must be at most {:.0e}", b.count(), most_copies));
        }
    }
    void sizes(const Place& where, const std::string& key, const SizeTable& t)
    {
        if (t.kind == SizeKind::sieve) {
            bool good = t.curve.size() >= 2;
            for (std::size_t i = 1; i < t.curve.size(); ++i) {
                good =
                    good && t.curve[i][0] > t.curve[i - 1][0] && t.curve[i][1] >= t.curve[i - 1][1];
            }
            if (!good || !(t.curve.front()[0] >= 1e-9) || t.curve.front()[1] != 0 ||
                t.curve.back()[1] != 1) {
                say(where, key + ".curve",
                    "must have growing diameters of at least 1e-9 m and shares that grow from 0 to "
                    "1");
            }
        } else if (t.kind != SizeKind::monodisperse && !(t.min < t.max)) {
            say(where, key, "max must be larger than min");
        } else if ((t.kind == SizeKind::normal || t.kind == SizeKind::lognormal) &&
                   !(t.min < t.mean + 4 * t.deviation && t.max > t.mean - 4 * t.deviation)) {
            say(where, key, "min and max leave next to nothing of the distribution");
        }
    }

    const Scene& scene_;
    Diagnostics& diagnostics_;
    std::set<std::string> materials_;
    /// Of bodies, obstacles, sources and sinks, beside the faces of the domain.
    std::set<std::string> names_{"x min", "x max", "y min", "y max", "z min", "z max"};
};

}  // namespace

void check(const Scene& scene, Diagnostics& diagnostics) { Checks(scene, diagnostics).run(); }

}  // namespace scree::scene
