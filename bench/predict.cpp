// SPDX-License-Identifier: Apache-2.0
// Predicted runs against real ones, part by part: heat, euler, poisson and nbody on 1, 2 and 4
// ranks. In each round what a step does is measured (as --dry-run does it), predicted, and run;
// ratios are of the same round. layouts: 1x1
#include <fmt/format.h>

#include <cartwright/rt/binding.hpp>
#include <cstdio>
#include <nlohmann/json.hpp>

#include "common/serial_program.hpp"
#include "common/statistics.hpp"
#include "predict/programs.hpp"

namespace bench = cartwright::bench;

namespace {

using Json = nlohmann::ordered_json;

const std::vector<bench::PredictCase> decks{
    {"heat", "pde", "pde/heat.yaml", "time.steps=2000"},
    {"euler", "pde", "pde/euler.yaml", "time.steps=40 output.every=20 output.pictures.every=20"},
    {"poisson", "pde", "pde/poisson.yaml", ""},
    {"gravity", "nbody", "nbody/plummer.yaml",
     "time.end=1 output.every=50 output.pictures.every=50 checkpoint.every=50"},
    {"lennard_jones", "nbody", "nbody/argon.yaml",
     "time.steps=200 output.every=100 output.pictures.every=100 checkpoint.every=100"},
};
constexpr double clear_share = 0.03;  // of a step; less is lost among what a system does besides
constexpr double good = 0.25;

/// Medians over the rounds.
struct Compared {
  std::string part;
  bench::Summary predicted, real, ratio;
  double share = 0.0;  ///< of the real step
};

std::vector<Compared> compare(const std::vector<bench::Round>& rounds) {
  std::vector<Compared> all;
  for (const std::string& part : rounds.front().predicted.names()) {
    std::vector<double> predicted, real, ratio, share;
    for (const bench::Round& round : rounds) {
      predicted.push_back(round.predicted.of(part));
      real.push_back(round.real.of(part));
      ratio.push_back(real.back() > 0.0 ? predicted.back() / real.back() : 0.0);
      share.push_back(real.back() / round.real.of("step"));
    }
    all.push_back({part, bench::summarize(predicted), bench::summarize(real),
                   bench::summarize(ratio), bench::summarize(share).median});
  }
  return all;
}

void print(const std::string& name, const std::vector<Compared>& all, double& worst,
           std::string& worst_name) {
  for (const Compared& one : all) {
    const bool judged = one.share >= clear_share;
    const double off = std::abs(one.ratio.median - 1.0);
    fmt::print("{:<34} {:>11.1f} {:>11.1f} {:>7.2f} {:>6.2f}-{:<6.2f} {:>5.1f} %{}\n",
               fmt::format("{}, {}", name, one.part), 1e6 * one.predicted.median,
               1e6 * one.real.median, one.ratio.median, one.ratio.lower_quartile,
               one.ratio.upper_quartile, 100.0 * one.share,
               !judged      ? "  (small)"
               : off > good ? "  off"
                            : "");
    if (judged && off > worst) worst = off, worst_name = fmt::format("{}, {}", name, one.part);
  }
}

Json case_of(const std::string& name, int ranks, const Compared& one, std::size_t rounds) {
  return {{"name", fmt::format("{}, {}", name, one.part)},
          {"parameters", {{"ranks", ranks}, {"share_of_step", one.share}}},
          {"ours", one.predicted.median},
          {"peer", one.real.median},
          {"unit", "s"},
          {"ratio", one.ratio.median},
          {"ratio_spread", {one.ratio.lower_quartile, one.ratio.upper_quartile}},
          {"rounds", rounds}};
}

Json measure(bool quick) {
  const int rounds = quick ? 1 : 3;
  const auto cores = static_cast<int>(cartwright::rt::cpu_set().size());
  const bench::Programs programs;
  Json cases = Json::array();
  double worst = 0.0;
  std::string worst_name = "none";
  fmt::print(
      "predicted against real runs, {} rounds, {} cores\n\n{:<34} {:>11} {:>11} {:>7} {:^13} "
      "{:>7}\n",
      rounds, cores, "a step of", "predicted us", "real us", "ratio", "spread", "share");
  for (const bench::PredictCase& deck : decks)
    for (const int ranks : {1, 2, 4}) {
      std::vector<bench::Round> all;
      for (int round = 0; round < rounds; ++round)
        all.push_back(programs.round(deck, ranks, ranks > cores));
      const std::string name =
          fmt::format("{}, {} rank{}", deck.name, ranks, ranks == 1 ? "" : "s");
      const std::vector<Compared> compared = compare(all);
      print(name, compared, worst, worst_name);
      for (const Compared& one : compared) cases.push_back(case_of(name, ranks, one, all.size()));
    }
  fmt::print("\nworst of the parts with {:.0f} % of a step or more: {:.0f} % ({})\n",
             100.0 * clear_share, 100.0 * worst, worst_name);
  fmt::print(
      "more ranks than cores: what a rank waits for is mostly that the other one computes, so "
      "waits count as "
      "kernels on both sides\n");
  return cases;
}

}  // namespace

int main(int argc, char** argv) {
  return bench::run_serial_benchmark(argc, argv, "predict", "one round instead of three", measure);
}
