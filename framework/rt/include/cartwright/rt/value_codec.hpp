// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cartwright/rt/deck_value.hpp>
#include <cartwright/rt/fault.hpp>
#include <cartwright/rt/schema_node.hpp>
#include <chrono>
#include <map>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

namespace cartwright::rt {

/// How a message or a table names a type: "an integer", "integers", "integer".
struct TypeName {
  std::string one, many, bare;
};

/// The circumstances of reading a value: which key, its limits, and where faults go.
struct Reading {
  const std::string& path;
  const Limits& limits;
  Faults& faults;

  /// Adds "'time.steps' is 'fast', but must be an integer" at the place of `given`; returns false.
  [[nodiscard]] bool refuse(const DeckValue& given, const std::string& must_be) const;
};

/// Reads and shows values of type T. Specialise it to give a type of your own a form in decks:
/// `read` assigns and returns true, or adds a fault and returns false.
template <class T>
struct Codec;

/// The scalars of a deck; durations are in seconds or with units: "1h30m".
template <>
struct Codec<bool> {
  static TypeName type(const Limits&);
  static bool read(const DeckValue& given, const Reading& reading, bool& value);
  static std::string show(bool value, const Limits&);
  static std::string json_schema(const Limits&);
};
template <>
struct Codec<long long> {
  static TypeName type(const Limits&);
  static bool read(const DeckValue& given, const Reading& reading, long long& value);
  static std::string show(long long value, const Limits&);
  static std::string json_schema(const Limits& limits);
};
template <>
struct Codec<int> {
  static TypeName type(const Limits& limits) { return Codec<long long>::type(limits); }
  static bool read(const DeckValue& given, const Reading& reading, int& value);
  static std::string show(int value, const Limits&);
  static std::string json_schema(const Limits& limits);
};
template <>
struct Codec<double> {
  static TypeName type(const Limits&);
  static bool read(const DeckValue& given, const Reading& reading, double& value);
  static std::string show(double value, const Limits&);
  static std::string json_schema(const Limits& limits);
};
template <>
struct Codec<std::string> {
  static TypeName type(const Limits& limits);
  static bool read(const DeckValue& given, const Reading& reading, std::string& value);
  static std::string show(const std::string& value, const Limits&);
  static std::string json_schema(const Limits& limits);
};
template <>
struct Codec<std::chrono::duration<double>> {
  using Seconds = std::chrono::duration<double>;
  static TypeName type(const Limits&);
  static bool read(const DeckValue& given, const Reading& reading, Seconds& value);
  static std::string show(Seconds value, const Limits&);
  static std::string json_schema(const Limits&);
};

/// Enums, by the names in `choices`.
template <class Enum>
requires std::is_enum_v<Enum>
struct Codec<Enum> {
  static long long number(const Limits& limits, std::size_t choice) {
    return limits.choice_values.empty() ? static_cast<long long>(choice)
                                        : limits.choice_values[choice];
  }
  static TypeName type(const Limits& limits) { return Codec<std::string>::type(limits); }
  static bool read(const DeckValue& given, const Reading& reading, Enum& value) {
    std::string name;
    if (!Codec<std::string>::read(given, reading, name)) return false;
    for (std::size_t i = 0; i < reading.limits.choices.size(); ++i) {
      if (reading.limits.choices[i] == name) value = static_cast<Enum>(number(reading.limits, i));
    }
    return true;
  }
  static std::string show(Enum value, const Limits& limits) {
    for (std::size_t i = 0; i < limits.choices.size(); ++i) {
      if (static_cast<long long>(value) == number(limits, i)) return limits.choices[i];
    }
    return {};
  }
  static std::string json_schema(const Limits& limits) {
    return Codec<std::string>::json_schema(limits);
  }
};

}  // namespace cartwright::rt
