// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace cartwright::validation {

/// What an expression comes to. A text that begins with a number counts as that number: "17.31 us".
struct Value {
  std::variant<double, std::string, std::vector<Value>> is = 0.0;

  [[nodiscard]] double number() const;
  [[nodiscard]] std::string text() const;
  [[nodiscard]] const std::vector<Value>& list() const;
  [[nodiscard]] std::vector<double> numbers() const;
  [[nodiscard]] std::vector<int> integers() const;
  [[nodiscard]] bool is_text() const { return std::holds_alternative<std::string>(is); }
};

class Computations;

/// Names and what they stand for.
using Scope = std::map<std::string, Value, std::less<>>;

/// Numbers, 'texts' (filled as below), names, [lists], + - * / ^ < <= > >= ==, calls of
/// computations. Throws an input error that quotes the expression.
[[nodiscard]] Value evaluate(std::string_view expression, const Scope& scope,
                             Computations& computations);

/// A text whose {expression} or {expression:format} is replaced by its value; {{ and }} are braces.
[[nodiscard]] std::string fill(std::string_view text, const Scope& scope,
                               Computations& computations);

}  // namespace cartwright::validation
