// SPDX-License-Identifier: Apache-2.0
#include <cartwright/grid/run.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cartwright/grid/dataset_reader.hpp>
#include <cartwright/grid/error_norm.hpp>
#include <cartwright/grid/face.hpp>
#include <cartwright/grid/grid_base.hpp>
#include <cartwright/grid/named_function.hpp>
#include <charconv>

namespace cartwright::grid {
namespace {

BoundaryCondition make_condition(bool is_neumann, std::vector<Formula> formulas) {
  BoundaryCondition condition;
  condition.kind =
      is_neumann ? BoundaryCondition::Kind::neumann : BoundaryCondition::Kind::dirichlet;
  condition.constant_in_time = std::none_of(formulas.begin(), formulas.end(),
                                            [](const Formula& f) { return f.depends_on_time(); });
  if (formulas.size() == 1 && formulas.front().is_constant()) {
    condition.uniform = formulas.front()({}, 0.0);
    return condition;
  }
  condition.uniform.reset();
  condition.value = [formulas = std::move(formulas)](const std::array<double, 3>& position,
                                                     double time, int component) {
    return formula_of(formulas, component)(position, time);
  };
  return condition;
}

}  // namespace

Run::Run(rt::Runtime& runtime, const RunRequest& request, const SolverEntry& solver, Sample* sample)
    : runtime_(runtime), request_(request), solver_(solver), sample_(sample) {
  runtime_.watcher().bear_waiting(request_.comm.time_limit);
}

FormulaConstants Run::formula_constants() const {
  FormulaConstants constants = numbers_of(solver_);
  for (const char* axis : {"lx", "ly", "lz"}) constants[axis] = 1.0;
  const auto& length = options().grid.length;
  for (std::size_t axis = 0; axis < length.size(); ++axis)
    constants[std::string("l") + "xyz"[axis]] = length[axis];
  return constants;
}

std::vector<Formula> Run::formulas(const std::string& path, const FormulaTexts& texts,
                                   int components) const {
  if (texts.size() != 1 && texts.size() != static_cast<std::size_t>(components))
    throw runtime_.deck().error(
        path,
        fmt::format("'{}' has {} formulas, but an element of the field has {} component{}", path,
                    texts.size(), components, components == 1 ? "" : "s"),
        "Give one formula for all components, or one for each.");
  const FormulaConstants constants = formula_constants();
  std::vector<Formula> formulas;
  for (const std::string& text : texts) formulas.emplace_back(text, constants);
  return formulas;
}

BoundaryConditions Run::boundary_deck(const std::string& name, int components) const {
  BoundaryConditions conditions;
  const auto found = request_.fields.of.find(name);
  if (found == request_.fields.of.end()) return conditions;
  for (int number = 0; number < static_cast<int>(conditions.size()); ++number) {
    const auto face = found->second.faces.find(number);
    const bool is_named = face != found->second.faces.end() && face->second;
    const std::optional<FaceData>& data = is_named ? face->second : found->second.all_faces;
    if (!data) continue;
    const std::string path =
        fmt::format("boundary.{}.{}", name, is_named ? Face::from_number(number).name() : "all");
    conditions[static_cast<std::size_t>(number)] =
        make_condition(data->is_neumann, formulas(path, data->formulas, components));
  }
  return conditions;
}

std::string Run::unit_of(const std::string& name) const {
  for (const FieldInfo& field : solver_.fields)
    if (field.name == name) return field.unit;
  return {};
}

void Run::initialize_field(FieldBase& field) {
  const rt::Timed timed(runtime_.trace(), runtime_.trace().region("initial data"));
  const auto found = request_.fields.of.find(field.name());
  if (found == request_.fields.of.end())
    throw rt::internal_failure(
        fmt::format("the solver initializes the field '{}', which it does not declare",
                    field.name()),
        fmt::format(R"(Add .field("{}", "UNIT") to the solver.)", field.name()),
        rt::Reach::all_ranks);
  if (!found->second.initial) return;  // fields start with zeros
  const InitialData& data = *found->second.initial;
  switch (data.kind) {
    case InitialData::Kind::file:
      return read_initial_file(field, data);
    case InitialData::Kind::named:
      return field.set_from(
          find_named_function(data.name)->make(data.numbers, field.grid().description()));
    case InitialData::Kind::formula:
      break;
  }
  const auto values =
      formulas("initial." + field.name(), data.formulas, field.element().components);
  field.set_from([&](const std::array<double, 3>& position, int component) {
    return formula_of(values, component)(position, 0.0);
  });
}

void Run::read_initial_file(FieldBase& field, const InitialData& data) {
  if (sample_ != nullptr) return;  // the sample's grid is another one
  const ReadNumbers numbers =
      read_dataset(field.grid().comm().all(), data.name, data.dataset, field);
  const std::string found = fmt::format("{:016x}", numbers.checksum);
  if (!data.checksum.empty() && data.checksum != found)
    throw runtime_.deck().error(
        "initial." + field.name(),
        fmt::format(
            "the numbers of dataset '{}' of '{}' have the checksum {}, but the deck asks for "
            "{}",
            data.dataset, data.name, found, data.checksum),
        "The file is damaged or another one. If it is the right one, put its checksum into the "
        "deck.");
  const bool guarded = numbers.were_guarded || !data.checksum.empty();
  const std::string text =
      fmt::format("{}:{}, checksum {}{}", data.name, data.dataset, found,
                  guarded ? " (is right)" : " (nothing to compare it with: damage isn't seen)");
  runtime_.log().entry("initial " + field.name(), text);
  runtime_.report().section("initial data").add(field.name(), text);
}

FormulaConstants numbers_of(const SolverEntry& solver) {
  rt::SectionNode section;
  if (solver.bind) solver.bind(section);
  FormulaConstants numbers;
  for (const rt::KeyNode& key : section.keys) {
    const std::string text = key.value.show();
    double value = 0.0;
    const auto [end, fault] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (fault == std::errc{} && end == text.data() + text.size()) numbers[key.name] = value;
  }
  return numbers;
}

}  // namespace cartwright::grid
