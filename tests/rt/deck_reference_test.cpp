// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>
#include <cartwright/rt/deck_reference.hpp>

#include <nlohmann/json.hpp>

#include "deck_fixture.hpp"

namespace cartwright::rt::test {
namespace {

TEST(DeckReference, ListsEveryKey) {
  Reader reader;
  const std::string text = deck_reference(reader.root, "Decks");
  for (const char* line :
       {"# Decks\n", "| `title` | text |  | `a title` | what stands above the pictures |\n",
        "| `trace` | text |  | not set | timeline file |\n", "## `grid`\n\nthe cells.\n",
        "| `extent` | list of 1 to 3 integers, ≥ 1 |  | **required** | number of cells along each "
        "axis; e.g. `extent: [64, 64]` |\n",
        "| `origin` | list of 2 numbers | m | `[0, 0]` |  |\n",
        "| `step` | number, > 0, ≤ 10 | s | `0.1` |  |\n",
        "| `wall_time` | duration, > 0 |  | `1h` |  |\n", "## `boundary.<face>`\n"}) {
    EXPECT_NE(text.find(line), std::string::npos) << line << text;
  }
}

TEST(DeckReference, DefaultsAreThoseOfTheProgramNotOfTheDeck) {
  Reader reader;
  const std::string before = deck_reference(reader.root, "Decks");
  ASSERT_EQ(reader.read("grid: {extent: [8]}\ntitle: other\n"), "");
  EXPECT_EQ(deck_reference(reader.root, "Decks"), before);
}

TEST(DeckJsonSchema, SaysWhatEditorsNeed) {
  Reader reader;
  const auto schema = nlohmann::json::parse(deck_json_schema(reader.root, "Decks"));
  EXPECT_EQ(schema["$schema"], "http://json-schema.org/draft-07/schema#");
  EXPECT_EQ(schema["additionalProperties"], false);
  EXPECT_EQ(schema["required"], nlohmann::json::array({"grid"}));
  const auto& keys = schema["properties"];
  EXPECT_EQ(keys["backend"]["enum"], nlohmann::json::array({"native", "p2p", "shared"}));
  EXPECT_EQ(keys["backend"]["default"], "native");
  EXPECT_EQ(keys["checks"]["type"], "boolean");
  EXPECT_EQ(keys["limit"]["type"], nlohmann::json::array({"number", "null"}));
  const auto& extent = keys["grid"]["properties"]["extent"];
  EXPECT_EQ(extent["type"], "array");
  EXPECT_EQ(extent["items"]["minimum"], 1);
  EXPECT_EQ(extent["maxItems"], 3);
  EXPECT_EQ(extent["examples"][0], nlohmann::json::array({64, 64}));
  EXPECT_EQ(keys["time"]["properties"]["step"]["exclusiveMinimum"], 0.0);
  EXPECT_EQ(keys["boundary"]["additionalProperties"]["properties"]["value"]["type"], "number");
}

}  // namespace
}  // namespace cartwright::rt::test
