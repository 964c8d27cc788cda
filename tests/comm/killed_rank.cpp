// SPDX-License-Identifier: Apache-2.0
// Ranks that do collectives through shared memory, of which one is killed: the others wait for it
// without blocking, until mpirun ends them.
#include <cartwright/comm/execution/runner.hpp>
#include <cartwright/rt/request.hpp>
#include <csignal>

#include "interpreted_collective.hpp"
#include "shared_node.hpp"

int main(int argc, char** argv) {
  namespace plan = cartwright::plan;
  namespace comm = cartwright::comm;
  namespace test = cartwright::comm::test;
  MPI_Init(&argc, &argv);
  using Element = test::Token<2>;
  test::SharedNode node(comm::MailboxShape{.members = 16}, 16);
  const plan::Problem problem{.operation = plan::Operation::allreduce,
                              .ranks = node.world.size(),
                              .elements = 30000,
                              .element_size = sizeof(Element)};
  const auto choice = plan::parse_choice(problem.operation, "recursive_doubling");
  const test::InterpretedCollective<Element> collective(problem, choice, false, 1);
  test::CollectiveRun<Element, comm::SharedMessages, comm::Runner<comm::SharedMessages>> run(
      collective, node.world.rank().value, [&](const plan::Program& program) {
        return comm::SharedMessages(node.channel, program, sizeof(Element));
      });
  for (std::uint64_t sequence = 0;; ++sequence) {
    if (sequence == 20 && node.world.rank().value == 1) std::raise(SIGKILL);
    run.start(sequence);
    for (cartwright::rt::Patience patience(false); !run.advance();) patience.pause();
  }
}
