// SPDX-License-Identifier: Apache-2.0
// Solvers against what is known of their problems, and how their components are shown.
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>

#include "pde_program.hpp"

namespace pde_test {
namespace {

class Solvers : public testing::Test {
 protected:
  std::string deck(const std::string& name) const { return std::string(PDE_DECKS) + "/" + name; }
  /// Runs into `directory_`.
  Result solve(const std::string& file, const std::string& more = {}, int ranks = 2) {
    std::filesystem::remove_all(directory_);
    return run(ranks, file + " --quiet output.directory=" + directory_ + " " + more);
  }
  std::map<std::string, double> end_of(const std::string& file, const std::string& more = {},
                                       int ranks = 2) {
    const Result result = solve(file, more, ranks);
    EXPECT_EQ(result.code, 0) << result.text;
    return last_diagnostics(directory_);
  }
  Scratch scratch_;
  std::string directory_ = scratch_.path() + "/out";
};

TEST_F(Solvers, GrayScottWithoutReactionIsExact) {
  auto row = end_of(deck("gray_scott_1d.yaml"));
  EXPECT_LT(row.at("concentration.u_error_max"), 1e-3);
  EXPECT_EQ(row.at("concentration.v_error_max"), 0.0);
}

/// Pearson's regimes: where V dies out, and where it fills the plane.
TEST_F(Solvers, GrayScottHasItsRegimes) {
  const std::string quick =
      "grid.extent=[64,64] grid.length=[0.64,0.64] time.end=2000 "
      "'initial.concentration={u: \"1-0.5*(abs(x-0.32)<0.1&&abs(y-0.3)<0.1)\","
      "v: \"0.25*(abs(x-0.32)<0.1&&abs(y-0.3)<0.1)\"}' output.pictures.every=0 ";
  EXPECT_LT(
      end_of(deck("gray_scott.yaml"), quick + "gray_scott.kill=0.08").at("concentration.v_max"),
      1e-6);
  for (const std::string pattern : {"spots", "worms", "stripes", "mitosis", "holes", "chaos"}) {
    auto row = end_of(deck("gray_scott.yaml"), quick + "gray_scott.pattern=" + pattern);
    EXPECT_GT(row.at("concentration.v_max"), 0.2) << pattern;
    EXPECT_GT(row.at("concentration.v_max") - row.at("concentration.v_min"), 0.1) << pattern;
  }
}

TEST_F(Solvers, ComponentsAreShownByTheirNames) {
  const std::string quick = "time.steps=2 grid.extent=[16,16] output.every=1 ";
  auto row = end_of(deck("gray_scott.yaml"), quick + "output.pictures.every=2");
  for (const char* component : {"u", "v"})
    for (const char* what : {"min", "max", "mean", "l2"})
      EXPECT_TRUE(row.contains(std::string("concentration.") + component + "_" + what));
  EXPECT_EQ(read_dataset(output_file(directory_, "gray_scott", 2), "concentration.u").size(), 256U);
  const auto has = [&](const std::string& file) {
    return std::filesystem::exists(directory_ + "/pictures/" + file);
  };
  EXPECT_TRUE(has("concentration.v_0000000002.png"));
  EXPECT_FALSE(has("concentration.u_0000000002.png"));
  EXPECT_NE(read_text(directory_ + "/gray_scott.xdmf").find("Name=\"concentration.u\""),
            std::string::npos);

  row = end_of(deck("gray_scott.yaml"),
               quick + "output.fields=[concentration.u] output.pictures.every=0");
  EXPECT_TRUE(row.contains("concentration.u_min"));
  EXPECT_FALSE(row.contains("concentration.v_min"));
  const Result wrong = solve(deck("gray_scott.yaml"), "output.fields=[concentration.w]");
  EXPECT_EQ(wrong.code, 1);
  EXPECT_NE(wrong.text.find("output has concentration.u, concentration.v"), std::string::npos)
      << wrong.text;
  const Result lacking = solve(deck("gray_scott.yaml"),
                               "'grid.periodic=[true, false]' "
                               "'boundary.concentration.all={u: outflow}'");
  EXPECT_EQ(lacking.code, 1);
  EXPECT_NE(lacking.text.find("says nothing about 'v'"), std::string::npos) << lacking.text;
}

}  // namespace
}  // namespace pde_test
