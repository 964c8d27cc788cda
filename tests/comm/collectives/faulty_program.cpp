// SPDX-License-Identifier: Apache-2.0
// Collectives of which one rank makes something else, as its deck says: driven by faults_test.sh.
#include <cartwright/comm/cart_comm.hpp>
#include <cartwright/comm/settings.hpp>
#include <cartwright/rt/execute.hpp>
#include <cartwright/rt/runtime.hpp>
#include <cartwright/rt/schema.hpp>
#include <chrono>
#include <csignal>
#include <string>
#include <thread>
#include <vector>

namespace {

using namespace cartwright;
using comm::Operator;

struct Options {
  std::string fault = "none";
  int rank = 0;
  std::string form = "blocking";
  comm::Settings comm;
};

class Conversation {
 public:
  Conversation(const comm::Collectives& collectives, const Options& options)
      : collectives_(collectives),
        form_(options.form),
        me_(collectives.communicator().rank().value),
        ranks_(collectives.communicator().size()) {}

  void allreduce(std::size_t count, Operator op) {
    numbers_.assign(count, 1.0);
    talk([&] { collectives_.allreduce(numbers_, op); },
         [&] { return collectives_.start_allreduce(numbers_, op); },
         [&] { return collectives_.prepare_allreduce(numbers_, op); });
  }
  void broadcast(std::size_t count, int root) {
    numbers_.assign(count, 1.0);
    const rt::Rank from{root};
    talk([&] { collectives_.broadcast(numbers_, from); },
         [&] { return collectives_.start_broadcast(numbers_, from); },
         [&] { return collectives_.prepare_broadcast(numbers_, from); });
  }
  /// Equal blocks of so many numbers.
  void alltoall(std::size_t count) {
    numbers_.assign(count * static_cast<std::size_t>(ranks_), 1.0);
    talk([&] { collectives_.alltoall(numbers_); },
         [&] { return collectives_.start_alltoall(numbers_); },
         [&] { return collectives_.prepare_alltoall(numbers_); });
  }
  /// Rank a sends a + 2 b numbers to rank b, and `more` to rank 0.
  void alltoall_of_blocks(plan::Count more) {
    std::vector<plan::Count> to;
    std::vector<plan::Count> from;
    for (plan::Count rank = 0; rank < ranks_; ++rank) {
      to.push_back(me_ + 2 * rank);
      from.push_back(rank + 2 * me_);
    }
    to.front() += more;
    const comm::Blocks sent(to);
    const comm::Blocks received(from);
    numbers_.assign(static_cast<std::size_t>(sent.total()), 1.0);
    result_.assign(static_cast<std::size_t>(received.total()), 0.0);
    talk([&] { collectives_.alltoall(numbers_, result_, sent, received); },
         [&] { return collectives_.start_alltoall(numbers_, result_, sent, received); },
         [&] { return collectives_.prepare_alltoall(numbers_, result_, sent, received); });
  }
  /// Each rank has 3 numbers; this one thinks that it has `more`, and rank 0 `fewer`.
  void gather_blocks(plan::Count more, plan::Count fewer) {
    std::vector<plan::Count> counts(static_cast<std::size_t>(ranks_), 3);
    counts[static_cast<std::size_t>(me_)] += more;
    counts.front() -= fewer;
    const comm::Blocks blocks(counts);
    const rt::Rank root{0};
    numbers_.assign(static_cast<std::size_t>(blocks.count(me_)), 1.0);
    result_.assign(static_cast<std::size_t>(blocks.total()), 0.0);
    talk([&] { collectives_.gather(numbers_, result_, root, blocks); },
         [&] { return collectives_.start_gather(numbers_, result_, root, blocks); },
         [&] { return collectives_.prepare_gather(numbers_, result_, root, blocks); });
  }
  /// `meanwhile` it does something else. Of so much that nobody gets it without polls of its
  /// sender's, or rid of it without polls of its receiver's.
  template <class Meanwhile>
  void allgather(Meanwhile&& meanwhile) {
    constexpr std::size_t many = 100'000;
    numbers_.assign(many, 1.0);
    result_.assign(many * static_cast<std::size_t>(ranks_), 0.0);
    comm::Pending pending = collectives_.start_allgather(numbers_, result_);
    meanwhile();
    pending.wait();
  }

 private:
  template <class Run, class Start, class Prepare>
  void talk(Run&& run, Start&& start, Prepare&& prepare) {
    if (form_ == "blocking") return run();
    if (form_ == "nonblocking") return start().wait();
    auto persistent = prepare();
    persistent.start();
    persistent.wait();
  }

  const comm::Collectives& collectives_;
  std::string form_;
  int me_;
  int ranks_;
  std::vector<double> numbers_;
  std::vector<double> result_;
};

void sleep() {
  std::this_thread::sleep_for(std::chrono::minutes(5));
}

void body(rt::Runtime& runtime, const Options& options) {
  comm::CartOptions cart_options;
  cart_options.settings = options.comm.as_resolved();
  cart_options.dims = {runtime.comm().size()};
  cart_options.arena = runtime.arena();
  const comm::CartComm cart(runtime.comm(), runtime.progress(), cart_options);
  Conversation conversation(cart.all(), options);
  for (int i = 0; i < 3; ++i) conversation.allreduce(4, Operator::sum);
  const bool is_it = cart.rank().value == options.rank;
  const std::string fault = is_it ? options.fault : "none";
  if (fault == "kill") std::raise(SIGKILL);
  if (fault == "sleep") sleep();
  if (fault == "order") conversation.broadcast(4, 0);
  if (fault != "skip") {
    conversation.allreduce(fault == "count" ? 5 : 4,
                           fault == "operator" ? Operator::maximum : Operator::sum);
  }
  if (fault != "order") conversation.broadcast(4, fault == "root" ? 1 : 0);
  conversation.alltoall(fault == "blocks" ? 3 : 2);
  conversation.alltoall_of_blocks(fault == "pair" ? 1 : 0);
  conversation.gather_blocks(fault == "own" || fault == "cut" ? 2 : 0, fault == "cut" ? 2 : 0);
  conversation.allgather([&] {
    if (fault == "poll") sleep();
  });
  cart.barrier();
  runtime.log().info("all went well");
}

}  // namespace

int main(int argc, char** argv) {
  Options options;
  const rt::Schema<Options> schema =
      rt::Schema<Options>(rt::key("fault", &Options::fault), rt::key("rank", &Options::rank),
                          rt::key("form", &Options::form))
          .section("comm", &Options::comm, comm::schema());
  rt::Module module{.name = "test",
                    .schema = [&](rt::SectionNode& root) { schema.bind(root, options); }};
  return rt::execute(argc, argv, {"faulty_program", "1.0", "test", "talks as it is told", {}},
                     {module}, [&](rt::Runtime& runtime) { body(runtime, options); });
}
