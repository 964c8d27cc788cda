// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cartwright/comm/cart_comm.hpp>
#include <cartwright/grid/field/grid_base.hpp>
#include <cartwright/grid/output/dataset_reader.hpp>
#include <cartwright/grid/run/field_data.hpp>
#include <cartwright/grid/run/named_function.hpp>
#include <cartwright/grid/run/run.hpp>
#include <cartwright/grid/run/run_request.hpp>
#include <cartwright/rt/deck.hpp>
#include <cartwright/rt/report.hpp>

namespace cartwright::grid {
namespace {

/// For each component of `field` a function of place, or none where the deck gives none.
std::vector<PointFunction> functions_of(const Run& run, const FieldBase& field,
                                        const InitialData& data, const std::string& path) {
  const int count = field.element().components;
  if (data.kind == InitialData::Kind::named)
    return std::vector<PointFunction>(
        static_cast<std::size_t>(count),
        find_named_function(data.name)->make(data.numbers, field.grid().description()));
  std::vector<PointFunction> functions(static_cast<std::size_t>(count));
  if (data.kind == InitialData::Kind::formula) {
    const auto formulas = run.formulas(field.name(), path, data.formulas, count);
    for (std::size_t c = 0; c < functions.size(); ++c)
      if (formulas[c])
        functions[c] = [formula = *formulas[c]](const std::array<double, 3>& position, int) {
          return formula(position, 0.0);
        };
    return functions;
  }
  const auto components = components_of(*run.declared(field.name()), run.options().dimensions());
  for (const auto& [name, part] : data.parts) {
    bool is_there = false;
    const std::string place = fmt::format("{}.{}", path, name);
    for (std::size_t c = 0; c < functions.size(); ++c) {
      if (components[c].name != name && components[c].vector != name) continue;
      is_there = true;
      // A vector's list has one formula an axis.
      InitialData own = part;
      const auto axis = static_cast<std::size_t>(std::max(components[c].axis, 0));
      if (own.formulas.values.size() > 1 && axis < own.formulas.values.size())
        own.formulas.values = {own.formulas.values[axis]};
      functions[c] = functions_of(run, field, own, place)[c];
    }
    if (!is_there)
      throw run.runtime().deck().error(
          path, fmt::format("'{}' names '{}', which a grid of this dimension lacks", path, name));
  }
  return functions;
}

}  // namespace

void Run::initialize_field(FieldBase& field) {
  const rt::Timed timed(runtime().trace(), runtime().trace().region("initial data"));
  const auto found = request_.fields.of.find(field.name());
  if (found == request_.fields.of.end())
    throw rt::internal_failure(
        fmt::format("the solver initializes the field '{}', which it does not declare",
                    field.name()),
        fmt::format(R"(Add .field("{}", "UNIT") to the solver.)", field.name()),
        rt::Reach::all_ranks);
  initialized_.insert(field.name());
  if (!found->second.initial) return;  // fields start with zeros
  const InitialData& data = *found->second.initial;
  if (data.kind == InitialData::Kind::file) return read_initial_file(field, data);
  const auto values = functions_of(*this, field, data, "initial." + field.name());
  field.set_from([&](const std::array<double, 3>& position, int component) {
    const PointFunction& value = values[static_cast<std::size_t>(component)];
    return value ? value(position, component) : 0.0;
  });
}

void Run::read_initial_file(FieldBase& field, const InitialData& data) {
  if (sample_ != nullptr) return;  // the sample's grid is another one
  const ReadNumbers numbers =
      read_dataset(field.grid().comm().all(), data.name, data.dataset, field);
  const std::string found = fmt::format("{:016x}", numbers.checksum);
  if (!data.checksum.empty() && data.checksum != found)
    throw runtime().deck().error(
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
  runtime().log().entry("initial " + field.name(), text);
  runtime().report().section("initial data").add(field.name(), text);
}

}  // namespace cartwright::grid
