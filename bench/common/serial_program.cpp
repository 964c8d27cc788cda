// SPDX-License-Identifier: Apache-2.0
#include "serial_program.hpp"

#include <fmt/format.h>

#include <cstdio>
#include <exception>
#include <fstream>
#include <stdexcept>

namespace cartwright::bench {
namespace {

struct SerialOptions {
  bool quick = false, help = false;
  std::string json;
};

SerialOptions parse(int argc, char** argv, const std::string& help) {
  SerialOptions options;
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    if (word == "--quick") {
      options.quick = true;
    } else if (word == "--help" || word == "-h") {
      options.help = true;
    } else if (word == "--json" && i + 1 < argc) {
      options.json = argv[++i];
    } else if (word != "--append") {  // each case is measured anew
      throw std::invalid_argument(fmt::format("unknown option '{}'\n{}", word, help));
    }
  }
  return options;
}

}  // namespace

int run_serial_benchmark(int argc, char** argv, const std::string& name,
                         const std::string& about_quick,
                         const std::function<nlohmann::ordered_json(bool quick)>& body) try {
  const std::string help = fmt::format(
      "usage: bench_{} [--quick] [--json FILE]\n"
      "  --quick      {}\n"
      "  --json FILE  writes the results to FILE, too\n",
      name, about_quick);
  const SerialOptions options = parse(argc, argv, help);
  if (options.help) {
    std::fputs(help.c_str(), stdout);
    return 0;
  }
  const nlohmann::ordered_json json{{"benchmark", name}, {"cases", body(options.quick)}};
  if (options.json.empty()) return 0;
  std::ofstream file(options.json);
  file << json.dump(2) << '\n';
  file.close();
  if (!file) throw std::runtime_error("can't write the results to " + options.json);
  return 0;
} catch (const std::exception& error) {
  fmt::print(stderr, "{}\n", error.what());
  return 1;
}

}  // namespace cartwright::bench
