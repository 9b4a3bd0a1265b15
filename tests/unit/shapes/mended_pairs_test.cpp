// Pairs of the full draw that were wrong once: a normal of another way out, contacts that were
// taken for hidden, rods end to end.
#include "full/shape_proofs.hpp"

#include <gtest/gtest.h>

namespace {

using namespace scree;
using namespace scree::test;

struct Mended {
    ShapeKind a, b;
    long pair;
};
constexpr Mended mended[]{
    {ShapeKind::box, ShapeKind::clump, 72946},
    {ShapeKind::box, ShapeKind::clump, 132349},
    {ShapeKind::box, ShapeKind::clump, 285641},
    {ShapeKind::capsule, ShapeKind::capsule, 220981},
    {ShapeKind::capsule, ShapeKind::ellipsoid, 132637},
    {ShapeKind::cylinder, ShapeKind::polyhedron, 57712},
    {ShapeKind::cylinder, ShapeKind::polyhedron, 194655},
    {ShapeKind::cylinder, ShapeKind::polyhedron, 258530},
    {ShapeKind::cylinder, ShapeKind::polyhedron, 957420},
    {ShapeKind::cylinder, ShapeKind::clump, 170491},
    {ShapeKind::ellipsoid, ShapeKind::polyhedron, 422136},
    {ShapeKind::profile, ShapeKind::profile, 506285},
    {ShapeKind::profile, ShapeKind::profile, 956231},
    {ShapeKind::profile, ShapeKind::clump, 577171},
    {ShapeKind::profile, ShapeKind::clump, 856998},
    {ShapeKind::polyhedron, ShapeKind::polyhedron, 226418},
    {ShapeKind::polyhedron, ShapeKind::polyhedron, 521391},
    {ShapeKind::clump, ShapeKind::clump, 133851},
    {ShapeKind::polyhedron, ShapeKind::mesh, 89668},
    {ShapeKind::polyhedron, ShapeKind::mesh, 89885},
    {ShapeKind::polyhedron, ShapeKind::mesh, 98989},
    {ShapeKind::polyhedron, ShapeKind::mesh, 135460},
    {ShapeKind::polyhedron, ShapeKind::mesh, 191549},
};

TEST(MendedPairs, AreRight)
{
    const ShapePools pools(3000);
    for (const Mended& m : mended) {
        DrawnPair pair = draw_numbered_pair(pools, m.a, m.b, m.pair);
        pair.ask_fcl = false;
        const Proof proof = prove(pair);
        EXPECT_FALSE(proof.missed || proof.skipped)
            << name_of(m.a) << "-" << name_of(m.b) << " " << m.pair;
        EXPECT_LT(proof.gap_error, 1e-9)
            << name_of(m.a) << "-" << name_of(m.b) << " " << m.pair << proof.note;
    }
}

}  // namespace
