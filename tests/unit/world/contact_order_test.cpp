// Contacts are a function of the bodies: in which order these were added, and hence are in memory,
// does not matter.
#include "device/emulation.hpp"
#include "scree/device.hpp"
#include "support/jumble.hpp"
#include "support/same_contacts.hpp"

namespace scree::test {
namespace {

TEST(ContactOrder, IsTheSameForBodiesAddedInAnyOrder)
{
    std::vector<Body> bodies = jumble(7, 6, 6);
    Settings s;
    s.threads = 1;
    World first = world_of(s, bodies);
    first.step();
    const std::vector<Contact> wanted = contacts_of(first.frame());
    EXPECT_GT(wanted.size(), 2000U);
    Random random(43);
    for (int round = 0; round < 3; ++round) {
        for (std::size_t i = bodies.size(); i-- > 1;) {
            std::swap(bodies[i], bodies[random.bits() % (i + 1)]);
        }
        s.gpu = round == 2 ? emulated_gpu : no_gpu;
        World again = world_of(s, bodies);
        again.step();
        const std::vector<Contact> found = contacts_of(again.frame());
        expect_same_contacts(found, wanted, s.period, 0);
        // It is not that all bodies have come to the same places again.
        const auto seen = again.frame().contacts, before = first.frame().contacts;
        std::size_t turned = 0;
        for (const Contact& c : seen) {
            turned += std::any_of(before.begin(), before.end(), [&](const Contact& b) {
                return b.first == c.second && b.second == c.first;
            });
        }
        EXPECT_GT(turned, 10U);
    }
}

}  // namespace
}  // namespace scree::test
