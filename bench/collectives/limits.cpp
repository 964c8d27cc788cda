// SPDX-License-Identifier: Apache-2.0
#include "limits.hpp"

#include <fmt/format.h>

#include <thread>

namespace cartwright::bench {

namespace {

using enum plan::Operation;

std::optional<Limit> of_shared(plan::Operation operation, std::size_t bytes, int ranks,
                               bool have_cores) {
  const bool is_tiny = operation == allreduce && bytes == 8;
  if (is_tiny && ((ranks == 2 && have_cores) || (ranks >= 8 && !have_cores))) return Limit{0.5};
  const bool is_large = operation == allreduce || operation == reduce || operation == broadcast ||
                        operation == allgather;
  if (is_large && bytes == std::size_t{4} << 20 && ranks == 4) return Limit{0.8};
  return std::nullopt;
}

}  // namespace

std::string Limit::text() const {
  return seconds > 0 ? fmt::format("+{:.0f} ns", seconds * 1e9) : fmt::format("{:.2f}", ratio);
}

std::optional<Limit> limit_of(std::string_view backend, plan::Operation operation,
                              std::size_t bytes, int ranks, bool same) {
  const bool have_cores = ranks <= static_cast<int>(std::thread::hardware_concurrency());
  if (backend == "shared") return of_shared(operation, bytes, ranks, have_cores);
  if (backend == "p2p") return same ? std::optional(Limit{1.1}) : std::nullopt;
  if (backend != "auto") return std::nullopt;
  const bool is_small = bytes < 4096 || operation == barrier;
  if (!is_small) return Limit{1.05};
  if (have_cores) return Limit{1.0, 50e-9};
  return std::nullopt;
}

}  // namespace cartwright::bench
