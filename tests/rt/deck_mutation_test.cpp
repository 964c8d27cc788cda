// SPDX-License-Identifier: Apache-2.0
// Random bytes and random mutations of a good deck: an input error or success, never anything else.
// Bounded and deterministic: the same decks on every machine.
#include <gtest/gtest.h>

#include <array>
#include <string>
#include <string_view>

#include "../random_text.hpp"
#include "deck_fixture.hpp"

namespace cartwright::rt::test {
namespace {

constexpr std::string_view good = R"(title: "Heat – in a 'plate'"
backend: shared
wall_time: 1h30m
constants: &c {a: 1, b: -2.5e-3}
grid:
  extent: [101, 67, 13]
  periodic: [true, false, true]
time: {steps: 10, step: 1e-3}
boundary:
  left: &side {value: 1}
  right: {<<: *side, type: neumann}
)";

using cartwright::test::Dice;

std::string mutated(Dice& dice) {
  constexpr std::array<std::string_view, 28> pieces{
      "\t", "\n",  "  ",    ":",      ": ", "[",  "]",       "{",   "}",   "'",
      "\"", "&a ", "*a",    "<<: *c", "- ", "? ", "#",       "|\n", ">\n", "!!str ",
      "!",  "%",   "---\n", "...\n",  "\\", "~",  "1e99999", ","};
  std::string text(good);
  for (std::size_t edits = 1 + dice.below(6); edits > 0 && !text.empty(); --edits) {
    const std::size_t at = dice.below(text.size()), size = dice.below(12);
    switch (dice.below(5)) {
      case 0:
        text.erase(at, size);
        break;
      case 1:
        text.insert(at, dice.one_of(pieces));
        break;
      case 2:
        text[at] = dice.byte();
        break;
      case 3:
        text.insert(at, text.substr(dice.below(text.size()), size * 4));
        break;
      default:
        text.resize(at);
    }
  }
  return text;
}

/// Anything but an Error would fail the test by itself.
bool is_good(const std::string& text, const std::vector<std::string>& overrides = {}) {
  Reader reader;
  const std::string message = reader.read(text, overrides);
  EXPECT_NE(message, "wrong kind of error") << text;
  return message.empty() && !reader.deck.effective_configuration(reader.root).empty();
}

TEST(DeckMutation, MutatedDecks) {
  Dice dice(1);
  ASSERT_TRUE(is_good(std::string(good)));
  int accepted = 0;
  for (int i = 0; i < 6000; ++i) accepted += is_good(mutated(dice)) ? 1 : 0;
  EXPECT_GT(accepted, 100);   // or the mutations are too coarse to reach the checks
  EXPECT_LT(accepted, 5000);  // or they change nothing
}

TEST(DeckMutation, RandomBytesAndRandomYamlSigns) {
  Dice dice(2);
  constexpr std::string_view signs = "[]{}:,-?&*!|>'\"%@`#~ \n\nab1.";
  for (int i = 0; i < 3000; ++i) {
    std::string bytes, yaml;
    for (std::size_t size = dice.below(200); size > 0; --size) {
      bytes += dice.byte();
      yaml += signs[dice.below(signs.size())];
    }
    is_good(bytes);
    is_good(yaml);
  }
}

TEST(DeckMutation, MutatedOverrides) {
  Dice dice(3);
  for (int i = 0; i < 2000; ++i) {
    std::string override_text = "grid.extent=[64, 64]";
    for (std::size_t edits = 1 + dice.below(3); edits > 0; --edits) {
      override_text[dice.below(override_text.size())] = "=.[{'\"&*,x1 :"[dice.below(13)];
    }
    is_good(std::string(good), {override_text});
  }
}

}  // namespace
}  // namespace cartwright::rt::test
