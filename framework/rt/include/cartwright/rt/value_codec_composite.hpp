// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/rt/value_codec.hpp>
#include <utility>

namespace cartwright::rt {

/// Parts of the composite codecs that don't depend on the element's type.
namespace composite {
/// The elements of the list `given`; on the command line and in the environment "64,64" is a list
/// too. Adds a fault and returns nothing when it is no list, or too long or too short.
std::optional<std::vector<DeckValue>> elements(const DeckValue& given, const Reading& reading,
                                               const TypeName& element);
/// "element 2 of 'grid.extent'" without the outer quotes, from 1.
std::string element_path(const std::string& path, std::size_t index);
bool expect_map(const DeckValue& given, const Reading& reading, const TypeName& element);
TypeName list_type(const Limits& limits, const TypeName& element);
TypeName map_type(const TypeName& element);
std::string show_list(const std::vector<std::string>& elements);
std::string show_map(const std::vector<std::pair<std::string, std::string>>& entries);
std::string list_schema(const Limits& limits, const std::string& element);
std::string map_schema(const std::string& element);
std::string optional_schema(const std::string& value);
}  // namespace composite

template <class T>
struct Codec<std::vector<T>> {
  static TypeName type(const Limits& limits) {
    return composite::list_type(limits, Codec<T>::type(limits));
  }
  static bool read(const DeckValue& given, const Reading& reading, std::vector<T>& values) {
    const auto items = composite::elements(given, reading, Codec<T>::type(reading.limits));
    if (!items) return false;
    bool good = true;
    std::vector<T> found;
    for (const DeckValue& item : *items) {
      const std::string path = composite::element_path(reading.path, found.size());
      T element{};
      good = Codec<T>::read(item, {path, reading.limits, reading.faults}, element) && good;
      found.push_back(std::move(element));
    }
    if (good) values = std::move(found);
    return good;
  }
  static std::string show(const std::vector<T>& values, const Limits& limits) {
    std::vector<std::string> shown;
    shown.reserve(values.size());
    for (const auto& value : values) shown.push_back(Codec<T>::show(value, limits));
    return composite::show_list(shown);
  }
  static std::string json_schema(const Limits& limits) {
    return composite::list_schema(limits, Codec<T>::json_schema(limits));
  }
};

/// A list of exactly N elements.
template <class T, std::size_t N>
struct Codec<std::array<T, N>> {
  static Limits exactly(Limits limits) {
    limits.shortest = limits.longest = N;
    return limits;
  }
  static TypeName type(const Limits& limits) {
    return Codec<std::vector<T>>::type(exactly(limits));
  }
  static bool read(const DeckValue& given, const Reading& reading, std::array<T, N>& values) {
    std::vector<T> found;
    const Limits limits = exactly(reading.limits);
    if (!Codec<std::vector<T>>::read(given, {reading.path, limits, reading.faults}, found)) {
      return false;
    }
    for (std::size_t i = 0; i < N; ++i) values[i] = std::move(found[i]);
    return true;
  }
  static std::string show(const std::array<T, N>& values, const Limits& limits) {
    return Codec<std::vector<T>>::show(std::vector<T>(values.begin(), values.end()), limits);
  }
  static std::string json_schema(const Limits& limits) {
    return Codec<std::vector<T>>::json_schema(exactly(limits));
  }
};

/// A key that may be absent; `null` takes a value away that an earlier source gave.
template <class T>
struct Codec<std::optional<T>> {
  static TypeName type(const Limits& limits) { return Codec<T>::type(limits); }
  static bool read(const DeckValue& given, const Reading& reading, std::optional<T>& value) {
    if (given.is_nothing()) {
      value.reset();
      return true;
    }
    T found{};
    if (!Codec<T>::read(given, reading, found)) return false;
    value = std::move(found);
    return true;
  }
  static std::string show(const std::optional<T>& value, const Limits& limits) {
    return value ? Codec<T>::show(*value, limits) : std::string{};
  }
  static std::string json_schema(const Limits& limits) {
    return composite::optional_schema(Codec<T>::json_schema(limits));
  }
};

/// Names that the user chooses, each with a value.
template <class T>
struct Codec<std::map<std::string, T>> {
  static TypeName type(const Limits& limits) { return composite::map_type(Codec<T>::type(limits)); }
  static bool read(const DeckValue& given, const Reading& reading,
                   std::map<std::string, T>& values) {
    if (!composite::expect_map(given, reading, Codec<T>::type(reading.limits))) return false;
    bool good = true;
    std::map<std::string, T> found;
    for (const DeckEntry& entry : given.entries()) {
      const std::string path = reading.path + "." + entry.name;
      good =
          Codec<T>::read(entry.value, {path, reading.limits, reading.faults}, found[entry.name]) &&
          good;
    }
    if (good) values = std::move(found);
    return good;
  }
  static std::string show(const std::map<std::string, T>& values, const Limits& limits) {
    std::vector<std::pair<std::string, std::string>> shown;
    shown.reserve(values.size());
    for (const auto& [name, value] : values) {
      shown.emplace_back(name, Codec<T>::show(value, limits));
    }
    return composite::show_map(shown);
  }
  static std::string json_schema(const Limits& limits) {
    return composite::map_schema(Codec<T>::json_schema(limits));
  }
};

/// Whether decks can hold a T: its codec is there, and those of its elements.
template <class T>
inline constexpr bool has_codec = requires {
  sizeof(Codec<T>);
};
template <class T>
inline constexpr bool has_codec<std::vector<T>> = has_codec<T>;
template <class T, std::size_t N>
inline constexpr bool has_codec<std::array<T, N>> = has_codec<T>;
template <class T>
inline constexpr bool has_codec<std::optional<T>> = has_codec<T>;
template <class T>
inline constexpr bool has_codec<std::map<std::string, T>> = has_codec<T>;

/// Binds `value`, whose present content is the default. The binding refers to `value`.
template <class T>
[[nodiscard]] ValueBinding bind_value(T& value, const Limits& limits) {
  ValueBinding binding;
  binding.type = Codec<T>::type(limits).bare;
  binding.read = [&value, limits](const DeckValue& given, const std::string& path, Faults& faults) {
    T found = value;
    if (Codec<T>::read(given, {path, limits, faults}, found)) value = std::move(found);
  };
  binding.show = [&value, limits] { return Codec<T>::show(value, limits); };
  binding.default_text = binding.show();
  binding.json_schema = Codec<T>::json_schema(limits);
  return binding;
}

}  // namespace cartwright::rt
