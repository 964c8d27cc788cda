// SPDX-License-Identifier: Apache-2.0
// What a deck says about single fields: the sections `initial`, `boundary` and `exact`.
#pragma once

#include <cartwright/grid/run/boundary_data.hpp>
#include <cartwright/grid/run/named_function.hpp>
#include <cartwright/rt/schema_node.hpp>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace cartwright::rt {
class Deck;
}

namespace cartwright::grid {

/// Formulas, a named function with its numbers, a dataset of a file, or data of single components.
struct InitialData {
  enum class Kind { formula, named, file, components };
  Kind kind = Kind::formula;
  FormulaTexts formulas;
  std::string name;         ///< of the function, or of the file
  FunctionNumbers numbers;  ///< of the function
  std::string dataset;      ///< in the file
  std::string checksum;     ///< that its numbers must have; empty: any
  std::vector<std::pair<std::string, InitialData>> parts = {};  ///< by the names of components
};

/// What a deck says about one field.
struct FieldDeck {
  std::optional<InitialData> initial;
  std::optional<FaceData> all_faces;
  std::map<int, std::optional<FaceData>> faces;  ///< by Face::number()
  std::optional<FormulaTexts> exact;
};

struct FieldData {
  std::map<std::string, FieldDeck> of;  ///< by the field's name
  FormulaConstants names;               ///< what formulas may use; the values don't matter here
};

/// Adds `initial`, `boundary` and `exact` with a key for each declared field. `data` must outlive
/// the use of the tree.
void bind_field_data(rt::SectionNode& root, const std::vector<FieldInfo>& fields, FieldData& data);

/// By key, what the deck says of the field's faces and, if wanted, of its initial data.
[[nodiscard]] std::map<std::string, std::string> texts_of(const std::string& name,
                                                          const FieldDeck& field,
                                                          bool with_initial);

/// Throws Deck::error for conditions on faces that the grid lacks or that are periodic.
void check_field_data(const rt::Deck& deck, const std::vector<bool>& periodic,
                      const FieldData& data);

}  // namespace cartwright::grid
