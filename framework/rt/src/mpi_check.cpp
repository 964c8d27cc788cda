// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <mpi.h>

#include <array>
#include <cartwright/rt/error.hpp>
#include <cartwright/rt/mpi_check.hpp>
#include <string>
#include <string_view>

namespace cartwright::rt {
namespace {

std::string mpi_text(int return_code) {
  std::array<char, MPI_MAX_ERROR_STRING> text{};
  int length = 0;
  if (!mpi_is_running() || MPI_Error_string(return_code, text.data(), &length) != MPI_SUCCESS) {
    return fmt::format("error code {}", return_code);
  }
  return {text.data(), static_cast<std::size_t>(length)};
}

std::string_view base_name(std::string_view path) {
  return path.substr(path.rfind('/') + 1);
}

}  // namespace

void mpi_fail(int return_code, const char* call, const char* file, int line) {
  throw internal_failure(
      fmt::format("{} failed: {} ({}:{})", call, mpi_text(return_code), base_name(file), line),
      "This is a fault of the MPI installation, of the network or of the program, "
      "not of the input.");
}

bool mpi_is_running() noexcept {
  int started = 0;
  int finalised = 0;
  return MPI_Initialized(&started) == MPI_SUCCESS && started != 0 &&
         MPI_Finalized(&finalised) == MPI_SUCCESS && finalised == 0;
}

}  // namespace cartwright::rt
