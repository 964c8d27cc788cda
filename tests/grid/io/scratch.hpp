// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>
#include <unistd.h>
#include <cartwright/rt/communicator.hpp>
#include <cartwright/rt/error.hpp>

#include <array>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include "team.hpp"

namespace cartwright::grid::test {

/// A directory for one test, the same on all ranks, removed at the end. Collective.
class Scratch {
 public:
  explicit Scratch(const rt::Communicator& comm) : comm_(comm) {
    std::array<char, 256> name{};
    if (comm.is_root()) {
      const std::string pattern =
          (std::filesystem::temp_directory_path() / "cartwright_io_XXXXXX").string();
      pattern.copy(name.data(), name.size() - 1);
      if (mkdtemp(name.data()) == nullptr) name.fill('\0');
    }
    MPI_Bcast(name.data(), static_cast<int>(name.size()), MPI_CHAR, 0, comm.handle());
    path_ = name.data();
  }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;
  ~Scratch() {
    MPI_Barrier(comm_.handle());
    std::error_code ignored;
    if (comm_.is_root()) std::filesystem::remove_all(path_, ignored);
  }
  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

 private:
  const rt::Communicator& comm_;
  std::filesystem::path path_;
};

inline std::string contents(const std::filesystem::path& file) {
  std::ifstream stream(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

inline void put(const std::filesystem::path& file, const std::string& text) {
  std::ofstream(file, std::ios::binary) << text;
}

/// The text of the error that `action` must throw on every rank together, with its advice.
template <class Action>
std::string refusal(const Action& action, rt::ExitCode code = rt::ExitCode::input_error) {
  try {
    action();
  } catch (const rt::Error& error) {
    EXPECT_EQ(error.code(), code) << error.what();
    EXPECT_EQ(error.reach(), rt::Reach::all_ranks) << error.what();
    return std::string(error.what()) + " | " + error.advice();
  }
  ADD_FAILURE() << "nothing was thrown";
  return {};
}

}  // namespace cartwright::grid::test
