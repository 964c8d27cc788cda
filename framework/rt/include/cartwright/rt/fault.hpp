// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/rt/error.hpp>
#include <cartwright/rt/origin.hpp>
#include <string>
#include <vector>

namespace cartwright::rt {

/// Something that the user should mend, and where.
struct Fault {
  Origin origin;
  std::string text;

  [[nodiscard]] std::string message() const { return origin.place() + ": " + text; }
};

/// Gathers faults, so that all are reported at once.
class Faults {
 public:
  void add(Origin origin, std::string text) {
    faults_.push_back({std::move(origin), std::move(text)});
  }
  [[nodiscard]] bool empty() const noexcept { return faults_.empty(); }
  [[nodiscard]] std::size_t size() const noexcept { return faults_.size(); }
  /// The text of the one added first, without its place; empty if there is none.
  [[nodiscard]] std::string first() const { return faults_.empty() ? "" : faults_.front().text; }
  /// Throws one input error (met by all ranks) that lists them by place, if there are any.
  void throw_if_any(const std::string& file_name) const;

 private:
  std::vector<Fault> faults_;
};

}  // namespace cartwright::rt
