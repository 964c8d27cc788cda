// SPDX-License-Identifier: Apache-2.0
#include <cartwright/rt/error.hpp>
#include <cartwright/rt/mpi_check.hpp>
#include <particle_strip.hpp>

#include "applications.hpp"
#include "contest.hpp"
#include "ways.hpp"

namespace cartwright::bench {
namespace {

/// As Inboxes, by messages whose length their receivers ask for.
class Messages {
 public:
  explicit Messages(const comm::CartComm& cart)
      : comm_(cart.communicator().duplicate()),
        sides_{cart.neighbour(0, -1)->value, cart.neighbour(0, +1)->value} {}

  /// What goes to the left has tag 0, what goes to the right tag 1.
  void send(const std::array<Particles, 2>& leaving) {
    outgoing_ = leaving;
    for (std::size_t side = 0; side < 2; ++side)
      rt::mpi_check(
          MPI_Isend(outgoing_[side].data(), bytes_of(outgoing_[side]), MPI_BYTE, sides_[side],
                    static_cast<int>(side), comm_.handle(), &requests_[side]),
          "MPI_Isend");
  }
  [[nodiscard]] Particles receive() {
    Particles all;
    for (std::size_t side = 0; side < 2; ++side) {
      const int tag = 1 - static_cast<int>(side);  // from the left comes what goes to the right
      MPI_Status status;
      int bytes = 0;
      rt::mpi_check(MPI_Probe(sides_[side], tag, comm_.handle(), &status), "MPI_Probe");
      rt::mpi_check(MPI_Get_count(&status, MPI_BYTE, &bytes), "MPI_Get_count");
      Particles come(static_cast<std::size_t>(bytes) / sizeof(Particle));
      rt::mpi_check(MPI_Recv(come.data(), bytes, MPI_BYTE, sides_[side], tag, comm_.handle(),
                             MPI_STATUS_IGNORE),
                    "MPI_Recv");
      all.insert(all.end(), come.begin(), come.end());
    }
    rt::mpi_check(MPI_Waitall(2, requests_.data(), MPI_STATUSES_IGNORE), "MPI_Waitall");
    return all;
  }

 private:
  static int bytes_of(const Particles& some) {
    return static_cast<int>(some.size() * sizeof(Particle));
  }

  rt::Communicator comm_;
  std::array<int, 2> sides_;
  std::array<Particles, 2> outgoing_;
  std::array<MPI_Request, 2> requests_{MPI_REQUEST_NULL, MPI_REQUEST_NULL};
};

constexpr int steps_of_run = 20;

void measure_way(const comm::CartComm& cart, bool by_messages, const Setting& setting,
                 Results& results) {
  const Row row{.cells = 12 * cart.size(), .particles = 480 * cart.size()};
  Strip ahead(cart, row, Inboxes(cart, row.particles));
  Strip waiting(cart, row, Inboxes(cart, row.particles, true));
  Strip peer(cart, row, Messages(cart));
  Disturbance disturbance(cart.rank().value);
  const auto run = [&](auto& strip) {
    for (int step = 0; step < steps_of_run; ++step) {
      if (disturbance.is_on()) {
        std::mt19937 random = disturbance.random_of(step);
        disturbance.sleep(random);
      }
      strip.step();
    }
    cart.start_barrier().wait();  // serves others until then
  };
  run(ahead);
  run(waiting);
  run(peer);
  if (const auto sum = ahead.sum(); sum != waiting.sum() || sum != peer.sum())
    throw rt::numerical_failure("particles differ", {}, rt::Reach::all_ranks);

  race_disturbed({.what = "particles",
                  .peer = "messages by hand",
                  .way = name_of_way(by_messages),
                  .parameters = {{"particles", row.particles}, {"steps", steps_of_run}},
                  .contestants = {[&] { run(ahead); }, [&] { run(waiting); }, [&] { run(peer); }}},
                 disturbance, {0.0, 1.0}, steps_of_run,
                 {.seconds = setting.options.quick ? 2.0 : 10.0, .fewest_rounds = 5}, setting,
                 results);
}

}  // namespace

void measure_particles(const rt::Communicator& world, const Setting& setting, Results& results) {
  by_both_ways(world, [&](const comm::CartComm& cart, bool by_messages) {
    measure_way(cart, by_messages, setting, results);
  });
}

}  // namespace cartwright::bench
