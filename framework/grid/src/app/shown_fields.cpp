// SPDX-License-Identifier: Apache-2.0
#include "shown_fields.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cartwright/grid/run/field_data.hpp>
#include <cartwright/grid/run/run.hpp>
#include <cartwright/rt/deck.hpp>

#include "../output/field_part.hpp"

namespace cartwright::grid {
namespace {

/// What may be shown of one field, besides all of it.
struct Choice {
  const FieldBase* field;                    ///< as it is
  std::vector<const FieldBase*> parts;       ///< with vectors whole; empty: it has no names
  std::vector<const FieldBase*> components;  ///< single ones
};

using Choices = std::vector<Choice>;
using Fields = std::vector<const FieldBase*>;

const FieldBase* add_part(ShownFields& shown, const FieldBase& field, const ComponentRange& range) {
  shown.parts.push_back(std::make_shared<FieldPart>(field, range));
  return shown.parts.back().get();
}

Choice choice_of(const Run& run, ShownFields& shown, const FieldBase& field) {
  Choice choice{&field, {}, {}};
  const FieldInfo* info = run.declared(field.name());
  if (info == nullptr) return choice;
  const int dimensions = run.options().dimensions();
  for (const ComponentRange& range : ranges_of(*info, dimensions))
    choice.parts.push_back(add_part(shown, field, range));
  int number = 0;
  for (const Component& each : components_of(*info, dimensions))
    choice.components.push_back(add_part(shown, field, {each.name, each.unit, number++, 1}));
  return choice;
}

/// Everything of a field that goes into files.
Fields whole(const Choice& choice) {
  return choice.parts.empty() ? Fields{choice.field} : choice.parts;
}

/// What the deck calls `name`; empty if nothing.
Fields find(const Choices& choices, const std::string& name) {
  for (const Choice& choice : choices) {
    if (choice.field->name() == name) return whole(choice);
    for (const Fields* list : {&choice.parts, &choice.components})
      for (const FieldBase* part : *list)
        if (part->name() == name) return {part};
  }
  return {};
}

/// The fields that the deck's list names; `standard` where it names none.
Fields pick(const rt::Deck& deck, const std::string& path, const std::vector<std::string>& names,
            const Choices& choices, const Fields& standard) {
  if (names.empty()) return standard;
  Fields picked;
  for (const std::string& name : names) {
    const Fields found = find(choices, name);
    if (found.empty()) {
      std::vector<std::string> known;
      for (const Choice& choice : choices)
        for (const FieldBase* part : whole(choice)) known.push_back(part->name());
      throw deck.error(path, fmt::format("'{}' names the field '{}'; output has {}", path, name,
                                         fmt::join(known, ", ")));
    }
    picked.insert(picked.end(), found.begin(), found.end());
  }
  return picked;
}

/// The components that a shown field consists of.
Fields components_within(const Choices& choices, const FieldBase* shown) {
  for (const Choice& choice : choices)
    for (std::size_t i = 0, at = 0; i < choice.parts.size(); ++i) {
      const auto count = static_cast<std::size_t>(choice.parts[i]->element().components);
      if (choice.parts[i] == shown)
        return {choice.components.begin() + static_cast<std::ptrdiff_t>(at),
                choice.components.begin() + static_cast<std::ptrdiff_t>(at + count)};
      at += count;
    }
  return {shown};
}

/// The deck's exact solution of a field or a component.
std::vector<Formula> exact_of(const Run& run, const Choices& choices, const FieldBase* shown) {
  for (const Choice& choice : choices) {
    const auto part = std::ranges::find(choice.components, shown);
    if (choice.field != shown && part == choice.components.end()) continue;
    const auto found = run.field_data().of.find(choice.field->name());
    if (found == run.field_data().of.end() || !found->second.exact) return {};
    const auto formulas = run.formulas(choice.field->name(), "exact." + choice.field->name(),
                                       *found->second.exact, choice.field->element().components);
    std::vector<Formula> exact;
    if (choice.field == shown) {
      for (const auto& formula : formulas) exact.push_back(*formula);
    } else if (const auto& own =
                   formulas[static_cast<std::size_t>(part - choice.components.begin())]) {
      exact.push_back(*own);
    }
    return exact;
  }
  return {};
}

/// Where there are particles' numbers, there are their positions.
void add_positions(Fields& fields) {
  const Fields given = fields;
  for (const FieldBase* field : given)
    if (field->positions() != nullptr &&
        std::ranges::find(fields, field->positions()) == fields.end())
      fields.push_back(field->positions());
}

/// Dots say by themselves where they are: positions have a picture only where there is nothing
/// else.
Fields worth_a_picture(const Fields& fields) {
  Fields worth;
  for (const FieldBase* field : fields)
    if (field->positions() != field) worth.push_back(field);
  return worth.empty() ? fields : worth;
}

/// The fields NAME_x, NAME_y… of a vector whose components live on faces (see Staggered), by axis;
/// empty if they aren't all there.
Fields staggered_parts(const Run& run, const Choices& choices, const std::string& name) {
  Fields parts;
  for (int axis = 0; axis < run.options().dimensions(); ++axis) {
    const std::string wanted = name + "_" + "xyz"[axis];
    const auto found = std::ranges::find_if(choices, [&](const Choice& choice) {
      return choice.field->name() == wanted && choice.field->element().components == 1 &&
             choice.field->centring() == on_faces(axis);
    });
    if (found == choices.end()) return {};
    parts.push_back(found->field);
  }
  return parts;
}

/// The names of all of them.
std::vector<std::string> staggered_names(const Run& run, const Choices& choices) {
  std::vector<std::string> names;
  for (const Choice& choice : choices) {
    const std::string& part = choice.field->name();
    if (!part.ends_with("_x")) continue;
    const std::string name = part.substr(0, part.size() - 2);
    if (!staggered_parts(run, choices, name).empty()) names.push_back(name);
  }
  return names;
}

/// The deck's output.pictures.vectors.
void choose_vectors(const Run& run, const Choices& choices, ShownFields& shown) {
  const std::string& name = run.options().output.pictures.vectors;
  if (name.empty()) return;
  std::vector<std::string> known;
  for (const Choice& choice : choices)
    for (const FieldBase* part : choice.parts) {
      if (part->element().components != run.options().dimensions() ||
          run.options().dimensions() < 2)
        continue;
      known.push_back(part->name());
      if (part->name() == name) shown.vectors = part;
    }
  shown.vectors_name = name;
  if (run.options().dimensions() > 1) {
    const std::vector<std::string> staggered = staggered_names(run, choices);
    known.insert(known.end(), staggered.begin(), staggered.end());
    if (std::ranges::find(staggered, name) != staggered.end()) {
      shown.vector_components = staggered_parts(run, choices, name);
      shown.vectors = shown.vector_components.front();
      return;
    }
  }
  if (shown.vectors == nullptr)
    throw run.runtime().deck().error(
        "output.pictures.vectors",
        fmt::format("'output.pictures.vectors' is '{}', but the solver has {}", name,
                    known.empty() ? std::string("no vectors in the plane")
                                  : fmt::format("the vectors {}", fmt::join(known, ", "))));
  shown.vector_components = components_within(choices, shown.vectors);
}

/// The one field, or part of one, that `key` names.
const FieldBase* one_of(const rt::Deck& deck, const std::string& key, const std::string& name,
                        const Choices& choices) {
  const Fields found = pick(deck, key, {name}, choices, {});
  if (found.size() != 1)
    throw deck.error(key, fmt::format("'{}' is '{}', which has several parts", key, name),
                     fmt::format("Name one of them, such as {}.", found.front()->name()));
  return found.front();
}

/// The deck's output.pictures.mask, or the solver's.
void choose_mask(const Run& run, const Choices& choices, ShownFields& shown) {
  const std::string& name = run.options().output.pictures.mask;
  if (name.empty() || (run.mask() != nullptr && run.mask()->name() == name))
    shown.mask = run.mask();
  else if (name != "none")
    shown.mask = one_of(run.runtime().deck(), "output.pictures.mask", name, choices);
}

}  // namespace

std::size_t ShownFields::bytes_of(const std::string& name) const {
  std::size_t bytes = 0;
  for (const FieldBase* field : output)
    if (field->name() == name || field->name().starts_with(name + "."))
      bytes += field->element().bytes();
  return bytes;
}

ShownFields choose_shown(const Run& run, const std::vector<const FieldBase*>& declared) {
  const rt::Deck& deck = run.runtime().deck();
  const OutputOptions& output = run.options().output;
  ShownFields shown;
  Choices choices;
  Fields all;
  for (const FieldBase* field : declared) {
    choices.push_back(choice_of(run, shown, *field));
    const Fields parts = whole(choices.back());
    all.insert(all.end(), parts.begin(), parts.end());
  }
  shown.output = pick(deck, "output.fields", output.fields, choices, all);
  add_positions(shown.output);
  shown.pictures = pick(deck, "output.pictures.fields", output.pictures.fields, choices,
                        worth_a_picture(shown.output));
  choose_vectors(run, choices, shown);
  choose_mask(run, choices, shown);
  if (output.render.is_wanted()) {
    const std::string& name = output.render.volume.field;
    shown.volume = one_of(deck, "output.render.field", name, choices);
    if (shown.volume->positions() != nullptr)
      throw deck.error("output.render.field",
                       fmt::format("'output.render.field' is '{}': particles have no volume", name),
                       "output.pictures draws them.");
  }
  for (const FieldBase* field : shown.output)
    if (field->positions() == nullptr)
      for (const FieldBase* component : components_within(choices, field))
        shown.columns.push_back({component, exact_of(run, choices, component)});
  return shown;
}

}  // namespace cartwright::grid
