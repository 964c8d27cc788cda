// SPDX-License-Identifier: Apache-2.0
// cartwright scale: how a run would scale on a machine that we don't have.
#include <fmt/format.h>

#include <cartwright/mapping/machine/machine_file.hpp>
#include <cartwright/mapping/probe/probe_store.hpp>
#include <cartwright/rt/input_file.hpp>
#include <cartwright/rt/output_file.hpp>
#include <optional>

#include "../alone/main_alone.hpp"
#include "../options/picture_file.hpp"
#include "curves.hpp"
#include "files.hpp"
#include "options.hpp"
#include "table.hpp"

namespace command = cartwright::command;
namespace mapping = cartwright::mapping;
namespace plan = cartwright::plan;
namespace rt = cartwright::rt;

namespace {

constexpr auto machines_directory = CARTWRIGHT_INPUTS "/machines";
constexpr std::size_t most_bytes = 1 << 20;

void run(const command::ScaleOptions& options) {
  command::require_picture("--picture", options.picture);
  for (const std::string& file : {options.json, options.csv})
    if (!file.empty()) rt::require_writable(file);
  std::optional<plan::Machine> elsewhere;
  if (options.machine != "here")
    elsewhere = mapping::described_machine(options.machine, machines_directory);
  if (options.only_check) return;
  const mapping::StepProfile profile =
      mapping::parse_profile(rt::read_file(options.profile, most_bytes), options.profile);
  const plan::Machine machine =
      elsewhere ? *elsewhere : mapping::parse_machine(profile.machine, options.profile);
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
