// SPDX-License-Identifier: Apache-2.0
#include <cartwright/comm/backends.hpp>
#include <cartwright/comm/options.hpp>
#include <cartwright/plan/selection/operation.hpp>
#include <cartwright/rt/deck.hpp>
#include <cartwright/rt/error.hpp>
#include <cartwright/rt/failure.hpp>
#include <utility>

namespace cartwright::comm {

namespace {

using OfOperation = Options::OfOperation;

constexpr int mebibyte_bits = 20;

constexpr std::pair<plan::Operation, OfOperation Options::*> of_operations[] = {
    {plan::Operation::allreduce, &Options::allreduce},
    {plan::Operation::reduce, &Options::reduce},
    {plan::Operation::reduce_scatter, &Options::reduce_scatter},
    {plan::Operation::scan, &Options::scan},
    {plan::Operation::exscan, &Options::exscan},
    {plan::Operation::broadcast, &Options::broadcast},
    {plan::Operation::scatter, &Options::scatter},
    {plan::Operation::gather, &Options::gather},
    {plan::Operation::allgather, &Options::allgather},
    {plan::Operation::alltoall, &Options::alltoall},
    {plan::Operation::barrier, &Options::barrier}};

rt::Schema<OfOperation> schema_of_operation() {
  return {rt::key("algorithm", &OfOperation::algorithm)
              .example("ring")
              .about("how backends other than native carry it out: an algorithm that "
                     "./cartwright simulate --list names, with its tuning in brackets; empty: the "
                     "one that is expected to be the quickest")};
}

rt::Schema<Options::Shared> schema_of_shared() {
  return {rt::key("memory", &Options::Shared::memory)
              .unit("MiB")
              .minimum(1)
              .about("shared memory that the ranks of a node take for their collectives, together; "
                     "where there is plenty, only what is used becomes real memory")};
}

Options as_in_deck(const CartOptions& cart) {
  Options options;
  options.backend = cart.backend;
  options.axes = cart.axes;
  options.shared.memory = static_cast<long long>(cart.shared_memory >> mebibyte_bits);
  options.learn = cart.learns;
  options.checked = cart.supervision.checked;
  options.time_limit = cart.supervision.time_limit;
  for (const auto& [operation, member] : of_operations)
    if (const auto found = cart.algorithms.find(operation); found != cart.algorithms.end())
      (options.*member).algorithm = found->second;
  return options;
}

/// The other way round; memory that is no whole number of MiB stays as it is.
void transfer(const Options& options, CartOptions& cart) {
  cart.backend = options.backend;
  cart.axes = options.axes;
  const auto memory = static_cast<std::size_t>(options.shared.memory);
  if (cart.shared_memory >> mebibyte_bits != memory) cart.shared_memory = memory << mebibyte_bits;
  cart.learns = options.learn;
  cart.supervision = options.supervision();
  for (const auto& [operation, member] : of_operations) {
    const std::string& algorithm = (options.*member).algorithm;
    if (!algorithm.empty()) cart.algorithms[operation] = algorithm;
  }
}

}  // namespace

rt::Schema<Options> schema() {
  // No choices for the backend here: `Backends` knows the names, and says so.
  rt::Schema<Options> keys = {
      rt::key("backend", &Options::backend)
          .example("native")
          .about("who carries out collectives: native (the MPI library), p2p (schedules over "
                 "messages), shared (schedules through the memory of a node) or auto (the quickest "
                 "of them for each operation and size)"),
      rt::key("axes", &Options::axes)
          .choices<AxisOrder>({{"auto", AxisOrder::automatic},
                               {"overlapped", AxisOrder::overlapped},
                               {"sequential", AxisOrder::sequential}})
          .about("collectives along several axes of the grid: all at the same time (overlapped), "
                 "one axis after the other, or what a model of the machine predicts to be quicker"),
      rt::key("learn", &Options::learn)
          .about("let the ways to carry out a collective take turns in its first calls of each "
                 "size, keep the quickest, and remember it for the next run on these hosts; only "
                 "where results stay the same bit for bit, and only with comm.backend: auto"),
      rt::key("checked", &Options::checked)
          .about("compare each collective across ranks before it begins: a wrong order of calls or "
                 "different counts end the run with a table of who has called what"),
      rt::key("time_limit", &Options::time_limit)
          .above(0)
          .example("5min")
          .about("how long a rank waits for a collective before it ends the run and says for whom "
                 "it waits; absent: as long as it takes")};
  rt::Schema<Options> all = std::move(keys).section("shared", &Options::shared, schema_of_shared());
  for (const auto& [operation, member] : of_operations) {
    // Not assigned to itself: a section is added in place.
    rt::Schema<Options> more = std::move(all).section(std::string(plan::name_of(operation)), member,
                                                      schema_of_operation());
    all = std::move(more);
  }
  return all;
}

CartOptions cart_options(const Options& options) {
  CartOptions cart;
  transfer(options, cart);
  cart.is_from_deck = true;
  return cart;
}

void check_options(const rt::Deck& deck, const Options& options) {
  // What CartComm would say, with its place in the deck.
  const auto at = [&deck](const std::string& path, const auto& read) {
    try {
      read();
    } catch (const rt::Error& error) {
      throw deck.error(path, error.what(), error.advice());
    }
  };
  at("comm.backend", [&] { Backends::require_known(options.backend); });
  for (const auto& [operation, member] : of_operations) {
    const std::string& algorithm = (options.*member).algorithm;
    if (!algorithm.empty())
      at("comm." + std::string(plan::name_of(operation)) + ".algorithm",
         [&] { (void)wanted_choice(operation, algorithm); });
  }
}

CartOptions with_environment(const rt::Communicator& comm, CartOptions options) {
  if (options.is_from_deck) return options;
  rt::say_uncaught_errors_once();
  rt::Deck environment = rt::Deck::of_environment(comm, "comm");
  Options said = as_in_deck(options);
  rt::SectionNode root;
  schema().bind(root.add_section("comm"), said);
  try {
    environment.apply(root);
  } catch (const rt::Error& error) {
    throw rt::input_error(error.what(), "docs/deck.md explains the keys of section comm.",
                          rt::Reach::all_ranks);
  }
  transfer(said, options);
  return options;
}

}  // namespace cartwright::comm
