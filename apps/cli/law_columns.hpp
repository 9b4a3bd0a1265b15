// What series.csv and the summary say of two laws on the same contacts.
#pragma once

#include "scree/analyse/law_difference.hpp"

namespace scree::cli {

struct LawColumn {
    const char* name;    ///< of the column
    const char* result;  ///< last part of the result's name
    const char* unit;
    double (*of)(const analyse::LawDifference&);
};

inline double share(std::size_t part, std::size_t whole)
{
    return whole > 0 ? static_cast<double>(part) / static_cast<double>(whole) : 0;
}

inline constexpr LawColumn law_columns[]{
    {"sliding share", "sliding_share", "",
     [](const analyse::LawDifference& d) { return share(d.sliding, d.contacts); }},
    {"differing share", "differing_share", "",
     [](const analyse::LawDifference& d) { return share(d.differing, d.sliding); }},
    {"difference", "difference", "", [](const analyse::LawDifference& d) { return d.mean; }},
    {"largest difference", "largest_difference", "",
     [](const analyse::LawDifference& d) { return d.largest; }},
    {"angle", "angle", "rad", [](const analyse::LawDifference& d) { return d.angle; }},
    {"more dissipation", "more_dissipation", "",
     [](const analyse::LawDifference& d) { return d.energy; }}};

}  // namespace scree::cli
