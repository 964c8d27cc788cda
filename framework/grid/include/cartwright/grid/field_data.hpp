// SPDX-License-Identifier: Apache-2.0
// What a deck says about single fields: the sections `initial`, `boundary` and `exact`.
#pragma once

#include <cartwright/grid/field_info.hpp>
#include <cartwright/grid/formula.hpp>
#include <cartwright/rt/schema_node.hpp>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace cartwright::grid {

/// A number or formula; a list of them, one a component, for vector fields.
using FormulaTexts = std::vector<std::string>;

/// A named function or a file, with its parameters.
struct InitialData {
  enum class Kind { formula, named, file };
  Kind kind = Kind::formula;
  FormulaTexts formulas;
  std::string name;                                  ///< of the function: "gaussian"; or of the file
  std::map<std::string, std::vector<double>> numbers;  ///< its parameters
  std::string dataset;                               ///< in the file
};

struct FaceData {
  bool is_neumann = false;
  FormulaTexts formulas;
};

/// What a deck says about one field.
struct FieldDeck {
  std::optional<InitialData> initial;
  std::optional<FaceData> all_faces;
  std::map<int, FaceData> faces;  ///< by Face::number()
  std::optional<FormulaTexts> exact;
};

/// By the field's name.
struct FieldData {
  std::map<std::string, FieldDeck> of;
  FormulaConstants names;  ///< what formulas may use; values count only once the deck is read
};

/// Adds `initial`, `boundary` and `exact` with a key for each declared field.
void bind_field_data(rt::SectionNode& root, const std::vector<FieldInfo>& fields, FieldData& data);

}  // namespace cartwright::grid
