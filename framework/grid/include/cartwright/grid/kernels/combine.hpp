// SPDX-License-Identifier: Apache-2.0
// What reductions of kernels say to other ranks, without comm's templates: solvers include this.
#pragma once

#include <cartwright/comm/calls/call_site.hpp>
#include <cartwright/comm/elements/binned_sum.hpp>
#include <cartwright/comm/elements/operator.hpp>
#include <cartwright/comm/elements/scalar_type.hpp>
#include <cartwright/comm/pending.hpp>
#include <span>

namespace cartwright::comm {
class CartComm;
}

namespace cartwright::grid {

/// Collective. Every element becomes the combination of all ranks' elements at its place.
void combine_across_ranks(const comm::CartComm& comm, std::span<comm::BinnedSum> sums,
                          comm::CallSite site);
void combine_across_ranks(const comm::CartComm& comm, const comm::Values& values, comm::Operator op,
                          comm::CallSite site);

/// The same, started: the elements must stay until it is complete.
[[nodiscard]] comm::Pending start_combining_across_ranks(const comm::CartComm& comm,
                                                         std::span<comm::BinnedSum> sums,
                                                         comm::CallSite site);
[[nodiscard]] comm::Pending start_combining_across_ranks(const comm::CartComm& comm,
                                                         const comm::Values& values,
                                                         comm::Operator op, comm::CallSite site);

}  // namespace cartwright::grid
