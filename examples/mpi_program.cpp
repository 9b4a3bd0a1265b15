// One world on several processes: mpirun -n 2 mpi_program
//
// All of them make the same world and share it from `spread` on. Each then steps the bodies in its
// part of space, and whatever is called is called by all of them, in the same order.
#include <scree/mpi.hpp>
#include <scree/world.hpp>

#include <cstdio>
#include <exception>

int main()
try {
    const auto ranks = scree::mpi_ranks();  // starts MPI

    scree::Settings settings;
    settings.time_step = 1e-3;
    settings.threads = 1;  // of each process
    scree::World world(settings);
    world.add(scree::obstacle(scree::Shape::half_space()));

    // Twenty by twenty balls, a hand's breadth above the floor.
    for (int i = 0; i < 400; ++i) {
        scree::Body ball;
        ball.shape = scree::Shape::sphere(0.05);
        ball.position = {0.11 * (i % 20), 0.11 * (i / 20), 0.15};
        world.add(ball);
    }
    world.distribute(ranks);

    while (world.time() < 0.5) {
        world.step();
    }

    // Reports are about all bodies, frames about those of this process.
    const std::size_t contacts = world.report().contacts;
    const std::size_t mine = world.frame(false).dynamic_count;
    std::printf("rank %d of %d has %zu of %zu balls\n", ranks->rank(), ranks->size(), mine,
                world.report().bodies);
    if (ranks->rank() == 0) {
        std::printf("%zu contacts in total\n", contacts);
    }
} catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    scree::end_all_ranks(1);  // the others would wait for this one
}
