// Writes a run folder of the mixed world for check.py, its frames also as three ranks would, and
// beside each frame what must be found in it: the bodies as CSV, and all contacts, shown or not.
#include "scree/io/csv.hpp"
#include "scree/io/pvd.hpp"
#include "scree/io/run_folder.hpp"
#include "scree/io/vtp_writer.hpp"
#include "support/mixed_world.hpp"
#include "support/rank_frames.hpp"

#include <fmt/format.h>

#include <fstream>

int main(int argc, char** argv)
{
    using namespace scree;
    if (argc != 2) {
        return 2;
    }
    const io::RunFolder run{argv[1]};
    std::filesystem::create_directories(run.frames());
    std::vector<io::PvdEntry> particles, contacts;
    World world = test::mixed_world(0);
    const auto store = [&] {
        const Frame frame = world.frame();
        io::write_particles(run.particles(frame.step), frame);
        io::write_contacts(run.contacts(frame.step), frame);
        test::write_frame_of_ranks(io::index_of(run.particles(frame.step)),
                                   io::index_of(run.contacts(frame.step)), frame, 3);
        particles.push_back({frame.time, run.particles(frame.step)});
        contacts.push_back({frame.time, run.contacts(frame.step)});
        io::write_pvd(run.particles_collection(), particles);
        io::write_pvd(run.contacts_collection(), contacts);
        std::ofstream(run.dir / fmt::format("bodies_{}.csv", frame.step))
            << io::csv_header() << io::csv_rows(frame);
        std::ofstream rows(run.dir / fmt::format("contacts_{}.csv", frame.step));
        rows << "first,second,touching,px,py,pz,nx,ny,nz,gap,jx,jy,jz\n";
        for (const Contact& c : frame.contacts) {
            rows << fmt::format("{},{},{},{},{},{},{},{},{},{},{},{},{}\n", c.first, c.second,
                                int(c.touching), c.point.x, c.point.y, c.point.z, c.normal.x,
                                c.normal.y, c.normal.z, c.gap, c.impulse.x, c.impulse.y,
                                c.impulse.z);
        }
        std::ofstream(run.dir / fmt::format("frame_{}.csv", frame.step))
            << fmt::format("{},{},{}\n", frame.time, frame.time_step, test::mixed_period);
    };
    store();
    for (const long steps : {10, 140}) {
        test::run(world, steps);
        store();
    }
    const World nothing;
    io::write_particles(run.dir / "empty.vtp", nothing.frame());
    io::write_contacts(run.dir / "empty_contacts.vtp", nothing.frame());
    return 0;
}
