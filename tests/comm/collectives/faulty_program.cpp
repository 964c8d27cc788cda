// SPDX-License-Identifier: Apache-2.0
// Collectives of which one rank makes something else, as its deck says: driven by faults_test.sh.
#include <cartwright/comm/cart_comm.hpp>
#include <cartwright/comm/options.hpp>
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
  comm::Options comm;
};

class Conversation {
 public:
  Conversation(const comm::Collectives& collectives, const Options& options)
      : collectives_(collectives), form_(options.form) {}

  void allreduce(std::size_t count, Operator op) {
    numbers_.assign(count, 1.0);
    if (form_ == "blocking") {
      collectives_.allreduce(numbers_, op);
    } else if (form_ == "nonblocking") {
      collectives_.start_allreduce(numbers_, op).wait();
    } else {
      auto persistent = collectives_.prepare_allreduce(numbers_, op);
      persistent.start();
      persistent.wait();
    }
  }
  void broadcast(std::size_t count, int root) {
    numbers_.assign(count, 1.0);
    if (form_ == "blocking") {
      collectives_.broadcast(numbers_, rt::Rank{root});
    } else {
      collectives_.start_broadcast(numbers_, rt::Rank{root}).wait();
    }
  }

 private:
  const comm::Collectives& collectives_;
  std::string form_;
  std::vector<double> numbers_;
};

void body(rt::Runtime& runtime, const Options& options) {
  comm::CartOptions cart_options = comm::cart_options(options.comm);
  cart_options.dims = {runtime.comm().size()};
  const comm::CartComm cart(runtime.comm(), runtime.progress(), cart_options);
  Conversation conversation(cart.all(), options);
  for (int i = 0; i < 3; ++i) conversation.allreduce(4, Operator::sum);
  const bool is_it = cart.rank().value == options.rank;
  const std::string fault = is_it ? options.fault : "none";
  if (fault == "kill") std::raise(SIGKILL);
  if (fault == "sleep") std::this_thread::sleep_for(std::chrono::minutes(5));
  if (fault == "order") conversation.broadcast(4, 0);
  if (fault != "skip") {
    conversation.allreduce(fault == "count" ? 5 : 4,
                           fault == "operator" ? Operator::maximum : Operator::sum);
  }
  if (fault != "order") conversation.broadcast(4, fault == "root" ? 1 : 0);
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
