// SPDX-License-Identifier: Apache-2.0
#include <cartwright/grid/run/formula_texts.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cartwright/rt/deck.hpp>
#include <cartwright/rt/fault.hpp>
#include <cartwright/rt/suggestion.hpp>
#include <cartwright/rt/value_codec_composite.hpp>

namespace cartwright::grid {
namespace {

bool is_vector(const FieldInfo& field, const std::string& name) {
  return std::ranges::any_of(field.components, [&](const ComponentInfo& each) {
    return each.is_per_axis && each.name == name;
  });
}

}  // namespace

void FieldReading::fault(const rt::DeckValue& at, const std::string& what) const {
  faults.add(at.origin(), fmt::format("'{}': {}", path, what));
}

std::optional<std::string> FieldReading::formula(const rt::DeckValue& given) const {
  const std::string wrong = given.is_scalar()
                                ? Formula::fault(given.text(), names)
                                : "expected a number or formula, found " + given.describe();
  if (wrong.empty()) return given.text();
  fault(given, wrong);
  return std::nullopt;
}

std::optional<FormulaTexts> FieldReading::formulas(const rt::DeckValue& given) const {
  if (given.is_map() && !field.components.empty()) return named_formulas(given);
  const bool is_list = given.is_list() && !given.items().empty();
  if (!given.is_scalar() && !is_list) {
    fault(given, fmt::format("expected a number or formula, found {}", given.describe()));
    return std::nullopt;
  }
  const std::vector<rt::DeckValue> items =
      is_list ? given.items() : std::vector<rt::DeckValue>{given};
  FormulaTexts texts;
  for (const rt::DeckValue& item : items)
    if (auto text = formula(item)) texts.values.push_back(std::move(*text));
  return texts.values.size() == items.size() ? std::optional(texts) : std::nullopt;
}

std::optional<FormulaTexts> FieldReading::named_formulas(const rt::DeckValue& given) const {
  const std::vector<std::string> known = component_names(field);
  FormulaTexts texts;
  bool good = true;
  const auto add = [&](const std::string& name, const rt::DeckValue& value) {
    const auto text = formula(value);
    good = good && text;
    texts.names.push_back(name);
    texts.values.push_back(text.value_or(""));
  };
  for (const rt::DeckEntry& entry : given.entries()) {
    if (std::ranges::find(known, entry.name) == known.end()) {
      faults.add(
          entry.origin,
          fmt::format("'{}': '{}' has no component '{}'{}; it has {}", path, field.name, entry.name,
                      rt::did_you_mean(entry.name, known), fmt::join(known, ", ")));
      good = false;
    } else if (entry.value.is_list() && is_vector(field, entry.name) &&
               entry.value.items().size() <= 3) {
      for (std::size_t axis = 0; axis < entry.value.items().size(); ++axis)
        add(entry.name + "_" + "xyz"[axis], entry.value.items()[axis]);
    } else {
      add(entry.name, entry.value);
    }
  }
  return good ? std::optional(texts) : std::nullopt;
}

std::string show_formulas(const FormulaTexts& formulas) {
  const rt::Limits limits;
  using Text = rt::Codec<std::string>;
  if (!formulas.names.empty()) {
    std::vector<std::pair<std::string, std::string>> entries;
    for (std::size_t i = 0; i < formulas.names.size(); ++i)
      entries.emplace_back(formulas.names[i], Text::show(formulas.values[i], limits));
    return rt::composite::show_map(entries);
  }
  if (formulas.values.size() == 1) return Text::show(formulas.values.front(), limits);
  return rt::Codec<std::vector<std::string>>::show(formulas.values, limits);
}

std::string formulas_schema(const FieldInfo& field) {
  return fmt::format(
      R"({{"type": ["number", "string", "array"{}], "items": {{"type": ["number", "string"]}}}})",
      field.components.empty() ? "" : R"(, "object")");
}

std::vector<std::optional<Formula>> resolve_formulas(const rt::Deck& deck, const std::string& path,
                                                     const FormulaTexts& texts,
                                                     const std::vector<Component>& components,
                                                     int count, const FormulaConstants& constants) {
  const auto size = static_cast<std::size_t>(count);
  std::vector<std::optional<Formula>> formulas(size);
  std::vector<Formula> given;
  for (const std::string& text : texts.values) given.emplace_back(text, constants);
  if (texts.names.empty()) {
    if (given.size() != 1 && given.size() != size)
      throw deck.error(
          path,
          fmt::format("'{}' has {} formulas, but an element of the field has {} component{}", path,
                      given.size(), count, count == 1 ? "" : "s"),
          "Give one formula for all components, or one for each.");
    for (std::size_t c = 0; c < size; ++c) formulas[c] = given[given.size() == 1 ? 0 : c];
    return formulas;
  }
  for (std::size_t i = 0; i < given.size(); ++i) {
    bool found = false;
    for (std::size_t c = 0; c < components.size() && c < size; ++c) {
      const bool is_own = components[c].name == texts.names[i];
      const bool is_vectors = components[c].vector == texts.names[i] && !formulas[c];
      found = found || is_own || components[c].vector == texts.names[i];
      if (is_own || is_vectors) formulas[c] = given[i];
    }
    if (!found)
      throw deck.error(path, fmt::format("'{}' names '{}', which a grid of this dimension lacks",
                                         path, texts.names[i]));
  }
  return formulas;
}

}  // namespace cartwright::grid
