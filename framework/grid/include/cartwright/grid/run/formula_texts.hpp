// SPDX-License-Identifier: Apache-2.0
// What a deck gives for the components of a field, as text.
#pragma once

#include <cartwright/grid/run/field_info.hpp>
#include <cartwright/grid/run/formula.hpp>
#include <optional>
#include <string>
#include <vector>

namespace cartwright::rt {
class Deck;
class DeckValue;
class Faults;
}  // namespace cartwright::rt

namespace cartwright::grid {

/// A number or formula for all components; a list of them, one a component; or some of them by the
/// names of components.
struct FormulaTexts {
  std::vector<std::string> values;
  std::vector<std::string> names = {};  ///< of components, as many as values; empty: not by name
  friend bool operator==(const FormulaTexts&, const FormulaTexts&) = default;
};

/// Where a value of a deck is read: the key's path, and where faults go.
struct FieldReading {
  const FieldInfo& field;
  const FormulaConstants& names;  ///< that formulas may use
  const std::string& path;
  rt::Faults& faults;

  void fault(const rt::DeckValue& at, const std::string& what) const;
  /// Nothing, and faults, where `given` is none.
  [[nodiscard]] std::optional<FormulaTexts> formulas(const rt::DeckValue& given) const;
  [[nodiscard]] std::optional<std::string> formula(const rt::DeckValue& given) const;

 private:
  [[nodiscard]] std::optional<FormulaTexts> named_formulas(const rt::DeckValue& given) const;
};

/// As a deck would say it, on one line.
[[nodiscard]] std::string show_formulas(const FormulaTexts& formulas);

/// The JSON schema of such a value.
[[nodiscard]] std::string formulas_schema(const FieldInfo& field);

/// Formulas of all components, nothing where `texts` names only others. `components` are the
/// declared ones; without any, an element has `count`. Throws Deck::error where the numbers differ.
[[nodiscard]] std::vector<std::optional<Formula>> resolve_formulas(
    const rt::Deck& deck, const std::string& path, const FormulaTexts& texts,
    const std::vector<Component>& components, int count, const FormulaConstants& constants);

}  // namespace cartwright::grid
