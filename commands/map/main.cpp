// SPDX-License-Identifier: Apache-2.0
// cartwright map: which node holds which part of a process grid, and what that costs.
#include <fmt/format.h>

#include <cartwright/rt/error.hpp>
#include <cartwright/rt/output_file.hpp>
#include <sstream>

#include "../alone/main_alone.hpp"
#include "../options/picture_file.hpp"
#include "json.hpp"
#include "options.hpp"
#include "problem.hpp"
#include "rows.hpp"
#include "svg_picture.hpp"
#include "table.hpp"

namespace command = cartwright::command;
namespace rt = cartwright::rt;

namespace {

void write_picture(const command::MapOptions& options, const command::MapProblem& problem,
                   const command::MapResult& result) {
  std::vector<command::MapPanel> panels;
  for (const command::MapRow& row : result.rows) {
    panels.push_back(
        {row.mapping.name, "off-node faces: " + command::faces_text(row), &row.mapping.map});
  }
  std::ostringstream out;
  command::write_map_svg(out, command::map_title(problem), panels);
  rt::write_file(options.picture, out.view());
}

void run(const command::MapOptions& options) {
  command::require_picture("--picture", options.picture);
  if (!options.json.empty() && options.json != "-") rt::require_writable(options.json);
  const command::MapProblem problem = command::map_problem(options);
  if (options.simulate && !problem.machine)
    throw rt::input_error("--simulate needs a machine", "Name one with --machine.");
  const command::MapResult result = command::map_rows(options, problem);
  const bool to_people = options.json != "-";
  if (to_people) command::print_map(options, problem, result);
  if (!options.json.empty()) command::write_map_json(options, problem, result);
  if (options.picture.empty()) return;
  write_picture(options, problem, result);
  if (to_people) fmt::print("wrote {}\n", options.picture);
}

}  // namespace

int main(int argc, char** argv) {
  return command::main_alone([&] {
    int exit_code = 0;
    const auto options = command::parse_map_options(argc, argv, exit_code);
    if (options) run(*options);
    return exit_code;
  });
}
