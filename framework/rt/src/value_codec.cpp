// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cartwright/rt/duration.hpp>
#include <cartwright/rt/number_text.hpp>
#include <cartwright/rt/suggestion.hpp>
#include <cartwright/rt/value_codec.hpp>
#include <cartwright/rt/yaml_text.hpp>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>

namespace cartwright::rt {
namespace {

using Json = nlohmann::ordered_json;

/// "element 2 of 'grid.extent'" quotes its own path.
std::string quoted_path(const std::string& path) {
  return path.ends_with('\'') ? path : fmt::format("'{}'", path);
}

/// "at least 0", or nothing if the number is within the limits.
template <class Number, class Show>
std::string broken_limit(Number value, const Limits& limits, const Show& show) {
  const auto number = static_cast<double>(value);
  if (limits.minimum && number < *limits.minimum) return "at least " + show(*limits.minimum);
  if (limits.maximum && number > *limits.maximum) return "at most " + show(*limits.maximum);
  if (limits.above && number <= *limits.above) return "greater than " + show(*limits.above);
  if (limits.below && number >= *limits.below) return "less than " + show(*limits.below);
  return {};
}

template <class Number>
std::string broken_limit(Number value, const Limits& limits) {
  return broken_limit(value, limits, [](double bound) { return fmt::format("{}", bound); });
}

std::string with_hint(const std::string& must_be, const std::string& hint) {
  return hint.empty() ? must_be : must_be + ": " + hint;
}

/// Refuses what can't be a number because of its quotes, or because it is no scalar.
bool is_bare_scalar(const DeckValue& given, const Reading& reading, const TypeName& type) {
  if (given.is_scalar() && !given.is_quoted()) return true;
  const bool only_quoted = given.is_scalar() && parse_number(given.text()).value.has_value();
  return reading.refuse(given, with_hint(type.one, only_quoted ? "remove the quotes" : ""));
}

Json number_schema(const char* type, const Limits& limits) {
  Json schema{{"type", type}};
  if (limits.minimum) schema["minimum"] = *limits.minimum;
  if (limits.maximum) schema["maximum"] = *limits.maximum;
  if (limits.above) schema["exclusiveMinimum"] = *limits.above;
  if (limits.below) schema["exclusiveMaximum"] = *limits.below;
  return schema;
}

}  // namespace

bool Reading::refuse(const DeckValue& given, const std::string& must_be) const {
  faults.add(given.origin(),
             fmt::format("{} is {}, but must be {}", quoted_path(path), given.describe(), must_be));
  return false;
}

TypeName Codec<bool>::type(const Limits&) {
  return {"true or false", "truth values (true or false)", "true or false"};
}

namespace {

/// Truth values as people write them in a shell. (A deck's stay those of YAML: `on` may be a name.)
std::optional<bool> shell_truth(const std::string& word) {
  for (const char* yes : {"1", "yes", "on"})
    if (word == yes) return true;
  for (const char* no : {"0", "no", "off"})
    if (word == no) return false;
  return std::nullopt;
}

}  // namespace

bool Codec<bool>::read(const DeckValue& given, const Reading& reading, bool& value) {
  if (!given.is_scalar()) return reading.refuse(given, "true or false");
  std::string word;
  for (const char c : given.text()) {
    word += (c >= 'A' && c <= 'Z') ? static_cast<char>(c - 'A' + 'a') : c;
  }
  const bool truth = word == "true";
  if (!given.is_quoted() && (truth || word == "false")) {
    value = truth;
    return true;
  }
  if (given.origin().kind == Origin::Kind::environment && !given.is_quoted()) {
    const std::optional<bool> meant = shell_truth(word);
    value = meant.value_or(value);
    return meant || reading.refuse(given, "true or false");
  }
  std::string hint;
  if (truth || word == "false") hint = "remove the quotes";
  for (const char* yes : {"yes", "on", "y", "1"}) hint = word == yes ? "write true" : hint;
  for (const char* no : {"no", "off", "n", "0"}) hint = word == no ? "write false" : hint;
  return reading.refuse(given, with_hint("true or false", hint));
}

std::string Codec<bool>::show(bool value, const Limits&) {
  return value ? "true" : "false";
}
std::string Codec<bool>::json_schema(const Limits&) {
  return R"({"type": "boolean"})";
}

TypeName Codec<long long>::type(const Limits&) {
  return {"an integer", "integers", "integer"};
}

bool Codec<long long>::read(const DeckValue& given, const Reading& reading, long long& value) {
  const TypeName name = type(reading.limits);
  if (!is_bare_scalar(given, reading, name)) return false;
  const auto parsed = parse_integer(given.text());
  if (!parsed.value) return reading.refuse(given, with_hint(name.one, parsed.hint));
  const std::string limit = broken_limit(*parsed.value, reading.limits);
  if (!limit.empty()) return reading.refuse(given, limit);
  value = *parsed.value;
  return true;
}

std::string Codec<long long>::show(long long value, const Limits&) {
  return std::to_string(value);
}

std::string Codec<long long>::json_schema(const Limits& limits) {
  return number_schema("integer", limits).dump();
}

bool Codec<int>::read(const DeckValue& given, const Reading& reading, int& value) {
  long long wide = 0;
  if (!Codec<long long>::read(given, reading, wide)) return false;
  using Range = std::numeric_limits<int>;
  if (wide > Range::max()) return reading.refuse(given, fmt::format("at most {}", Range::max()));
  if (wide < Range::min()) return reading.refuse(given, fmt::format("at least {}", Range::min()));
  value = static_cast<int>(wide);
  return true;
}

std::string Codec<int>::show(int value, const Limits&) {
  return std::to_string(value);
}
std::string Codec<int>::json_schema(const Limits& limits) {
  return Codec<long long>::json_schema(limits);
}

TypeName Codec<double>::type(const Limits&) {
  return {"a number", "numbers", "number"};
}

bool Codec<double>::read(const DeckValue& given, const Reading& reading, double& value) {
  const TypeName name = type(reading.limits);
  if (!is_bare_scalar(given, reading, name)) return false;
  const auto parsed = parse_number(given.text());
  if (!parsed.value) return reading.refuse(given, with_hint(name.one, parsed.hint));
  const std::string limit = broken_limit(*parsed.value, reading.limits);
  if (!limit.empty()) return reading.refuse(given, limit);
  value = *parsed.value;
  return true;
}

std::string Codec<double>::show(double value, const Limits&) {
  return std::isfinite(value) ? fmt::format("{}", value) : std::string{};
}

std::string Codec<double>::json_schema(const Limits& limits) {
  return number_schema("number", limits).dump();
}

TypeName Codec<std::string>::type(const Limits& limits) {
  if (limits.choices.empty()) return {"text", "texts", "text"};
  const std::string list = fmt::format("one of {}", fmt::join(limits.choices, ", "));
  return {list, "words, each " + list, list};
}

bool Codec<std::string>::read(const DeckValue& given, const Reading& reading, std::string& value) {
  const TypeName name = type(reading.limits);
  if (!given.is_scalar()) return reading.refuse(given, name.one);
  if (given.text().find('\0') != std::string::npos) {
    return reading.refuse(given, "text without NUL characters");
  }
  const auto& choices = reading.limits.choices;
  const bool allowed =
      choices.empty() || std::find(choices.begin(), choices.end(), given.text()) != choices.end();
  if (!allowed) return reading.refuse(given, name.one + did_you_mean(given.text(), choices));
  value = given.text();
  return true;
}

std::string Codec<std::string>::show(const std::string& value, const Limits&) {
  return yaml_text(value);
}

std::string Codec<std::string>::json_schema(const Limits& limits) {
  Json schema{{"type", "string"}};
  if (!limits.choices.empty()) {
    schema["enum"] = limits.choices;
  } else {
    schema["type"] = {"string", "number", "boolean"};  // `formula: 0` is text to us
  }
  return schema.dump();
}

TypeName Codec<Seconds>::type(const Limits&) {
  return {"a duration, such as 90 (seconds) or 1h30m", "durations", "duration"};
}

bool Codec<Seconds>::read(const DeckValue& given, const Reading& reading, Seconds& value) {
  const TypeName name = type(reading.limits);
  if (!given.is_scalar()) return reading.refuse(given, name.one);
  const auto parsed = parse_duration(given.text());
  if (!parsed) return reading.refuse(given, name.one);
  const std::string limit = broken_limit(parsed->count(), reading.limits, [](double seconds) {
    return format_duration(Seconds(seconds));
  });
  if (!limit.empty()) return reading.refuse(given, limit);
  value = *parsed;
  return true;
}

std::string Codec<Seconds>::show(Seconds value, const Limits&) {
  return format_duration(value);
}
std::string Codec<Seconds>::json_schema(const Limits&) {
  return R"({"type": ["number", "string"]})";
}

}  // namespace cartwright::rt
