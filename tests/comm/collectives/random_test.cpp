// SPDX-License-Identifier: Apache-2.0
// Random collectives by seed, on every backend, against MPI's own: all ranks draw the same ones.
//
// The environment chooses: TEST_BACKEND (native, p2p, shared, rma, auto), TEST_CHECKED (1:
// supervised), TEST_TOPOLOGY ("node:3 core:2": which ranks share memory), CARTWRIGHT_LONG_TESTS (1:
// fifty times as many), TEST_SEED.
#include <gtest/gtest.h>
#include <mpi.h>

#include <algorithm>
#include <cartwright/comm/backends/backends.hpp>
#include <cartwright/comm/backends/supervised_backend.hpp>
#include <cartwright/comm/pending.hpp>
#include <cartwright/comm/persistent.hpp>
#include <cartwright/mapping/machine/topology.hpp>
#include <cartwright/plan/selection/catalogue.hpp>
#include <cartwright/plan/selection/selector.hpp>
#include <chrono>
#include <cstdlib>
#include <memory>
#include <optional>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "collective_trial.hpp"

namespace cartwright::comm {
namespace {

using testing::random_spec;
using testing::Spec;
using testing::Trial;

std::string setting(const char* name, const char* otherwise) {
  const char* const value = std::getenv(name);
  return value == nullptr ? otherwise : value;
}

int many(int cases) {
  return setting("CARTWRIGHT_LONG_TESTS", "") == "1" ? 50 * cases : cases;
}

std::uint64_t seed() {
  return std::stoull(setting("TEST_SEED", "20261121"));
}

/// Ranks of the world that test together, and their backends.
struct Team {
  explicit Team(rt::Communicator ranks)
      : comm(std::move(ranks)),
        reference(comm.duplicate()),
        topology(mapping::discover(comm, setting("TEST_TOPOLOGY", ""))) {
    engine.set_oversubscribed(true);
  }

  rt::Communicator comm;
  rt::Communicator reference;
  mapping::Topology topology;
  rt::ProgressEngine engine;
};

/// The backend that the environment asks for, supervised if it asks for that too.
class Chosen {
 public:
  explicit Chosen(Team& team)
      : backends_(team.comm, team.engine, known_backend(setting("TEST_BACKEND", "native")),
                  std::make_shared<const Knowledge>(), NodeView::of(team.comm, team.topology),
                  std::make_shared<NodeMemory>(team.comm, team.topology)) {
    if (setting("TEST_CHECKED", "") != "1") return;
    supervised_.emplace(backends_.chosen(), team.comm, team.engine,
                        Supervision{.checked = true, .time_limit = std::chrono::seconds(10)});
  }
  [[nodiscard]] Backend& backend() { return supervised_ ? *supervised_ : backends_.chosen(); }
  [[nodiscard]] const Backends& backends() const { return backends_; }
  [[nodiscard]] testing::SpecLimits limits() const {
    return {.states = backends_.chosen().id() != BackendId::native};
  }

 private:
  Backends backends_;
  std::optional<SupervisedBackend> supervised_;
};

// Failures don't end a test: ranks that go on alone would hang.

/// Every size from 1 to that of the world comes up, with all ranks busy.
template <class Use>
void on_teams_of_all_sizes(Use&& use) {
  const auto world = rt::Communicator::duplicate(MPI_COMM_WORLD);
  for (int first = (world.size() + 1) / 2; first <= world.size(); ++first) {
    const int me = world.rank().value;
    Team team(world.split(me < first ? 0 : 1, world.size() - me));
    use(team);
    world.barrier();
  }
}

TEST(RandomCollectives, OneAfterTheOther) {
  on_teams_of_all_sizes([](Team& team) {
    Chosen chosen(team);
    std::mt19937_64 random(seed() + static_cast<std::uint64_t>(team.comm.size()));
    for (int i = 0; i < many(150); ++i) {
      const Spec spec = random_spec(random, team.comm.size(), chosen.limits());
      Trial trial(spec, team.reference);
      if (random() % 2 == 0) {
        chosen.backend().run(trial.call());
        EXPECT_TRUE(trial.is_right()) << "blocking: " << spec.describe();
        continue;
      }
      Persistent persistent(team.engine, chosen.backend().prepare(trial.call()));
      const auto starts = 1 + random() % 3;
      for (std::uint64_t start = 0; start < starts; ++start) {
        trial.reset();
        persistent.start();
        persistent.wait();
        EXPECT_TRUE(trial.is_right()) << "persistent: " << spec.describe();
      }
    }
  });
}

TEST(RandomCollectives, ManyInFlightCompletedInAnyOrder) {
  on_teams_of_all_sizes([](Team& team) {
    Chosen chosen(team);
    std::mt19937_64 random(seed() + 77 + static_cast<std::uint64_t>(team.comm.size()));
    std::mt19937_64 own(seed() + static_cast<std::uint64_t>(team.comm.rank().value));
    auto limits = chosen.limits();
    limits.most_elements = 1000;
    for (int round = 0; round < many(15); ++round) {
      const auto count = 2 + random() % 10;
      std::vector<std::unique_ptr<Trial>> trials;
      for (std::uint64_t i = 0; i < count; ++i) {
        trials.push_back(
            std::make_unique<Trial>(random_spec(random, team.comm.size(), limits), team.reference));
      }
      std::vector<std::pair<std::size_t, Pending>> pending;
      for (std::size_t i = 0; i < trials.size(); ++i) {
        if (random() % 5 == 0) {
          chosen.backend().run(trials[i]->call());
          continue;
        }
        auto prepared = chosen.backend().prepare(trials[i]->call());
        prepared->start();
        pending.emplace_back(i, Pending(team.engine, std::move(prepared)));
      }
      std::shuffle(pending.begin(), pending.end(), own);
      for (auto& [i, one] : pending) {
        while (own() % 3 != 0 && !one.test()) {
        }
        one.wait();
        EXPECT_TRUE(trials[i]->is_right()) << "among many: " << trials[i]->spec().describe();
      }
      for (const auto& trial : trials) {
        EXPECT_TRUE(trial->is_right()) << "at last: " << trial->spec().describe();
      }
    }
  });
}

/// A machine to ask the catalogue about: with nodes, or hierarchical algorithms have nothing to do.
plan::Machine machine_with_nodes() {
  const auto network = plan::log_gp(1e-6, 0.3e-6, 0.3e-6, 0.2e-6, 0.1e-9);
  plan::Machine machine{.name = "nodes", .about = "", .source = "", .levels = {}};
  machine.levels.push_back({.name = "node", .network = network, .leaving = {}});
  machine.levels.push_back({.name = "core", .units = 2, .network = network, .leaving = {}});
  return machine;
}

plan::Problem problem_for(const Spec& spec, int ranks) {
  return {.operation = spec.operation,
          .ranks = ranks,
          .root = {spec.root},
          .elements = spec.count,
          .element_size = 8,
          .commutative = spec.reduction >= 0};
}

/// Everything but the algorithm that a test of algorithms draws.
Spec spec_for_algorithms(std::mt19937_64& random, plan::Operation operation, int ranks) {
  for (;;) {
    Spec spec = random_spec(random, ranks, {.most_elements = 600});
    if (spec.operation == operation && spec.count <= 20000) return spec;
  }
}

TEST(RandomCollectives, EveryAlgorithmOfTheCatalogue) {
  const std::string name = setting("TEST_BACKEND", "native");
  const BackendId backend_id = backend_named(name).value_or(BackendId::native);
  if (name != "p2p" && name != "shared" && name != "rma")
    GTEST_SKIP() << "runs no schedules of its own";
  if (setting("TEST_CHECKED", "") == "1") GTEST_SKIP() << "isn't supervised";
  on_teams_of_all_sizes([&](Team& team) {
    Chosen chosen(team);
    const int ranks = team.comm.size();
    std::mt19937_64 random(seed() + 1234 + static_cast<std::uint64_t>(ranks));
    for (const plan::Operation operation : plan::operations()) {
      for (int i = 0; i < many(2); ++i) {
        const Spec spec = spec_for_algorithms(random, operation, ranks);
        const plan::Problem problem = problem_for(spec, ranks);
        Trial trial(spec, team.reference);
        for (const plan::Choice& choice : plan::choices(problem, machine_with_nodes())) {
          const auto backend =
              chosen.backends().running(backend_id, [&](const plan::Problem&) { return choice; });
          trial.reset();
          backend->run(trial.call());
          EXPECT_TRUE(trial.is_right()) << name << ' ' << choice.name() << ": " << spec.describe();
          trial.reset();
          Persistent persistent(team.engine, backend->prepare(trial.call()));
          persistent.start();
          persistent.wait();
          EXPECT_TRUE(trial.is_right())
              << name << ' ' << choice.name() << " nonblocking: " << spec.describe();
        }
      }
    }
  });
}

/// Numbers whose sum depends on the order of the additions.
std::vector<double> rounding_numbers(std::size_t count, int rank) {
  std::mt19937_64 random(seed() + static_cast<std::uint64_t>(rank));
  std::vector<double> numbers(count);
  for (auto& number : numbers)
    number = std::uniform_real_distribution<double>(-1.0, 1.0)(random) *
             (random() % 7 == 0 ? 1e12 : 1.0);
  return numbers;
}

TEST(RandomCollectives, BackendsGiveTheSameBitsForTheSameSchedule) {
  if (setting("TEST_BACKEND", "native") != "auto" || setting("TEST_CHECKED", "") == "1")
    GTEST_SKIP() << "compares all of them, once";
  on_teams_of_all_sizes([](Team& team) {
    Chosen chosen(team);
    const int ranks = team.comm.size();
    using enum plan::Operation;
    for (const plan::Operation operation : {allreduce, reduce, scan, exscan, reduce_scatter}) {
      for (const plan::Count count : {1, 300, 5000}) {
        const bool is_blocks = operation == reduce_scatter;
        const plan::Problem problem{.operation = operation, .ranks = ranks, .elements = count};
        const auto mine = rounding_numbers(
            static_cast<std::size_t>(is_blocks ? count * ranks : count), team.comm.rank().value);
        for (const plan::Choice& choice : plan::choices(problem, machine_with_nodes())) {
          std::optional<std::vector<double>> first;
          for (const BackendId name : chosen.backends().scheduled()) {
            std::vector<double> result(static_cast<std::size_t>(count), -1.0);
            const auto backend =
                chosen.backends().running(name, [&](const plan::Problem&) { return choice; });
            backend->run({.operation = operation,
                          .input = reinterpret_cast<const std::byte*>(mine.data()),
                          .output = reinterpret_cast<std::byte*>(result.data()),
                          .element = element_of<double>(),
                          .count = count,
                          .reduction = predefined(Operator::sum, ScalarType::float64)});
            if (!first) first = result;
            EXPECT_EQ(result, *first) << name_of(name) << ' ' << choice.name() << ' ' << count;
          }
        }
      }
    }
  });
}

}  // namespace
}  // namespace cartwright::comm
