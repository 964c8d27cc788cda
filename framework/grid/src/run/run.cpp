// SPDX-License-Identifier: Apache-2.0
#include <cartwright/grid/run/run.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cartwright/grid/run/run_request.hpp>
#include <cartwright/grid/run/sample.hpp>
#include <cartwright/grid/run/work_balance.hpp>
#include <cartwright/grid/space/face.hpp>
#include <cartwright/rt/command_line.hpp>
#include <cartwright/rt/deck.hpp>
#include <charconv>

namespace cartwright::grid {
namespace {

/// As a deck would say it.
FaceData face_of(const DefaultBoundary& standard) {
  return {{"", {{standard.kind, {{fmt::format("{}", standard.value)}}, 0.0}}}};
}

}  // namespace

Run::Run(rt::Runtime& runtime, const RunRequest& request, const SolverEntry& solver, Sample* sample,
         WorkBalance* work)
    : App(runtime, request, request.options.exchange),
      request_(request),
      solver_(solver),
      sample_(sample),
      work_(work) {}

const RunOptions& Run::options() const noexcept {
  return request_.options;
}
const FieldData& Run::field_data() const noexcept {
  return request_.fields;
}

bool Run::is_restart() const noexcept {
  const bool has_moved = work_ != nullptr && work_->has_moved();
  return sample_ == nullptr && (has_moved || runtime().command_line().restart.has_value());
}

void Run::note_storage(std::size_t bytes_per_point, int halo, int reach) {
  if (sample_ != nullptr) sample_->storages.push_back({bytes_per_point, halo, reach});
}

FormulaConstants formula_constants(const SolverEntry& solver, const GridOptions& grid) {
  FormulaConstants constants = numbers_of(solver);
  for (const char* axis : {"lx", "ly", "lz"}) constants[axis] = 1.0;
  for (std::size_t axis = 0; axis < grid.length.size(); ++axis)
    constants[std::string("l") + "xyz"[axis]] = grid.length[axis];
  return constants;
}

FormulaConstants Run::formula_constants() const {
  return grid::formula_constants(solver_, options().grid);
}

const FieldInfo* Run::declared(const std::string& name) const {
  const auto found = std::ranges::find(solver_.fields, name, &FieldInfo::name);
  return found == solver_.fields.end() ? nullptr : &*found;
}

void Run::mask(const FieldBase& field) {
  if (field.element().components != 1)
    throw rt::internal_failure(fmt::format("run.mask() takes a field of one number a point, but "
                                           "'{}' has {}",
                                           field.name(), field.element().components),
                               "Pass the field that says where obstacles are.",
                               rt::Reach::all_ranks);
  mask_ = &field;
}

void Run::show(FieldBase& field, std::function<void()> fill) {
  if (declared(field.name()) == nullptr)
    throw rt::internal_failure(
        fmt::format("the solver shows the field '{}', which it does not declare", field.name()),
        fmt::format(R"(Add .field("{}", "UNIT") to the solver.)", field.name()),
        rt::Reach::all_ranks);
  shown_.push_back({&field, std::move(fill)});
}

std::vector<std::optional<Formula>> Run::formulas(const std::string& field, const std::string& path,
                                                  const FormulaTexts& texts, int components) const {
  const FieldInfo* info = declared(field);
  return resolve_formulas(
      runtime().deck(), path, texts,
      info != nullptr ? components_of(*info, options().dimensions()) : std::vector<Component>{},
      components, formula_constants());
}

BoundaryConditions Run::boundary_deck(const std::string& name, int components) const {
  BoundaryConditions conditions;
  const FieldInfo* info = declared(name);
  const auto found = request_.fields.of.find(name);
  if (info == nullptr || found == request_.fields.of.end()) return conditions;
  const std::vector<Component> named = components_of(*info, options().dimensions());
  if (!named.empty() && named.size() != static_cast<std::size_t>(components))
    throw rt::internal_failure(
        fmt::format("the solver declares {} components of '{}', but its elements have {}",
                    named.size(), name, components),
        "Mend the solver's declaration.", rt::Reach::all_ranks);
  for (int number = 0; number < static_cast<int>(conditions.size()); ++number) {
    const Face place = Face::from_number(number);
    const auto face = found->second.faces.find(number);
    const bool is_named = face != found->second.faces.end() && face->second;
    const std::optional<FaceData>& data = is_named ? face->second : found->second.all_faces;
    if (place.axis >= options().dimensions()) continue;
    const std::string path = fmt::format("boundary.{}.{}", name, is_named ? place.name() : "all");
    conditions[static_cast<std::size_t>(number)] =
        make_condition(runtime().deck(), path, data ? *data : face_of(info->default_boundary),
                       place, named, components, formula_constants());
  }
  return conditions;
}

std::string Run::unit_of(const std::string& name) const {
  const FieldInfo* info = declared(name);
  return info != nullptr ? info->unit : std::string{};
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
