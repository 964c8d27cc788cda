// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <cartwright/grid/output/root_only.hpp>
#include <cartwright/rt/error.hpp>
#include <cartwright/rt/failure.hpp>
#include <filesystem>
#include <new>
#include <optional>

namespace cartwright::grid {
namespace {

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

/// The root's text, of a length that all ranks know.
void broadcast(const comm::Collectives& comm, std::string& text, std::size_t size, rt::Rank root,
               comm::CallSite site) {
  text.resize(size);
  comm.broadcast(text, root, site);
}

[[noreturn]] void throw_everywhere(const comm::Collectives& comm,
                                   const std::optional<Verdict>& mine, rt::Rank root,
                                   comm::CallSite site) {
  Verdict verdict = mine.value_or(Verdict{});
  std::array<std::size_t, 3> head{static_cast<std::size_t>(verdict.code), verdict.what.size(),
                                  verdict.advice.size()};
  comm.broadcast(head, root, site);
  broadcast(comm, verdict.what, head[1], root, site);
  broadcast(comm, verdict.advice, head[2], root, site);
  throw rt::Error(static_cast<rt::ExitCode>(head[0]), verdict.what, verdict.advice,
                  rt::Reach::all_ranks);
}

}  // namespace

void on_root(const comm::Collectives& comm, const std::function<void()>& action,
             comm::CallSite site) {
  const rt::Rank root{0};
  std::optional<Verdict> failure;
  if (comm.communicator().is_root()) failure = attempt(action);
  if (comm.broadcast(failure.has_value(), root, site)) throw_everywhere(comm, failure, root, site);
}

void on_all_ranks(const comm::Collectives& comm, const std::function<void()>& action,
                  comm::CallSite site) {
  const std::optional<Verdict> failure = attempt(action);
  const int me = comm.communicator().rank().value;
  const int ranks = comm.communicator().size();
  const int lowest = comm.allreduce(failure ? me : ranks, comm::Operator::minimum, site);
  if (lowest < ranks)
    throw_everywhere(comm, lowest == me ? failure : std::nullopt, rt::Rank{lowest}, site);
}

std::string from_root(const comm::Collectives& comm, std::string text, comm::CallSite site) {
  const rt::Rank root{0};
  broadcast(comm, text, comm.broadcast(text.size(), root, site), root, site);
  return text;
}

}  // namespace cartwright::grid
