// SPDX-License-Identifier: Apache-2.0
// cartwright simulate: collective algorithms on machines that we don't have.
#include <fmt/format.h>

#include <cartwright/mapping/machine/machine_file.hpp>
#include <cartwright/mapping/probe/probe_store.hpp>
#include <cartwright/plan/describe.hpp>
#include <cartwright/rt/error.hpp>
#include <cartwright/rt/output_file.hpp>
#include <filesystem>
#include <stdexcept>

#include "../alone/main_alone.hpp"
#include "../options/picture_file.hpp"
#include "comparison.hpp"
#include "json.hpp"
#include "options.hpp"
#include "pictures.hpp"
#include "table.hpp"

namespace command = cartwright::command;
namespace mapping = cartwright::mapping;
namespace plan = cartwright::plan;
namespace rt = cartwright::rt;

namespace {

constexpr auto machines_directory = CARTWRIGHT_INPUTS "/machines";

plan::Machine machine_of(const std::string& name) {
  return mapping::described_machine(name, machines_directory);
}

void list() {
  fmt::print("machines:\n");
  for (const std::string& name : mapping::machine_names(machines_directory))
    fmt::print("  {:<16} {}\n", name, machine_of(name).about);
  if (std::filesystem::is_directory(mapping::probed_machines_directory()))
    for (const std::string& name : mapping::machine_names(mapping::probed_machines_directory()))
      fmt::print("  {:<16} probed: {}\n", name, machine_of(name).about);
  for (const plan::Operation operation : plan::operations()) {
    fmt::print("\n{}:\n", plan::name_of(operation));
    for (const plan::Algorithm& algorithm : plan::algorithms(operation)) {
      std::string name(algorithm.name);
      if (!algorithm.tuning.empty()) name += fmt::format("({})", algorithm.tuning);
      fmt::print("  {:<34} {}{}\n", name, algorithm.source,
                 algorithm.any_operator ? "" : "; commutative operators only");
    }
  }
}

void show_schedule(const command::SimulateOptions& options, const plan::Choice& choice) {
  const int rank = *options.show_rank;
  if (rank < 0 || rank >= options.problem.ranks)
    throw rt::input_error("--show: there is no such rank");
  fmt::print(
      "\n{}, {}", choice.name(),
      plan::describe(choice.maker(options.problem)({.ranks = options.problem.ranks, .me = rank})));
}

void run(const command::SimulateOptions& options) {
  if (options.list) return list();
  command::require_picture("--timeline", options.timeline);
  for (const std::string& file : {options.json, options.trace})
    if (!file.empty()) rt::require_writable(file);
  const plan::Machine described = machine_of(options.machine);
  const plan::Machine machine = command::with_room(described, options.problem.ranks);
  const auto all = command::compare(options, machine);
  command::print_table(options, machine, all);
  command::print_notes(options, described);
  if (options.show_rank) show_schedule(options, all.front().choice);
  if (!options.json.empty()) command::write_json(options, machine, all);
  command::write_pictures(options, machine, all.front().choice);
}

}  // namespace

int main(int argc, char** argv) {
  return command::main_alone([&] {
    int exit_code = 0;
    try {
      const auto options = command::parse_simulate_options(argc, argv, exit_code);
      if (options) run(*options);
    } catch (const std::invalid_argument& error) {  // an algorithm that isn't for this problem
      throw rt::input_error(error.what());
    }
    return exit_code;
  });
}
