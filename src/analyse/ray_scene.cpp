// The scene declared in ray_scene.hpp.
#include "analyse/ray_scene.hpp"

#include "analyse/force_rods.hpp"
#include "shapes/clump.hpp"

#include <algorithm>
#include <cmath>

namespace scree::analyse {
namespace {

constexpr Light white{1, 1, 1};
constexpr Light sun_colour{1, 0.985f, 0.95f}, sky_colour{0.97f, 0.985f, 1};
constexpr float bounce = 0.45f;            ///< what a lit body gives to its neighbours
constexpr Light ink{0.10f, 0.13f, 0.20f};  ///< of lines on the floor
constexpr Light glass_colour{0.36f, 0.44f, 0.54f};
constexpr double glass_opacity = 0.06;  ///< of bodies that show forces inside

Vec normal_of(const PlacedShape& solid, const Vec& p)
{
    return rotate(solid.orientation,
                  outward_normal(solid.shape, rotate_back(solid.orientation, p - solid.position)));
}

/// The part of a line inside a box, and the outward normal of the face where it enters.
struct Clipped {
    Interval part;
    Vec face;
};
Clipped clipped(const Region& box, const Vec& o, const Vec& d)
{
    const Interval x = in_slab(o.x, d.x, box.low.x, box.high.x);
    const Interval y = in_slab(o.y, d.y, box.low.y, box.high.y);
    const Interval z = in_slab(o.z, d.z, box.low.z, box.high.z);
    const auto against = [](double s) { return s > 0 ? -1.0 : 1.0; };
    Clipped c{common(x, common(y, z)), {against(d.x), 0, 0}};
    if (c.part.from == z.from) {
        c.face = {0, 0, against(d.z)};
    } else if (c.part.from == y.from) {
        c.face = {0, against(d.y), 0};
    }
    return c;
}

constexpr std::uint32_t most_drawn_triangles = 100000;

/// From 0 where one looks straight at a surface to 1 at its rim.
float grazing(const Vec& normal, const Ray& ray)
{
    const auto x = static_cast<float>(1 - std::abs(dot(normal, ray.direction)));
    return x * x * x * x * x;
}

/// The ray as far as the clip box holds it. Bodies are cut open where it enters.
Ray within(const Ray& ray, const Interval& part)
{
    Ray r = ray;
    if (part.from > 0) {
        r.from = part.from;
        r.cut = true;
    }
    r.to = part.to;
    return r;
}

/// A lit surface of a colour: matt, with a soft highlight and a bright rim.
Light lit(const Light& colour, const Vec& normal, const Ray& ray, const Vec& sun, float sun_seen,
          const Light& sky)
{
    const double height = std::max(0.0, dot(normal, sun));
    const Light sunlight =
        Lights::sun_strength * sun_seen * static_cast<float>(height) * sun_colour;
    const double shine = std::pow(std::max(0.0, dot(normalised(sun - ray.direction), normal)), 60);
    return colour * (sunlight + sky) + static_cast<float>(0.16 * shine) * sunlight +
           0.10f * grazing(normal, ray) * sky;
}

}  // namespace

PlacedShape drawn_shape(const Frame& frame, std::size_t i)
{
    PlacedShape solid{frame.shapes[i], frame.positions[i], frame.orientations[i]};
    if (solid.shape.kind == ShapeKind::capsule && solid.shape.size.x == 0) {
        solid.shape.size.x = 0.01 * solid.shape.size.y;
    }
    return solid;
}

bool shown(const Frame& frame, std::size_t i, const Region& clip)
{
    const Vec& p = frame.positions[i];
    return !is_wall(frame.shapes[i].kind) && std::isfinite(p.x + p.y + p.z) &&
           !empty(common(bounds_of(drawn_shape(frame, i)), clip));
}

/// The triangles of a mesh, thin prisms; of other shapes, and of meshes too large to be drawn so,
/// none.
static std::vector<PlacedShape> plates_of(const Frame& frame, std::size_t i)
{
    std::vector<PlacedShape> plates;
    const Shape& shape = frame.shapes[i];
    if (shape.surface == nullptr || shape.surface->triangle_count > most_drawn_triangles) {
        return plates;
    }
    const std::vector<Vec> points = points_of(shape);
    for (const std::array<std::uint32_t, 3>& t : triangles_of(shape)) {
        const Vec a = points[t[0]], b = points[t[1]], c = points[t[2]];
        const Vec n = direction_of(cross(b - a, c - a));
        const Vec half = 5e-5 * std::max({norm(b - a), norm(c - b), norm(a - c)}) * n;
        const Vec corners[]{a + half, b + half, c + half, a - half, b - half, c - half};
        plates.push_back({Shape::polyhedron(corners), frame.positions[i], frame.orientations[i]});
    }
    return plates;
}

Scene::Scene(const Frame& frame, const RenderOptions& options, const Survey& survey)
    : options_(options), camera_(survey.camera()), up_(direction_of(options.view.up)),
      lights_(camera_, up_, options.samples),
      walls_(frame, camera_, options.width, survey.bounds(), up_)
{
    const std::vector<Light> colours = body_colours(
        frame, options.colour_by, quantity_of(frame, options.colour_by, up_), survey.range());
    std::vector<PlacedShape> solids, ghosts;
    const bool forces = options.colour_by == ColourBy::force;
    for (std::size_t i = 0; i < frame.ids.size(); ++i) {
        const bool dynamic = i < frame.dynamic_count;
        const double opacity = !dynamic ? options.obstacle_opacity : forces ? glass_opacity : 1;
        if (opacity == 0) {
            continue;
        }
        for (const PlacedShape& plate : plates_of(frame, i)) {
            if (opacity < 1) {
                ghosts.push_back(plate);
                ghost_colours_.push_back(colours[i]);
                ghost_opacities_.push_back(static_cast<float>(opacity));
            } else {
                solids.push_back(plate);
                colours_.push_back(colours[i]);
            }
        }
        if (!shown(frame, i, options.clip)) {
            continue;
        }
        const PlacedShape whole = drawn_shape(frame, i);
        for (int k = 0; k < shapes::part_count(whole.shape); ++k) {
            const shapes::PlacedPart part =
                shapes::part_of(whole.shape, {whole.position, whole.orientation}, k);
            const PlacedShape solid{part.shape, part.pose.position, part.pose.orientation};
            if (opacity < 1) {
                ghosts.push_back(solid);
                ghost_colours_.push_back(colours[i]);
                ghost_opacities_.push_back(static_cast<float>(opacity));
            } else {
                solids.push_back(solid);
                colours_.push_back(colours[i]);
            }
        }
    }
    if (forces) {
        const auto [low, high] = survey.range();
        for (const ForceRod& rod : force_rods(frame, high)) {
            solids.push_back(rod.shape);
            colours_.push_back(scale_colour((rod.force - low) / (high - low)));
        }
    }
    solids_ = BodyTree(std::move(solids));
    ghosts_ = BodyTree(std::move(ghosts));
}

Scene::Place Scene::place(int column, int row, int sample) const
{
    const Lights::Sample& s = lights_.sample(column, row, sample);
    const double x = 2 * (column + s.x) / options_.width - 1;
    const double y = 1 - 2 * (row + s.y) / options_.height;
    return {camera_.ray(x, y), &s};
}

Ray Scene::towards_light(const Vec& p, const Vec& d) const
{
    return within({p, d}, clipped(options_.clip, p, d).part);
}

void Scene::take_light(Look& look, const Vec& p, const Lights::Sample& sample) const
{
    // A convex body never shades itself: it is left out, and rays start on the very surface.
    const bool dark = dot(look.normal, sample.sun) <= 0 ||
                      solids_.blocked(towards_light(p, sample.sun), look.surface);
    look.sun = dark ? 0 : 1;
    for (Vec d : sample.sky) {
        double facing = dot(look.normal, d);
        if (facing < 0) {
            facing = -facing;
            d = -d;
        }
        const Hit hit = solids_.first(towards_light(p, d), look.surface);
        const Light colour = hit ? bounce * colours_[hit.body] : sky_colour;
        look.sky = look.sky + static_cast<float>(facing) * lights_.sky(d) * colour;
        look.sky_weight += static_cast<float>(facing);
    }
}

Look Scene::look(int column, int row, int sample) const
{
    const Place at = place(column, row, sample);
    const Ray& ray = at.ray;
    const Clipped clip = clipped(options_.clip, ray.origin, ray.direction);
    const auto point = [&](double t) { return ray.origin + t * ray.direction; };
    Look look;
    if (const Hit hit = solids_.first(within(ray, clip.part)); hit) {
        look.at = hit.at;
        look.surface = hit.body;
        look.normal =
            hit.at == clip.part.from ? clip.face : normal_of(solids_[hit.body], point(hit.at));
    }
    if (options_.walls) {
        if (const auto floor = walls_.floor(ray); floor.at < look.at) {
            look.at = floor.at;
            look.surface = Look::first_floor + static_cast<std::uint32_t>(floor.number);
            look.normal = floor.normal;
        }
    }
    if (look.surface < Look::first_floor ||
        (look.surface != Look::nothing && walls_.nearness(point(look.at)) > 0)) {
        take_light(look, point(look.at), *at.sample);
    }
    return look;
}

Light Scene::colour(int column, int row, int sample, const Look& look,
                    std::vector<Layer>& layers) const
{
    const Place at = place(column, row, sample);
    const Light sky = look.sky_weight > 0 ? Lights::sky_strength / look.sky_weight * look.sky
                                          : Lights::sky_strength * sky_colour;
    Light colour = white;
    if (look.surface < Look::first_floor) {
        colour = lit(colours_[look.surface], look.normal, at.ray, at.sample->sun, look.sun, sky);
    } else if (look.surface != Look::nothing) {
        // A floor is as bright as the background, but for shades and lines, and goes over into it.
        const Vec p = at.ray.origin + look.at * at.ray.direction;
        const float near = walls_.nearness(p);
        if (near > 0) {
            const auto height = static_cast<float>(dot(look.normal, at.sample->sun));
            const auto level = static_cast<float>(dot(up_, at.sample->sun));
            const Light light = Lights::sun_strength * look.sun * height * sun_colour + sky;
            const Light open = Lights::sun_strength * level * sun_colour +
                               Lights::sky_strength * 0.95f * sky_colour;
            const Light shade{light.r / open.r, light.g / open.g, light.b / open.b};
            const float line =
                0.55f * near * walls_.lines(at.ray, look.at, look.surface - Look::first_floor);
            colour = (1 - line) * (near * shade + (1 - near) * white) + line * ink;
        }
    }
    see_through(at, look.at, layers);
    for (const Layer& layer : layers) {
        colour = (1 - layer.opacity) * colour + layer.opacity * layer.colour;
    }
    return colour;
}

void Scene::see_through(const Place& place, double end, std::vector<Layer>& layers) const
{
    layers.clear();
    const Ray& ray = place.ray;
    if (options_.walls) {
        walls_.glass(ray, end, [&](double at, float opacity) {
            layers.push_back({at, opacity, glass_colour});
        });
    }
    const Clipped clip = clipped(options_.clip, ray.origin, ray.direction);
    Ray rest = within(ray, clip.part);
    rest.to = std::min(rest.to, end);
    float clear = 1;  // what is left of what lies behind
    for (Hit hit = ghosts_.first(rest); hit && clear > 0.02f; hit = ghosts_.first(rest)) {
        const Vec n = hit.at == clip.part.from
                          ? clip.face
                          : normal_of(ghosts_[hit.body], ray.origin + hit.at * ray.direction);
        const float body = ghost_opacities_[hit.body];
        const float opacity = body + (1 - body) * 0.6f * grazing(n, ray);
        layers.push_back({hit.at, opacity,
                          lit(ghost_colours_[hit.body], n, ray, place.sample->sun, 1,
                              Lights::sky_strength * lights_.sky(n) * sky_colour)});
        clear *= 1 - opacity;
        rest.from = std::nextafter(hit.at, unbounded);
        rest.cut = false;
    }
    std::sort(layers.begin(), layers.end(),
              [](const Layer& a, const Layer& b) { return a.at > b.at; });
}

}  // namespace scree::analyse
