// SPDX-License-Identifier: Apache-2.0
// Bad decks and files end with a sentence, and with 1.
#include <gtest/gtest.h>

#include "pde_program.hpp"

namespace pde_test {
namespace {

const char* const good = R"(
solver: gravity
gravity: {bodies: 40, initial: {kind: plummer}}
grid: {extent: [8, 8, 8]}
time: {steps: 2, step: 0.01}
output: {every: 1}
)";

const char* const good_fluid = R"(
solver: lennard_jones
lennard_jones: {particles: 40, initial: {kind: lattice}}
grid: {extent: [8, 8, 8], length: [5, 5, 5], periodic: [true, true, true]}
time: {steps: 2, step: 0.001}
output: {every: 1}
)";

class NbodyInput : public testing::Test {
 protected:
  Result solve(const std::string& deck, const std::string& more) {
    const std::string file = scratch_.write("deck.yaml", deck);
    return run(2, "--quiet " + file + " output.directory=" + scratch_.path() + "/out " + more);
  }
  void expect_refusal(const std::string& deck, const std::string& more, const std::string& words) {
    const Result result = solve(deck, more);
    EXPECT_EQ(result.code, 1) << more << "\n" << result.text;
    EXPECT_NE(result.text.find(words), std::string::npos) << more << "\n" << result.text;
  }
  Scratch scratch_;
};

TEST_F(NbodyInput, GoodDecksRun) {
  EXPECT_EQ(solve(good, "").code, 0);
  EXPECT_EQ(solve(good_fluid, "").code, 0);
}

TEST_F(NbodyInput, BadNumbers) {
  expect_refusal(good, "gravity.softening=0", "gravity.softening");
  expect_refusal(good, "gravity.bodies=-1", "gravity.bodies");
  expect_refusal(good, "gravity.bodies=many", "gravity.bodies");
  expect_refusal(good, "gravity.forces=guess", "rows_and_columns");
  expect_refusal(good, "gravity.initial.kind=plumer", "plummer");
  expect_refusal(good, "gravity.initial.eccentricity=1", "eccentricity");
  expect_refusal(good, "gravity.colour=1", "unknown key 'colour' in 'gravity'");
  expect_refusal(good_fluid, "lennard_jones.cutoff=0", "lennard_jones.cutoff");
  expect_refusal(good_fluid, "lennard_jones.mass=-1", "lennard_jones.mass");
}

TEST_F(NbodyInput, WhatDoesNotFit) {
  expect_refusal(good, "'grid.periodic=[true, false, false]'", "grid.periodic");
  expect_refusal(good, "gravity.initial.kind=two_bodies", "gravity.bodies");
  expect_refusal(good, "'grid.extent=[8, 8]'", "no 2-D form");
  expect_refusal(good, "output.pictures.fields=[bodies.colour] output.pictures.every=1",
                 "bodies.velocity");
  expect_refusal(good, "output.render.every=1 output.render.field=bodies.mass", "no volume");
}

TEST_F(NbodyInput, Files) {
  expect_refusal(good, "gravity.initial.kind=file", "gravity.initial.file");
  expect_refusal(good, "gravity.initial.file=there.h5", "another one");
  expect_refusal(good, "gravity.initial.kind=file gravity.initial.file=nowhere.h5", "nowhere.h5");
  const std::string broken = scratch_.write("broken.h5", "this is no HDF5 file");
  expect_refusal(good, "gravity.initial.kind=file gravity.initial.file=" + broken, "broken.h5");
  ASSERT_EQ(solve(good, "").code, 0);
  const std::string other = output_file(scratch_.path() + "/out", "gravity", 2);
  const std::string kept = scratch_.path() + "/kept.h5";
  ASSERT_EQ(std::rename(other.c_str(), kept.c_str()), 0);
  const std::string from = "gravity.initial.kind=file gravity.initial.file=" + kept;
  EXPECT_EQ(solve(good, from).code, 0);
  expect_refusal(good, from + " gravity.bodies=41", "(41, 3)");
  expect_refusal(good, from + " gravity.initial.prefix=stars", "bodies.position");
}

/// What isn't a number ends the run and names the particle.
TEST_F(NbodyInput, StepsThatAreTooLarge) {
  const Result result = solve(good_fluid,
                              "time.step=1e200 time.steps=20 lennard_jones.energies=0 "
                              "time.finite_every=1");
  EXPECT_EQ(result.code, 2) << result.text;
  EXPECT_NE(result.text.find("particle"), std::string::npos) << result.text;
}

}  // namespace
}  // namespace pde_test
