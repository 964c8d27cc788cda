// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/grid/output/checkpoint.hpp>

#include <cstdint>
#include <string>
#include <vector>

#include "content_hash.hpp"

namespace cartwright::grid {

/// What a checkpoint's seal says.
struct CheckpointRecord {
  struct Dataset {
    std::string name;
    std::string kind;  ///< centring, type and components, in words
    std::uint64_t hash = 0;
    long long offset = 0;  ///< of its numbers in the file
    long long bytes = 0;
    friend bool operator==(const Dataset&, const Dataset&) = default;
  };
  CheckpointState state;
  std::vector<std::string> grid;  ///< sentences that must be the same on restart
  std::map<std::string, std::string> must_match;
  std::vector<Dataset> datasets;
  std::uint64_t metadata_hash = 0;  ///< of the file's bytes outside of datasets

  [[nodiscard]] std::string text() const;
  /// Throws std::exception if `text` is not a record.
  [[nodiscard]] static CheckpointRecord parse(const std::string& text);
  [[nodiscard]] FileRanges data_ranges() const;
};

/// "extent 64 x 64", "periodic no, yes", …
[[nodiscard]] std::vector<std::string> grid_sentences(const GridDescription& grid);

/// "cell-centred float64, 3 components"
[[nodiscard]] std::string kind_of(const DatasetPlan& plan);

/// How settings differ, but for the solver: one sentence each.
[[nodiscard]] std::vector<std::string> changed_settings(std::map<std::string, std::string> there,
                                                        std::map<std::string, std::string> here);

/// How the record differs from what a restart needs: one sentence each.
[[nodiscard]] std::vector<std::string> differences(
    const CheckpointRecord& record, const GridDescription& grid,
    const std::map<std::string, std::string>& must_match, const std::vector<DatasetPlan>& fields,
    const std::vector<SavedNumbers>& numbers);

}  // namespace cartwright::grid
