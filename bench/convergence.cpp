// How the error of a step falls with the time step, for motions with a closed form: prints a table,
// and draws it. convergence [PICTURE.svg]
#include "analyse/axes.hpp"
#include "support/exact_motions.hpp"

#include <cstdio>
#include <fstream>
#include <functional>
#include <string>
#include <vector>

namespace {

using namespace scree;
namespace svg = analyse::svg;

struct Curve {
    std::string name, colour;
    double longest;  ///< time step
    std::function<double(double)> error;
};

const std::vector<Curve> motions{
    {"sliding, then rolling", "#1b6ca8", 8e-3, test::sliding_then_rolling},
    {"bouncing", "#c8553d", 8e-3, test::bouncing},
    {"swinging loaded ball", "#3a7d44", 4e-3, test::swinging},
    {"free precession, Euler", "#8e5ea2", 1e-2,
     [](double h) { return test::precessing(Rotation::semi_implicit_euler, h); }},
    {"free precession, momentum", "#e0a100", 2e-2,
     [](double h) { return test::precessing(Rotation::momentum, h); }}};

/// Powers of ten as ticks of a logarithmic axis.
svg::Axis decades(int from, int to, const std::string& label)
{
    svg::Axis axis{static_cast<double>(from), static_cast<double>(to), label, {}};
    for (int k = from; k <= to; ++k) {
        axis.ticks.push_back({static_cast<double>(k), "10^{" + svg::number(k) + "}"});
    }
    return axis;
}

}  // namespace

int main(int argc, char** argv)
{
    svg::Document picture(770, 460);
    const svg::Axes axes{
        {105, 20, 405, 380}, decades(-4, -1, "time step [s]"), decades(-8, 0, "error [m or rad]")};
    double legend = 60;
    // Slopes to compare with.
    axes.curve(picture, {{-4, -4.3}, {-1, -1.3}}, {"#999999", 1, "5 4"});
    axes.curve(picture, {{-4, -8}, {-1, -2}}, {"#999999", 1, "2 3"});
    for (const Curve& motion : motions) {
        std::vector<svg::Point> points;
        double last = 0;
        for (int k = 0; k < 6; ++k) {
            const double h = motion.longest / (1 << k);
            const double error = motion.error(h);
            std::printf("%-28s dt %.3e s  error %.3e", motion.name.c_str(), h, error);
            std::printf(k > 0 ? "  order %.2f\n" : "\n", std::log2(last / error));
            last = error;
            points.push_back({std::log10(h), std::log10(error)});
        }
        axes.curve(picture, points, {motion.colour, 2});
        for (const svg::Point& p : points) {
            picture.circle(axes(p.x, p.y), 3.5, {{"none"}, motion.colour});
        }
        picture.line({530, legend - 4}, {555, legend - 4}, {motion.colour, 2});
        picture.text({562, legend}, motion.name);
        legend += 24;
    }
    picture.line({530, legend - 4}, {555, legend - 4}, {"#999999", 1, "5 4"});
    picture.text({562, legend}, "first order");
    picture.line({530, legend + 20}, {555, legend + 20}, {"#999999", 1, "2 3"});
    picture.text({562, legend + 24}, "second order");
    axes.draw(picture);
    if (argc > 1) {
        std::ofstream out(argv[1]);
        out << picture.str();
        if (!out.flush()) {
            std::fprintf(stderr, "convergence: cannot write %s\n", argv[1]);
            return 1;
        }
    }
    return 0;
}
