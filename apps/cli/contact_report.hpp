// The solutions of contact problems for people (a table like the paper's) and for programs (JSON).
#pragma once

#include "scree/scene/contact_file.hpp"

#include <nlohmann/json_fwd.hpp>

#include <optional>
#include <string>
#include <vector>

namespace scree::cli {

/// One problem with everything that was found out about it.
struct ContactResult {
    scene::ContactCase given;
    ContactSolution best;  ///< maximum dissipation
    CoulombSolutions coulomb;
    std::optional<ContactSolution> other;  ///< of one more law, if asked for and not shown anyway
    Law other_law = Law::max_dissipation;
};

/// Solves it. An open contact has the zero solution.
ContactResult solve_case(const scene::ContactCase& given, std::optional<Law> other);

std::string text_report(const ContactResult& result);
nlohmann::ordered_json json_report(const std::vector<ContactResult>& results);

/// The largest residual among the solutions; infinite if one cannot be computed.
double worst_residual(const ContactResult& result);

}  // namespace scree::cli
