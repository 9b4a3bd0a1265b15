// Contacts of two worlds that should have the same ones, whatever their order.
#pragma once

#include "math/vec.hpp"
#include "scree/world.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <tuple>
#include <vector>

namespace scree::test {

/// Contacts by their pairs, each as seen from the lower id. Those of a pair stay in their order.
std::vector<Contact> contacts_of(const auto& frame)
{
    std::vector<Contact> contacts(frame.contacts.begin(), frame.contacts.end());
    for (Contact& c : contacts) {
        if (c.first > c.second) {
            std::swap(c.first, c.second);
            c.normal = -c.normal;
        }
    }
    std::stable_sort(contacts.begin(), contacts.end(), [](const Contact& a, const Contact& b) {
        return std::tie(a.first, a.second) < std::tie(b.first, b.second);
    });
    return contacts;
}

/// Points may be on different images and rounded otherwise. So may gaps and normals of spheres,
/// which frames have from rows: these by as much as `rounding`, in m; others to the bit.
inline void expect_same_contacts(const std::vector<Contact>& found,
                                 const std::vector<Contact>& wanted, const Vec3<double>& period,
                                 double rounding)
{
    ASSERT_EQ(found.size(), wanted.size());
    for (std::size_t i = 0; i < found.size(); ++i) {
        const Contact &a = found[i], &b = wanted[i];
        ASSERT_TRUE(a.first == b.first && a.second == b.second)
            << i << ": " << a.first << " and " << a.second << " touch, not " << b.first << " and "
            << b.second;
        EXPECT_NEAR(a.gap, b.gap, rounding) << a.first << " and " << a.second;
        EXPECT_LE(norm(a.normal - b.normal), 1000 * rounding) << a.first << " and " << a.second;
        const auto apart = [](double x, double length) {
            return length > 0 ? x - length * std::round(x / length) : x;
        };
        const Vec3<double> d = a.point - b.point;
        EXPECT_LE(
            norm(Vec3<double>{apart(d.x, period.x), apart(d.y, period.y), apart(d.z, period.z)}),
            1e-15)
            << a.first << " and " << a.second;
    }
}

}  // namespace scree::test
