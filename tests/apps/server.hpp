// SPDX-License-Identifier: Apache-2.0
// Runs without their start-up: processes (campaign_server) that start MPI and Kokkos once, and
// carry out one command line after the other by the very function that main calls.
#pragma once

#include <sys/types.h>

#include <optional>
#include <string>

#include "pde_program.hpp"

namespace pde_test {

/// `ranks` processes that wait for command lines. Throws where they don't start.
class Server {
 public:
  /// By the words in the variables MPIRUN and SERVER of the environment; what they print goes to
  /// files in `folder`, which exists.
  Server(int ranks, const std::string& folder);
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;
  ~Server();
  /// Carries out a command line, of words as a shell reads them, in this process' folder. What a
  /// run ends with that takes its processes with it is their exit code; they are gone then.
  Result run(const std::string& program, const std::string& arguments);
  [[nodiscard]] bool is_gone() const { return process_ < 0; }

 private:
  void start(const std::string& command);
  std::optional<std::string> answer();
  int end();
  [[nodiscard]] std::string text() const;

  int ranks_;
  std::string folder_;
  pid_t process_ = -1;
  int input_ = -1, output_ = -1;
  std::string said_;  // beside answers: by mpirun
};

}  // namespace pde_test
