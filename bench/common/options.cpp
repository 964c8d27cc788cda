// SPDX-License-Identifier: Apache-2.0
#include "options.hpp"

#include <fmt/format.h>

#include <cartwright/rt/error.hpp>
#include <string_view>

namespace cartwright::bench {

Options parse_options(int argc, const char* const* argv) {
  Options options;
  for (int i = 1; i < argc; ++i) {
    const std::string_view word = argv[i];
    if (word == "--quick") {
      options.quick = true;
    } else if (word == "--append") {
      options.append = true;
    } else if (word == "--help" || word == "-h") {
      options.help = true;
    } else if (word == "--json" && i + 1 < argc && *argv[i + 1] != '\0') {
      options.json = argv[++i];
    } else {
      throw rt::input_error(word == "--json" ? "--json needs the name of a file"
                                             : fmt::format("unknown option '{}'", word),
                            "The options are --quick, --json FILE, --append and --help.",
                            rt::Reach::all_ranks);
    }
  }
  return options;
}

std::string options_help(const std::string& benchmark) {
  return fmt::format(
      "usage: mpirun -n RANKS bench_{} [--quick] [--json FILE [--append]]\n"
      "  --quick      fewer rounds: ends within 45 seconds\n"
      "  --json FILE  writes the results to FILE, too\n"
      "  --append     keeps the other cases that FILE already holds\n",
      benchmark);
}

}  // namespace cartwright::bench
