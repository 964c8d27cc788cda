// SPDX-License-Identifier: Apache-2.0
#include "memory_use.hpp"

#include <fmt/format.h>

#include <fstream>
#include <optional>

namespace cartwright::rt {
namespace {

// Lines such as `VmRSS:   1234 kB`.
std::optional<double> gibibytes(const char* file, const std::string& name) {
  std::ifstream lines(file);
  std::string word;
  double kilobytes = 0.0;
  while (lines >> word) {
    if (word == name && lines >> kilobytes) return kilobytes / (1024.0 * 1024.0);
  }
  return std::nullopt;
}

}  // namespace

std::string memory_use_text() {
  const auto held = gibibytes("/proc/self/status", "VmRSS:");
  const auto left = gibibytes("/proc/meminfo", "MemAvailable:");
  const auto total = gibibytes("/proc/meminfo", "MemTotal:");
  std::string text;
  if (held) text += fmt::format("this rank held {:.2f} GiB", *held);
  if (left && total) {
    text += fmt::format("{}its node has {:.2f} of {:.2f} GiB left", text.empty() ? "" : "; ", *left,
                        *total);
  }
  return text;
}

}  // namespace cartwright::rt
