// SPDX-License-Identifier: Apache-2.0
#include "expression.hpp"

#include <fmt/format.h>

#include <cartwright/rt/error.hpp>
#include <cctype>
#include <charconv>
#include <cmath>
#include <cstdlib>

#include "computations.hpp"

namespace cartwright::validation {

namespace {

class Reader {
 public:
  Reader(std::string_view text, const Scope& scope, Computations& computations)
      : text_(text), scope_(scope), computations_(computations) {}

  Value whole() {
    Value value = comparison();
    if (skip(), at_ != text_.size()) fail("something is left over");
    return value;
  }

 private:
  [[noreturn]] void fail(std::string_view what) const {
    throw rt::input_error(fmt::format("'{}': {} at '{}'", text_, what, text_.substr(at_)),
                          "Mend the expression in validation/.");
  }
  void skip() {
    while (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_])) != 0) ++at_;
  }
  bool take(std::string_view token) {
    skip();
    if (text_.substr(at_, token.size()) != token) return false;
    at_ += token.size();
    return true;
  }

  Value comparison() {
    const Value left = sum();
    if (take("<=")) return {sum().number() >= left.number() ? 1.0 : 0.0};
    if (take(">=")) return {sum().number() <= left.number() ? 1.0 : 0.0};
    if (take("<")) return {sum().number() > left.number() ? 1.0 : 0.0};
    if (take(">")) return {sum().number() < left.number() ? 1.0 : 0.0};
    if (take("==")) return {sum().text() == left.text() ? 1.0 : 0.0};
    return left;
  }
  Value sum() {
    Value value = product();
    for (;;) {
      if (take("+"))
        value = {value.number() + product().number()};
      else if (take("-"))
        value = {value.number() - product().number()};
      else
        return value;
    }
  }
  Value product() {
    Value value = power();
    for (;;) {
      if (take("*"))
        value = {value.number() * power().number()};
      else if (take("/"))
        value = {value.number() / power().number()};
      else
        return value;
    }
  }
  Value power() {
    if (take("-")) return {-power().number()};
    Value value = atom();
    if (take("^")) value = {std::pow(value.number(), power().number())};
    return value;
  }

  Value atom() {
    if (take("(")) {
      Value value = comparison();
      if (!take(")")) fail("no ')'");
      return value;
    }
    if (take("[")) return {list("]")};
    if (take("'")) return {quoted()};
    skip();
    if (at_ < text_.size() && (std::isdigit(static_cast<unsigned char>(text_[at_])) != 0)) {
      double number = 0.0;
      const auto [end, fault] =
          std::from_chars(text_.data() + at_, text_.data() + text_.size(), number);
      if (fault != std::errc{}) fail("no number");
      at_ = static_cast<std::size_t>(end - text_.data());
      return {number};
    }
    return named();
  }
  std::vector<Value> list(std::string_view end) {
    std::vector<Value> values;
    if (take(end)) return values;
    do values.push_back(comparison());
    while (take(","));
    if (!take(end)) fail(fmt::format("no '{}'", end));
    return values;
  }
  std::string quoted() {
    const auto end = text_.find('\'', at_);
    if (end == std::string_view::npos) fail("a text without an end");
    const auto inside = text_.substr(at_, end - at_);
    at_ = end + 1;
    return fill(inside, scope_, computations_);
  }
  Value named() {
    const auto begin = at_;
    while (at_ < text_.size() &&
           (std::isalnum(static_cast<unsigned char>(text_[at_])) != 0 || text_[at_] == '_'))
      ++at_;
    const auto name = text_.substr(begin, at_ - begin);
    if (name.empty()) fail("nothing to compute");
    if (take("(")) return computations_.call(std::string(name), list(")"));
    const auto found = scope_.find(name);
    if (found == scope_.end()) fail(fmt::format("nothing is called '{}'", name));
    return found->second;
  }

  std::string_view text_;
  std::size_t at_ = 0;
  const Scope& scope_;
  Computations& computations_;
};

/// The end of an expression that begins at `begin`, behind a '{'; `colon`: where its format begins.
std::size_t end_of(std::string_view text, std::size_t begin, std::size_t& colon) {
  int depth = 0;
  bool is_quoted = false;
  for (std::size_t at = begin; at < text.size(); ++at) {
    if (text[at] == '\'') is_quoted = !is_quoted;
    if (text[at] == '{') ++depth;
    if (text[at] == ':' && depth == 0 && !is_quoted) colon = at;
    if (text[at] == '}' && depth-- == 0) return at;
  }
  throw rt::input_error(fmt::format("'{}' has a '{{' without an end", text),
                        "Mend it in validation/.");
}

}  // namespace

double Value::number() const {
  if (const auto* text = std::get_if<std::string>(&is)) return std::strtod(text->c_str(), nullptr);
  if (const auto* number = std::get_if<double>(&is)) return *number;
  throw rt::input_error(fmt::format("[{}] is no number", text()), "Mend it in validation/.");
}

std::string Value::text() const {
  if (const auto* text = std::get_if<std::string>(&is)) return *text;
  if (const auto* number = std::get_if<double>(&is)) return fmt::format("{}", *number);
  std::string all;
  for (const Value& value : list()) all += (all.empty() ? "" : ", ") + value.text();
  return all;
}

const std::vector<Value>& Value::list() const {
  if (const auto* list = std::get_if<std::vector<Value>>(&is)) return *list;
  throw rt::input_error(fmt::format("{} is no list", text()), "Mend it in validation/.");
}

std::vector<double> Value::numbers() const {
  std::vector<double> numbers;
  for (const Value& value : list()) numbers.push_back(value.number());
  return numbers;
}

std::vector<int> Value::integers() const {
  std::vector<int> integers;
  for (const Value& value : list()) integers.push_back(static_cast<int>(value.number()));
  return integers;
}

Value evaluate(std::string_view expression, const Scope& scope, Computations& computations) {
  return Reader(expression, scope, computations).whole();
}

std::string fill(std::string_view text, const Scope& scope, Computations& computations) {
  std::string filled;
  for (std::size_t at = 0; at < text.size(); ++at) {
    const auto two = text.substr(at, 2);
    if (two == "{{" || two == "}}") {
      filled += text[at++];
    } else if (text[at] != '{') {
      filled += text[at];
    } else {
      std::size_t colon = 0;
      const auto end = end_of(text, at + 1, colon);
      const auto expression = text.substr(at + 1, (colon > 0 ? colon : end) - at - 1);
      const Value value = evaluate(expression, scope, computations);
      filled +=
          colon == 0
              ? value.text()
              : fmt::format(fmt::runtime(fmt::format("{{{}}}", text.substr(colon, end - colon))),
                            value.number());
      at = end;
    }
  }
  return filled;
}

}  // namespace cartwright::validation
