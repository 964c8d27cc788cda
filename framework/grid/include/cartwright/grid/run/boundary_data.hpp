// SPDX-License-Identifier: Apache-2.0
// What a deck says about a face of a field.
#pragma once

#include <cartwright/grid/run/boundary_condition.hpp>
#include <cartwright/grid/run/formula_texts.hpp>
#include <cartwright/grid/space/face.hpp>
#include <optional>
#include <string>
#include <vector>

namespace cartwright::grid {

/// One condition, for all components or for those of one name.
struct ConditionData {
  std::string kind;            ///< "dirichlet", "outflow"…
  FormulaTexts values;         ///< of those that have values
  double coefficient = 0;      ///< robin
  std::string component = {};  ///< empty: all that no other names
};

/// A part of a face.
struct RegionData {
  std::string where;  ///< a formula; empty: all of the face
  std::vector<ConditionData> conditions;
};

/// The first region that holds at a place counts; the last one has no `where`.
using FaceData = std::vector<RegionData>;

/// True for conditions that are words: "outflow".
[[nodiscard]] bool has_no_value(const std::string& kind);

[[nodiscard]] std::optional<FaceData> read_face(const FieldReading& reading,
                                                const rt::DeckValue& given);
[[nodiscard]] std::string show_face(const FaceData& face);
[[nodiscard]] std::string face_schema(const FieldInfo& field);

/// The condition on `face` of a field with these components (`count` of them, where none is
/// declared). Throws Deck::error where data don't fit.
[[nodiscard]] BoundaryCondition make_condition(const rt::Deck& deck, const std::string& path,
                                               const FaceData& data, Face face,
                                               const std::vector<Component>& components, int count,
                                               const FormulaConstants& constants);

}  // namespace cartwright::grid
