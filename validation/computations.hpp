// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/plan/simulation/simulate.hpp>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "expression.hpp"

namespace cartwright::validation {

/// What a computation is called with.
class Arguments {
 public:
  explicit Arguments(std::span<const Value> values) : values_(values) {}
  [[nodiscard]] std::size_t size() const { return values_.size(); }
  [[nodiscard]] const Value& operator[](std::size_t i) const;
  [[nodiscard]] double number(std::size_t i) const { return (*this)[i].number(); }
  [[nodiscard]] int integer(std::size_t i) const { return static_cast<int>(number(i)); }
  [[nodiscard]] plan::Count count(std::size_t i) const {
    return static_cast<plan::Count>(number(i));
  }
  [[nodiscard]] std::string text(std::size_t i) const { return (*this)[i].text(); }

 private:
  std::span<const Value> values_;
};

/// What documents' rows can be computed with, by name. Each computation with the same arguments is
/// made once.
class Computations {
 public:
  using Function = std::function<Value(const Arguments&)>;

  Computations();
  /// Throws an input error if there is none of that name.
  Value call(const std::string& name, const std::vector<Value>& arguments);
  void add(const std::string& name, Function function) { functions_[name] = std::move(function); }

 private:
  std::map<std::string, Function> functions_;
  std::map<std::string, Value> known_;
};

/// Sums, means, digits of printed numbers; fits and tests of measured ones.
void add_arithmetic(Computations& computations);
/// Schedules, and what the simulator finds about them.
void add_schedules(Computations& computations);
/// Printed formulas.
void add_formulas(Computations& computations);
/// Recursive multiplying: stages, and plans for any number of ranks.
void add_multiplying(Computations& computations);
/// Reductions planned for when ranks arrive.
void add_arrivals(Computations& computations);
/// Process grids, tiles and orders of cores.
void add_grids(Computations& computations);

using ScheduleMaker = std::function<plan::Schedule(plan::Team)>;
/// "n-way scatter 3": an algorithm and its parameter. Throws an input error.
[[nodiscard]] ScheduleMaker schedule_named(const std::string& text);
/// One of inputs/machines, or "hockney ALPHA BETA" (s, s per byte), also with a third number: s per
/// byte that is combined.
[[nodiscard]] plan::Machine machine_named(const std::string& text);

}  // namespace cartwright::validation
