// SPDX-License-Identifier: Apache-2.0
#include <cartwright/grid/run/field_data.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cartwright/grid/space/face.hpp>
#include <cartwright/rt/deck.hpp>
#include <cartwright/rt/fault.hpp>
#include <cartwright/rt/suggestion.hpp>
#include <cartwright/rt/value_codec_composite.hpp>

namespace cartwright::grid {
namespace {

using rt::DeckEntry;
using rt::DeckValue;
using rt::Faults;

using Reader = FieldReading;

std::optional<std::vector<double>> read_numbers(const Reader& reader, const DeckValue& given) {
  std::vector<double> values;
  const std::size_t before = reader.faults.size();
  const rt::Limits limits;
  const rt::Reading reading{reader.path, limits, reader.faults};
  if (given.is_list()) {
    if (!rt::Codec<std::vector<double>>::read(given, reading, values)) return std::nullopt;
  } else {
    double value = 0.0;
    if (!rt::Codec<double>::read(given, reading, value)) return std::nullopt;
    values.push_back(value);
  }
  return reader.faults.size() == before ? std::optional(values) : std::nullopt;
}

std::vector<std::string> initial_choices() {
  std::vector<std::string> names{"file"};
  for (const auto& function : named_functions()) names.push_back(function.name);
  return names;
}

bool is_checksum(const std::string& text) {
  return text.size() == 16 && text.find_first_not_of("0123456789abcdef") == std::string::npos;
}

std::optional<InitialData> read_file_data(const Reader& reader, const DeckValue& given) {
  InitialData data{InitialData::Kind::file, {}, {}, {}, reader.field.name, {}};
  std::map<std::string, std::string*> texts{
      {"file", &data.name}, {"dataset", &data.dataset}, {"checksum", &data.checksum}};
  const std::vector<std::string> keys{"file", "dataset", "checksum"};
  bool good = true;
  for (const DeckEntry& entry : given.entries()) {
    const auto found = texts.find(entry.name);
    if (found == texts.end()) {
      reader.faults.add(entry.origin, fmt::format("unknown key '{}' in '{}'{}", entry.name,
                                                  reader.path, rt::did_you_mean(entry.name, keys)));
      good = false;
    } else if (!entry.value.is_scalar() || entry.value.text().empty()) {
      reader.fault(entry.value, fmt::format("'{}' must be a name, found {}", entry.name,
                                            entry.value.describe()));
      good = false;
    } else if (entry.name == "checksum" && !is_checksum(entry.value.text())) {
      reader.fault(
          entry.value,
          fmt::format("'checksum' must be 16 digits 0-9, a-f as a run prints them, found {}",
                      entry.value.describe()));
      good = false;
    } else {
      *found->second = entry.value.text();
    }
  }
  return good ? std::optional(data) : std::nullopt;
}

std::optional<FunctionNumbers> read_parameters(const Reader& reader, const NamedFunction& function,
                                               const DeckValue& given) {
  FunctionNumbers result;
  if (given.is_nothing()) return result;
  std::vector<std::string> known;
  for (const auto& parameter : function.parameters) known.push_back(parameter.name);
  if (!given.is_map()) {
    reader.fault(given, fmt::format("'{}' takes named numbers ({}), found {}", function.name,
                                    fmt::join(known, ", "), given.describe()));
    return std::nullopt;
  }
  bool good = true;
  for (const DeckEntry& entry : given.entries()) {
    const auto* parameter = function.find(entry.name);
    if (parameter == nullptr) {
      reader.faults.add(entry.origin,
                        fmt::format("unknown number '{}' of '{}'{}", entry.name, function.name,
                                    rt::did_you_mean(entry.name, known)));
      good = false;
      continue;
    }
    const auto values = read_numbers(reader, entry.value);
    const bool fits =
        values && !values->empty() && values->size() <= (parameter->per_axis ? 3U : 1U);
    if (values && !fits)
      reader.fault(entry.value,
                   fmt::format("'{}' takes {}", entry.name,
                               parameter->per_axis ? "one number an axis" : "one number"));
    if (fits) result[entry.name] = *values;
    good = good && fits;
  }
  return good ? std::optional(result) : std::nullopt;
}

std::optional<InitialData> read_initial(const Reader& reader, const DeckValue& given);

bool names_components(const FieldInfo& field, const DeckValue& given) {
  const std::vector<std::string> known = component_names(field);
  return std::ranges::any_of(given.entries(), [&](const DeckEntry& entry) {
    return std::ranges::find(known, entry.name) != known.end();
  });
}

/// Data of components by their names, each as a field of its own would have them.
std::optional<InitialData> read_components(const Reader& reader, const DeckValue& given) {
  const std::vector<std::string> known = component_names(reader.field);
  InitialData data{InitialData::Kind::components, {}, {}, {}, {}, {}};
  for (const DeckEntry& entry : given.entries()) {
    if (std::ranges::find(known, entry.name) == known.end()) {
      reader.faults.add(entry.origin,
                        fmt::format("'{}': '{}' has no component '{}'{}; it has {}", reader.path,
                                    reader.field.name, entry.name,
                                    rt::did_you_mean(entry.name, known), fmt::join(known, ", ")));
      continue;
    }
    const std::string path = reader.path + "." + entry.name;
    const FieldInfo component{entry.name, ""};
    const auto part = read_initial({component, reader.names, path, reader.faults}, entry.value);
    if (part && part->kind == InitialData::Kind::file)
      reader.fault(entry.value, "files hold whole fields, not single components");
    else if (part)
      data.parts.emplace_back(entry.name, *part);
  }
  return data.parts.size() == given.entries().size() ? std::optional(data) : std::nullopt;
}

std::optional<InitialData> read_initial(const Reader& reader, const DeckValue& given) {
  if (given.is_scalar() && find_named_function(given.text()) != nullptr)
    return InitialData{InitialData::Kind::named, {}, given.text(), {}, {}, {}};
  if (!given.is_map()) {
    auto formulas = reader.formulas(given);
    if (!formulas) return std::nullopt;
    return InitialData{InitialData::Kind::formula, *formulas, {}, {}, {}, {}};
  }
  if (given.find("file") != nullptr) return read_file_data(reader, given);
  if (names_components(reader.field, given)) return read_components(reader, given);
  const std::vector<std::string> choices = initial_choices();
  if (given.entries().size() != 1) {
    reader.fault(given, fmt::format("expected a formula or one of {}", fmt::join(choices, ", ")));
    return std::nullopt;
  }
  const DeckEntry& entry = given.entries().front();
  const NamedFunction* function = find_named_function(entry.name);
  if (function == nullptr) {
    reader.faults.add(
        entry.origin,
        fmt::format("'{}': nothing is called '{}'{} Known are {}", reader.path, entry.name,
                    rt::did_you_mean(entry.name, choices).append("."), fmt::join(choices, ", ")));
    return std::nullopt;
  }
  const auto numbers = read_parameters(reader, *function, entry.value);
  if (!numbers) return std::nullopt;
  return InitialData{InitialData::Kind::named, {}, entry.name, *numbers, {}, {}};
}

std::string show_initial(const InitialData& data) {
  const rt::Limits limits;
  using Text = rt::Codec<std::string>;
  if (data.kind == InitialData::Kind::formula) return show_formulas(data.formulas);
  if (data.kind == InitialData::Kind::file) {
    std::vector<std::pair<std::string, std::string>> texts{
        {"file", Text::show(data.name, limits)}, {"dataset", Text::show(data.dataset, limits)}};
    if (!data.checksum.empty()) texts.emplace_back("checksum", Text::show(data.checksum, limits));
    return rt::composite::show_map(texts);
  }
  if (data.kind == InitialData::Kind::components) {
    std::vector<std::pair<std::string, std::string>> parts;
    for (const auto& [name, part] : data.parts) parts.emplace_back(name, show_initial(part));
    return rt::composite::show_map(parts);
  }
  if (data.numbers.empty()) return data.name;
  std::vector<std::pair<std::string, std::string>> numbers;
  for (const auto& [name, values] : data.numbers)
    numbers.emplace_back(name, values.size() == 1
                                   ? rt::Codec<double>::show(values.front(), limits)
                                   : rt::Codec<std::vector<double>>::show(values, limits));
  return rt::composite::show_map({{data.name, rt::composite::show_map(numbers)}});
}

constexpr const char* initial_schema =
    R"({"anyOf": [{"type": "number"}, {"type": "string"}, {"type": "array"}, {"type": "object"}]})";

/// A key whose value, once given, `read` makes and `show` shows.
template <class T, class Read, class Show>
void add_key(rt::SectionNode& section, rt::KeyNode node, std::optional<T>& value, Read read,
             Show show) {
  node.value.read = [&value, read](const DeckValue& given, const std::string& path,
                                   Faults& faults) {
    if (given.is_nothing()) {
      value.reset();
    } else if (auto found = read(given, path, faults)) {
      value = std::move(found);
    }
  };
  node.value.show = [&value, show] { return value ? show(*value) : std::string{}; };
  section.add_key(std::move(node));
}

rt::KeyNode key_node(const std::string& name, const std::string& about, const FieldInfo& field,
                     const char* type, std::string schema) {
  rt::KeyNode node;
  node.name = name;
  node.about = about;
  node.unit = field.unit;
  node.value.type = type;
  node.value.json_schema = std::move(schema);
  return node;
}

void add_boundary(rt::SectionNode& section, const FieldInfo& field, FieldDeck& deck,
                  const FieldData& data) {
  const auto read = [&data, field](const DeckValue& given, const std::string& path,
                                   Faults& faults) {
    return read_face({field, data.names, path, faults}, given);
  };
  const char* type = "condition";
  const std::string standard =
      has_no_value(field.default_boundary.kind)
          ? field.default_boundary.kind
          : fmt::format("{{{}: {}}}", field.default_boundary.kind, field.default_boundary.value);
  auto all = key_node("all", "all faces that are not named; default: " + standard, field, type,
                      face_schema(field));
  all.example = "{dirichlet: 0}";
  add_key(section, std::move(all), deck.all_faces, read, show_face);
  for (int number = 0; number < 6; ++number) {
    const std::string name = Face::from_number(number).name();
    add_key(section, key_node(name, "the face " + name, field, type, face_schema(field)),
            deck.faces[number], read, show_face);
  }
}

void add_initial(rt::SectionNode& section, const FieldInfo& field, FieldDeck& deck,
                 const FieldData& data) {
  auto node = key_node(field.name, "at the begin; default: 0", field,
                       "formula, named function or file", initial_schema);
  node.example = "sin(pi*x)";
  add_key(
      section, std::move(node), deck.initial,
      [&data, field](const DeckValue& given, const std::string& path, Faults& faults) {
        return read_initial({field, data.names, path, faults}, given);
      },
      show_initial);
}

}  // namespace

void bind_field_data(rt::SectionNode& root, const std::vector<FieldInfo>& fields, FieldData& data) {
  if (fields.empty()) return;
  std::vector<std::string> functions;
  for (const auto& function : named_functions()) functions.push_back(function.name);
  auto& initial = root.add_section(
      "initial",
      fmt::format("initial data of each field: a formula in x, y, z; a function by name ({}); or "
                  "{{file: data.h5, dataset: name, checksum: 16 digits that a run prints}}",
                  fmt::join(functions, ", ")));
  auto& boundary = root.add_section(
      "boundary",
      "conditions on faces that are not periodic, with formulas in x, y, z, t: {dirichlet: value}, "
      "{neumann: outward derivative}, {robin: {coefficient: a, value: g}} for du/dn + a u = g, "
      "{inflow: the state outside}, outflow; and of vectors slip, no_slip. A list of them with "
      "'where: formula' in all but the last is for parts of a face");
  auto& exact = root.add_section(
      "exact", "exact solutions, formulas in x, y, z, t; errors go to diagnostics.csv");
  for (const FieldInfo& field : fields) {
    FieldDeck& deck = data.of[field.name];
    add_initial(initial, field, deck, data);
    add_boundary(boundary.add_section(field.name, "faces of " + field.name), field, deck, data);
    add_key(
        exact, key_node(field.name, "exact solution", field, "formula", formulas_schema(field)),
        deck.exact,
        [&data, field](const DeckValue& given, const std::string& path, Faults& faults) {
          return Reader{field, data.names, path, faults}.formulas(given);
        },
        show_formulas);
  }
}

std::map<std::string, std::string> texts_of(const std::string& name, const FieldDeck& field,
                                            bool with_initial) {
  std::map<std::string, std::string> texts;
  const std::string faces = "boundary." + name + ".";
  if (field.all_faces) texts[faces + "all"] = show_face(*field.all_faces);
  for (const auto& [number, condition] : field.faces)
    if (condition) texts[faces + Face::from_number(number).name()] = show_face(*condition);
  if (with_initial && field.initial) texts["initial." + name] = show_initial(*field.initial);
  return texts;
}

void check_field_data(const rt::Deck& deck, const std::vector<bool>& periodic,
                      const FieldData& data) {
  for (const auto& [name, field] : data.of)
    for (const auto& [number, condition] : field.faces) {
      if (!condition) continue;
      const Face face = Face::from_number(number);
      const std::string path = "boundary." + name + "." + face.name();
      const auto axis = static_cast<std::size_t>(face.axis);
      if (axis >= periodic.size())
        throw deck.error(path, fmt::format("'{}': a {}-dimensional grid has no such face", path,
                                           periodic.size()));
      if (periodic[axis])
        throw deck.error(
            path, fmt::format("'{}': axis {} is periodic, so this face has no condition", path,
                              "xyz"[axis]));
    }
}

}  // namespace cartwright::grid
