// SPDX-License-Identifier: Apache-2.0
#include "memory_use.hpp"

#include <fmt/format.h>
#include <sys/resource.h>

#include <algorithm>
#include <fstream>

namespace cartwright::rt {
namespace {

constexpr double mebibyte = 1.0 / 1024.0;  // in GiB, as all sizes here

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

/// The limit on the address space of a process; where there is none, nothing.
std::optional<double> limit_of_process() {
  rlimit limit{};
  if (getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return std::nullopt;
  return static_cast<double>(limit.rlim_cur) / (1024.0 * 1024.0 * 1024.0);
}

}  // namespace

std::string memory_use_text() {
  const auto held = gibibytes("/proc/self/status", "VmRSS:");
  const auto left = gibibytes("/proc/meminfo", "MemAvailable:");
  const auto total = gibibytes("/proc/meminfo", "MemTotal:");
  std::string text;
  if (held) text += fmt::format("this rank held {:.2f} GiB", *held);
  if (const auto limit = limit_of_process())
    text += fmt::format("{}a process may have {:.2f} GiB (ulimit -v)", text.empty() ? "" : "; ",
                        *limit);
  if (left && total) {
    text += fmt::format("{}its node has {:.2f} of {:.2f} GiB left", text.empty() ? "" : "; ", *left,
                        *total);
  }
  return text;
}

std::string memory_shortage() {
  const auto limit = limit_of_process();
  const auto most = gibibytes("/proc/self/status", "VmPeak:");
  // Buffers of MPI and HDF5 have up to 32 MiB.
  if (!limit || !most || *limit - *most > std::max(0.1 * *limit, 64 * mebibyte)) return {};
  return fmt::format(
      "Memory is short: a process may have {:.2f} GiB (ulimit -v), and this one has had {:.2f}.",
      *limit, *most);
}

std::string memory_limit_note() {
  const auto limit = limit_of_process();
  if (!limit) return {};
  return fmt::format(
      "Its memory is limited to {:.2f} GiB (ulimit -v): libraries may die so for want of it.\n",
      *limit);
}

std::optional<MemoryLimit> memory_limit() {
  const auto limit = limit_of_process();
  const auto held = gibibytes("/proc/self/status", "VmSize:");
  if (!limit || !held) return std::nullopt;
  return MemoryLimit{.allowed = *limit, .held = *held};
}

}  // namespace cartwright::rt
