// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/mark.h>

#include <cartwright/rt/deck_value.hpp>
#include <cartwright/rt/fault.hpp>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace cartwright::rt {

/// Thrown out of the parser when going on makes no sense: too deep, too many values by aliases.
struct YamlLimit {
  YAML::Mark mark;
  std::string text;
};

/// Builds a DeckValue from yaml-cpp's events. We don't use its nodes: they lose repeated keys, the
/// places of keys and whether a scalar was quoted.
class YamlTree : public YAML::EventHandler {
 public:
  /// `text` is what is being parsed; it must outlive this object.
  YamlTree(Origin base, std::string_view text, Faults& faults)
      : base_(std::move(base)), text_(text), faults_(faults) {}

  /// The document; nothing when it was empty.
  [[nodiscard]] std::optional<DeckValue> take() { return std::move(root_); }
  [[nodiscard]] Origin origin(const YAML::Mark& mark) const;

  void OnDocumentStart(const YAML::Mark& mark) override;
  void OnDocumentEnd() override {}
  void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override;
  void OnAlias(const YAML::Mark& mark, YAML::anchor_t anchor) override;
  void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                const std::string& text) override;
  void OnSequenceStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                       YAML::EmitterStyle::value style) override;
  void OnSequenceEnd() override;
  void OnMapStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                  YAML::EmitterStyle::value style) override;
  void OnMapEnd() override;

 private:
  /// A list or map whose end hasn't been met yet.
  struct Open {
    bool is_map = false;
    Origin origin;
    YAML::anchor_t anchor = 0;
    std::vector<DeckValue> items;
    std::vector<DeckEntry> entries;
    std::vector<DeckValue> merged;  // of `<<`: entries that the map itself doesn't have
    std::optional<DeckEntry> key;   // whose value comes next
    bool drop_value = false;        // the key was at fault
  };

  void open(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor, bool is_map);
  void close(DeckValue value, YAML::anchor_t anchor);
  /// Puts a finished value where it belongs.
  void receive(DeckValue value);
  void receive_key(Open& map, const DeckValue& key);
  void receive_entry(Open& map, DeckValue value);
  void receive_merge(Open& map, const DeckEntry& key, const DeckValue& value);
  void count(const YAML::Mark& mark, std::size_t values);
  /// yaml-cpp takes the rest of the file for the text when the closing quote is missing.
  void require_closing_quote(const YAML::Mark& mark) const;

  Origin base_;
  std::string_view text_;
  Faults& faults_;
  std::optional<DeckValue> root_;
  std::vector<Open> open_;
  std::map<YAML::anchor_t, DeckValue> anchors_;
  std::size_t values_ = 0;
};

}  // namespace cartwright::rt
