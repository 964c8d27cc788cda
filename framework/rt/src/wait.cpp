// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <cartwright/rt/wait.hpp>
#include <string_view>

namespace cartwright::rt {

std::string describe(const WaitSite& site) {
  std::string_view file = site.file == nullptr ? "" : site.file;
  if (file.empty()) return site.name;
  file.remove_prefix(file.rfind('/') + 1);
  return fmt::format("{} ({}:{})", site.name, file, site.line);
}

}  // namespace cartwright::rt
