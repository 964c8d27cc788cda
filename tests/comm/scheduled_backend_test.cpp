// SPDX-License-Identifier: Apache-2.0
// Every algorithm of the catalogue, run by a backend, gives what the operation promises.
#include <gtest/gtest.h>
#include <mpi.h>

#include <cartwright/comm/backends/backends.hpp>
#include <cartwright/comm/pending.hpp>
#include <cartwright/plan/selection/catalogue.hpp>
#include <cartwright/plan/selection/selector.hpp>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>

#include "expected_collective.hpp"

namespace cartwright::comm {
namespace {

/// The operation on data whose result is known.
class Trial {
 public:
  Trial(const rt::Communicator& comm, const plan::Problem& problem)
      : case_{.operation = problem.operation,
              .ranks = problem.ranks,
              .me = comm.rank().value,
              .count = problem.operation == plan::Operation::barrier ? 0 : problem.elements,
              .root = problem.root.rank},
        data_(case_) {}

  [[nodiscard]] Call call() {
    return {.operation = case_.operation,
            .input = data_.input(),
            .output = data_.output(),
            .element = element_of<std::int64_t>(),
            .count = case_.count,
            .root = rt::Rank{case_.root},
            .reduction = plan::is_reduction(case_.operation)
                             ? predefined(Operator::sum, ScalarType::int64)
                             : Reduction{}};
  }
  [[nodiscard]] bool is_right() const { return data_.fault(case_).empty(); }

 private:
  test::Case case_;
  test::Data data_;
};

plan::Machine flat() {
  plan::Machine machine{.name = "flat", .about = "", .source = "", .levels = {}};
  machine.levels.push_back({.name = "core",
                            .network = plan::log_gp(1e-6, 0.3e-6, 0.3e-6, 0.2e-6, 0.1e-9),
                            .leaving = {}});
  return machine;
}

/// The backends of a communicator, on the real machine or an imagined one.
Backends backends_on(const rt::Communicator& comm, rt::ProgressEngine& engine,
                     std::string_view name, std::string_view topology_text) {
  const auto topology = mapping::discover(comm, topology_text);
  return {comm,
          engine,
          known_backend(name),
          std::make_shared<Knowledge>(),
          NodeView::of(comm, topology),
          std::make_shared<NodeMemory>(comm, topology)};
}

class OnBackend : public testing::TestWithParam<std::pair<const char*, const char*>> {};

TEST_P(OnBackend, EveryAlgorithmOfTheCatalogueIsRight) {
  const auto comm = rt::Communicator::duplicate(MPI_COMM_WORLD);
  rt::ProgressEngine engine;
  engine.set_oversubscribed(true);
  const auto [name, topology] = GetParam();
  const Backends backends = backends_on(comm, engine, name, topology);
  for (const plan::Operation operation : plan::operations()) {
    const plan::Problem asked{.operation = operation,
                              .ranks = comm.size(),
                              .root = {plan::is_rooted(operation) ? comm.size() / 2 : 0},
                              .elements = 64};
    for (const plan::Choice& choice : plan::choices(asked, flat())) {
      const auto backend =
          backends.running(*backend_named(name), [&](const plan::Problem&) { return choice; });
      for (const plan::Count elements : {0, 1, 5, 64, 3000}) {
        plan::Problem problem = asked;
        problem.elements = elements;
        if (!plan::may_solve(*choice.algorithm, problem)) continue;
        Trial first(comm, problem);
        backend->run(first.call());
        EXPECT_TRUE(first.is_right()) << plan::name_of(operation) << ' ' << choice.name();
        Trial second(comm, problem);
        Trial third(comm, problem);
        auto one = backend->prepare(second.call());
        auto other = backend->prepare(third.call());
        one->start();
        other->start();
        Pending late(engine, std::move(one));
        Pending(engine, std::move(other)).wait();
        late.wait();
        EXPECT_TRUE(second.is_right() && third.is_right())
            << "two in flight: " << plan::name_of(operation) << ' ' << choice.name();
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(ScheduledBackend, OnBackend,
                         testing::Values(std::pair("p2p", ""), std::pair("shared", ""),
                                         std::pair("shared", "node:3 core:3"), std::pair("rma", ""),
                                         std::pair("rma", "node:3 core:3")));

}  // namespace
}  // namespace cartwright::comm
