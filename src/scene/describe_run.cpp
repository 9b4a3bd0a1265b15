// The keys of a run: its room, solver and times, and what it leaves and measures.
#include "scene/describe.hpp"

namespace scree::scene {

namespace {

constexpr Choice gap_forms[]{
    {"shifted", int(GapForm::shifted), "gaps shift plane and objective alike"},
    {"plane-only", int(GapForm::plane_only), "the paper's letter"}};
constexpr Choice precisions[]{
    {"double", int(Precision::full), "doubles throughout"},
    {"mixed", int(Precision::mixed), "floats for what is relaxed, on a GPU"}};
constexpr Choice rotations[]{
    {"momentum", int(Rotation::momentum), "carries angular momentum"},
    {"semi-implicit-euler", int(Rotation::semi_implicit_euler), "the paper's"}};
constexpr Choice measure_kinds[]{
    {"region", int(MeasureKind::region), "packing, stress and motion in a region, last frame"},
    {"surface", int(MeasureKind::surface),
     "angle, crest and extent of the free surface, last frame"},
    {"force", int(MeasureKind::force), "the force on an obstacle, over the steady part"},
    {"displacement", int(MeasureKind::displacement),
     "the farthest that any grain or body has moved since the start"},
    {"laws", int(MeasureKind::laws),
     "what maximum dissipation and Coulomb make of the same contacts, over the steady part"}};

}  // namespace

void describe(Keys& k, DomainTable& d)
{
    k.vector(
        {.name = "min", .unit = "m", .range = moderate, .help = "lower corner", .required = true},
        d.min);
    k.vector(
        {.name = "max", .unit = "m", .range = moderate, .help = "upper corner", .required = true},
        d.max);
    constexpr Choice faces[]{{"open", int(Face::open), "nothing there"},
                             {"wall", int(Face::wall), "a plane wall"},
                             {"periodic", int(Face::periodic), "leads to the other side"}};
    constexpr std::string_view names[]{"x", "y", "z"};
    for (std::size_t axis = 0; axis < 3; ++axis) {
        std::vector<std::string> said{"open"};
        k.texts({.name = names[axis],
                 .help = "its two faces, lower and upper, or both in one word: \"open\", \"wall\" "
                         "or \"periodic\""},
                2, said);
        for (std::size_t side = 0; side < said.size() && side < 2; ++side) {
            bool known = false;
            for (const Choice& c : faces) {
                if (c.name == said[side]) {
                    d.faces[2 * axis + side] = Face(c.value);
                    known = true;
                }
            }
            if (!known) {
                k.complain(names[axis], "\"" + said[side] +
                                            "\" is not a kind of face; use "
                                            "\"open\", \"wall\" or \"periodic\"");
            }
        }
        if ((d.faces[2 * axis] == Face::periodic) != (d.faces[2 * axis + 1] == Face::periodic)) {
            k.complain(names[axis], "both faces of an axis are periodic, or none");
        }
    }
    k.text({.name = "material", .help = "of the walls; default: the first"}, d.material);
}

void describe(Keys& k, SolverTable& s)
{
    Settings& t = s.settings;
    std::vector<Choice> laws;
    for (const LawName& law : law_names) {
        laws.push_back({law.name, int(law.law)});
    }
    k.choice({.name = "law", .help = "contact law"}, laws, t.law);
    k.integer({.name = "sweeps",
               .range = {.least = 1, .most = 1e6},
               .help = "of relaxation per step, at most"},
              s.sweeps);
    k.number({.name = "tolerance",
              .range = share,
              .help = "relative residual to stop at; 0: always all sweeps"},
             t.tolerance);
    k.number({.name = "relaxation",
              .range = positive_share,
              .help = "part of each block's change that is applied"},
             t.relaxation);
    k.number({.name = "warm_start",
              .range = share,
              .help = "part of the last step's impulses to start from"},
             t.warm_start);
    k.flag({.name = "accelerate", .help = "Anderson acceleration when sweeps stall"}, t.accelerate);
    k.choice({.name = "gap_form", .help = "what the gap term does to a contact's problem"},
             gap_forms, t.gap_form);
    k.number({.name = "error_reduction",
              .range = share,
              .help = "ε: the part of a penetration removed per step"},
             t.error_reduction);
    k.number({.name = "correction_limit",
              .range = up_to_moderate,
              .help = "deeper penetrations, in radii, are corrected as if they were this deep"},
             t.correction_limit);
    k.number({.name = "slack",
              .range = {.least = 0, .most = 2e-5},
              .help = "gaps and penetrations up to this, in radii, count as none: for masonry"},
             t.slack);
    k.number({.name = "restitution_threshold",
              .unit = "m/s",
              .range = up_to_moderate,
              .help = "slower approaches do not bounce"},
             t.restitution_threshold);
    k.choice({.name = "rotation", .help = "how orientations advance"}, rotations, t.rotation);
    k.integer({.name = "contacts_per_copy",
               .range = {.least = 1, .most = 32},
               .help = "bodies with more neighbours are split; 1: block Jacobi"},
              s.contacts_per_copy);
    k.integer(
        {.name = "region_pairs", .range = up_to_moderate, .help = "pairs swept together; 0: all"},
        s.region_pairs);
    k.choice({.name = "precision", .help = "of velocities and impulses of spheres in sweeps"},
             precisions, t.precision);
    k.number({.name = "skin", .range = share, .help = "of neighbour lists, in radii"}, t.skin);
    k.integer({.name = "threads",
               .range = {.least = 0, .most = 1024},
               .help = "0: as many as measuring finds best; results do not depend on it"},
              s.threads);
    k.number({.name = "deep_penetration",
              .range = above_zero,
              .help = "deeper contacts, in radii of the smaller body, are reported"},
             t.deep_penetration);
    k.number({.name = "energy_tolerance",
              .range = above_zero,
              .help = "a larger miss of the energy balance is reported"},
             t.energy_tolerance);
    k.number({.name = "trust_share",
              .range = share,
              .help = "part of the steps that may be unconverged, or have deep or missed contacts, "
                      "before the run's results are not to be trusted"},
             s.trust_share);
}

void describe(Keys& k, TimeTable& t)
{
    k.number({.name = "step",
              .unit = "s",
              .range = {.least = 1e-12, .most = 1e6},
              .help = "δt",
              .required = true},
             t.step);
    k.number({.name = "end",
              .unit = "s",
              .range = {.least = 1e-12, .most = 1e15},
              .help = "when the run is over",
              .required = true},
             t.end);
}

void describe(Keys& k, OutputTable& o)
{
    k.number({.name = "sample",
              .unit = "s",
              .range = duration,
              .help = "between rows of series.csv; 0: a hundredth of the run"},
             o.sample);
    k.number({.name = "frames",
              .unit = "s",
              .range = duration,
              .help = "between frames for ParaView; 0: the first and the last"},
             o.frames);
    k.flag({.name = "contacts", .help = "frames of contacts too"}, o.contacts);
    k.integer({.name = "checkpoint_steps",
               .range = whole,
               .help = "between checkpoints; 0: when the run ends or is interrupted"},
              o.checkpoint_steps);
}

void describe(Keys& k, AnalysisTable& a)
{
    k.table({.name = "region", .help = "for averages and maps; default: the domain"}, a.region);
    k.texts({.name = "plane", .help = "two axes of the maps"}, 2, a.plane);
    k.integer({.name = "cells_across",
               .range = {.least = 1, .most = 4096},
               .help = "cells of the maps along the first axis"},
              a.cells_across);
    k.integer(
        {.name = "cells_up", .range = {.least = 1, .most = 4096}, .help = "and along the second"},
        a.cells_up);
    k.table({.name = "rdf", .help = "region of the radial distribution function; default: region"},
            a.rdf);
    k.number({.name = "rdf_diameters",
              .range = {.least = 1, .most = 50},
              .help = "its range, in mean diameters"},
             a.rdf_diameters);
    k.integer({.name = "rdf_bins", .range = {.least = 2, .most = 100000}, .help = "its bins"},
              a.rdf_bins);
    k.number({.name = "steady_from",
              .unit = "s",
              .range = duration,
              .help = "where the steady part begins; default: at two thirds of the run"},
             a.steady_from);
}

void describe(Keys& k, MeasureTable& m)
{
    k.text({.name = "name", .help = "first part of the results' names", .required = true}, m.name);
    k.choice({.name = "type", .help = "what is measured", .required = true}, measure_kinds, m.kind);
    if (k.begin_case("type", "region", m.kind == MeasureKind::region)) {
        k.table({.name = "region", .help = "where; default: the domain"}, m.region);
        k.end_case();
    }
    if (k.begin_case("type", "force", m.kind == MeasureKind::force)) {
        k.text({.name = "obstacle",
                .help = "its name, or a face of the domain: \"x min\" … \"z max\"",
                .required = true},
               m.obstacle);
        k.end_case();
    }
    if (k.begin_case("type", "surface", m.kind == MeasureKind::surface)) {
        k.text({.name = "axis",
                .help = "horizontal axis: \"x\", \"y\", or \"r\" for the distance from the centre"},
               m.axis);
        k.number({.name = "from",
                  .unit = "m",
                  .range = moderate,
                  .help = "where it begins",
                  .required = true},
                 m.from);
        k.number({.name = "to",
                  .unit = "m",
                  .range = moderate,
                  .help = "where it ends",
                  .required = true},
                 m.to);
        k.vector({.name = "centre",
                  .unit = "m",
                  .range = moderate,
                  .help = "where positions are counted from"},
                 m.centre);
        k.number(
            {.name = "least_height",
             .unit = "m",
             .range = moderate,
             .help = "the extent is the last position at which the surface is at least so high"},
            m.least_height);
        k.integer(
            {.name = "bins", .range = {.least = 3, .most = 10000}, .help = "places along the axis"},
            m.bins);
        k.end_case();
    }
}

}  // namespace scree::scene
