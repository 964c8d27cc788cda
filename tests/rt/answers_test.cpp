// SPDX-License-Identifier: Apache-2.0
// What a program answers without a run.
#include "answers.hpp"

#include <gtest/gtest.h>

#include <cartwright/rt/schema.hpp>
#include <nlohmann/json.hpp>

namespace cartwright::rt {
namespace {

struct Answers : testing::Test {
  struct Options {
    double speed = 1.0;
  };

  std::string ask(Mode mode) {
    CommandLine line;
    line.mode = mode;
    return answer(line, program, modules);
  }
  [[nodiscard]] bool knows(Mode mode, const std::string& part) {
    return ask(mode).find(part) != std::string::npos;
  }

  Options options;
  Schema<Options> schema{key("speed", &Options::speed).unit("m/s").about("of the wind")};
  std::vector<Module> modules{
      {.name = "wind", .schema = [this](SectionNode& root) { schema.bind(root, options); }}};
  Program program{
      "sail", "1.2", "abc123", "Ships.", {{"tack", "against the wind"}, {"run", "with it"}}};
};

TEST_F(Answers, NameVersionAndSolvers) {
  EXPECT_EQ(ask(Mode::version), "sail 1.2 (abc123)\n");
  EXPECT_EQ(ask(Mode::list_solvers), "tack\nrun\n");
}

TEST_F(Answers, HelpShowsOptionsAndSolvers) {
  EXPECT_EQ(ask(Mode::help).find("Ships.\n\n"), 0U);
  for (const char* part : {"--dry-run", "  tack  against the wind\n", "  run   with it\n"})
    EXPECT_TRUE(knows(Mode::help, part)) << part;
  program.solvers.clear();
  program.description.clear();
  EXPECT_FALSE(knows(Mode::help, "Solvers"));
  EXPECT_FALSE(knows(Mode::help, "Ships"));
}

TEST_F(Answers, DecksAreDescribed) {
  EXPECT_TRUE(knows(Mode::deck_reference, "of the wind"));
  const auto described = nlohmann::json::parse(ask(Mode::json_schema));
  EXPECT_TRUE(described.at("properties").contains("speed"));
  EXPECT_EQ(keys_named("speed", modules), std::vector<std::string>{"speed"});
  EXPECT_TRUE(keys_named("wind", modules).empty());
}

}  // namespace
}  // namespace cartwright::rt
