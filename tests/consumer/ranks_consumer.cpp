// What a user of several processes writes first, as docs/ranks.md shows it.
#include <scree/mpi.hpp>
#include <scree/world.hpp>

#include <cstdio>
#include <exception>

int main()
try {
    const auto ranks = scree::mpi_ranks();  // starts MPI
    scree::World world;                     // all ranks make the same one …
    world.add(scree::obstacle(scree::Shape::half_space()));
    scree::Body ball;
    ball.shape = scree::Shape::sphere(0.05);
    for (int i = 0; i < 100; ++i) {
        ball.position = {0.11 * (i % 10), 0.11 * (i / 10), 0.05};
        world.add(ball);
    }
    world.distribute(ranks);  // … and share it from here on
    while (world.time() < 0.01) {
        world.step();  // together, as everything else
    }
    const std::size_t contacts = world.report().contacts;  // of all ranks
    if (ranks->rank() == 0) {
        std::printf("%zu contacts on %d ranks\n", contacts, ranks->size());
    }
    return 0;
} catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    scree::end_all_ranks(1);  // the others would wait for this one
}
