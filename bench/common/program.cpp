// SPDX-License-Identifier: Apache-2.0
#include "program.hpp"

#include <Kokkos_Core.hpp>
#include <cartwright/rt/error.hpp>
#include <cartwright/rt/failure.hpp>
#include <cartwright/rt/mpi_session.hpp>
#include <cstdio>
#include <exception>

#include "machine.hpp"

namespace cartwright::bench {

namespace {

void measure(const rt::Communicator& world, const Options& options, const std::string& name,
             const std::function<void(const Setting&, Results&)>& body) {
  const Setting setting{world, options, layout_name(world)};
  Results results(name, setting.layout);
  const std::string warning = crowding(world);
  body(setting, results);
  if (!warning.empty()) results.note("Warning: " + warning + ".");
  if (world.is_root()) results.publish(options);
}

int measure_with_mpi(const Options& options, const std::string& name,
                     const std::function<void(const Setting&, Results&)>& body) {
  const rt::MpiSession session;
  rt::FailureGuard guard(session.world(), session.arena());
  const Kokkos::ScopeGuard kokkos;
  try {
    measure(session.world(), options, name, body);
  } catch (...) {
    guard.end_all_ranks(rt::as_error(std::current_exception()));
  }
  return 0;
}

}  // namespace

int run_benchmark(int argc, char** argv, const std::string& name,
                  const std::function<void(const Setting&, Results&)>& body) {
  try {
    const Options options = parse_options(argc, argv);
    if (!options.help) return measure_with_mpi(options, name, body);
    if (rt::rank_from_environment() == 0) std::fputs(options_help(name).c_str(), stdout);
    return 0;
  } catch (...) {
    return rt::FailureGuard::end_before_mpi(rt::as_error(std::current_exception()));
  }
}

}  // namespace cartwright::bench
