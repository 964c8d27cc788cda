// SPDX-License-Identifier: Apache-2.0
// A profiler that speaks Kokkos Tools: writes, for each region, its name and how often it began, to
// $REGIONS.<pid>; an end without a beginning, or a beginning without an end, as `unbalanced`.
#include <unistd.h>

#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <map>
#include <string>

namespace {

std::map<std::string, int> begun;
int depth = 0;
bool is_balanced = true;

}  // namespace

extern "C" {

void kokkosp_init_library(int, std::uint64_t, std::uint32_t, void*) {}

void kokkosp_push_profile_region(const char* name) {
  ++begun[name];
  ++depth;
}

void kokkosp_pop_profile_region() {
  --depth;
  is_balanced = is_balanced && depth >= 0;
}

void kokkosp_finalize_library() {
  const char* const place = std::getenv("REGIONS");  // NOLINT(concurrency-mt-unsafe)
  if (place == nullptr) return;
  std::ofstream out(std::string(place) + "." + std::to_string(getpid()));
  for (const auto& [name, times] : begun) out << times << ' ' << name << '\n';
  if (!is_balanced || depth != 0) out << "unbalanced\n";
}
}
