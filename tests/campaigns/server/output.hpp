// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdio>
#include <string>

namespace cartwright::campaign {

/// What this process prints goes to a file from here on, appended, also when it crashes; answers to
/// the campaign go where its standard output went before.
class Output {
 public:
  explicit Output(const std::string& file);
  Output(const Output&) = delete;
  Output& operator=(const Output&) = delete;
  ~Output();

  void answer(const std::string& line) const;

 private:
  std::FILE* campaign_;
};

}  // namespace cartwright::campaign
