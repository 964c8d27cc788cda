// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/comm/operator.hpp>
#include <cartwright/comm/scalar_type.hpp>
#include <cartwright/rt/communicator.hpp>
#include <cartwright/rt/request.hpp>
#include <memory>
#include <string_view>

namespace cartwright::comm {

/// Carries out collectives: one virtual call each. Counts and types agree on all ranks; a count of
/// zero does nothing and does not synchronise; counts beyond MPI's int are split.
/// Blocking forms return when this rank is done; `start_…` forms hand back an operation for the
/// progress engine, or null when nothing is to be done. Memory must live until completion.
class Backend {
 public:
  Backend() = default;
  Backend(const Backend&) = delete;
  Backend& operator=(const Backend&) = delete;
  virtual ~Backend() = default;

  [[nodiscard]] virtual std::string_view name() const noexcept = 0;

  virtual void barrier(const rt::Communicator& comm) = 0;
  virtual void broadcast(const rt::Communicator& comm, Values values, rt::Rank root) = 0;
  /// In place on the root; other ranks' values are unchanged.
  virtual void reduce(const rt::Communicator& comm, Values values, Operator op, rt::Rank root) = 0;
  /// In place.
  virtual void allreduce(const rt::Communicator& comm, Values values, Operator op) = 0;

  using Started = std::unique_ptr<rt::Operation>;
  [[nodiscard]] virtual Started start_barrier(const rt::Communicator& comm) = 0;
  [[nodiscard]] virtual Started start_broadcast(const rt::Communicator& comm, Values values,
                                                rt::Rank root) = 0;
  [[nodiscard]] virtual Started start_reduce(const rt::Communicator& comm, Values values,
                                             Operator op, rt::Rank root) = 0;
  [[nodiscard]] virtual Started start_allreduce(const rt::Communicator& comm, Values values,
                                                Operator op) = 0;
};

/// "native"; "auto", which is `native` until there is more to choose from. Throws an input error
/// for names of backends that come later and for names that nobody knows.
[[nodiscard]] std::unique_ptr<Backend> make_backend(std::string_view name);

}  // namespace cartwright::comm
