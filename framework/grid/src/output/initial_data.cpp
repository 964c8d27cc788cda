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
#include <cartwright/rt/agreement.hpp>
#include <cartwright/rt/deck.hpp>
#include <cartwright/rt/report.hpp>
#include <cmath>
#include <limits>
#include <mutex>
#include <type_traits>

#include "../run/scalar_visit.hpp"
#include "../space/place_text.hpp"

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
      const auto axes = static_cast<std::size_t>(
          std::ranges::count(components, components[c].vector, &Component::vector));
      if (components[c].vector == name &&
          own.formulas.values.size() > std::max<std::size_t>(axes, 1))
        throw run.runtime().deck().error(
            place, fmt::format("'{}' has {} values, where a grid of this dimension has {}", place,
                               own.formulas.values.size(), axes));
      if (own.formulas.values.size() > 1 && axis < own.formulas.values.size())
        own.formulas.values = {own.formulas.values[axis]};
      functions[c] = functions_of(run, field, own, place)[c];
    }
    if (!is_there)
      throw run.runtime().deck().error(
          place, fmt::format("'{}' names '{}', which a grid of this dimension lacks", path, name));
  }
  return functions;
}

/// Formulas of fields of integers give integers: nothing is cut off, or comes round, without a
/// word. Functions by name (random) are cut to whole numbers.
class IntegerCheck {
 public:
  IntegerCheck(ScalarType scalar, bool is_cut) : is_cut_(is_cut) {
    visit_scalar(scalar, [this, scalar]<class T>(std::type_identity<T>) {
      if constexpr (std::is_integral_v<T>) {
        const bool is_boolean = scalar == ScalarType::boolean;
        lowest_ = static_cast<double>(std::numeric_limits<T>::min());
        highest_ = is_boolean ? 1.0 : static_cast<double>(std::numeric_limits<T>::max());
        // The greatest of 64 bits is no double; the next one is too great.
        if (std::numeric_limits<T>::digits > 53) highest_ = std::nextafter(highest_, 0.0);
        is_on_ = true;
      }
    });
  }
  /// By any thread.
  void look_at(double value, const std::array<double, 3>& position) {
    const double whole = std::trunc(value);
    if (!is_on_ || (whole >= lowest_ && whole <= highest_ && (is_cut_ || whole == value))) return;
    const std::lock_guard guard(mutex_);
    if (first_.is_wrong && first_.position <= position) return;
    first_ = {true, value, position};
  }
  /// Collective. Throws on all ranks what the first one of them has found.
  void require(const Run& run, const FieldBase& field) const {
    if (!is_on_) return;
    const auto found = rt::collected(field.grid().comm().communicator(), first_);
    const auto wrong = std::ranges::find_if(found, &Found::is_wrong);
    if (wrong == found.end()) return;
    const std::string path = "initial." + field.name();
    throw run.runtime().deck().error(
        path,
        fmt::format("'{}' is {} at ({}), but the field holds integers from {:.0f} to {:.0f}", path,
                    wrong->value,
                    position_text(wrong->position, field.grid().description().dimensions), lowest_,
                    highest_),
        "Compare in the formula (… > 0.5 ? 1 : 0), or round there: rint(…).");
  }

 private:
  struct Found {
    bool is_wrong = false;
    double value = 0.0;
    std::array<double, 3> position{};
  };
  bool is_cut_;
  bool is_on_ = false;
  double lowest_ = 0.0, highest_ = 0.0;
  std::mutex mutex_;
  Found first_;
};

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
  IntegerCheck integers(field.element().scalar, data.kind == InitialData::Kind::named);
  field.set_from([&](const std::array<double, 3>& position, int component) {
    const PointFunction& function = values[static_cast<std::size_t>(component)];
    const double value = function ? function(position, component) : 0.0;
    integers.look_at(value, position);
    return value;
  });
  integers.require(*this, field);
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
