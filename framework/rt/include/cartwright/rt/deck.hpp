// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/rt/communicator.hpp>
#include <cartwright/rt/deck_value.hpp>
#include <cartwright/rt/error.hpp>
#include <cartwright/rt/fault.hpp>
#include <cartwright/rt/schema_node.hpp>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace cartwright::rt {

/// Variables of the environment by name.
using Environment = std::map<std::string, std::string>;

/// All variables of this process that begin with `CARTWRIGHT_` and aren't empty.
[[nodiscard]] Environment cartwright_environment();

/// The variable that sets the key `path`: "grid.extent" is set by CARTWRIGHT_GRID_EXTENT.
[[nodiscard]] std::string environment_name(const std::string& path);

/// What the user wants: a YAML file, the environment and the command line, of which a later one
/// wins. Every error is an input error met by all ranks.
class Deck {
 public:
  /// A deck without a file: defaults, environment and command line only.
  Deck() = default;
  /// Throws for text that is no YAML document; faults of overrides wait for `apply`.
  [[nodiscard]] static Deck parse(std::string text, std::string file_name,
                                  const std::vector<std::string>& overrides = {},
                                  Environment environment = {});
  /// Reads the file `path` in this process; none if it is empty. Throws for missing, unreadable,
  /// binary and huge files.
  [[nodiscard]] static Deck read(const std::string& path,
                                 const std::vector<std::string>& overrides = {},
                                 Environment environment = cartwright_environment());
  /// Collective: rank 0 reads; text, overrides and environment of rank 0 are broadcast together.
  [[nodiscard]] static Deck read(const Communicator& comm, const std::string& path,
                                 const std::vector<std::string>& overrides);
  /// Collective, for programs without a deck: what rank 0's environment says of the keys of
  /// `section`.
  [[nodiscard]] static Deck of_environment(const Communicator& comm, const std::string& section);

  /// Checks everything against the schema and assigns the values; throws one error that lists all
  /// faults by place: `heat.yaml:12:7: unknown key 'perodic' in 'grid', did you mean 'periodic'?`
  void apply(SectionNode& root);
  /// After `apply`: YAML that can be used as a deck; a comment says where each value came from.
  [[nodiscard]] std::string effective_configuration(const SectionNode& root) const;

  /// Before `apply`, to decide what the schema is: the text of the scalar `path` ("solver"), if
  /// anybody gave one.
  [[nodiscard]] std::optional<std::string> peek(const std::string& path) const;
  /// Before `apply`: true if the deck, the environment or the command line gives `path`, a key
  /// or a section.
  [[nodiscard]] bool contains(const std::string& path) const;

  /// After `apply`: where the value of the key or element `path` came from.
  [[nodiscard]] Origin origin(const std::string& path) const;
  /// For what a schema can't check: an input error that names the place of `path`.
  /// `throw deck.error("grid.extent", "'grid.extent' is smaller than the halo")`.
  [[nodiscard]] Error error(const std::string& path, const std::string& what,
                            std::string advice = {}) const;

  [[nodiscard]] const std::string& text() const noexcept { return text_; }
  [[nodiscard]] const std::string& file_name() const noexcept { return file_name_; }
  [[nodiscard]] const std::vector<std::string>& overrides() const noexcept { return overrides_; }

 private:
  /// What was given for `path` by the source that wins; nullptr if nothing was.
  [[nodiscard]] const DeckValue* find(const std::string& path) const;

  std::string text_, file_name_;
  std::vector<std::string> overrides_;
  Environment environment_;
  DeckValue tree_;       // deck and command line; from `apply` on also the environment
  Faults parse_faults_;  // found before the schema was known
  std::map<std::string, Origin> origins_;
};

}  // namespace cartwright::rt
