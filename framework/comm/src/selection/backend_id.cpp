// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cartwright/comm/selection/backend_id.hpp>
#include <cartwright/rt/error.hpp>
#include <cstddef>
#include <string>

namespace cartwright::comm {

namespace {

/// "native (the MPI library's own collectives), … or auto (the quickest)".
std::string names_of_all() {
  std::string names;
  const auto all = all_backends();
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (i > 0) names += i + 1 < all.size() ? ", " : " or ";
    names += fmt::format("{} ({})", all[i].name, all[i].about);
  }
  return names;
}

}  // namespace

const BackendTraits& traits_of(BackendId backend) noexcept {
  return all_backends()[static_cast<std::size_t>(backend)];
}

std::string_view name_of(BackendId backend) noexcept {
  return traits_of(backend).name;
}

std::optional<BackendId> backend_named(std::string_view name) noexcept {
  const auto found = std::ranges::find(all_backends(), name, &BackendTraits::name);
  if (found == all_backends().end()) return std::nullopt;
  return found->id;
}

BackendId known_backend(std::string_view name) {
  if (const auto backend = backend_named(name)) return *backend;
  throw rt::input_error(fmt::format("comm.backend: there is no backend '{}'", name),
                        fmt::format("Use {}.", names_of_all()), rt::Reach::all_ranks);
}

}  // namespace cartwright::comm
