// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <string_view>

namespace cartwright::rt {

/// Which rank of a node says why the run ends, also before the ranks know each other: lines in a
/// file that they all see. It is the launcher's (CARTWRIGHT_VERDICT), which believes in no end of
/// which nothing stands there, or lies in the folder that Open MPI or Slurm keeps for a job on a
/// node, and removes. No function allocates or needs MPI: signal handlers may call them.
class Speaker {
 public:
  enum class Turn { mine, of_others, unknown };

  /// Looks at the environment.
  Speaker() noexcept;

  /// The first process of its node that asks has the turn, and keeps it. Unknown: there is no such
  /// file, or it can't be written.
  [[nodiscard]] Turn claim() const noexcept;
  /// The run has gone well, or was ended by its watcher (for the launcher).
  void note_finished() const noexcept;
  void note_ended() const noexcept;
  /// This rank has said why the run ends.
  void note_failed(int code) const noexcept;
  /// Until a rank of this node has said why, but no longer than two seconds: who ends before would
  /// make mpirun end it in the middle.
  void await_failed() const noexcept;
  /// Is this another node than mpirun's, and does a rank there say why within two seconds? Its
  /// words arrive for certain; those of other nodes may not. False without the launcher, which
  /// names it.
  [[nodiscard]] bool mpirun_node_speaks() const noexcept;

 private:
  void name_node() noexcept;
  [[nodiscard]] std::string_view name() const noexcept { return {name_.data()}; }
  [[nodiscard]] int open_file() const noexcept;
  [[nodiscard]] bool write_line(int file, std::string_view word,
                                std::string_view more) const noexcept;
  void note(std::string_view word, std::string_view more) const noexcept;
  void await_failed(std::string_view node) const noexcept;
  [[nodiscard]] bool has_failed(std::string_view node) const noexcept;  ///< "NODE/"

  std::array<char, 4096> path_{};  ///< empty: there is none
  std::array<char, 128> name_{};   ///< of this process: "NODE/NUMBER"
  std::size_t node_size_ = 0;      ///< of "NODE/"
  bool is_the_launchers_ = false;
};

}  // namespace cartwright::rt
