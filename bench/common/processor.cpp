// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <sys/utsname.h>

#include <fstream>
#include <thread>

#include "machine.hpp"

namespace cartwright::bench {

namespace {

std::string processor_name() {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);) {
    if (!line.starts_with("model name")) continue;
    const std::size_t colon = line.find(": ");
    if (colon != std::string::npos) return line.substr(colon + 2);
  }
  return "unknown processor";
}

}  // namespace

std::string machine_name() {
  utsname system{};
  uname(&system);
  return fmt::format("{}, {} cores, {} {}", processor_name(), std::thread::hardware_concurrency(),
                     system.sysname, system.machine);
}

}  // namespace cartwright::bench
