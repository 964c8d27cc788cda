// SPDX-License-Identifier: Apache-2.0
#include "call_solver.hpp"

#include <fmt/format.h>

#include <cartwright/rt/failure.hpp>
#include <regex>
#include <stdexcept>

namespace cartwright::grid {

std::optional<std::string> refused_allocation(const std::string& text) {
  if (text.find("failed to allocate") == std::string::npos) return std::nullopt;
  std::smatch size, label;
  // "Allocation of size 7.451 G failed", from 4.5 on "failed to allocate 7.45 GiB (label=…"
  const std::regex size_pattern(R"((?:of size|to allocate) ([0-9.e+]+) ?([KMGT]?)(?:i?B)?\b)");
  const std::regex label_pattern(R"re(label[ =]"([^"]*)")re");
  std::string wanted = "Kokkos could not allocate memory";
  if (std::regex_search(text, size, size_pattern))
    wanted = fmt::format("Kokkos could not allocate {} {}", size.str(1),
                         size.length(2) > 0 ? size.str(2) + "iB" : "bytes");
  if (std::regex_search(text, label, label_pattern))
    wanted += fmt::format(" for '{}'", label.str(1));
  return wanted;
}

void call_solver(const SolverEntry& solver, Run& run) {
  try {
    solver.functions[static_cast<std::size_t>(run.options().dimensions()) - 1](run);
  } catch (const std::runtime_error& fault) {
    // Views throw these, and no type of their own tells them from others.
    if (const auto wanted = refused_allocation(fault.what())) throw rt::out_of_memory(*wanted);
    throw;
  }
}

}  // namespace cartwright::grid
