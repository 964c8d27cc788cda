// SPDX-License-Identifier: Apache-2.0
// campaign_programs SEED FIRST COUNT: random programs of collectives, on all ranks and along the
// axes of a process grid, blocking, started and persistent ones at the same time, each compared
// with a model. 50 programs in a row share a CartComm, drawn as well: backend, checks, axes.
#include <fmt/format.h>
#include <mpi.h>

#include <array>
#include <cartwright/comm/cart_comm.hpp>
#include <cartwright/rt/agreement.hpp>
#include <cartwright/rt/mpi_session.hpp>
#include <cstdio>
#include <cstdlib>
#include <deque>
#include <exception>
#include <numeric>
#include <string>

#include "call.hpp"
#include "trial.hpp"

namespace {

using namespace cartwright;
using campaign::draw;

constexpr std::uint64_t programs_of_a_communicator = 50;

comm::CartOptions draw_options(std::mt19937_64& dice, int ranks) {
  comm::CartOptions options;
  constexpr std::array backends{comm::BackendId::automatic, comm::BackendId::native,
                                comm::BackendId::p2p, comm::BackendId::shared,
                                comm::BackendId::rma};
  options.settings.backend =
      backends[static_cast<std::size_t>(draw(dice, static_cast<int>(backends.size())))];
  options.settings.learn = draw(dice, 2) == 0;
  options.settings.checked = draw(dice, 5) == 0;
  if (draw(dice, 5) == 0) options.settings.time_limit = std::chrono::minutes(5);
  int axes = 1 + draw(dice, 2);
  int first = 1 + draw(dice, ranks);
  while (ranks % first != 0) --first;
  options.dims = axes == 1 ? std::vector<int>{ranks} : std::vector<int>{first, ranks / first};
  return options;
}

struct Program {
  const comm::CartComm& cart;
  std::uint64_t number;
  std::mt19937_64 dice;   // the same on all ranks
  std::mt19937_64 whims;  // this rank's own: in which order it waits, how often it polls

  /// What is wrong; empty if nothing is.
  std::string run() {
    std::deque<std::unique_ptr<campaign::Trial>> under_way;
    std::string fault;
    const int calls = 1 + draw(dice, 12);
    std::deque<std::string> texts;
    const auto end = [&](std::size_t which) {
      under_way[which]->end();
      if (const std::string found = under_way[which]->fault(); !found.empty() && fault.empty())
        fault = fmt::format("{}: {}", texts[which], found);
      under_way.erase(under_way.begin() + static_cast<std::ptrdiff_t>(which));
      texts.erase(texts.begin() + static_cast<std::ptrdiff_t>(which));
    };
    for (int i = 0; i < calls; ++i) {
      const campaign::Call call = campaign::draw_call(dice, cart.dimensions());
      const comm::Collectives& collectives =
          call.communicator == 0 ? cart.all() : cart.along(call.communicator - 1);
      under_way.push_back(campaign::make_trial(collectives, call));
      texts.push_back(fmt::format("call {} ({})", i, call.text()));
      under_way.back()->begin();
      if (call.form == campaign::Form::blocking) end(under_way.size() - 1);
      for (int polls = draw(whims, 4); polls > 0 && !under_way.empty(); --polls) {
        const auto which =
            static_cast<std::size_t>(draw(whims, static_cast<int>(under_way.size())));
        if (under_way[which]->test()) end(which);
      }
    }
    while (!under_way.empty())
      end(static_cast<std::size_t>(draw(whims, static_cast<int>(under_way.size()))));
    return fault;
  }
};

std::uint64_t number_of(const char* text) {
  return std::strtoull(text, nullptr, 10);
}

int run(int argc, char** argv, const rt::Communicator& world) {
  const std::uint64_t seed = number_of(argv[1]);
  const std::uint64_t first = number_of(argv[2]);
  const std::uint64_t end = first + number_of(argv[3]);
  static_cast<void>(argc);
  rt::ProgressEngine engine;
  engine.set_oversubscribed(true);
  int faults = 0;
  for (std::uint64_t number = first; number < end;) {
    std::mt19937_64 dice(campaign::mix(seed, number / programs_of_a_communicator, 1));
    const comm::CartComm cart(world, engine, draw_options(dice, world.size()));
    do {
      Program program{cart, number, std::mt19937_64(campaign::mix(seed, number, 2)),
                      std::mt19937_64(campaign::mix(
                          seed, number, 3 + static_cast<unsigned>(world.rank().value)))};
      if (const std::string fault = program.run(); !fault.empty()) {
        ++faults;
        std::fprintf(stderr, "program %llu, rank %d of %d, backend %s: %s\n",
                     static_cast<unsigned long long>(number), world.rank().value, world.size(),
                     name_of(cart.all().context().settings.backend).data(), fault.c_str());
      }
      ++number;
    } while (number < end && number % programs_of_a_communicator != 0);
  }
  faults = rt::combined(world, faults, rt::Combine::sum);
  if (world.is_root())
    std::printf("%llu programs on %d ranks, %d faults\n",
                static_cast<unsigned long long>(end - first), world.size(), faults);
  return faults == 0 ? 0 : 3;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 4) {
    std::fputs("campaign_programs SEED FIRST COUNT\n", stderr);
    return 1;
  }
  rt::MpiSession session;
  try {
    return run(argc, argv, session.world());
  } catch (const std::exception& error) {
    std::fprintf(stderr, "cartwright: error: %s (on rank %d)\n", error.what(),
                 session.world().rank().value);
    MPI_Abort(session.world().handle(), 3);
  }
  return 3;
}
