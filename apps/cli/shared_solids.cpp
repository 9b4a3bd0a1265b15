#include "shared_solids.hpp"

#include "domain/wire.hpp"
#include "io/vtp.hpp"
#include "world/solids.hpp"

#include <algorithm>
#include <iterator>
#include <limits>
#include <span>

namespace scree::cli {

namespace {

const void* solid_of(const Shape& shape)
{
    return shape.parts != nullptr ? static_cast<const void*>(shape.parts) : shape.solid;
}

}  // namespace

std::vector<Shape> SharedSolids::of(const Frame& frame, Ranks& ranks)
{
    // What is prescribed is on every rank, and written by the first.
    std::vector<Shape> here = io::solids_of(ranks.rank() == 0 ? frame : io::dynamic_bodies(frame));
    std::erase_if(here, [](const Shape& s) { return s.kind == ShapeKind::mesh; });
    std::vector<Shape> unknown;
    std::copy_if(here.begin(), here.end(), std::back_inserter(unknown),
                 [&](const Shape& s) { return !places_.contains(solid_of(s)); });
    auto most = static_cast<double>(unknown.size());
    ranks.largest(std::span<double>(&most, 1));
    if (most > 0) {
        tell(unknown, ranks);
    }
    // In the order of the first rank that has one, and of those there.
    constexpr double nobody = -std::numeric_limits<double>::infinity();
    std::vector<double> turn(shapes_.size(), nobody);
    for (std::size_t i = 0; i < here.size(); ++i) {
        turn[places_.at(solid_of(here[i]))] =
            -(4294967296.0 * ranks.rank() + static_cast<double>(i));
    }
    ranks.largest(turn);
    std::vector<std::size_t> order;
    for (std::size_t k = 0; k < turn.size(); ++k) {
        if (turn[k] > nobody) {
            order.push_back(k);
        }
    }
    std::sort(order.begin(), order.end(),
              [&](std::size_t a, std::size_t b) { return turn[a] > turn[b]; });
    std::vector<Shape> all;
    for (const std::size_t k : order) {
        all.push_back(shapes_[k]);
    }
    for (const Shape& shape : io::solids_of(frame)) {
        if (shape.kind == ShapeKind::mesh) {
            all.push_back(shape);
        }
    }
    return all;
}

/// Makes known on all ranks what is not yet.
void SharedSolids::tell(const std::vector<Shape>& unknown, Ranks& ranks)
{
    domain::Bytes mine;
    if (!unknown.empty()) {
        world::Solids solids;
        for (const Shape& shape : unknown) {
            solids.add(shape);
        }
        domain::put(mine, unknown);
        solids.put(mine);
    }
    const domain::Bytes all = ranks.everywhere(mine);
    for (domain::Reader reader(all); !reader.done();) {
        std::vector<Shape> shapes = reader.get_all<Shape>();
        const world::Solids theirs(reader);
        for (Shape& shape : shapes) {
            theirs.settle(shape);
            if (places_.emplace(solid_of(shape), shapes_.size()).second) {
                shapes_.push_back(shape);
            }
        }
    }
}

}  // namespace scree::cli
