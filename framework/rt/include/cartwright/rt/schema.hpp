// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/rt/schema_node.hpp>
#include <cartwright/rt/value_codec_composite.hpp>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace cartwright::rt {

/// One key of a deck bound to a member of `Parameters`, with all that a reader, a checker and an
/// editor want to know. Supported member types: bool, int, long long, double, std::string,
/// std::chrono::duration<double> ("1h30m"), enums with `choices`, std::vector, std::array and
/// std::optional (a key that may be absent) of those, and std::map<std::string, …> (names chosen
/// by the user). Any other type needs a Codec.
template <class Parameters, class Value>
class Key {
  static_assert(has_codec<Value>,
                "cartwright: a deck has no such type: declare the member as double (for float), "
                "int or long long (for other integers), bool, std::string, a duration, an enum, or "
                "a vector, array, optional or map of these");

 public:
  Key(std::string name, Value Parameters::*member) : member_(member) {
    node_.name = std::move(name);
  }

  /// One phrase that says what the key means: "number of cells along each axis".
  Key&& about(std::string text) && {
    node_.about = std::move(text);
    return std::move(*this);
  }
  /// For display: "m2/s".
  Key&& unit(std::string text) && {
    node_.unit = std::move(text);
    return std::move(*this);
  }
  Key&& minimum(double bound) && {
    node_.limits.minimum = bound;
    return std::move(*this);
  }
  Key&& maximum(double bound) && {
    node_.limits.maximum = bound;
    return std::move(*this);
  }
  /// The value must be greater than `bound` itself.
  Key&& above(double bound) && {
    node_.limits.above = bound;
    return std::move(*this);
  }
  /// The value must be less than `bound` itself.
  Key&& below(double bound) && {
    node_.limits.below = bound;
    return std::move(*this);
  }
  /// How many elements a list must have at least and at most.
  Key&& length(std::size_t shortest, std::size_t longest) && {
    node_.limits.shortest = shortest;
    node_.limits.longest = longest;
    return std::move(*this);
  }
  /// The deck must give it: there is no default.
  Key&& required() && {
    node_.required = true;
    return std::move(*this);
  }
  /// The words that are allowed; for an enum: of the enumerators 0, 1, 2…
  Key&& choices(std::vector<std::string> names) && {
    node_.limits.choices = std::move(names);
    return std::move(*this);
  }
  /// The words that are allowed and the enumerators that they stand for.
  template <class Enum>
  requires std::is_enum_v<Enum> Key &&
      choices(const std::vector<std::pair<std::string, Enum>>& names) && {
    for (const auto& [name, value] : names) {
      node_.limits.choices.push_back(name);
      node_.limits.choice_values.push_back(static_cast<long long>(value));
    }
    return std::move(*this);
  }
  /// As it stands after the colon: "[64, 64]".
  Key&& example(std::string text) && {
    node_.example = std::move(text);
    return std::move(*this);
  }

 private:
  template <class>
  friend class Schema;
  KeyNode node_;
  Value Parameters::*member_;
};

/// Declares the key `name`; its value lands in `member`, whose initial value is the default.
template <class Parameters, class Value>
[[nodiscard]] Key<Parameters, Value> key(std::string name, Value Parameters::*member) {
  return {std::move(name), member};
}

/// What a part of a deck may contain, bound to the struct that receives it.
template <class Parameters>
class Schema {
 public:
  /// Type-erased: adds nodes, bound to an object, to the tree that the deck is checked against.
  using Item = std::function<void(SectionNode& into, Parameters& object)>;

  Schema() = default;
  template <class... Values>
  Schema(
      Key<Parameters, Values>... keys)  // NOLINT(google-explicit-constructor): `return {key(…)};`
  {
    (items_.push_back(make_item(std::move(keys))), ...);
  }

  /// A nested struct under `name`.
  template <class Inner>
  Schema&& section(std::string name, Inner Parameters::*member, Schema<Inner> inner,
                   std::string about = {}) && {
    items_.push_back([name = std::move(name), member, inner = std::move(inner),
                      about = std::move(about)](SectionNode& into, Parameters& object) {
      inner.bind(into.add_section(name, about), object.*member);
    });
    return std::move(*this);
  }

  /// A section `name` of sections with the same keys, under names that the user chooses.
  /// `placeholder` stands for such a name in the reference.
  template <class Inner>
  Schema&& sections(std::string name, std::map<std::string, Inner> Parameters::*member,
                    Schema<Inner> inner, std::string placeholder, std::string about = {}) && {
    items_.push_back([name = std::move(name), member, inner = std::move(inner),
                      placeholder = std::move(placeholder),
                      about = std::move(about)](SectionNode& into, Parameters& object) {
      NamedSections named;
      named.placeholder = placeholder;
      named.bind = [inner, &objects = object.*member](SectionNode& section,
                                                      const std::string& chosen) {
        inner.bind(section, objects[chosen]);
      };
      auto example = std::make_shared<Inner>();
      inner.bind(named.pattern, *example);
      named.pattern_object = std::move(example);
      into.add_section(name, about).named.push_back(std::move(named));
    });
    return std::move(*this);
  }

  /// Adds the keys to `into`; they refer to `object`, which must outlive the tree's use.
  void bind(SectionNode& into, Parameters& object) const {
    for (const auto& item : items_) item(into, object);
  }

 private:
  template <class Value>
  static Item make_item(Key<Parameters, Value> key) {
    return [key = std::move(key)](SectionNode& into, Parameters& object) {
      KeyNode node = key.node_;
      if constexpr (has_codec<Value>) node.value = bind_value(object.*(key.member_), node.limits);
      into.add_key(std::move(node));
    };
  }

  std::vector<Item> items_;
};

}  // namespace cartwright::rt
