// SPDX-License-Identifier: Apache-2.0
// What it costs to notice that nobody will come: a wait that is published, and the watcher's thread
// on every rank. Peer is the limit: 10 ns, and 0.1 % of a core.
// layouts: 1x1 2x1
#include <fmt/format.h>

#include <cartwright/rt/agreement.hpp>
#include <cartwright/rt/error.hpp>
#include <cartwright/rt/ticks.hpp>
#include <cartwright/rt/wait.hpp>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "common/program.hpp"

namespace bench = cartwright::bench;
namespace rt = cartwright::rt;

namespace {

/// Seconds for which the watcher of this rank has run, as the system counts them.
class WatcherTime {
 public:
  WatcherTime() {
    for (const auto& task : std::filesystem::directory_iterator("/proc/self/task")) {
      std::string name;
      std::getline(std::ifstream(task.path() / "comm"), name);
      if (name == "cw_watcher") file_ = task.path() / "schedstat";
    }
    if (file_.empty()) throw rt::internal_failure("this rank has no thread cw_watcher");
  }
  [[nodiscard]] double seconds() const {
    double nanoseconds = 0.0;
    if (!(std::ifstream(file_) >> nanoseconds))
      throw rt::internal_failure("'" + file_.string() + "' can't be read", "It needs Linux.");
    return 1e-9 * nanoseconds;
  }

 private:
  std::filesystem::path file_;
};

bench::Case against_limit(const std::string& name, std::vector<double> samples,
                          const std::string& unit, double limit, int ranks) {
  bench::Case result;
  result.name = name;
  result.parameters = {{"ranks", ranks}, {"limit", limit}};
  result.unit = unit;
  result.rounds = samples.size();
  result.ours = bench::summarize(samples);
  result.peer = {limit, limit, limit};
  result.ratio = {result.ours.median / limit, result.ours.lower_quartile / limit,
                  result.ours.upper_quartile / limit};
  return result;
}

/// The largest of all ranks, round by round.
std::vector<double> slowest(const rt::Communicator& world, std::vector<double> samples) {
  rt::combine(world, samples, rt::Combine::largest);
  return samples;
}

/// ns for the begin and the end of a wait: of ranks that all do the same at once.
std::vector<double> publishing(const rt::Communicator& world, int rounds) {
  constexpr int waits = 100'000;
  std::vector<double> samples;
  for (int round = 0; round < rounds; ++round) {
    const rt::Ticks begin = rt::now();
    for (int i = 0; i < waits; ++i) {
      const rt::WaitScope waiting({"nobody", __builtin_FILE(), i});
      asm volatile("" : : : "memory");
    }
    samples.push_back(1e9 * rt::seconds_between(begin, rt::now()) / waits);
  }
  return slowest(world, std::move(samples));
}

/// % of a core that the watcher takes, second by second, while this rank stands still.
std::vector<double> watching(const rt::Communicator& world, int rounds) {
  const WatcherTime watcher;
  std::vector<double> samples;
  for (int round = 0; round < rounds; ++round) {
    const rt::WaitScope waiting({"the end of a round"});
    const rt::Ticks begin = rt::now();
    const double before = watcher.seconds();
    std::this_thread::sleep_for(std::chrono::seconds(1));
    samples.push_back(1e2 * (watcher.seconds() - before) / rt::seconds_between(begin, rt::now()));
  }
  return slowest(world, std::move(samples));
}

void measure(const bench::Setting& setting, bench::Results& results) {
  const bool quick = setting.options.quick;
  const int ranks = setting.world.size();
  const auto add = [&](const std::string& name, std::vector<double> samples,
                       const std::string& unit, double limit) {
    results.add(against_limit(fmt::format("{}, {}", name, setting.layout), std::move(samples), unit,
                              limit, ranks));
  };
  add("publish a wait, begin and end", publishing(setting.world, quick ? 100 : 500), "ns", 10.0);
  {
    const rt::WaitScope outer({"the inner waits"});
    add("the same inside another wait", publishing(setting.world, quick ? 100 : 500), "ns", 10.0);
  }
  add("the watcher, of a core", watching(setting.world, quick ? 7 : 30), "%", 0.1);
  results.note("Peer is the limit. The slowest rank of each round counts.");
}

}  // namespace

int main(int argc, char** argv) {
  return bench::run_benchmark(argc, argv, "watcher", measure);
}
