// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/comm/selection/decision.hpp>
#include <cartwright/comm/transport/copy_thresholds.hpp>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace cartwright::comm {

/// What is quick where nothing was measured: rules, which are data. Those of the library can be
/// replaced by a site's own (a file that CARTWRIGHT_TUNING names). The text explains itself.
class DefaultTuning {
 public:
  /// The library's own, and their text.
  [[nodiscard]] static const std::shared_ptr<const DefaultTuning>& of_library();
  [[nodiscard]] static std::string_view text_of_library() noexcept;
  /// Throws an input error that names `source` for anything but such rules, and where they leave an
  /// operation out.
  [[nodiscard]] static DefaultTuning from_json(std::string_view text, const std::string& source);

  /// Through the memory of a node. `far_cores`: cache lines take long between them.
  [[nodiscard]] plan::Choice choose(const plan::Problem& problem, bool far_cores) const;
  /// For calls that are waited for later, where ranks poll rarely: what moves whole messages, in
  /// few steps, in place of a choice that doesn't.
  [[nodiscard]] plan::Choice in_whole_messages(const plan::Problem& problem,
                                               const plan::Choice& choice, BackendId backend) const;
  /// Large broadcasts: from three receivers on they share staged pieces in shared memory, for each
  /// of which the sender must poll. What waits for later polls too rarely for that; and for one
  /// receiver messages were measured to take as long.
  [[nodiscard]] bool wants_messages(const plan::Problem& problem) const;
  /// How messages go through the memory of a node.
  [[nodiscard]] const CopyThresholds& copies(bool ranks_have_cores) const noexcept {
    return ranks_have_cores ? copies_of_own_cores_ : copies_of_shared_cores_;
  }
  /// Cores are far if cache lines take longer than this between them; seconds.
  [[nodiscard]] double far_cores_from() const noexcept { return far_cores_from_; }

 private:
  /// For whom algorithms are named; the first that works for a problem is taken.
  struct Rule {
    plan::Operation operation = plan::Operation::barrier;
    int least_ranks = 1;
    int most_ranks = std::numeric_limits<int>::max();
    plan::Count from_bytes = 0;
    plan::Count below_bytes = std::numeric_limits<plan::Count>::max();
    std::optional<bool> far_cores{};
    std::optional<BackendId> backend{};
    std::vector<std::string> algorithms;  ///< with gaps to be filled: "pipeline({pieces:4096})"
  };
  class Reader;

  [[nodiscard]] static std::optional<plan::Choice> first_that_works(const std::vector<Rule>& rules,
                                                                    const plan::Problem& problem,
                                                                    bool far_cores,
                                                                    BackendId backend);
  void require_all() const;

  std::vector<Rule> rules_;
  std::vector<Rule> whole_messages_;
  plan::Count messages_from_ = 0;
  CopyThresholds copies_of_own_cores_, copies_of_shared_cores_;
  double far_cores_from_ = 0;
};

/// Whether a broadcast or a reduction cuts its data into parts, each of which is passed on when its
/// rank polls.
[[nodiscard]] bool goes_in_pieces(const plan::Choice& choice);

}  // namespace cartwright::comm
