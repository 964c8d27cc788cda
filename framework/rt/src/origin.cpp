// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <cartwright/rt/origin.hpp>

namespace cartwright::rt {

std::string Origin::place() const {
  if (kind == Kind::deck && line > 0) return fmt::format("{}:{}:{}", name, line, column);
  return kind == Kind::deck ? name : source();
}

std::string Origin::source() const {
  switch (kind) {
    case Kind::deck:
      return line > 0 ? fmt::format("{}:{}", name, line) : name;
    case Kind::environment:
      return "environment " + name;
    case Kind::command_line:
      return "command line";
    case Kind::standard:
      break;
  }
  return "default";
}

}  // namespace cartwright::rt
