// SPDX-License-Identifier: Apache-2.0
// Scalars and arrays: when they may be made, set and read.
#include <cartwright/cartwright.hpp>
#include <string>
#include <type_traits>

#include "../io/scratch.hpp"
#include "../sample_run.hpp"

namespace cartwright::grid::test {
namespace {

const char* const minimal_deck = "grid: {extent: [16]}";

void expect_refusal(const std::function<void()>& action, const std::string& words) {
  const std::string text = refusal(action, rt::ExitCode::internal_failure);
  EXPECT_NE(text.find(words), std::string::npos) << text;
}

TEST(RunState, ScalarsAreNumbers) {
  SampleRun run(minimal_deck);
  Scalar rho(*run, "rho");
  Scalar count(*run, "count", 3LL);
  Scalar is_steady(*run, "is_steady", false);
  static_assert(std::is_same_v<decltype(rho), Scalar<double>>);
  static_assert(std::is_same_v<decltype(count), Scalar<long long>>);
  run->on_fresh_start([&] {
    rho = 2;
    rho *= 1.5;
    rho -= 1.0;
    ++count;
    const double quotient = rho / 8.0;
    EXPECT_EQ(quotient, 0.25);
    EXPECT_EQ(count, 4);
    Scalar<double>& same = rho;
    same = count.value();
    EXPECT_EQ(rho, 4.0);
    EXPECT_FALSE(is_steady);
  });
}

TEST(RunState, ArraysHoldZerosAtFirst) {
  SampleRun run(minimal_deck);
  Array momentum(*run, "momentum", 3);
  Array<bool> flags(*run, "flags", 5);
  const Array<int> none(*run, "none", 0);
  static_assert(std::is_same_v<decltype(momentum), Array<double>>);
  run->on_fresh_start([&] {
    for (const double value : momentum) EXPECT_EQ(value, 0.0);
    momentum[2] = 1.0;
    flags[4] = true;
    EXPECT_EQ(momentum.values().back(), 1.0);
    EXPECT_EQ(none.values().size(), 0U);
  });
  EXPECT_EQ(flags.size(), 5U);
}

TEST(Table, HasOneRowAStep) {
  SampleRun run("grid: {extent: [4]}");
  Table forces(*run, "forces", {"drag"});
  forces.add(0, {1.0});
  forces.add(1, {1.5});
  expect_refusal([&] { forces.add(1, {2.0}); }, "has a row of step 1 already");
}

TEST(Table, HasANameOfItsOwnThatFilesCanHave) {
  SampleRun run(minimal_deck);
  Table forces(*run, "forces", {"drag", "lift"});
  for (const char* name : {"", "a/b", "..", "a b", "x.csv"})
    expect_refusal([&] { Table(*run, name, {"a"}); }, "becomes the name of a file");
  for (const char* name : {"forces", "diagnostics", "convergence"})
    expect_refusal([&] { Table(*run, name, {"a"}); }, "has one of that name");
  expect_refusal([&] { forces.add(1, {1.0}); }, "has 2 columns, but a row of 1 numbers");
  { const Table again(*run, "moments", {"z"}); }
  const Table moments(*run, "moments", {"z"});  // the first one is gone
}

TEST(RunState, AreReadInOnFreshStartAndAfterSteps) {
  SampleRun run(minimal_deck);
  Grid<1> grid(*run);
  Field<double, 1> u(grid, "u");
  Scalar rho(*run, "rho");
  Array few(*run, "few", 2);
  rho = 1.0;
  expect_refusal([&] { (void)rho.value(); }, "'rho' is read before run.steps()");
  expect_refusal([&] { few[0] = 1.0; }, "'few' is read before run.steps()");
  run->on_fresh_start([&] { EXPECT_EQ(rho, 1.0); });
  auto steps = run->steps(u);
  EXPECT_EQ(rho, 1.0);
  EXPECT_EQ(few[0], 0.0);
}

TEST(RunState, NamesAreUnique) {
  SampleRun run(minimal_deck);
  Grid<1> grid(*run);
  Field<double, 1> u(grid, "u"), own(grid, "own"), again = u.like();
  { const Scalar gone(*run, "rho"); }
  const Scalar rho(*run, "rho");
  expect_refusal([&] { const Scalar other(*run, "rho"); },
                 "two Scalars or Arrays are called 'rho'");
  expect_refusal([&] { const Array other(*run, "rho", 2); }, "give each one of its own");
  expect_refusal([&] { const Scalar other(*run, ""); }, "empty name");
  expect_refusal([&] { (void)run->steps(u, again); }, "two fields of run.steps() are called 'u'");
  for (const char* name : {"own", "temperature"}) {  // one of steps(), and one that decks may name
    const Scalar other(*run, name);
    expect_refusal([&] { (void)run->steps(u, own); }, "a field and a Scalar or Array are called");
  }
  (void)run->steps(u, own);
}

TEST(RunState, IsCompleteBeforeSteps) {
  SampleRun run(minimal_deck);
  Grid<1> grid(*run);
  Field<double, 1> u(grid, "u");
  run->on_fresh_start([&] {
    expect_refusal([&] { const Scalar rho(*run, "rho"); }, "is made in run.on_fresh_start()");
    expect_refusal([&] { (void)run->steps(u); }, "called in run.on_fresh_start()");
  });
  expect_refusal([&] { const Array many(*run, "many", 131073); }, "at most 1048576");
  auto steps = run->steps(u);
  expect_refusal([&] { const Scalar rho(*run, "rho"); }, "Make it before");
  expect_refusal([&] { (void)run->steps(u); }, "can be made only once");
  run->state().begin_loop();
  expect_refusal([&] { run->on_fresh_start([] {}); }, "after the loop has begun");
}

TEST(RunState, FieldsAreThoseOfTheSolverAndTheDeck) {
  SampleRun run(std::string(minimal_deck) + "\ntime: {step: 1.0, steps: 1}");
  Grid<1> grid(*run);
  Field<double, 1> other(grid, "other");
  expect_refusal([&] { run->initialize(other); }, "the field 'other', which it does not declare");
  const auto loop = [&] {
    for ([[maybe_unused]] auto step : run->steps()) break;
  };
  expect_refusal(loop, "called without a field");
}

TEST(RunState, AnErrorEndsAFreshStart) {
  SampleRun run(minimal_deck);
  Scalar rho(*run, "rho");
  EXPECT_THROW(run->on_fresh_start([] { throw std::runtime_error("no"); }), std::runtime_error);
  expect_refusal([&] { (void)rho.value(); }, "'rho' is read before");
}

}  // namespace
}  // namespace cartwright::grid::test
