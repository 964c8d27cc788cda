// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/comm/collectives.hpp>
#include <memory>
#include <string>

#include "call.hpp"

namespace cartwright::campaign {

/// One call of a random program: begun, perhaps left under way, ended, and then compared with the
/// model.
class Trial {
 public:
  virtual ~Trial() = default;
  virtual void begin() = 0;
  virtual bool test() = 0;
  virtual void end() = 0;
  /// What is wrong; empty if nothing is.
  [[nodiscard]] virtual std::string fault() const = 0;
};

[[nodiscard]] std::unique_ptr<Trial> make_trial(const comm::Collectives& collectives,
                                                const Call& call);

}  // namespace cartwright::campaign
