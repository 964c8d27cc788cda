// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>
#include <vector>

namespace cartwright::bench {

struct PredictCase {
  std::string name;  ///< of the solver
  std::string program;
  std::string deck;       ///< in inputs
  std::string overrides;  ///< as on a command line
};

/// Seconds of a step, by part; "step" is the whole.
struct StepParts {
  std::map<std::string, double> seconds;
  [[nodiscard]] double of(const std::string& part) const;
  [[nodiscard]] std::vector<std::string> names() const;
};

struct Round {
  StepParts predicted, real;
};

/// The solver's program and the one that predicts, started as users start them, in a folder of
/// their own that is removed at the end.
class Programs {
 public:
  Programs();
  Programs(const Programs&) = delete;
  Programs& operator=(const Programs&) = delete;
  ~Programs();

  /// Runs the deck on one or two ranks (the report says how long output takes here), measures its
  /// loop, predicts and runs. `crowded`: ranks share cores; waits then count as kernels. Throws a
  /// std::runtime_error with what a program said.
  [[nodiscard]] Round round(const PredictCase& deck, int ranks, bool crowded) const;

 private:
  [[nodiscard]] std::string arguments(const PredictCase& deck, const std::string& output) const;
  void run(const PredictCase& deck, int ranks, bool crowded, const std::string& output) const;

  std::string folder_;
};

}  // namespace cartwright::bench
