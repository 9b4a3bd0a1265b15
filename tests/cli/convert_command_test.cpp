// `scree convert` from outside.
#include "scree/io/csv.hpp"
#include "scree/io/lammps.hpp"
#include "scree/io/run_folder.hpp"
#include "scree/io/vtp_writer.hpp"
#include "support/folder.hpp"
#include "support/mixed_world.hpp"
#include "support/program.hpp"

#include <gtest/gtest.h>

namespace scree {
namespace {

namespace fs = std::filesystem;
using test::Ran;
using test::scree;

/// A run with frames of the steps 0, 5, 10 and what its converted files must hold.
class Convert : public test::InFolder {
protected:
    void SetUp() override
    {
        InFolder::SetUp();
        run = {folder / "run"};
        fs::create_directories(run.frames());
        World world = test::mixed_world(0);
        for (int i = 0; i < 3; ++i) {
            const Frame frame = world.frame();
            io::write_particles(run.particles(frame.step), frame);
            io::write_contacts(run.contacts(frame.step), frame);
            csv.push_back(io::csv_rows(frame));
            dump.push_back(io::lammps_frame(frame));
            test::run(world, 5);
        }
    }
    [[nodiscard]] Ran convert(const std::string& arguments) const
    {
        return scree("convert " + arguments);
    }
    void expect_refused(const std::string& arguments, const std::string& problems_with) const
    {
        const Ran ran = convert(arguments);
        EXPECT_EQ(ran.status, 2) << ran.out;
        EXPECT_NE(ran.out.find(problems_with), std::string::npos) << problems_with << "\n"
                                                                  << ran.out;
    }

    io::RunFolder run;
    std::vector<std::string> csv, dump;
};

TEST_F(Convert, WritesAllFramesToOneFile)
{
    const Ran ran = convert(run.dir.string() + " --to lammps");
    EXPECT_EQ(ran.status, 0) << ran.out;
    EXPECT_NE(ran.out.find("3 frame(s), 42 bodies"), std::string::npos) << ran.out;
    EXPECT_EQ(read("run/particles.dump"), dump[0] + dump[1] + dump[2]);
    EXPECT_EQ(convert(run.dir.string() + " --to csv").status, 0);
    EXPECT_EQ(read("run/particles.csv"), io::csv_header() + csv[0] + csv[1] + csv[2]);
}

TEST_F(Convert, WritesChosenFrames)
{
    EXPECT_EQ(convert(run.dir.string() + " --to csv --frames last --out " + path("a.csv")).status,
              0);
    EXPECT_EQ(read("a.csv"), io::csv_header() + csv[2]);
    EXPECT_EQ(convert(run.dir.string() + " --to csv --frames 5 --out " + path("a.csv")).status, 0);
    EXPECT_EQ(read("a.csv"), io::csv_header() + csv[1]);
    EXPECT_EQ(convert(run.particles(5).string() + " --to lammps").status, 0);
    EXPECT_EQ(read("run/frames/particles_000000000005.dump"), dump[1]);
    EXPECT_EQ(convert(run.particles(5).string() + " --to lammps --out /dev/full").status, 1);
}

TEST_F(Convert, BadInputIsRefusedAndNothingWritten)
{
    const std::string dir = run.dir.string(), out = " --out " + path("out");
    expect_refused(dir + " --to csv --frames 6" + out, "a near one is 5, there are 3 from 0 to 10");
    expect_refused(dir + " --to csv --frames 8" + out, "a near one is 10,");
    expect_refused(dir + " --to csv --frames 11" + out, "a near one is 10,");
    expect_refused(dir + " --to csv --frames first" + out, "must be all, last, or a step");
    expect_refused(dir + " --to stl" + out, "--to");
    expect_refused(dir + out, "--to is required");
    expect_refused(path("none") + " --to csv" + out, "cannot be read");
    expect_refused(folder.string() + " --to csv" + out, "has no frames");
    expect_refused(run.contacts(5).string() + " --to csv" + out, "holds contacts, not particles");
    expect_refused(run.particles(5).string() + " --to csv --frames 5" + out, "is a single frame");
    expect_refused(dir + " --to csv --out " + run.particles(5).string(), "one of the frames");
    expect_refused(dir + " --to csv --out " + path("no/out"), "cannot be written");
    fs::resize_file(run.particles(10), 3000);
    expect_refused(dir + " --to csv" + out, "000000000010.vtp: is incomplete");
    EXPECT_EQ(files(), 1u);
    EXPECT_EQ(convert("--help").status, 0);
}

}  // namespace
}  // namespace scree
