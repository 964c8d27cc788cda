// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <cartwright/grid/field/grid_base.hpp>
#include <cartwright/grid/output/dataset_reader.hpp>
#include <cartwright/grid/run/named_function.hpp>
#include <cartwright/grid/run/run.hpp>

namespace cartwright::grid {

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

}  // namespace cartwright::grid
