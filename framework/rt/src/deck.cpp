// SPDX-License-Identifier: Apache-2.0
#include <cartwright/rt/deck.hpp>
#include <cartwright/rt/deck_file.hpp>
#include <cartwright/rt/deck_parser.hpp>
#include <utility>

#include "deck_overrides.hpp"
#include "deck_paths.hpp"
#include "schema_check.hpp"

namespace cartwright::rt {
namespace {

Origin whole(const std::string& file_name) {
  return {Origin::Kind::deck, file_name.empty() ? "no deck" : file_name, 0, 0};
}

}  // namespace

Deck Deck::parse(std::string text, std::string file_name, const std::vector<std::string>& overrides,
                 Environment environment) {
  require_deck_text(text, file_name);
  Deck deck;
  deck.text_ = std::move(text);
  deck.file_name_ = std::move(file_name);
  deck.overrides_ = overrides;
  deck.environment_ = std::move(environment);
  auto tree = parse_yaml(deck.text_, whole(deck.file_name_), deck.parse_faults_);
  if (tree && tree->is_nothing()) {
    deck.parse_faults_.add(whole(deck.file_name_), "the deck is empty: it sets no key");
    tree.reset();
  }
  if (!tree) deck.parse_faults_.throw_if_any(deck.file_name_);
  deck.tree_ = *std::move(tree);
  // What isn't even a map is reported by `apply`.
  if (deck.tree_.is_map()) merge_overrides(deck.overrides_, deck.tree_, deck.parse_faults_);
  return deck;
}

Deck Deck::read(const std::string& path, const std::vector<std::string>& overrides,
                Environment environment) {
  return parse(path.empty() ? "{}" : read_deck_file(path), path, overrides, std::move(environment));
}

void Deck::apply(SectionNode& root) {
  Faults faults = parse_faults_;
  expand_named_sections(root, tree_);
  if (tree_.is_map() || tree_.is_nothing()) merge_environment(environment_, root, tree_, faults);
  origins_.clear();
  SchemaCheck(root, whole(file_name_), faults, origins_).run(tree_);
  faults.throw_if_any(file_name_);
}

const DeckValue* Deck::find(const std::string& path) const {
  return find_path(tree_, path);
}

std::optional<std::string> Deck::peek(const std::string& path) const {
  const DeckValue* given = find(path);
  const bool settled = given != nullptr && given->origin().kind == Origin::Kind::command_line;
  const auto variable = environment_.find(environment_name(path));
  if (!settled && variable != environment_.end()) return variable->second;
  if (given == nullptr || !given->is_scalar()) return std::nullopt;
  return given->text();
}

bool Deck::contains(const std::string& path) const {
  return find(path) != nullptr || environment_.contains(environment_name(path));
}

Origin Deck::origin(const std::string& path) const {
  const auto found = origins_.find(path);
  return found == origins_.end() ? Origin{} : found->second;
}

Error Deck::error(const std::string& path, const std::string& what, std::string advice) const {
  Origin place = origin(path);
  if (place.kind == Origin::Kind::standard) place = whole(file_name_);
  return input_error(place.place() + ": " + what, std::move(advice), Reach::all_ranks);
}

}  // namespace cartwright::rt
