// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/rt/schema_node.hpp>
#include <initializer_list>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace cartwright::rt {

/// One key of a deck bound to a member of `Parameters`, with all that a reader, a checker and an
/// editor want to know. Supported member types: bool, int, long long, double, std::string,
/// std::vector and std::array of those, std::optional of those (a key that may be absent),
/// std::map<std::string, X> (keys chosen by the user), enums given by `choices`, and structs with a
/// Schema of their own (through `section`).
template <class Parameters, class Value>
class Key {
 public:
  Key(std::string name, Value Parameters::*member) : member_(member) { node_.name = std::move(name); }

  Key&& about(std::string text) && { node_.about = std::move(text); return std::move(*this); }
  Key&& unit(std::string text) && { node_.unit = std::move(text); return std::move(*this); }
  Key&& minimum(double bound) && { node_.minimum = bound; return std::move(*this); }
  Key&& maximum(double bound) && { node_.maximum = bound; return std::move(*this); }
  /// The value must be greater than `bound` itself.
  Key&& above(double bound) && { node_.above = bound; return std::move(*this); }
  /// The deck must give it: there is no default.
  Key&& required() && { node_.required = true; return std::move(*this); }
  Key&& choices(std::vector<std::string> names) && { node_.choices = std::move(names); return std::move(*this); }
  Key&& example(std::string text) && { node_.example = std::move(text); return std::move(*this); }

 private:
  template <class>
  friend class Schema;
  KeyNode node_;
  Value Parameters::*member_;
};

/// Declares the key `name` of a deck; its value lands in `member`, whose initial value is the default.
template <class Parameters, class Value>
[[nodiscard]] Key<Parameters, Value> key(std::string name, Value Parameters::*member) {
  return {std::move(name), member};
}

/// What a part of a deck may contain, bound to the struct that receives it.
template <class Parameters>
class Schema {
 public:
  /// Type-erased: adds a node, bound to an object, to the tree that the deck is checked against.
  using Item = std::function<void(SectionNode& into, Parameters& object)>;

  Schema() = default;
  template <class... Values>
  Schema(Key<Parameters, Values>... keys)  // NOLINT(google-explicit-constructor): `return {key(…)};`
  {
    (items_.push_back(make_item(std::move(keys))), ...);
  }

  /// A nested struct under `name`.
  template <class Inner>
  Schema&& section(std::string name, Inner Parameters::*member, Schema<Inner> inner,
                   std::string about = {}) && {
    items_.push_back([=](SectionNode& into, Parameters& object) {
      inner.bind(into.add_section(name, about), object.*member);
    });
    return std::move(*this);
  }

  void bind(SectionNode& into, Parameters& object) const {
    for (const auto& item : items_) item(into, object);
  }

 private:
  template <class Value>
  static Item make_item(Key<Parameters, Value> key) {
    return [key](SectionNode& into, Parameters& object) {
      KeyNode node = key.node_;
      node.value = bind_value(object.*(key.member_), node);
      into.add_key(std::move(node));
    };
  }

  std::vector<Item> items_;
};

}  // namespace cartwright::rt
