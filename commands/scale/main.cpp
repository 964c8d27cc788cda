// SPDX-License-Identifier: Apache-2.0
// cartwright scale: how a run would scale on a machine that we don't have.
#include <fmt/format.h>

#include <cartwright/mapping/machine/machine_file.hpp>
#include <cartwright/mapping/probe/probe_store.hpp>
#include <cartwright/rt/input_file.hpp>
#include <cartwright/rt/output_file.hpp>

#include "../alone/main_alone.hpp"
#include "curves.hpp"
#include "files.hpp"
#include "options.hpp"
#include "table.hpp"

namespace command = cartwright::command;
namespace mapping = cartwright::mapping;
namespace rt = cartwright::rt;

namespace {

constexpr auto machines_directory = CARTWRIGHT_INPUTS "/machines";
constexpr std::size_t most_bytes = 1 << 20;

void run(const command::ScaleOptions& options) {
  for (const std::string& file : {options.json, options.csv, options.picture})
    if (!file.empty()) rt::require_writable(file);
  const mapping::StepProfile profile =
      mapping::parse_profile(rt::read_file(options.profile, most_bytes), options.profile);
  const auto machine = options.machine == "here"
                           ? mapping::parse_machine(profile.machine, options.profile)
                           : mapping::described_machine(options.machine, machines_directory);
  const auto all = command::scaling_curves(options, profile, machine);
  command::print_scaling(profile, machine, all);
  const auto keep = [](const std::string& file, const std::string& text) {
    if (file.empty()) return;
    rt::write_file(file, text);
    fmt::print("wrote {}\n", file);
  };
  keep(options.json, command::scaling_json(profile, machine, all));
  keep(options.csv, command::scaling_csv(all));
  keep(options.picture, command::scaling_picture(profile, machine, all));
}

}  // namespace

int main(int argc, char** argv) {
  return command::main_alone([&] {
    int exit_code = 0;
    const auto options = command::parse_scale_options(argc, argv, exit_code);
    if (options) run(*options);
    return exit_code;
  });
}
