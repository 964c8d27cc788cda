// SPDX-License-Identifier: Apache-2.0
#include <cartwright/grid/run/run.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cartwright/grid/space/face.hpp>
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
