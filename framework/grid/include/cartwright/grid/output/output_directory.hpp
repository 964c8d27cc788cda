// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/comm/collectives.hpp>
#include <filesystem>
#include <optional>

namespace cartwright::grid {

/// Where results go: as asked for, else out/ and the deck's name without its ending, made into the
/// name of a visible directory in out/ whatever the deck is called.
[[nodiscard]] std::filesystem::path results_directory(const std::string& asked_for,
                                                      const std::string& deck_name);

/// The directory of one run's results, held by a lock (`.lock`, flock) while this object lives, so
/// that no two runs write into it.
class OutputDirectory {
 public:
  /// Collective. A new run sets an existing directory aside as NAME.1 (NAME.2, …); a restart goes
  /// on in it. Throws `rt::Error` (input error, all ranks) where it is in use by another run,
  /// read-only, full, not a directory, not visible on every node, or, for a restart, absent.
  [[nodiscard]] static OutputDirectory prepare(const comm::Collectives& comm,
                                               const std::filesystem::path& path, bool restart);
  /// Collective. Refuses what prepare() would refuse, as far as that can be told without writing.
  static void require_usable(const comm::Collectives& comm, const std::filesystem::path& path,
                             bool restart);

  OutputDirectory(const OutputDirectory&) = delete;
  OutputDirectory& operator=(const OutputDirectory&) = delete;
  OutputDirectory(OutputDirectory&& other) noexcept;
  OutputDirectory& operator=(OutputDirectory&& other) noexcept;
  ~OutputDirectory();

  [[nodiscard]] const std::filesystem::path& path() const noexcept { return path_; }
  /// Where an earlier run's results were moved to, if there were any.
  [[nodiscard]] const std::optional<std::filesystem::path>& set_aside() const noexcept {
    return set_aside_;
  }
  [[nodiscard]] std::filesystem::path fields() const { return path_ / "fields"; }
  [[nodiscard]] std::filesystem::path pictures() const { return path_ / "pictures"; }
  [[nodiscard]] std::filesystem::path checkpoints() const { return path_ / "checkpoints"; }
  [[nodiscard]] std::filesystem::path diagnostics() const { return path_ / "diagnostics.csv"; }

 private:
  OutputDirectory() = default;

  std::filesystem::path path_;
  std::optional<std::filesystem::path> set_aside_;
  int lock_ = -1;
};

}  // namespace cartwright::grid
