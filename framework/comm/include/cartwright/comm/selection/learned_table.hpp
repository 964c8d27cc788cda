// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/comm/selection/tuning_table.hpp>
#include <string>
#include <vector>

namespace cartwright::comm {

/// What runs have learned on some hosts (comm.learn): by communicator and key, who was the quickest
/// while candidates took turns.
class LearnedTable {
 public:
  struct Entry {
    CommunicatorShape shape;
    CallKey key;  ///< of epoch 0
    BackendId backend = BackendId::native;
    std::string algorithm;     ///< "ring"; empty for native
    double seconds = 0;        ///< least duration of the winner, on the slowest rank
    double usual_seconds = 0;  ///< that of who is asked where nothing was learned
  };

  /// In place of what is known of that communicator and key.
  void add(Entry entry);
  void add(const LearnedTable& newer);
  [[nodiscard]] bool empty() const { return entries_.empty(); }
  [[nodiscard]] const std::vector<Entry>& entries() const { return entries_; }
  /// Null: never learned. The epoch doesn't count.
  [[nodiscard]] const Entry* find(const CommunicatorShape& shape, const CallKey& key) const;

  [[nodiscard]] std::string to_json() const;
  /// Throws an input error that names `source` when the text isn't such a table.
  [[nodiscard]] static LearnedTable from_json(const std::string& text, const std::string& source);

 private:
  std::vector<Entry> entries_;
};

}  // namespace cartwright::comm
