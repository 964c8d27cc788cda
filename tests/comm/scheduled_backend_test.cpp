// SPDX-License-Identifier: Apache-2.0
// Every algorithm of the catalogue, run by a backend, gives what the operation promises.
#include <gtest/gtest.h>
#include <mpi.h>

#include <cartwright/comm/backends.hpp>
#include <cartwright/comm/pending.hpp>
#include <cartwright/plan/selection/catalogue.hpp>
#include <cartwright/plan/selection/selector.hpp>
#include <cstdint>
#include <memory>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

namespace cartwright::comm {
namespace {

using Word = std::uint64_t;

/// What rank `rank` contributes to block `block`.
Word contribution(int rank, int block, std::size_t i) {
  return static_cast<Word>(rank) * 1000003U + static_cast<Word>(block) * 10007U + i * 31U + 7U;
}

/// The operation on data whose result is known.
class Trial {
 public:
  Trial(const rt::Communicator& comm, const plan::Problem& problem)
      : me_(comm.rank().value), problem_(problem), n_(static_cast<std::size_t>(problem.elements)) {
    using enum plan::Operation;
    const auto p = static_cast<std::size_t>(problem.ranks);
    const bool is_root = me_ == problem.root.rank;
    const bool is_blocks = problem.operation == reduce_scatter || problem.operation == alltoall;
    input_.resize(is_blocks ? n_ * p : n_);
    if (problem.operation == scatter) input_.resize(is_root ? n_ * p : 0);
    if (problem.operation == broadcast || problem.operation == barrier) input_.clear();
    for (std::size_t i = 0; i < input_.size(); ++i)
      input_[i] = contribution(me_, n_ == 0 ? 0 : static_cast<int>(i / n_),
                               i % std::max<std::size_t>(n_, 1));
    std::size_t length = n_;
    if (problem.operation == allgather || problem.operation == alltoall) length = n_ * p;
    if (problem.operation == gather) length = is_root ? n_ * p : 0;
    if (problem.operation == reduce && !is_root) length = 0;
    if (problem.operation == barrier) length = 0;
    output_.assign(length, 0);
    if (problem.operation == broadcast && is_root)
      for (std::size_t i = 0; i < n_; ++i) output_[i] = contribution(me_, 0, i);
  }

  [[nodiscard]] Call call() {
    return {.operation = problem_.operation,
            .input = reinterpret_cast<const std::byte*>(input_.data()),
            .output = reinterpret_cast<std::byte*>(output_.data()),
            .element = element_of<Word>(),
            .count = problem_.operation == plan::Operation::barrier ? 0 : problem_.elements,
            .root = rt::Rank{problem_.root.rank},
            .reduction = plan::is_reduction(problem_.operation)
                             ? predefined(Operator::sum, ScalarType::uint64)
                             : Reduction{}};
  }

  [[nodiscard]] bool is_right() const {
    for (std::size_t i = 0; i < output_.size(); ++i)
      if (is_defined() && output_[i] != expected(i)) return false;
    return true;
  }

 private:
  [[nodiscard]] bool is_defined() const {
    return problem_.operation != plan::Operation::exscan || me_ > 0;
  }
  [[nodiscard]] Word sum(int begin, int end, int block, std::size_t i) const {
    Word total = 0;
    for (int rank = begin; rank < end; ++rank) total += contribution(rank, block, i);
    return total;
  }
  [[nodiscard]] Word expected(std::size_t at) const {
    using enum plan::Operation;
    const int block = static_cast<int>(at / n_);
    const std::size_t i = at % n_;
    switch (problem_.operation) {
      case allreduce:
      case reduce:
        return sum(0, problem_.ranks, 0, i);
      case reduce_scatter:
        return sum(0, problem_.ranks, me_, i);
      case scan:
        return sum(0, me_ + 1, 0, i);
      case exscan:
        return sum(0, me_, 0, i);
      case broadcast:
        return contribution(problem_.root.rank, 0, i);
      case scatter:
        return contribution(problem_.root.rank, me_, i);
      case gather:
      case allgather:
        return contribution(block, 0, i);
      case alltoall:
        return contribution(block, me_, i);
      case barrier:
        break;
    }
    return 0;
  }

  int me_;
  plan::Problem problem_;
  std::size_t n_;
  std::vector<Word> input_;
  std::vector<Word> output_;
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
          name,
          std::make_shared<Knowledge>(),
          NodeView::of(comm, comm, topology),
          std::make_shared<NodeMemory>(comm, topology, 1)};
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
      const auto backend = backends.running(name, [&](const plan::Problem&) { return choice; });
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
                                         std::pair("shared", "node:3 core:3")));

}  // namespace
}  // namespace cartwright::comm
