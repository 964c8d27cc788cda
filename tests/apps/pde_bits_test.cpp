// SPDX-License-Identifier: Apache-2.0
// The same bits for any number of ranks and threads, any mapping, with and without overlap, and
// after restarts on other numbers of ranks.
#include <gtest/gtest.h>

#include <cstring>

#include "pde_problems.hpp"
#include "pde_program.hpp"

namespace pde_test {
namespace {

bool same_bits(const std::vector<double>& a, const std::vector<double>& b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(double)) == 0;
}

class Bits : public testing::TestWithParam<Problem> {
 protected:
  /// Runs into `name` and returns the directory.
  std::string solve(const std::string& name, int ranks, const std::string& more,
                    const std::string& variables = {}) {
    const std::string deck = scratch_.write("deck.yaml", GetParam().deck);
    const std::string directory = scratch_.path() + "/" + name;
    const Result result =
        run(ranks, deck + " output.directory=" + directory + " " + more, variables);
    last_code_ = result.code;
    last_text_ = result.text;
    return directory;
  }
  void expect_same(const std::string& expected, const std::string& found, const std::string& what) {
    for (const long long step : {0, 10, 20, 30}) {
      const auto a = read_dataset(output_file(expected, GetParam().solver, step), GetParam().field);
      const auto b = read_dataset(output_file(found, GetParam().solver, step), GetParam().field);
      EXPECT_TRUE(same_bits(a, b)) << what << ", step " << step;
    }
    EXPECT_EQ(read_text(expected + "/diagnostics.csv"), read_text(found + "/diagnostics.csv"))
        << what;
  }
  Scratch scratch_;
  int last_code_ = -1;
  std::string last_text_;
};

TEST_P(Bits, DontDependOnRanksMappingThreadsBackendOrOverlap) {
  const std::string no_checkpoints = " checkpoint.every=0 ";  // restarts are the next test's
  const std::string reference = solve("reference", 1, no_checkpoints);
  ASSERT_EQ(last_code_, 0) << last_text_;
  struct Variant {
    int ranks;
    std::string more, variables;
  };
  const auto in_space = [](const std::string& setting) {
    return GetParam().dimensions == 3 ? setting : "";
  };
  const std::vector<Variant> variants{
      {1, "comm.overlap=false", "OMP_NUM_THREADS=3"},
      {2, "", "OMP_NUM_THREADS=2"},
      {3, "comm.overlap=false comm.backend=native 'grid.weights.formula=x<0.25*lx ? 8 : 1'", ""},
      {4, "mapping.strategy=tile 'mapping.topology=node:2 core:2'", ""},
      {4, "comm.backend=rma " + in_space("mapping.process_grid=[4,1,1]"), ""},
      {6, "mapping.strategy=identity comm.backend=p2p", ""},
      {8, in_space("mapping.process_grid=[2,2,2]") + " 'mapping.topology=node:4 core:2'", ""},
      {8,
       "comm.overlap=false checks=halos 'grid.weights.formula=1+9*(y>0.5*ly)' "
       "grid.weights.least=3 " +
           in_space("mapping.process_grid=[4,2,1]"),
       ""}};
  for (const Variant& variant : variants) {
    const std::string what =
        std::to_string(variant.ranks) + " ranks " + variant.more + " " + variant.variables;
    const std::string directory =
        solve("variant", variant.ranks, variant.more + no_checkpoints, variant.variables);
    ASSERT_EQ(last_code_, 0) << what << "\n" << last_text_;
    expect_same(reference, directory, what);
  }
}

TEST_P(Bits, SurviveRestartsOnOtherNumbersOfRanks) {
  const std::string reference = solve("reference", 2, "");
  ASSERT_EQ(last_code_, 0) << last_text_;
  const std::string directory = solve("restarted", 4, "time.steps=20");
  ASSERT_EQ(last_code_, 0) << last_text_;
  // And cut anew, by weight.
  solve("restarted", 3, "--restart 'grid.weights.formula=exp(-3*x/lx-y)'");
  ASSERT_EQ(last_code_, 0) << last_text_;
  expect_same(reference, directory, "a restart on 3 ranks");
  // Once more, with nothing left to do.
  solve("restarted", 1, "--restart");
  EXPECT_EQ(last_code_, 0) << last_text_;
  expect_same(reference, directory, "a restart at the end");
}

INSTANTIATE_TEST_SUITE_P(Pde, Bits, testing::ValuesIn(pde_problems()),
                         [](const auto& given) { return given.param.name; });

}  // namespace
}  // namespace pde_test
