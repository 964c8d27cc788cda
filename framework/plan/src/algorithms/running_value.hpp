// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/plan/builder.hpp>

namespace cartwright::plan {

/// A one-block value on its way from the contribution to the result. Each of its `changes` goes to
/// another buffer than the value before it, so that sends in flight needn't be waited for; the last
/// one goes to the output.
class RunningValue {
 public:
  RunningValue(Builder& build, int changes) : left_(changes), now_(build.input(0)) {
    const bool in_place = now_.buffer == Buffer::output;
    if (changes >= 2 || (in_place && changes == 1)) work_ = {build.scratch(0), 0, 1};
    if (in_place && changes % 2 == 1) {
      build.copy(now_, work_);
      now_ = work_;
    }
  }

  [[nodiscard]] Slice now() const { return now_; }
  /// Where the next value goes.
  [[nodiscard]] Slice next() const { return left_ % 2 == 1 ? Slice{Buffer::output, 0, 1} : work_; }
  void advance() {
    now_ = next();
    --left_;
  }

 private:
  int left_;
  Slice now_;
  Slice work_;
};

}  // namespace cartwright::plan
