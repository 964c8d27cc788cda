// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <cartwright/grid/root_only.hpp>
#include <cartwright/rt/error.hpp>
#include <cartwright/rt/failure.hpp>
#include <cartwright/rt/mpi_check.hpp>
#include <filesystem>
#include <new>
#include <optional>

namespace cartwright::grid {
namespace {

using rt::mpi_blocking;

struct Verdict {
  rt::ExitCode code = rt::ExitCode::internal_failure;
  std::string what;
  std::string advice;
};

std::optional<Verdict> attempt(const std::function<void()>& action) {
  try {
    action();
    return std::nullopt;
  } catch (const rt::Error& error) {
    return Verdict{error.code(), error.what(), error.advice()};
  } catch (const std::bad_alloc&) {
    return Verdict{rt::ExitCode::internal_failure, "out of memory while reading or writing files",
                   "Use more ranks on more nodes, or a smaller grid."};
  } catch (const std::filesystem::filesystem_error&) {
    const rt::Error error = rt::as_error(std::current_exception());
    return Verdict{error.code(), error.what(), error.advice()};
  } catch (const std::exception& error) {
    return Verdict{rt::ExitCode::internal_failure, error.what(), {}};
  }
}

void broadcast(const rt::Communicator& comm, std::string& text, int size, int root) {
  text.resize(static_cast<std::size_t>(size));
  mpi_blocking("MPI_Bcast", MPI_Bcast, text.data(), size, MPI_CHAR, root, comm.handle());
}

[[noreturn]] void throw_everywhere(const rt::Communicator& comm, const std::optional<Verdict>& mine,
                                   int root) {
  Verdict verdict = mine.value_or(Verdict{});
  std::array<int, 3> head{static_cast<int>(verdict.code), static_cast<int>(verdict.what.size()),
                          static_cast<int>(verdict.advice.size())};
  mpi_blocking("MPI_Bcast", MPI_Bcast, head.data(), 3, MPI_INT, root, comm.handle());
  broadcast(comm, verdict.what, head[1], root);
  broadcast(comm, verdict.advice, head[2], root);
  throw rt::Error(static_cast<rt::ExitCode>(head[0]), verdict.what, verdict.advice,
                  rt::Reach::all_ranks);
}

}  // namespace

void on_root(const rt::Communicator& comm, const std::function<void()>& action) {
  std::optional<Verdict> failure;
  if (comm.is_root()) failure = attempt(action);
  int failed = failure ? 1 : 0;
  mpi_blocking("MPI_Bcast", MPI_Bcast, &failed, 1, MPI_INT, 0, comm.handle());
  if (failed != 0) throw_everywhere(comm, failure, 0);
}

void on_all_ranks(const rt::Communicator& comm, const std::function<void()>& action) {
  const std::optional<Verdict> failure = attempt(action);
  const int mine = failure ? comm.rank().value : comm.size();
  int lowest = 0;
  mpi_blocking("MPI_Allreduce", MPI_Allreduce, &mine, &lowest, 1, MPI_INT, MPI_MIN, comm.handle());
  if (lowest < comm.size()) {
    const bool is_mine = lowest == comm.rank().value;
    throw_everywhere(comm, is_mine ? failure : std::nullopt, lowest);
  }
}

std::string from_root(const rt::Communicator& comm, std::string text) {
  auto size = static_cast<int>(text.size());
  mpi_blocking("MPI_Bcast", MPI_Bcast, &size, 1, MPI_INT, 0, comm.handle());
  broadcast(comm, text, size, 0);
  return text;
}

}  // namespace cartwright::grid
