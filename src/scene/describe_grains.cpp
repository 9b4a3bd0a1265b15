// The keys of grains: their sizes, what makes them and what takes them away.
#include "scene/describe.hpp"

namespace scree::scene {

namespace {

constexpr Choice size_kinds[]{
    {"monodisperse", int(SizeKind::monodisperse)},
    {"uniform", int(SizeKind::uniform), "by number, between min and max"},
    {"normal", int(SizeKind::normal), "by number, cut off at min and max"},
    {"lognormal", int(SizeKind::lognormal), "by number, cut off at min and max"},
    {"sieve", int(SizeKind::sieve), "a sieve curve, by mass"}};
constexpr Choice orientations[]{{"given", int(Orient::given)}, {"random", int(Orient::random)}};
constexpr Choice region_kinds[]{{"box", int(RegionKind::box)},
                                {"cylinder", int(RegionKind::cylinder)},
                                {"sphere", int(RegionKind::sphere)}};
constexpr Choice fill_kinds[]{
    {"grid", int(FillKind::grid), "a rectangular grid"},
    {"random", int(FillKind::random), "random places, one after the other, without overlap"},
    {"pour", int(FillKind::pour), "loose layers above the region's bottom, as many as needed"}};
constexpr Choice source_kinds[]{
    {"piston", int(SourceKind::piston),
     "a plane that pushes grains ahead; after a distance it is set back and a new layer of grains "
     "is made in the room it leaves"},
    {"rain", int(SourceKind::rain), "grains at random places in a region, at a rate"}};

}  // namespace

static void describe_limits(Keys& k, SizeTable& s)
{
    k.number({.name = "min", .unit = "m", .range = up_to_moderate, .help = "smallest diameter"},
             s.min);
    k.number(
        {.name = "max", .unit = "m", .range = positive_or_infinite, .help = "largest diameter"},
        s.max);
}

static void describe_moments(Keys& k, SizeTable& s)
{
    k.number({.name = "mean",
              .unit = "m",
              .range = extent,
              .help = "mean diameter, before cutting off",
              .required = true},
             s.mean);
    k.number({.name = "deviation",
              .unit = "m",
              .range = extent,
              .help = "standard deviation, before cutting off",
              .required = true},
             s.deviation);
}

void describe(Keys& k, SizeTable& s)
{
    k.choice({.name = "type", .help = "kind of distribution", .required = true}, size_kinds,
             s.kind);
    if (k.begin_case("type", "monodisperse", s.kind == SizeKind::monodisperse)) {
        k.number(
            {.name = "diameter", .unit = "m", .range = extent, .help = "of all", .required = true},
            s.diameter);
        k.end_case();
    }
    if (k.begin_case("type", "uniform", s.kind == SizeKind::uniform)) {
        k.number({.name = "min",
                  .unit = "m",
                  .range = extent,
                  .help = "smallest diameter",
                  .required = true},
                 s.min);
        k.number({.name = "max",
                  .unit = "m",
                  .range = extent,
                  .help = "largest diameter",
                  .required = true},
                 s.max);
        k.end_case();
    }
    if (k.begin_case("type", "normal", s.kind == SizeKind::normal)) {
        describe_moments(k, s);
        describe_limits(k, s);
        k.end_case();
    }
    if (k.begin_case("type", "lognormal", s.kind == SizeKind::lognormal)) {
        describe_moments(k, s);
        describe_limits(k, s);
        k.end_case();
    }
    if (k.begin_case("type", "sieve", s.kind == SizeKind::sieve)) {
        constexpr std::string_view units[]{"m", "1"};
        k.rows({.name = "curve",
                .range = up_to_moderate,
                .help = "rows of a mesh width and the share of mass that passes it, from 0 to 1",
                .required = true},
               units, s.curve);
        k.end_case();
    }
}

static void describe_grains(Keys& k, GrainTable& g)
{
    k.text({.name = "material", .help = "default: the first"}, g.material);
    k.table({.name = "shape", .help = "of the grains", .required = true}, g.shape);
    k.table({.name = "sizes",
             .help = "distribution of the diameter of the sphere of a grain's volume; the shape is "
                     "scaled to it. Default: the shape as given"},
            g.sizes);
    k.choice({.name = "orientation", .help = "of the grains"}, orientations, g.orient);
    k.table({.name = "turn", .help = "of all grains, if the orientation is given"}, g.turn);
    k.vector({.name = "velocity", .unit = "m/s", .range = moderate, .help = "at the start"},
             g.velocity);
    k.vector({.name = "velocity_spread",
              .unit = "m/s",
              .range = up_to_moderate,
              .help = "each component is drawn evenly from velocity ± this"},
             g.velocity_spread);
    k.vector(
        {.name = "angular_velocity", .unit = "rad/s", .range = moderate, .help = "at the start"},
        g.angular_velocity);
    k.vector({.name = "angular_velocity_spread",
              .unit = "rad/s",
              .range = up_to_moderate,
              .help = "likewise"},
             g.angular_velocity_spread);
}

void describe(Keys& k, RegionTable& r)
{
    k.choice({.name = "type", .help = "kind of region"}, region_kinds, r.kind);
    if (k.begin_case("type", "box", r.kind == RegionKind::box)) {
        k.vector({.name = "min",
                  .unit = "m",
                  .range = moderate,
                  .help = "lower corner",
                  .required = true},
                 r.min);
        k.vector({.name = "max",
                  .unit = "m",
                  .range = moderate,
                  .help = "upper corner",
                  .required = true},
                 r.max);
        k.end_case();
    }
    const auto centre = [&](std::string_view help) {
        k.vector({.name = "centre", .unit = "m", .range = moderate, .help = help, .required = true},
                 r.centre);
        k.number(
            {.name = "radius", .unit = "m", .range = extent, .help = "radius", .required = true},
            r.radius);
    };
    if (k.begin_case("type", "cylinder", r.kind == RegionKind::cylinder)) {
        centre("of the cylinder");
        k.number({.name = "length",
                  .unit = "m",
                  .range = extent,
                  .help = "along the axis",
                  .required = true},
                 r.length);
        k.vector(
            {.name = "axis", .range = moderate, .help = "direction: one of the coordinate axes"},
            r.axis);
        k.end_case();
    }
    if (k.begin_case("type", "sphere", r.kind == RegionKind::sphere)) {
        centre("of the sphere");
        k.end_case();
    }
}

void describe(Keys& k, FillTable& f)
{
    k.text({.name = "name", .help = "for messages"}, f.name);
    k.choice({.name = "type", .help = "how grains are placed", .required = true}, fill_kinds,
             f.kind);
    k.table({.name = "region",
             .help = "where; grains lie wholly inside, those of a grid with their centres",
             .required = true},
            f.region);
    if (k.begin_case("type", "grid", f.kind == FillKind::grid)) {
        k.vector({.name = "spacing",
                  .unit = "m",
                  .range = extent,
                  .help = "of the grid's places; the first is half a spacing from the lower corner",
                  .required = true,
                  .uniform = true},
                 f.spacing);
        k.number({.name = "jitter",
                  .range = share,
                  .help = "random displacement, as a part of the spacing left free"},
                 f.jitter);
        k.end_case();
    }
    if (k.begin_case("type", "random", f.kind == FillKind::random)) {
        k.integer({.name = "count",
                   .range = number_of_grains,
                   .help = "number of grains; or give the fraction"},
                  f.count);
        k.number({.name = "fraction",
                  .range = {.least = 0, .most = 0.6},
                  .help = "solid fraction to reach"},
                 f.fraction);
        k.end_case();
    }
    if (k.begin_case("type", "pour", f.kind == FillKind::pour)) {
        k.integer({.name = "count",
                   .range = number_of_grains,
                   .help = "number of grains; layers go on above the region if need be; default: "
                           "fill the region"},
                  f.count);
        k.end_case();
    }
    k.flag({.name = "clear",
            .help = "leave out grains that would intersect obstacles, walls or grains that are "
                    "there already"},
           f.clear);
    k.flag({.name = "fixed", .help = "grains that do not move: a rough floor"}, f.fixed);
    describe_grains(k, f);
}

void describe(Keys& k, SourceTable& s)
{
    k.text({.name = "name", .help = "for results"}, s.name);
    k.choice({.name = "type", .help = "kind of source", .required = true}, source_kinds, s.kind);
    if (k.begin_case("type", "piston", s.kind == SourceKind::piston)) {
        k.vector({.name = "position",
                  .unit = "m",
                  .range = moderate,
                  .help = "a point of the plane when it starts",
                  .required = true},
                 s.position);
        k.vector(
            {.name = "normal", .range = moderate, .help = "where it pushes: ± a coordinate axis"},
            s.normal);
        k.number({.name = "speed",
                  .unit = "m/s",
                  .range = above_zero,
                  .help = "of the plane",
                  .required = true},
                 s.speed);
        k.number({.name = "distance",
                  .unit = "m",
                  .range = extent,
                  .help = "after which it is set back",
                  .required = true},
                 s.distance);
        k.table({.name = "region", .help = "the layer's box", .required = true}, s.region);
        k.vector({.name = "spacing",
                  .unit = "m",
                  .range = extent,
                  .help = "of the layer's grid in the region",
                  .required = true,
                  .uniform = true},
                 s.spacing);
        k.end_case();
    }
    if (k.begin_case("type", "rain", s.kind == SourceKind::rain)) {
        k.number({.name = "rate",
                  .unit = "1/s",
                  .range = {.least = 0, .most = 1e15, .open_at_least = true},
                  .help = "grains per time",
                  .required = true},
                 s.rate);
        k.number({.name = "interval",
                  .unit = "s",
                  .range = duration,
                  .help = "between insertions; 0: twenty grains at a time"},
                 s.interval);
        k.integer(
            {.name = "count", .range = number_of_grains, .help = "grains in all; 0: no limit"},
            s.count);
        k.table({.name = "region", .help = "where", .required = true}, s.region);
        k.end_case();
    }
    k.number({.name = "start", .unit = "s", .range = duration, .help = "when it starts"}, s.start);
    k.number({.name = "stop", .unit = "s", .range = positive_or_infinite, .help = "when it stops"},
             s.stop);
    describe_grains(k, s);
}

void describe(Keys& k, SinkTable& s)
{
    k.text({.name = "name", .help = "for results"}, s.name);
    k.vector({.name = "min",
              .unit = "m",
              .range = {.infinite = true},
              .help = "lower corner of the box in which bodies are deleted when their centre "
                      "enters; default: no limit"},
             s.min);
    k.vector(
        {.name = "max", .unit = "m", .range = {.infinite = true}, .help = "upper corner, likewise"},
        s.max);
}

}  // namespace scree::scene
