// SPDX-License-Identifier: Apache-2.0
#include <cartwright/grid/run/boundary_data.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cartwright/rt/deck.hpp>
#include <cartwright/rt/fault.hpp>
#include <cartwright/rt/suggestion.hpp>
#include <cartwright/rt/value_codec_composite.hpp>

namespace cartwright::grid {
namespace {

using Kind = BoundaryCondition::Kind;
using rt::DeckEntry;
using rt::DeckValue;

const std::vector<std::string> kinds_without{"outflow", "slip", "no_slip"};
const std::vector<std::string> all_kinds{"dirichlet", "neumann", "robin",  "inflow",
                                         "outflow",   "slip",    "no_slip"};

bool is_one_of(const std::vector<std::string>& words, const std::string& word) {
  return std::ranges::find(words, word) != words.end();
}

std::optional<ConditionData> read_robin(const FieldReading& reading, const DeckValue& given) {
  ConditionData data{"robin", {}};
  const DeckEntry* coefficient = given.find("coefficient");
  const DeckEntry* value = given.find("value");
  if (coefficient == nullptr || value == nullptr || given.entries().size() != 2) {
    reading.fault(given,
                  fmt::format("expected {{robin: {{coefficient: NUMBER, value: VALUE}}}} for "
                              "du/dn + coefficient u = value, found {}",
                              given.describe()));
    return std::nullopt;
  }
  rt::Limits limits;
  limits.minimum = 0.0;
  const std::string path = reading.path + ".robin.coefficient";
  const bool good =
      rt::Codec<double>::read(coefficient->value, {path, limits, reading.faults}, data.coefficient);
  const auto values = reading.formulas(value->value);
  if (!good || !values) return std::nullopt;
  data.values = *values;
  return data;
}

std::optional<ConditionData> read_kind(const FieldReading& reading, const DeckEntry& entry) {
  if (entry.name == "robin") return read_robin(reading, entry.value);
  if (is_one_of(kinds_without, entry.name)) {
    if (entry.value.is_nothing()) return ConditionData{entry.name, {}};
    reading.fault(entry.value,
                  fmt::format("'{}' has no value, found {}", entry.name, entry.value.describe()));
    return std::nullopt;
  }
  const auto values = reading.formulas(entry.value);
  if (!values) return std::nullopt;
  return ConditionData{entry.name, *values};
}

void fault_of_kind(const FieldReading& reading, const rt::Origin& origin, const std::string& name) {
  std::vector<std::string> known = all_kinds;
  std::string components;
  if (!reading.field.components.empty()) {
    const std::vector<std::string> names = component_names(reading.field);
    known.insert(known.end(), names.begin(), names.end());
    components = fmt::format("; components are {}", fmt::join(names, ", "));
  }
  reading.faults.add(
      origin, fmt::format("'{}': unknown condition '{}'{}; known are {}{}", reading.path, name,
                          rt::did_you_mean(name, known), fmt::join(all_kinds, ", "), components));
}

/// A word, or a map with one kind.
std::optional<ConditionData> read_condition(const FieldReading& reading, const DeckValue& given) {
  if (given.is_scalar() && is_one_of(kinds_without, given.text()))
    return ConditionData{given.text(), {}};
  if (!given.is_map() || given.entries().size() != 1) {
    reading.fault(given, fmt::format("expected {{dirichlet: VALUE}}, {{neumann: DERIVATIVE}}, "
                                     "{{inflow: VALUE}}, {{robin: …}}, outflow, slip or no_slip, "
                                     "found {}",
                                     given.describe()));
    return std::nullopt;
  }
  const DeckEntry& entry = given.entries().front();
  if (is_one_of(all_kinds, entry.name)) return read_kind(reading, entry);
  fault_of_kind(reading, entry.origin, entry.name);
  return std::nullopt;
}

/// Where a condition of the command line or the environment has been added to that of the deck,
/// which it was meant to replace: only lists are replaced whole.
std::string how_to_replace(const DeckValue& given) {
  std::string added, others;
  for (const DeckEntry& entry : given.entries()) {
    if (!is_one_of(all_kinds, entry.name)) continue;
    std::string& names = entry.origin.kind == rt::Origin::Kind::deck ? others : added;
    names += (names.empty() ? "" : ", ") + entry.name;
  }
  if (added.empty() || others.empty()) return {};
  return fmt::format(
      ": {} beside the deck's {}; brackets replace what the deck says: '[{{{}: …}}]'", added,
      others, added);
}

/// Everything but lists.
std::optional<RegionData> read_region(const FieldReading& reading, const DeckValue& given) {
  RegionData region;
  const std::vector<std::string> components = component_names(reading.field);
  if (!given.is_map() || given.entries().empty()) {
    auto condition = read_condition(reading, given);
    if (!condition) return std::nullopt;
    region.conditions.push_back(std::move(*condition));
    return region;
  }
  bool good = true;
  for (const DeckEntry& entry : given.entries()) {
    std::optional<ConditionData> condition;
    if (entry.name == "where") {
      const auto text = reading.formula(entry.value);
      good = good && text;
      region.where = text.value_or("");
      continue;
    }
    if (is_one_of(components, entry.name)) {
      condition = read_condition(reading, entry.value);
      if (condition) condition->component = entry.name;
    } else if (is_one_of(all_kinds, entry.name)) {
      condition = read_kind(reading, entry);
    } else {
      fault_of_kind(reading, entry.origin, entry.name);
    }
    good = good && condition;
    if (condition) region.conditions.push_back(std::move(*condition));
  }
  const auto for_all = std::ranges::count(region.conditions, "", &ConditionData::component);
  if (good && (for_all > 1 || region.conditions.empty())) {
    reading.fault(
        given, fmt::format("expected one condition, found {}{}", for_all, how_to_replace(given)));
    return std::nullopt;
  }
  return good ? std::optional(region) : std::nullopt;
}

/// The kind, and its values; empty where it has none.
std::pair<std::string, std::string> shown(const ConditionData& data) {
  if (is_one_of(kinds_without, data.kind)) return {data.kind, ""};
  if (data.kind != "robin") return {data.kind, show_formulas(data.values)};
  return {data.kind,
          rt::composite::show_map({{"coefficient", rt::Codec<double>::show(data.coefficient, {})},
                                   {"value", show_formulas(data.values)}})};
}

std::string show_condition(const ConditionData& data) {
  const auto entry = shown(data);
  return entry.second.empty() ? entry.first : rt::composite::show_map({entry});
}

std::string show_region(const RegionData& region) {
  if (region.where.empty() && region.conditions.size() == 1 &&
      region.conditions.front().component.empty())
    return show_condition(region.conditions.front());
  std::vector<std::pair<std::string, std::string>> entries;
  if (!region.where.empty())
    entries.emplace_back("where", rt::Codec<std::string>::show(region.where, {}));
  for (const ConditionData& each : region.conditions)
    if (each.component.empty())
      entries.push_back(shown(each));
    else
      entries.emplace_back(each.component, show_condition(each));
  return rt::composite::show_map(entries);
}

/// What the condition of one component is, in the end.
struct ComponentRule {
  Kind kind = Kind::neumann;
  std::optional<Formula> value;  ///< none: 0
  double coefficient = 0;
};

/// All that is needed to make rules of data.
struct ConditionMaker {
  const rt::Deck& deck;
  const std::string& path;
  Face face;
  const std::vector<Component>& components;
  int count;
  const FormulaConstants& constants;

  [[nodiscard]] bool holds_for(const ConditionData& data, std::size_t component) const {
    if (data.component.empty()) return true;
    return component < components.size() && (components[component].name == data.component ||
                                             components[component].vector == data.component);
  }

  [[nodiscard]] ComponentRule rule_of(const ConditionData& data, std::size_t component) const {
    if (data.kind == "outflow") return {};
    if (data.kind == "slip" || data.kind == "no_slip") {
      const bool any_vector = std::ranges::any_of(
          components, [](const Component& each) { return !each.vector.empty(); });
      if (!any_vector)
        throw deck.error(path, fmt::format("'{}': '{}' is for fields with a vector among their "
                                           "components, and this one has none",
                                           path, data.kind));
      const Component& each = components[component];
      const bool is_held =
          !each.vector.empty() && (data.kind == "no_slip" || each.axis == face.axis);
      return {is_held ? Kind::dirichlet : Kind::neumann, std::nullopt, 0};
    }
    const Kind kind = data.kind == "dirichlet" ? Kind::dirichlet
                      : data.kind == "neumann" ? Kind::neumann
                      : data.kind == "robin"   ? Kind::robin
                                               : Kind::inflow;
    // A vector's list has a formula for each of its components, and counts from the first.
    FormulaTexts texts = data.values;
    if (!data.component.empty() && texts.names.empty() && texts.values.size() > 1) {
      const int axis = component < components.size() ? components[component].axis : -1;
      if (axis < 0 || static_cast<std::size_t>(axis) >= texts.values.size())
        throw deck.error(path, fmt::format("'{}': '{}' has {} values", path, data.component,
                                           texts.values.size()));
      texts.values = {texts.values[static_cast<std::size_t>(axis)]};
    }
    const auto formulas = resolve_formulas(deck, path, texts, components, count, constants);
    if (!formulas[component])
      throw deck.error(path,
                       fmt::format("'{}' gives '{}' no value", path, components[component].name),
                       "Name all components, or give those that are missing a condition of their "
                       "own, such as  pressure: outflow");
    return {kind, formulas[component], data.coefficient};
  }

  [[nodiscard]] ComponentRule rule_of(const RegionData& region, std::size_t component) const {
    for (const bool own : {true, false})
      for (const ConditionData& data : region.conditions)
        if (data.component.empty() != own && holds_for(data, component))
          return rule_of(data, component);
    throw deck.error(path,
                     fmt::format("'{}' says nothing about '{}'", path, components[component].name),
                     "Every component needs a condition: for instance outflow.");
  }

  [[nodiscard]] BoundaryCondition condition(const RegionData& region) const {
    std::vector<ComponentRule> rules;
    for (std::size_t c = 0; c < static_cast<std::size_t>(count); ++c)
      rules.push_back(rule_of(region, c));
    BoundaryCondition result;
    for (const ComponentRule& rule : rules) {
      result.kinds.push_back(rule.kind);
      if (rule.kind == Kind::robin) {
        if (result.coefficient != 0 && result.coefficient != rule.coefficient)
          throw deck.error(path, fmt::format("'{}' has two Robin coefficients", path));
        result.coefficient = rule.coefficient;
      }
      if (rule.value && rule.value->depends_on_time()) result.constant_in_time = false;
    }
    result.kind = result.kinds.front();
    if (std::ranges::all_of(result.kinds, [&](Kind kind) { return kind == result.kind; }))
      result.kinds.clear();
    set_values(result, rules);
    if (!region.where.empty())
      result.where = [where = Formula(region.where, constants)](const std::array<double, 3>& at) {
        return where(at, 0.0) != 0.0;
      };
    return result;
  }

  static void set_values(BoundaryCondition& result, const std::vector<ComponentRule>& rules) {
    const auto constant = [](const ComponentRule& rule) -> std::optional<double> {
      if (!rule.value) return 0.0;
      if (!rule.value->is_constant()) return std::nullopt;
      return (*rule.value)({}, 0.0);
    };
    result.uniform = constant(rules.front());
    for (const ComponentRule& rule : rules)
      if (constant(rule) != result.uniform) result.uniform.reset();
    if (result.uniform) return;
    result.constant_in_space = std::ranges::none_of(rules, [](const ComponentRule& rule) {
      return rule.value && rule.value->depends_on_position();
    });
    result.value = [rules](const std::array<double, 3>& position, double time, int component) {
      const auto& value = rules[static_cast<std::size_t>(component)].value;
      return value ? (*value)(position, time) : 0.0;
    };
  }
};

}  // namespace

bool has_no_value(const std::string& kind) {
  return is_one_of(kinds_without, kind);
}

std::optional<FaceData> read_face(const FieldReading& reading, const DeckValue& given) {
  const std::vector<DeckValue> items =
      given.is_list() ? given.items() : std::vector<DeckValue>{given};
  FaceData face;
  for (const DeckValue& item : items)
    if (auto region = read_region(reading, item)) face.push_back(std::move(*region));
  if (face.size() != items.size()) return std::nullopt;
  for (std::size_t i = 0; i < face.size(); ++i)
    if (face[i].where.empty() != (i + 1 == face.size())) {
      reading.fault(given, "every part of a face but the last one says 'where' it holds");
      return std::nullopt;
    }
  if (!face.empty()) return face;
  reading.fault(given, "an empty list");
  return std::nullopt;
}

std::string show_face(const FaceData& face) {
  if (face.size() == 1) return show_region(face.front());
  std::vector<std::string> regions;
  for (const RegionData& region : face) regions.push_back(show_region(region));
  return rt::composite::show_list(regions);
}

std::string face_schema(const FieldInfo& field) {
  std::vector<std::string> known = all_kinds;
  const std::vector<std::string> components = component_names(field);
  known.insert(known.end(), components.begin(), components.end());
  std::string properties;
  for (const std::string& name : known) properties += fmt::format(R"("{}": {{}}, )", name);
  return fmt::format(
      R"({{"type": ["object", "string", "array"], "properties": {{{}"where": {{}}}}, "additionalProperties": false}})",
      properties);
}

BoundaryCondition make_condition(const rt::Deck& deck, const std::string& path,
                                 const FaceData& data, Face face,
                                 const std::vector<Component>& components, int count,
                                 const FormulaConstants& constants) {
  const ConditionMaker maker{deck, path, face, components, count, constants};
  BoundaryCondition result = maker.condition(data.back());
  for (std::size_t i = 0; i + 1 < data.size(); ++i)
    result.parts.push_back(maker.condition(data[i]));
  return result;
}

}  // namespace cartwright::grid
