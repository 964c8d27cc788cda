// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <map>
#include <memory>
#include <span>
#include <string>

namespace cartwright::grid {

/// Names that formulas may use besides x, y, z, t, pi and e: grid lengths lx, ly, lz and the
/// solver's own numbers.
using FormulaConstants = std::map<std::string, double>;

/// A function of position and time, written in a deck: "sin(pi*x/lx)*exp(-t)". Copies share the
/// parsed text. Any number of threads may ask it at once: each has a parser of its own.
class Formula {
 public:
  /// Throws an input error that names the fault and its position.
  Formula(const std::string& text, const FormulaConstants& constants);

  [[nodiscard]] double operator()(const std::array<double, 3>& position, double time) const;
  [[nodiscard]] bool depends_on_time() const;
  [[nodiscard]] bool depends_on_position() const;
  /// True if it is the same everywhere and always.
  [[nodiscard]] bool is_constant() const;

  /// Empty, or what is wrong with `text`, and where.
  [[nodiscard]] static std::string fault(const std::string& text,
                                         const FormulaConstants& constants);

 private:
  class Evaluator;
  struct Parsed;
  std::shared_ptr<Parsed> parsed_;
};

/// The formula of component `component`: the only one holds for all. Throws an input error if there
/// are several, but none for this component.
[[nodiscard]] const Formula& formula_of(std::span<const Formula> formulas, int component);

}  // namespace cartwright::grid
