// SPDX-License-Identifier: Apache-2.0
// What users may get wrong: one clear message and the right exit code.
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>
#include <string>
#include <vector>

#include "pde_program.hpp"

namespace pde_test {
namespace {

const std::string good =
    "solver: heat\nheat: {diffusivity: 1.0}\ngrid: {extent: [32, 32]}\ntime: {steps: 20}\n"
    "initial: {temperature: gaussian}\n";

class Input : public testing::Test {
 protected:
  Result solve(const std::string& deck, const std::string& more = {}, int ranks = 2) {
    return run(ranks, scratch_.write("deck.yaml", deck) + " output.directory=" + scratch_.path() +
                          "/out " + more);
  }
  void expect_fault(const std::string& more, const std::string& part, int code = 1, int ranks = 2) {
    const Result result = solve(good, more, ranks);
    EXPECT_EQ(result.code, code) << more << "\n" << result.text;
    EXPECT_NE(result.text.find(part), std::string::npos) << more << "\n" << result.text;
    const auto first = result.text.find("cartwright: error:");
    EXPECT_NE(first, std::string::npos) << result.text;
    EXPECT_EQ(result.text.find("cartwright: error:", first + 1), std::string::npos) << result.text;
  }
  Scratch scratch_;
};

TEST_F(Input, GoodDeckRuns) {
  const Result result = solve(good);
  EXPECT_EQ(result.code, 0) << result.text;
  EXPECT_NE(result.text.find("paraview "), std::string::npos)
      << "the last words: how to look at it\n"
      << result.text;
  EXPECT_TRUE(std::filesystem::exists(scratch_.path() + "/out/heat.xdmf"));
  EXPECT_TRUE(std::filesystem::exists(scratch_.path() + "/out/report.json"));
}

TEST_F(Input, FaultsAreNamed) {
  expect_fault("solver=haet", "'heat'");
  expect_fault("wave.speed=1", "wave");
  expect_fault("heat.difusivity=1", "did you mean 'diffusivity'?");
  expect_fault("heat.diffusivity=-1", "diffusivity");
  expect_fault("initial.displacement=1", "displacement");
  expect_fault("'initial.temperature=sin(x'", "sin(x");
  expect_fault("'initial.temperature={file: nowhere.h5}'", "nowhere.h5");
  expect_fault("'initial.temperature=[x, y]'", "has 2 formulas");
  expect_fault("'grid.extent=[2, 2]' 'mapping.process_grid=[8, 1]'", "8", 1, 8);
  expect_fault("output.fields=[pressure]", "pressure");
  expect_fault("output.directory=/proc/out", "cannot create '/proc/out'");
}

TEST_F(Input, FaultsOfWeightsAndEdgesAreNamed) {
  for (const std::string mode : {"", " --check", " --dry-run"})
    expect_fault("'grid.weights.formula=x-0.5'" + mode, "the weight of cell (0, 0)");
  expect_fault("--check 'grid.weights.formula=sqrt(x-0.5)'", "the weight of cell (0, 0)");
  expect_fault("--check 'grid.weights.formula=0*x'", "all cells together weigh 0");
  expect_fault("--check 'grid.weights.formula=t'", "depends on t");
  expect_fault("--check 'grid.weights.formula=1+temperature'", "temperature");
  expect_fault("--check grid.weights.file=nowhere.h5 grid.weights.dataset=w", "nowhere.h5");
  expect_fault("--check grid.weights.dataset=w", "wants a file and a dataset");
  expect_fault("--check grid.coordinates.x=x*x-1", "grid.coordinates.x");
  expect_fault("--check grid.coordinates.x=1-x", "don't rise");
  expect_fault("--check 'grid.coordinates.x=sqrt(x-0.5)'", "no numbers");
  expect_fault("--check 'grid.coordinates.y=[0, 0.5, 1]'", "are 3, but there are 32 cells");
  expect_fault("--check 'grid.coordinates.z=z'", "no such axis");
  expect_fault("--check grid.coordinates.x=y+", "ends too early");
  expect_fault("--check solver=wave grid.coordinates.x=x^2", "wave");
  expect_fault("--check 'grid.extent=[2147483648, 8]' grid.coordinates.x=x", "cells at most");
}

TEST_F(Input, FaultsOfFilesOfEdgesAreNamed) {
  const auto edges = [&](const std::string& name, const std::string& text,
                         const std::string& more = "") {
    return "--check 'grid.coordinates.y={file: " + scratch_.write(name, text) + more + "}'";
  };
  expect_fault("--check 'grid.coordinates.y={file: nowhere.txt}'", "nowhere.txt");
  expect_fault("--check 'grid.coordinates.y={file: /dev/zero}'", "/dev/zero");
  expect_fault("--check 'grid.coordinates.y={flie: a.txt}'", "unknown key 'flie'");
  expect_fault("--check 'grid.coordinates.y={column: y}'", "wants a file");
  expect_fault(edges("few.txt", "0 0.5 1\n"), "are 3, but there are 32 cells");
  expect_fault(edges("empty.txt", "# nothing\n"), "holds no numbers");
  expect_fault(edges("word.txt", "# edges\n0\n0.5 half\n1\n"), "word.txt:3: 'half' is no number");
  expect_fault(edges("table.csv", "x,y\n0,0\n1,1\n", ", column: z"),
               "table.csv:1: the first line names no column 'z'");
  expect_fault(edges("holes.csv", "x,y\n0,0\n1\n", ", column: y"),
               "holes.csv:3: 1 values, but the first line names 2 columns");
  expect_fault(edges("text.h5", "0 1\n", ", dataset: y"), "text.h5");
  expect_fault(edges("both.h5", "0 1\n", ", dataset: y, column: y"), "at most");
}

/// As text, a column of a table, or a dataset: what a list says. A restart wants the same.
TEST_F(Input, FilesOfEdgesAreLists) {
  const std::string deck =
      "solver: heat\nheat: {scheme: crank_nicolson}\ngrid: {extent: [8, 6]}\n"
      "time: {steps: 4, step: 0.01}\ninitial: {temperature: \"sin(3*x)*y\"}\n"
      "output: {every: 4}\ncheckpoint: {every: 2}\n";
  const std::string out = scratch_.path() + "/out";
  const auto values = [&](const std::string& edges, const std::string& more = "") {
    const Result result = solve(deck, "'grid.coordinates.y=" + edges + "' " + more, 2);
    EXPECT_EQ(result.code, 0) << edges << "\n" << result.text;
    return read_dataset(output_file(out, "heat", 4), "temperature");
  };
  const auto expected = values("[0, 0.1, 0.25, 0.5, 0.8, 1.2, 2]");
  ASSERT_EQ(expected.size(), 48U);
  // A run of one axis writes a dataset that others take for edges.
  const Result made = run(1, scratch_.write("made.yaml",
                                            "solver: heat\ngrid: {extent: [7]}\ntime: {steps: 0}\n"
                                            "initial: {temperature: \"x<0.1?0:x<0.3?0.1:x<0.4?0.25:"
                                            "x<0.6?0.5:x<0.7?0.8:x<0.8?1.2:2\"}\n") +
                                 " output.every=1 output.directory=" + scratch_.path() + "/made");
  ASSERT_EQ(made.code, 0) << made.text;
  EXPECT_EQ(values("{file: " + output_file(scratch_.path() + "/made", "heat", 0) +
                   ", dataset: temperature}"),
            expected);
  EXPECT_EQ(
      values("{file: " +
             scratch_.write("e.csv", "cell;y\n0;0\n1;0.1\n2;0.25\n3;0.5\n4;0.8\n5;1.2\n6;2\n") +
             ", column: y}"),
      expected);
  const std::string text = scratch_.write("e.txt", "# edges\n0 0.1,0.25\n0.5\n\n0.8 1.2 +2.0e0\n");
  EXPECT_EQ(values("{file: " + text + "}"), expected);
  const std::string again = "'grid.coordinates.y={file: " + text + "}' --restart time.steps=6";
  EXPECT_EQ(solve(deck, again, 3).code, 0);
  (void)scratch_.write("e.txt", "0 0.1 0.25 0.5 0.8 1.3 2\n");
  const Result other = solve(deck, again, 3);
  EXPECT_EQ(other.code, 1) << other.text;
  EXPECT_NE(other.text.find("edges of cells along y"), std::string::npos) << other.text;
}

/// The first message, without what tells which rank met it.
std::string message_of(const Result& result) {
  const auto begin = result.text.find("cartwright: error: ");
  if (begin == std::string::npos) return "none: " + result.text;
  const std::string line = result.text.substr(begin, result.text.find('\n', begin) - begin);
  return line.substr(0, line.find(" (on rank"));
}

TEST_F(Input, CheckSaysWhatTheRunWouldSay) {
  const std::string deck = scratch_.write("deck.yaml", good);
  const std::string out = scratch_.path() + "/out";
  struct Case {
    std::string more, part;
  };
  const std::vector<Case> cases{
      {"'comm.allreduce.algorithm=recursive_multiplying(a0)'", "a factor of at least 2"},
      {"comm.backend=fast", "there is no backend 'fast'"},
      {"'mapping.topology=node:2'", "the number of cores is missing"},
      {"'mapping.process_grid=[1]'", "'mapping.process_grid' has 1 element"},
      {"'output.fields=[temperature, temperature]'", "names the field 'temperature' twice"},
      {"'output.fields=[pressure]'", "output has temperature"},
      {"'output.pictures.fields=[pressure]'", "'output.pictures.fields' names"},
      {"output.pictures.slice=z=0.5", "is for 3-D grids"},
      {"output.pictures.vectors=gas.velocity", "but the solver has no vectors in the plane"},
      {"output.pictures.contours=101", "contours"},
      {"'grid.extent=[8, 8, 8]' output.pictures.slice=z=7", "outside of the grid"},
      {"'initial.temperature=[x, y]'", "'initial.temperature' has 2 formulas"},
      {"'exact.temperature=[x, y]'", "'exact.temperature' has 2 formulas"},
      {"'boundary.temperature.all={dirichlet: [1, 2]}'",
       "command line: 'boundary.temperature.all' has 2 formulas"},
      {"'boundary.temperature.y_low={neumann: [1, 2]}'", "'boundary.temperature.y_low' has 2"},
      {"'grid.origin=[0, 1e20]'", "along y, 'grid.origin' is 1e+20"},
      {"'grid.length=[1, 1e-323]'", "along y, 'grid.length' is"},
      {"time.step=1", "the largest stable one"},
  };
  const std::string into = " output.directory=" + out + " ";
  const std::string check = deck + " --check" + into, start = deck + into;
  for (const auto& [more, part] : cases) {
    const Result checked = run_alone(check + more);
    EXPECT_EQ(checked.code, 1) << more << "\n" << checked.text;
    EXPECT_NE(checked.text.find(part), std::string::npos) << more << "\n" << checked.text;
    EXPECT_FALSE(std::filesystem::exists(out)) << more;
    const Result ran = run(2, start + more);
    EXPECT_EQ(ran.code, 1) << more << "\n" << ran.text;
    EXPECT_EQ(message_of(ran), message_of(checked)) << more;
  }
  EXPECT_EQ(run_alone(deck + " --check 'output.fields=[temperature]'").text,
            deck + ": no faults found\n");
  EXPECT_EQ(run_alone(deck + " --check solver=wave 'output.fields=[velocity]' 'initial={}'").code,
            1)
      << "declared, but no part of the steps";
  const Result large = run_alone(deck + " --check 'grid.extent=[100000, 100000]'");
  EXPECT_EQ(large.code, 0) << "a deck for another machine\n" << large.text;
}

TEST_F(Input, AlgorithmsForOtherNumbersOfRanksAreInputErrors) {
  expect_fault("comm.backend=p2p 'comm.allreduce.algorithm=recursive_multiplying(a3)'",
               "comm.allreduce.algorithm: `a3` is for 3 ranks, not 2");
}

TEST_F(Input, DryRunKnowsOfPictures) {
  const Result result =
      solve(good, "--dry-run time.steps=1000 output.every=0 output.pictures.every=1", 1);
  EXPECT_EQ(result.code, 0) << result.text;
  EXPECT_NE(result.text.find("1001 pictures of about"), std::string::npos) << result.text;
  EXPECT_NE(result.text.find("8.0 KiB each"), std::string::npos) << result.text;
  EXPECT_EQ(result.text.find("disk              0 bytes"), std::string::npos) << result.text;
}

TEST_F(Input, DryRunKnowsHowManyStepsAtOnceTheRunMayTry) {
  const auto memory = [&](const std::string& ranks, const std::string& fuse) {
    const Result result = solve(
        good, "--dry-run -n " + ranks + " grid.extent=[64,64] time.steps=200 time.fuse=" + fuse, 1);
    EXPECT_EQ(result.code, 0) << result.text;
    const std::size_t at = result.text.find("  memory ");
    EXPECT_NE(at, std::string::npos) << result.text;
    return result.text.substr(at, result.text.find('\n', at) - at);
  };
  EXPECT_NE(memory("1", "1"), memory("1", "4"));
  EXPECT_EQ(memory("1", "auto"), memory("1", "4"));
  EXPECT_EQ(memory("16", "auto"), memory("16", "2")) << "16 x 16 cells";
  EXPECT_EQ(memory("64", "auto"), memory("64", "1")) << "8 x 8 cells";
}

TEST_F(Input, NoSlicesStayBehind) {
  const std::string slices = scratch_.path() + "/out/pictures/.slices";
  const std::string pictures = "output.pictures.every=5 ";
  EXPECT_EQ(solve(good, pictures).code, 0);
  EXPECT_FALSE(std::filesystem::exists(slices)) << "a complete run";
  EXPECT_EQ(solve(good, pictures + "time.finite_every=1 'boundary.temperature.x_low={dirichlet: "
                                   "\"sqrt(0.001-t)\"}'")
                .code,
            2);
  EXPECT_FALSE(std::filesystem::exists(slices)) << "a failed run without a checkpoint";
  EXPECT_EQ(solve(good, pictures + "time.steps=100000000 stop.wall_time=1s "
                                   "output.pictures.every=1000000")
                .code,
            4);
  EXPECT_TRUE(std::filesystem::exists(slices)) << "a restart needs them";
}

TEST_F(Input, UnstableStepIsRefusedWithTheLargestAllowed) {
  expect_fault("time.step=1", "the largest stable one for explicit diffusion is 0.000244140625");
}

TEST_F(Input, NotANumberEndsTheRunWithStepAndPlace) {
  expect_fault("'initial.temperature=x > 0.5 && x < 0.53 && y < 0.03 ? 1/0 - 1/0 : 0'",
               "'temperature' is not a finite number at step 0 (time 0 s), cell (16, 0)", 2);
  expect_fault("'boundary.temperature.x_low={dirichlet: \"sqrt(0.001-t)\"}' time.finite_every=1",
               "at step 6", 2);
}

TEST_F(Input, NumbersThatFloatsDoNotHoldAreNamed) {
  expect_fault("'initial.temperature=1e39*x' output.precision=float32",
               "'temperature' can't be stored as float32 at step 0: it is 9.84375e+38 in cell (31, "
               "0), at x, y = (0.984375, 0.015625)");
  for (const auto& entry : std::filesystem::recursive_directory_iterator(scratch_.path() + "/out"))
    EXPECT_NE(entry.path().extension(), ".h5") << entry.path();
  EXPECT_EQ(solve(good, "'initial.temperature=1e39*x'").code, 0) << "float64 holds it";
}

TEST_F(Input, NormsAreThoseOfLargeAndSmallNumbers) {
  for (const std::string size : {"1e200", "1e-200"}) {
    std::string more = "'boundary.temperature={all: {neumann: 0}}' initial.temperature=";
    more.append(size).append(" 'exact={temperature: \"2*").append(size).append("\"}'");
    const Result result = solve(good, more);
    ASSERT_EQ(result.code, 0) << result.text;
    const auto row = last_diagnostics(scratch_.path() + "/out");
    for (const char* column : {"temperature_min", "temperature_mean", "temperature_l2",
                               "temperature_error_max", "temperature_error_l2"})
      EXPECT_NEAR(row.at(column) / std::stod(size), 1.0, 1e-12) << column;
  }
}

TEST_F(Input, EarlierResultsAreSetAside) {
  ASSERT_EQ(solve(good).code, 0);
  ASSERT_EQ(solve(good).code, 0);
  EXPECT_TRUE(std::filesystem::exists(scratch_.path() + "/out.1/heat.xdmf"));
}

TEST_F(Input, RestartNeedsACheckpointOfTheSameProblem) {
  EXPECT_EQ(solve(good, "--restart").code, 1) << "nothing is there yet";
  ASSERT_EQ(solve(good, "checkpoint.every=10").code, 0);
  const Result other = solve(good, "--restart heat.diffusivity=2");
  EXPECT_EQ(other.code, 1) << other.text;
  EXPECT_NE(other.text.find("diffusivity"), std::string::npos) << other.text;
  EXPECT_EQ(solve(good, "--restart time.steps=40", 1).code, 0);
}

TEST_F(Input, StopFileLeadsToACheckpointAndARestartGoesOn) {
  const std::string more = "time.steps=100000000 stop.wall_time=2s";
  const Result stopped = solve(good, more);
  EXPECT_EQ(stopped.code, 4) << stopped.text;
  EXPECT_TRUE(std::filesystem::exists(scratch_.path() + "/out/checkpoints"));
  const Result again = solve(good, more + " --restart", 3);
  EXPECT_EQ(again.code, 4) << again.text;
}

TEST_F(Input, ExtentsThatFitNowhereAreRefused) {
  expect_fault("'grid.extent=[1000000, 1000000]'", "of memory a node");
  expect_fault("'grid.extent=[100000000, 1000000000]'", "a grid has at most");
  expect_fault("'grid.extent=[3000000000]'", "on 1 ranks are more than", 1, 1);
  expect_fault("'grid.extent=[4, 4, 4, 4]'", "a list of 1 to 3 integers");
  expect_fault("'grid.extent=[0, 4]'", "at least 1");
  expect_fault("'grid.extent=[1, 1]'", "can't share a grid of 1 x 1 cells");
  EXPECT_FALSE(std::filesystem::exists(scratch_.path() + "/out"));
}

TEST_F(Input, TheSmallestRuns) {
  for (const std::string more :
       {"'grid.extent=[1]'", "'grid.extent=[1, 1, 1]' 'grid.periodic=[true, true, true]'"})
    EXPECT_EQ(solve(good, more, 1).code, 0) << more;
  EXPECT_EQ(solve(good, "time.steps=0").code, 0);
  EXPECT_TRUE(std::filesystem::exists(output_file(scratch_.path() + "/out", "heat", 0)));
}

TEST_F(Input, TruncatedCheckpointsArePassedOver) {
  ASSERT_EQ(solve(good, "checkpoint.every=10").code, 0);
  const std::string file = scratch_.path() + "/out/checkpoints/step_00000000";
  std::filesystem::resize_file(file + "20.h5", 5000);
  const Result older = solve(good, "--restart checkpoint.every=10", 3);
  EXPECT_EQ(older.code, 0) << older.text;
  EXPECT_NE(older.text.find("from step 10"), std::string::npos) << older.text;
  for (const char* step : {"10.h5", "20.h5"}) std::filesystem::resize_file(file + step, 0);
  expect_fault("--restart", "there is no whole checkpoint");
}

TEST_F(Input, FileWithInitialDataMustFit) {
  ASSERT_EQ(solve(good, "output.every=20").code, 0);
  const std::string file = output_file(scratch_.path() + "/out", "heat", 20);
  const std::string data =
      "'initial.temperature={file: " + file + "}' output.directory=" + scratch_.path() + "/next ";
  const Result fits = run(3, scratch_.path() + "/deck.yaml " + data + "time.steps=0");
  EXPECT_EQ(fits.code, 0) << fits.text;
  EXPECT_EQ(read_dataset(output_file(scratch_.path() + "/next", "heat", 0), "temperature"),
            read_dataset(file, "temperature"));
  const Result wrong = run(2, scratch_.path() + "/deck.yaml " + data + "'grid.extent=[32, 16]'");
  EXPECT_EQ(wrong.code, 1) << wrong.text;
  EXPECT_NE(wrong.text.find("32"), std::string::npos) << wrong.text;
}

TEST_F(Input, InitialDataAreComparedWithTheirChecksum) {
  ASSERT_EQ(solve(good, "output.every=20").code, 0);
  const std::string file = output_file(scratch_.path() + "/out", "heat", 20);
  const auto from_file = [&](const std::string& more) {
    return solve(good, "time.steps=0 output.directory=" + scratch_.path() +
                           "/next 'initial.temperature={file: " + file + more + "}'");
  };
  const Result first = from_file("");
  EXPECT_EQ(first.code, 0) << first.text;
  const auto place = first.text.find("checksum ");
  ASSERT_NE(place, std::string::npos) << first.text;
  EXPECT_NE(first.text.find("(is right)"), std::string::npos) << first.text;
  const std::string checksum = first.text.substr(place + 9, 16);
  EXPECT_NE(read_text(scratch_.path() + "/next/report.json").find(checksum), std::string::npos);
  EXPECT_EQ(from_file(", checksum: " + checksum).code, 0);
  const Result other = from_file(", checksum: 0123456789abcdef");
  EXPECT_EQ(other.code, 1) << other.text;
  EXPECT_NE(other.text.find("have the checksum " + checksum), std::string::npos) << other.text;
  const Result none = from_file(", checksum: 123");
  EXPECT_EQ(none.code, 1) << none.text;
  EXPECT_NE(none.text.find("16 digits"), std::string::npos) << none.text;
}

TEST_F(Input, WhatIsNoFileIsRefusedAtOnce) {
  const std::string pipe = scratch_.path() + "/pipe";
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  expect_fault("'initial.temperature={file: " + pipe + "}'", "or a device, not a file");
  expect_fault("'initial.temperature={file: /dev/zero}'", "or a device, not a file");
  expect_fault("'initial.temperature={file: .}'", "or a device, not a file");
  expect_fault("output.directory=" + pipe, "not a directory");
  expect_fault("--restart=" + pipe, "not a directory");
  const Result deck = run(2, pipe);
  EXPECT_EQ(deck.code, 1) << deck.text;
  EXPECT_NE(deck.text.find("isn't a regular file"), std::string::npos) << deck.text;
}

TEST_F(Input, DirectoriesThatLeadNowhereAreAMistake) {
  std::filesystem::create_symlink("loop", scratch_.path() + "/loop");
  std::filesystem::create_symlink("nowhere", scratch_.path() + "/dangling");
  const auto expect_fault_of_all = [this](const std::string& more, const std::string& part) {
    for (const std::string mode : {"", " --check", " --dry-run"})
      expect_fault(more + mode, part, 1, 1);
  };
  expect_fault("output.directory=" + scratch_.path() + "/loop", "symbolic links");
  expect_fault_of_all("output.directory=" + scratch_.path() + "/dangling", "which is not there");
  expect_fault("--restart=" + scratch_.path() + "/loop", "symbolic links", 1, 1);
  expect_fault("--restart=" + scratch_.path() + "/dangling", "which is not there", 1, 1);
  expect_fault("--restart=" + scratch_.path(), "holds no results of a run", 1, 1);
  expect_fault_of_all("output.directory=/", "more than results");
  expect_fault("trace=/", "it is a directory");
  expect_fault_of_all("trace=" + scratch_.path(), "it is a directory");
  const Result bytes = solve(good, "output.directory=" + scratch_.path() + "/$'\\xff\\xfe'", 1);
  EXPECT_EQ(bytes.code, 0) << bytes.text;
}

TEST_F(Input, DecksWithOddNamesHaveTheirOwnDirectory) {
  const auto before = std::filesystem::current_path();
  std::filesystem::current_path(scratch_.path());
  for (const auto& [name, directory] : {std::pair<std::string, std::string>{"..yaml", "out/run"},
                                        {"...", "out/run.1"},
                                        {".yaml", "out/yaml"}}) {
    (void)scratch_.write(name, good);
    const Result result = run(1, name + " time.steps=1");
    EXPECT_EQ(result.code, 0) << name << result.text;
    EXPECT_TRUE(std::filesystem::exists(directory)) << name;
  }
  EXPECT_FALSE(std::filesystem::exists("heat.xdmf"));
  EXPECT_FALSE(std::filesystem::exists("out/heat.xdmf"));
  std::filesystem::current_path(before);
}

TEST_F(Input, FormulasHaveLimits) {
  expect_fault("'initial.temperature=" + std::string(60, '(') + "x" + std::string(60, ')') + "'",
               "60 parentheses");
  const Result deck = solve(good + "boundary:\n  temperature:\n    all: {dirichlet: '" +
                            std::string(600, '-') + "x'}\n");
  EXPECT_EQ(deck.code, 1) << deck.text;
  EXPECT_NE(deck.text.find("deck.yaml:8:"), std::string::npos) << deck.text;
  EXPECT_NE(deck.text.find("600 operators"), std::string::npos) << deck.text;
}

// Components on faces have a point more along their own axis: on grids that are drawn whole, and on
// larger ones.
TEST_F(Input, ArrowsOfComponentsOnFaces) {
  for (const std::string extent : {"[12, 9]", "[64, 40]"}) {
    const Result result = solve(
        "solver: navier_stokes\nnavier_stokes: {viscosity: 0.01}\ngrid: {extent: " + extent +
            "}\ntime: {steps: 2}\nboundary: {velocity_x: {y_high: {dirichlet: 1}, all: {dirichlet: "
            "0}}, velocity_y: {all: {dirichlet: 0}}, pressure: {all: {neumann: 0}}}\n",
        "output.pictures.every=1 output.pictures.vectors=velocity output.pictures.contours=4 "
        "output.pictures.fields='[pressure]'",
        3);
    EXPECT_EQ(result.code, 0) << result.text;
    EXPECT_TRUE(std::filesystem::exists(scratch_.path() + "/out/pictures/pressure_0000000002.png"));
  }
  const Result none = solve(good, "output.pictures.every=1 output.pictures.vectors=velocity");
  EXPECT_EQ(none.code, 1) << none.text;
}

TEST_F(Input, DryRunWritesNothing) {
  const Result result = solve(good, "--dry-run -n 64");
  EXPECT_EQ(result.code, 0) << result.text;
  EXPECT_NE(result.text.find("8 x 8"), std::string::npos) << result.text;
  EXPECT_NE(result.text.find("estimate"), std::string::npos) << result.text;
  EXPECT_FALSE(std::filesystem::exists(scratch_.path() + "/out"));
}

TEST_F(Input, DryRunRefusesBlocksThinnerThanHalos) {
  const std::string thin =
      "solver: advection\ngrid: {extent: [2]}\ntime: {steps: 1}\ninitial: {velocity: 1}\n";
  EXPECT_EQ(solve(thin, "--dry-run -n 1", 1).code, 0);
  const Result result = solve(thin, "--dry-run -n 2", 1);
  EXPECT_EQ(result.code, 1) << result.text;
  EXPECT_NE(result.text.find("halo of 2"), std::string::npos) << result.text;
}

TEST_F(Input, ChecksOfHalosBearMixedWalls) {
  const std::string mixed =
      "solver: poisson\ngrid: {extent: [8, 5]}\niteration: {tolerance: 1e-6}\n"
      "initial: {source: \"x\"}\n"
      "boundary: {potential: {y_low: {inflow: \"x\"}, all: [{where: \"y < 0.3\", dirichlet: 1}, "
      "{neumann: 0}]}}\n";
  for (const std::string method : {"multigrid", "cg"})
    for (const int ranks : {1, 2}) {
      const Result result = solve(mixed, "checks=halos poisson.linear.method=" + method, ranks);
      EXPECT_EQ(result.code, 0) << method << " on " << ranks << " ranks\n" << result.text;
    }
}

TEST_F(Input, ChecksKnowWhichMethodsAreForDiffusionAlone) {
  const std::string porous =
      "solver: porous_medium\nporous_medium: {newton: {linear: {method: multigrid}}}\n"
      "grid: {extent: [8]}\ntime: {steps: 1, step: 1e-3}\ninitial: {density: 1}\n";
  for (const std::string mode : {"", "--check", "--dry-run"}) {
    const Result result = solve(porous, mode);
    EXPECT_EQ(result.code, 1) << result.text;
    EXPECT_NE(result.text.find("is for diffusion operators"), std::string::npos) << result.text;
  }
}

TEST_F(Input, DryRunPredictsByPart) {
  const Result here = solve(good, "--dry-run -n 6");
  EXPECT_EQ(here.code, 0) << here.text;
  for (const char* part : {"kernels", "boundary", "halo exchange", "reductions", "the loop",
                           "output", "this machine", "messages fly for"})
    EXPECT_NE(here.text.find(part), std::string::npos) << part << here.text;
  const Result there =
      solve(good, "--dry-run -n 96 --machine frontier --profile " + scratch_.path() + "/p.json");
  EXPECT_EQ(there.code, 0) << there.text;
  EXPECT_NE(there.text.find("2 of 64 cores"), std::string::npos) << there.text;
  EXPECT_TRUE(std::filesystem::exists(scratch_.path() + "/p.json"));
  EXPECT_FALSE(std::filesystem::exists(scratch_.path() + "/out"));
  // How many steps at once are the quickest depends on how many ranks there are.
  const std::string file = scratch_.path() + "/p.json";
  const std::string profile = read_text(file);
  for (const char* part : {"\"at_once\"", "\"steps\": 1,", "\"steps\": 4,"})
    EXPECT_NE(profile.find(part), std::string::npos) << part << profile;
  EXPECT_EQ(solve(good, "--dry-run time.fuse=2 --profile " + file).code, 0);
  EXPECT_EQ(read_text(file).find("at_once"), std::string::npos) << "the deck has chosen";
}

TEST_F(Input, DryRunRefusesWhatItCantPredict) {
  EXPECT_EQ(solve(good, "--dry-run --machine atlantis").code, 1);
  EXPECT_EQ(solve(good, "--machine frontier").code, 1);
  EXPECT_EQ(solve(good, "--dry-run -n 1000000").code, 1);
  const Result few = solve(good, "--dry-run time.steps=1 --machine frontier");
  EXPECT_EQ(few.code, 1) << few.text;
  EXPECT_NE(few.text.find("too few steps"), std::string::npos) << few.text;
  const Result none = solve(good, "--dry-run time.steps=1");
  EXPECT_EQ(none.code, 0) << none.text;
}

TEST_F(Input, DryRunRefusesAVirtualMachineThatIsTooSmall) {
  const Result result = solve(good, "--dry-run -n 6 mapping.topology='node:1 core:3'");
  EXPECT_EQ(result.code, 1) << result.text;
  EXPECT_NE(result.text.find("too few for 6 ranks"), std::string::npos) << result.text;
}

TEST_F(Input, SolversAreListed) {
  EXPECT_EQ(run_alone("--list-solvers").text,
            "advection\neuler\ngray_scott\nheat\nlattice_boltzmann\nlife\nnavier_"
            "stokes\npoisson\nporous_medium\nwave\n");
}

}  // namespace
}  // namespace pde_test
