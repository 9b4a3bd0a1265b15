// The contact laws by name.
#pragma once

#include <array>
#include <optional>
#include <string_view>

namespace scree {

/// Which impulse acts at a contact.
enum class Law {
    max_dissipation,  ///< least kinetic energy within the friction cone; unique
    coulomb,          ///< friction opposes the remaining slip; least energy if there are several
    frictionless,     ///< normal impulse alone
    projected         ///< each friction component clamped on its own, as in game engines
};

/// A law and its name.
struct LawName {
    Law law;                ///< the law
    std::string_view name;  ///< "max-dissipation" …
};
/// All laws with the names used by files and command lines.
inline constexpr std::array law_names{
    LawName{Law::max_dissipation, "max-dissipation"}, LawName{Law::coulomb, "coulomb"},
    LawName{Law::frictionless, "frictionless"}, LawName{Law::projected, "projected"}};

/// The name used by files and command lines.
constexpr std::string_view name_of(Law law)
{
    for (const LawName& entry : law_names) {
        if (entry.law == law) {
            return entry.name;
        }
    }
    return "?";
}

/// The law of that name, or nothing.
constexpr std::optional<Law> law_by_name(std::string_view name)
{
    for (const LawName& entry : law_names) {
        if (entry.name == name) {
            return entry.law;
        }
    }
    return std::nullopt;
}

}  // namespace scree
