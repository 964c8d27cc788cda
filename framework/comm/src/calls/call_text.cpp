// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <cartwright/comm/calls/call_text.hpp>
#include <string_view>

namespace cartwright::comm {

std::string describe(const CallSite& site) {
  std::string_view file = site.file;
  if (file.empty()) return "a place that is not known";
  if (const auto slash = file.rfind('/'); slash != std::string_view::npos) {
    file.remove_prefix(slash + 1);
  }
  return fmt::format("{}:{}", file, site.line);
}

std::string describe(const Call& call) {
  return fmt::format("{} at {}", plan::name_of(call.operation), describe(call.site));
}

}  // namespace cartwright::comm
