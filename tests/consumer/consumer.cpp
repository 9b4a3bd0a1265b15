// What a user of the installed library writes first; it must build and give the documented numbers.
#include <scree/contact.hpp>
#include <scree/device.hpp>
#include <scree/world.hpp>

#include <cmath>
#include <cstdio>

int main()
{
    const scree::ContactProblem<double> problem{
        .A = {.nn = 1, .nt = 0, .no = 0, .tt = 3.5, .to = 0, .oo = 3.5},
        .b = {.n = 1, .t = 0.8, .o = 0},
        .beta = 1,
        .mu = 0.2};
    const scree::ContactSolution s = scree::solve_contact(problem);
    std::printf("x = (%g, %g, %g), energy %g J\n", s.x.n, s.x.t, s.x.o, s.certificate.energy);
    const bool right = s.state == scree::ContactState::sliding && std::abs(s.x.n - 1) < 1e-14 &&
                       std::abs(s.x.t - 0.2) < 1e-14 &&
                       std::abs(s.certificate.energy - (-0.5 + 0.5 * 3.5 * 0.04 - 0.16)) < 1e-14;
    // A world takes along all that the library needs, on a GPU if there is one.
    scree::Settings settings;
    settings.gpu = scree::gpus().empty() ? scree::no_gpu : 0;
    scree::World world(settings);
    world.add(scree::obstacle(scree::Shape::half_space()));
    scree::Body ball;
    ball.shape = scree::Shape::sphere(0.05);
    ball.position = {0, 0, 0.05};
    world.add(ball);
    const std::size_t contacts = world.step().contacts;
    std::printf("%zu contact of a ball on a floor; GPU: %s\n", contacts,
                scree::gpu_support().c_str());
    return right && contacts == 1 ? 0 : 1;
}
