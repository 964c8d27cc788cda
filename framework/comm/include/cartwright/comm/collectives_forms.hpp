// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/comm/collectives.hpp>
#include <vector>

/// The forms of the collectives: buffers are checked and become a call, which is run, started or
/// kept. Nothing in here is worth reading for a user of them.
namespace cartwright::comm {

namespace detail {

template <class T>
[[nodiscard]] Arguments arguments_of(plan::Operation operation, CallSite site) {
  return {.call = {.operation = operation, .element = element_of<T>(), .site = site}};
}

/// Of a collective with one buffer.
template <class Data>
[[nodiscard]] Arguments arguments_for(plan::Operation operation, CallSite site) {
  must_be_transferable<ElementOf<Data>>();
  must_outlive_call<Data>();
  return arguments_of<ElementOf<Data>>(operation, site);
}
template <class Data, class Op>
[[nodiscard]] Arguments arguments_for(plan::Operation operation, const Op& op, CallSite site) {
  Arguments arguments = arguments_for<Data>(operation, site);
  arguments.call.reduction = reduction_of<ElementOf<Data>>(op);
  return arguments;
}

/// Of a collective with two.
template <class Input, class Output>
constexpr void must_fit() {
  must_be_transferable<ElementOf<Input>>();
  must_have_same_elements<Input, Output>();
}

}  // namespace detail

inline Pending Collectives::start_barrier(At at) const {
  return start({.call = {.site = at}});
}
inline Persistent Collectives::prepare_barrier(At at) const {
  return prepare({.call = {.site = at}});
}

// Broadcast and reductions.

inline void Collectives::broadcast(Buffer auto&& data, rt::Rank root, At at) const {
  auto arguments = detail::arguments_for<decltype(data)>(plan::Operation::broadcast, at);
  arguments.call.root = root;
  detail::fill_broadcast(arguments, *comm_, detail::output_memory(data));
  run(arguments);
}
inline Pending Collectives::start_broadcast(Buffer auto&& data, rt::Rank root, At at) const {
  auto arguments = detail::arguments_for<decltype(data)>(plan::Operation::broadcast, at);
  arguments.call.root = root;
  detail::fill_broadcast(arguments, *comm_, detail::output_memory(data));
  return start(arguments);
}
inline Persistent Collectives::prepare_broadcast(Buffer auto&& data, rt::Rank root, At at) const {
  auto arguments = detail::arguments_for<decltype(data)>(plan::Operation::broadcast, at);
  arguments.call.root = root;
  detail::fill_broadcast(arguments, *comm_, detail::output_memory(data));
  return prepare(arguments);
}
template <class T>
requires(!Buffer<T>) T Collectives::broadcast(const T& value, rt::Rank root, At at)
const {
  T result = value;
  broadcast(std::span<T>(&result, 1), root, at);
  return result;
}
inline void Collectives::reduce(const Buffer auto& input, Buffer auto&& output, auto op,
                                rt::Rank root, At at) const {
  detail::must_fit<decltype(input), decltype(output)>();
  auto arguments = detail::arguments_for<decltype(output)>(plan::Operation::reduce, op, at);
  arguments.call.root = root;
  detail::fill_reduce(arguments, *comm_, detail::input_memory(input),
                      detail::output_memory(output));
  run(arguments);
}
inline Pending Collectives::start_reduce(Buffer auto&& input, Buffer auto&& output, auto op,
                                         rt::Rank root, At at) const {
  detail::must_fit<decltype(input), decltype(output)>();
  detail::must_outlive_call<decltype(input)>();
  const detail::KeptOperator kept(std::move(op));
  auto arguments = detail::arguments_for<decltype(output)>(plan::Operation::reduce, kept.get(), at);
  arguments.call.root = root;
  detail::fill_reduce(arguments, *comm_, detail::input_memory(input),
                      detail::output_memory(output));
  return start(arguments, kept.keeper());
}
inline Persistent Collectives::prepare_reduce(Buffer auto&& input, Buffer auto&& output, auto op,
                                              rt::Rank root, At at) const {
  detail::must_fit<decltype(input), decltype(output)>();
  detail::must_outlive_call<decltype(input)>();
  const detail::KeptOperator kept(std::move(op));
  auto arguments = detail::arguments_for<decltype(output)>(plan::Operation::reduce, kept.get(), at);
  arguments.call.root = root;
  detail::fill_reduce(arguments, *comm_, detail::input_memory(input),
                      detail::output_memory(output));
  return prepare(arguments, kept.keeper());
}
inline void Collectives::reduce(Buffer auto&& in_out, auto op, rt::Rank root, At at) const {
  auto arguments = detail::arguments_for<decltype(in_out)>(plan::Operation::reduce, op, at);
  arguments.call.root = root;
  detail::fill_reduce_in_place(arguments, *comm_, detail::output_memory(in_out));
  run(arguments);
}
inline Pending Collectives::start_reduce(Buffer auto&& in_out, auto op, rt::Rank root,
                                         At at) const {
  const detail::KeptOperator kept(std::move(op));
  auto arguments = detail::arguments_for<decltype(in_out)>(plan::Operation::reduce, kept.get(), at);
  arguments.call.root = root;
  detail::fill_reduce_in_place(arguments, *comm_, detail::output_memory(in_out));
  return start(arguments, kept.keeper());
}
inline Persistent Collectives::prepare_reduce(Buffer auto&& in_out, auto op, rt::Rank root,
                                              At at) const {
  const detail::KeptOperator kept(std::move(op));
  auto arguments = detail::arguments_for<decltype(in_out)>(plan::Operation::reduce, kept.get(), at);
  arguments.call.root = root;
  detail::fill_reduce_in_place(arguments, *comm_, detail::output_memory(in_out));
  return prepare(arguments, kept.keeper());
}
inline void Collectives::allreduce(const Buffer auto& input, Buffer auto&& output, auto op,
                                   At at) const {
  detail::must_fit<decltype(input), decltype(output)>();
  auto arguments = detail::arguments_for<decltype(output)>(plan::Operation::allreduce, op, at);
  detail::fill_vector(arguments, detail::input_memory(input), detail::output_memory(output));
  run(arguments);
}
inline Pending Collectives::start_allreduce(Buffer auto&& input, Buffer auto&& output, auto op,
                                            At at) const {
  detail::must_fit<decltype(input), decltype(output)>();
  detail::must_outlive_call<decltype(input)>();
  const detail::KeptOperator kept(std::move(op));
  auto arguments =
      detail::arguments_for<decltype(output)>(plan::Operation::allreduce, kept.get(), at);
  detail::fill_vector(arguments, detail::input_memory(input), detail::output_memory(output));
  return start(arguments, kept.keeper());
}
inline Persistent Collectives::prepare_allreduce(Buffer auto&& input, Buffer auto&& output, auto op,
                                                 At at) const {
  detail::must_fit<decltype(input), decltype(output)>();
  detail::must_outlive_call<decltype(input)>();
  const detail::KeptOperator kept(std::move(op));
  auto arguments =
      detail::arguments_for<decltype(output)>(plan::Operation::allreduce, kept.get(), at);
  detail::fill_vector(arguments, detail::input_memory(input), detail::output_memory(output));
  return prepare(arguments, kept.keeper());
}
inline void Collectives::allreduce(Buffer auto&& in_out, auto op, At at) const {
  auto arguments = detail::arguments_for<decltype(in_out)>(plan::Operation::allreduce, op, at);
  detail::fill_vector_in_place(arguments, detail::output_memory(in_out));
  run(arguments);
}
inline Pending Collectives::start_allreduce(Buffer auto&& in_out, auto op, At at) const {
  const detail::KeptOperator kept(std::move(op));
  auto arguments =
      detail::arguments_for<decltype(in_out)>(plan::Operation::allreduce, kept.get(), at);
  detail::fill_vector_in_place(arguments, detail::output_memory(in_out));
  return start(arguments, kept.keeper());
}
inline Persistent Collectives::prepare_allreduce(Buffer auto&& in_out, auto op, At at) const {
  const detail::KeptOperator kept(std::move(op));
  auto arguments =
      detail::arguments_for<decltype(in_out)>(plan::Operation::allreduce, kept.get(), at);
  detail::fill_vector_in_place(arguments, detail::output_memory(in_out));
  return prepare(arguments, kept.keeper());
}
template <class T>
requires(!Buffer<T>) T Collectives::allreduce(const T& value, auto op, At at)
const {
  T result = value;
  allreduce(std::span<T>(&result, 1), std::move(op), at);
  return result;
}
inline void Collectives::scan(const Buffer auto& input, Buffer auto&& output, auto op,
                              At at) const {
  detail::must_fit<decltype(input), decltype(output)>();
  auto arguments = detail::arguments_for<decltype(output)>(plan::Operation::scan, op, at);
  detail::fill_vector(arguments, detail::input_memory(input), detail::output_memory(output));
  run(arguments);
}
inline Pending Collectives::start_scan(Buffer auto&& input, Buffer auto&& output, auto op,
                                       At at) const {
  detail::must_fit<decltype(input), decltype(output)>();
  detail::must_outlive_call<decltype(input)>();
  const detail::KeptOperator kept(std::move(op));
  auto arguments = detail::arguments_for<decltype(output)>(plan::Operation::scan, kept.get(), at);
  detail::fill_vector(arguments, detail::input_memory(input), detail::output_memory(output));
  return start(arguments, kept.keeper());
}
inline Persistent Collectives::prepare_scan(Buffer auto&& input, Buffer auto&& output, auto op,
                                            At at) const {
  detail::must_fit<decltype(input), decltype(output)>();
  detail::must_outlive_call<decltype(input)>();
  const detail::KeptOperator kept(std::move(op));
  auto arguments = detail::arguments_for<decltype(output)>(plan::Operation::scan, kept.get(), at);
  detail::fill_vector(arguments, detail::input_memory(input), detail::output_memory(output));
  return prepare(arguments, kept.keeper());
}
inline void Collectives::scan(Buffer auto&& in_out, auto op, At at) const {
  auto arguments = detail::arguments_for<decltype(in_out)>(plan::Operation::scan, op, at);
  detail::fill_vector_in_place(arguments, detail::output_memory(in_out));
  run(arguments);
}
inline Pending Collectives::start_scan(Buffer auto&& in_out, auto op, At at) const {
  const detail::KeptOperator kept(std::move(op));
  auto arguments = detail::arguments_for<decltype(in_out)>(plan::Operation::scan, kept.get(), at);
  detail::fill_vector_in_place(arguments, detail::output_memory(in_out));
  return start(arguments, kept.keeper());
}
inline Persistent Collectives::prepare_scan(Buffer auto&& in_out, auto op, At at) const {
  const detail::KeptOperator kept(std::move(op));
  auto arguments = detail::arguments_for<decltype(in_out)>(plan::Operation::scan, kept.get(), at);
  detail::fill_vector_in_place(arguments, detail::output_memory(in_out));
  return prepare(arguments, kept.keeper());
}
inline void Collectives::exscan(const Buffer auto& input, Buffer auto&& output, auto op,
                                At at) const {
  detail::must_fit<decltype(input), decltype(output)>();
  auto arguments = detail::arguments_for<decltype(output)>(plan::Operation::exscan, op, at);
  detail::fill_vector(arguments, detail::input_memory(input), detail::output_memory(output));
  run(arguments);
}
inline Pending Collectives::start_exscan(Buffer auto&& input, Buffer auto&& output, auto op,
                                         At at) const {
  detail::must_fit<decltype(input), decltype(output)>();
  detail::must_outlive_call<decltype(input)>();
  const detail::KeptOperator kept(std::move(op));
  auto arguments = detail::arguments_for<decltype(output)>(plan::Operation::exscan, kept.get(), at);
  detail::fill_vector(arguments, detail::input_memory(input), detail::output_memory(output));
  return start(arguments, kept.keeper());
}
inline Persistent Collectives::prepare_exscan(Buffer auto&& input, Buffer auto&& output, auto op,
                                              At at) const {
  detail::must_fit<decltype(input), decltype(output)>();
  detail::must_outlive_call<decltype(input)>();
  const detail::KeptOperator kept(std::move(op));
  auto arguments = detail::arguments_for<decltype(output)>(plan::Operation::exscan, kept.get(), at);
  detail::fill_vector(arguments, detail::input_memory(input), detail::output_memory(output));
  return prepare(arguments, kept.keeper());
}
inline void Collectives::exscan(Buffer auto&& in_out, auto op, At at) const {
  auto arguments = detail::arguments_for<decltype(in_out)>(plan::Operation::exscan, op, at);
  detail::fill_vector_in_place(arguments, detail::output_memory(in_out));
  run(arguments);
}
inline Pending Collectives::start_exscan(Buffer auto&& in_out, auto op, At at) const {
  const detail::KeptOperator kept(std::move(op));
  auto arguments = detail::arguments_for<decltype(in_out)>(plan::Operation::exscan, kept.get(), at);
  detail::fill_vector_in_place(arguments, detail::output_memory(in_out));
  return start(arguments, kept.keeper());
}
inline Persistent Collectives::prepare_exscan(Buffer auto&& in_out, auto op, At at) const {
  const detail::KeptOperator kept(std::move(op));
  auto arguments = detail::arguments_for<decltype(in_out)>(plan::Operation::exscan, kept.get(), at);
  detail::fill_vector_in_place(arguments, detail::output_memory(in_out));
  return prepare(arguments, kept.keeper());
}
inline void Collectives::reduce_scatter(const Buffer auto& input, Buffer auto&& output, auto op,
                                        const Blocks& blocks, At at) const {
  detail::must_fit<decltype(input), decltype(output)>();
  auto arguments = detail::arguments_for<decltype(output)>(plan::Operation::reduce_scatter, op, at);
  detail::fill_reduce_scatter(arguments, *comm_, detail::input_memory(input),
                              detail::output_memory(output), blocks);
  run(arguments);
}
inline Pending Collectives::start_reduce_scatter(Buffer auto&& input, Buffer auto&& output, auto op,
                                                 const Blocks& blocks, At at) const {
  detail::must_fit<decltype(input), decltype(output)>();
  detail::must_outlive_call<decltype(input)>();
  const detail::KeptOperator kept(std::move(op));
  auto arguments =
      detail::arguments_for<decltype(output)>(plan::Operation::reduce_scatter, kept.get(), at);
  detail::fill_reduce_scatter(arguments, *comm_, detail::input_memory(input),
                              detail::output_memory(output), blocks);
  return start(arguments, kept.keeper());
}
inline Persistent Collectives::prepare_reduce_scatter(Buffer auto&& input, Buffer auto&& output,
                                                      auto op, const Blocks& blocks, At at) const {
  detail::must_fit<decltype(input), decltype(output)>();
  detail::must_outlive_call<decltype(input)>();
  const detail::KeptOperator kept(std::move(op));
  auto arguments =
      detail::arguments_for<decltype(output)>(plan::Operation::reduce_scatter, kept.get(), at);
  detail::fill_reduce_scatter(arguments, *comm_, detail::input_memory(input),
                              detail::output_memory(output), blocks);
  return prepare(arguments, kept.keeper());
}
inline void Collectives::reduce_scatter(Buffer auto&& in_out, auto op, const Blocks& blocks,
                                        At at) const {
  auto arguments = detail::arguments_for<decltype(in_out)>(plan::Operation::reduce_scatter, op, at);
  detail::fill_all_in_place(arguments, *comm_, detail::output_memory(in_out), blocks);
  run(arguments);
}
inline Pending Collectives::start_reduce_scatter(Buffer auto&& in_out, auto op,
                                                 const Blocks& blocks, At at) const {
  const detail::KeptOperator kept(std::move(op));
  auto arguments =
      detail::arguments_for<decltype(in_out)>(plan::Operation::reduce_scatter, kept.get(), at);
  detail::fill_all_in_place(arguments, *comm_, detail::output_memory(in_out), blocks);
  return start(arguments, kept.keeper());
}
inline Persistent Collectives::prepare_reduce_scatter(Buffer auto&& in_out, auto op,
                                                      const Blocks& blocks, At at) const {
  const detail::KeptOperator kept(std::move(op));
  auto arguments =
      detail::arguments_for<decltype(in_out)>(plan::Operation::reduce_scatter, kept.get(), at);
  detail::fill_all_in_place(arguments, *comm_, detail::output_memory(in_out), blocks);
  return prepare(arguments, kept.keeper());
}

// Blocks of ranks.

inline void Collectives::gather(const Buffer auto& mine, Buffer auto&& all, rt::Rank root,
                                const Blocks& blocks, At at) const {
  detail::must_fit<decltype(mine), decltype(all)>();
  auto arguments = detail::arguments_for<decltype(all)>(plan::Operation::gather, at);
  arguments.call.root = root;
  detail::fill_gather(arguments, *comm_, detail::input_memory(mine), detail::output_memory(all),
                      blocks);
  run(arguments);
}
inline Pending Collectives::start_gather(Buffer auto&& mine, Buffer auto&& all, rt::Rank root,
                                         const Blocks& blocks, At at) const {
  detail::must_fit<decltype(mine), decltype(all)>();
  detail::must_outlive_call<decltype(mine)>();
  auto arguments = detail::arguments_for<decltype(all)>(plan::Operation::gather, at);
  arguments.call.root = root;
  detail::fill_gather(arguments, *comm_, detail::input_memory(mine), detail::output_memory(all),
                      blocks);
  return start(arguments);
}
inline Persistent Collectives::prepare_gather(Buffer auto&& mine, Buffer auto&& all, rt::Rank root,
                                              const Blocks& blocks, At at) const {
  detail::must_fit<decltype(mine), decltype(all)>();
  detail::must_outlive_call<decltype(mine)>();
  auto arguments = detail::arguments_for<decltype(all)>(plan::Operation::gather, at);
  arguments.call.root = root;
  detail::fill_gather(arguments, *comm_, detail::input_memory(mine), detail::output_memory(all),
                      blocks);
  return prepare(arguments);
}
inline void Collectives::gather(Buffer auto&& in_out, rt::Rank root, const Blocks& blocks,
                                At at) const {
  auto arguments = detail::arguments_for<decltype(in_out)>(plan::Operation::gather, at);
  arguments.call.root = root;
  detail::fill_gather_in_place(arguments, *comm_, detail::output_memory(in_out), blocks);
  run(arguments);
}
inline Pending Collectives::start_gather(Buffer auto&& in_out, rt::Rank root, const Blocks& blocks,
                                         At at) const {
  auto arguments = detail::arguments_for<decltype(in_out)>(plan::Operation::gather, at);
  arguments.call.root = root;
  detail::fill_gather_in_place(arguments, *comm_, detail::output_memory(in_out), blocks);
  return start(arguments);
}
inline Persistent Collectives::prepare_gather(Buffer auto&& in_out, rt::Rank root,
                                              const Blocks& blocks, At at) const {
  auto arguments = detail::arguments_for<decltype(in_out)>(plan::Operation::gather, at);
  arguments.call.root = root;
  detail::fill_gather_in_place(arguments, *comm_, detail::output_memory(in_out), blocks);
  return prepare(arguments);
}
inline void Collectives::scatter(const Buffer auto& all, Buffer auto&& mine, rt::Rank root,
                                 const Blocks& blocks, At at) const {
  detail::must_fit<decltype(all), decltype(mine)>();
  auto arguments = detail::arguments_for<decltype(mine)>(plan::Operation::scatter, at);
  arguments.call.root = root;
  detail::fill_scatter(arguments, *comm_, detail::input_memory(all), detail::output_memory(mine),
                       blocks);
  run(arguments);
}
inline Pending Collectives::start_scatter(Buffer auto&& all, Buffer auto&& mine, rt::Rank root,
                                          const Blocks& blocks, At at) const {
  detail::must_fit<decltype(all), decltype(mine)>();
  detail::must_outlive_call<decltype(all)>();
  auto arguments = detail::arguments_for<decltype(mine)>(plan::Operation::scatter, at);
  arguments.call.root = root;
  detail::fill_scatter(arguments, *comm_, detail::input_memory(all), detail::output_memory(mine),
                       blocks);
  return start(arguments);
}
inline Persistent Collectives::prepare_scatter(Buffer auto&& all, Buffer auto&& mine, rt::Rank root,
                                               const Blocks& blocks, At at) const {
  detail::must_fit<decltype(all), decltype(mine)>();
  detail::must_outlive_call<decltype(all)>();
  auto arguments = detail::arguments_for<decltype(mine)>(plan::Operation::scatter, at);
  arguments.call.root = root;
  detail::fill_scatter(arguments, *comm_, detail::input_memory(all), detail::output_memory(mine),
                       blocks);
  return prepare(arguments);
}
inline void Collectives::scatter(Buffer auto&& in_out, rt::Rank root, const Blocks& blocks,
                                 At at) const {
  auto arguments = detail::arguments_for<decltype(in_out)>(plan::Operation::scatter, at);
  arguments.call.root = root;
  detail::fill_scatter_in_place(arguments, *comm_, detail::output_memory(in_out), blocks);
  run(arguments);
}
inline Pending Collectives::start_scatter(Buffer auto&& in_out, rt::Rank root, const Blocks& blocks,
                                          At at) const {
  auto arguments = detail::arguments_for<decltype(in_out)>(plan::Operation::scatter, at);
  arguments.call.root = root;
  detail::fill_scatter_in_place(arguments, *comm_, detail::output_memory(in_out), blocks);
  return start(arguments);
}
inline Persistent Collectives::prepare_scatter(Buffer auto&& in_out, rt::Rank root,
                                               const Blocks& blocks, At at) const {
  auto arguments = detail::arguments_for<decltype(in_out)>(plan::Operation::scatter, at);
  arguments.call.root = root;
  detail::fill_scatter_in_place(arguments, *comm_, detail::output_memory(in_out), blocks);
  return prepare(arguments);
}
inline void Collectives::allgather(const Buffer auto& mine, Buffer auto&& all, const Blocks& blocks,
                                   At at) const {
  detail::must_fit<decltype(mine), decltype(all)>();
  auto arguments = detail::arguments_for<decltype(all)>(plan::Operation::allgather, at);
  const auto result = detail::output_memory(all);
  detail::fill_collecting(arguments, *comm_, detail::input_memory(mine), &result, blocks);
  run(arguments);
}
inline Pending Collectives::start_allgather(Buffer auto&& mine, Buffer auto&& all,
                                            const Blocks& blocks, At at) const {
  detail::must_fit<decltype(mine), decltype(all)>();
  detail::must_outlive_call<decltype(mine)>();
  auto arguments = detail::arguments_for<decltype(all)>(plan::Operation::allgather, at);
  const auto result = detail::output_memory(all);
  detail::fill_collecting(arguments, *comm_, detail::input_memory(mine), &result, blocks);
  return start(arguments);
}
inline Persistent Collectives::prepare_allgather(Buffer auto&& mine, Buffer auto&& all,
                                                 const Blocks& blocks, At at) const {
  detail::must_fit<decltype(mine), decltype(all)>();
  detail::must_outlive_call<decltype(mine)>();
  auto arguments = detail::arguments_for<decltype(all)>(plan::Operation::allgather, at);
  const auto result = detail::output_memory(all);
  detail::fill_collecting(arguments, *comm_, detail::input_memory(mine), &result, blocks);
  return prepare(arguments);
}
inline void Collectives::allgather(Buffer auto&& in_out, const Blocks& blocks, At at) const {
  auto arguments = detail::arguments_for<decltype(in_out)>(plan::Operation::allgather, at);
  detail::fill_all_in_place(arguments, *comm_, detail::output_memory(in_out), blocks);
  run(arguments);
}
inline Pending Collectives::start_allgather(Buffer auto&& in_out, const Blocks& blocks,
                                            At at) const {
  auto arguments = detail::arguments_for<decltype(in_out)>(plan::Operation::allgather, at);
  detail::fill_all_in_place(arguments, *comm_, detail::output_memory(in_out), blocks);
  return start(arguments);
}
inline Persistent Collectives::prepare_allgather(Buffer auto&& in_out, const Blocks& blocks,
                                                 At at) const {
  auto arguments = detail::arguments_for<decltype(in_out)>(plan::Operation::allgather, at);
  detail::fill_all_in_place(arguments, *comm_, detail::output_memory(in_out), blocks);
  return prepare(arguments);
}
inline void Collectives::alltoall(const Buffer auto& input, Buffer auto&& output,
                                  const Blocks& sent, const Blocks& received, At at) const {
  detail::must_fit<decltype(input), decltype(output)>();
  auto arguments = detail::arguments_for<decltype(output)>(plan::Operation::alltoall, at);
  detail::fill_alltoall(arguments, *comm_, detail::input_memory(input),
                        detail::output_memory(output), sent, received);
  run(arguments);
}
inline Pending Collectives::start_alltoall(Buffer auto&& input, Buffer auto&& output,
                                           const Blocks& sent, const Blocks& received,
                                           At at) const {
  detail::must_fit<decltype(input), decltype(output)>();
  detail::must_outlive_call<decltype(input)>();
  auto arguments = detail::arguments_for<decltype(output)>(plan::Operation::alltoall, at);
  detail::fill_alltoall(arguments, *comm_, detail::input_memory(input),
                        detail::output_memory(output), sent, received);
  return start(arguments);
}
inline Persistent Collectives::prepare_alltoall(Buffer auto&& input, Buffer auto&& output,
                                                const Blocks& sent, const Blocks& received,
                                                At at) const {
  detail::must_fit<decltype(input), decltype(output)>();
  detail::must_outlive_call<decltype(input)>();
  auto arguments = detail::arguments_for<decltype(output)>(plan::Operation::alltoall, at);
  detail::fill_alltoall(arguments, *comm_, detail::input_memory(input),
                        detail::output_memory(output), sent, received);
  return prepare(arguments);
}
inline void Collectives::alltoall(Buffer auto&& in_out, const Blocks& blocks, At at) const {
  auto arguments = detail::arguments_for<decltype(in_out)>(plan::Operation::alltoall, at);
  detail::fill_alltoall_in_place(arguments, *comm_, detail::output_memory(in_out), blocks);
  run(arguments);
}
inline Pending Collectives::start_alltoall(Buffer auto&& in_out, const Blocks& blocks,
                                           At at) const {
  auto arguments = detail::arguments_for<decltype(in_out)>(plan::Operation::alltoall, at);
  detail::fill_alltoall_in_place(arguments, *comm_, detail::output_memory(in_out), blocks);
  return start(arguments);
}
inline Persistent Collectives::prepare_alltoall(Buffer auto&& in_out, const Blocks& blocks,
                                                At at) const {
  auto arguments = detail::arguments_for<decltype(in_out)>(plan::Operation::alltoall, at);
  detail::fill_alltoall_in_place(arguments, *comm_, detail::output_memory(in_out), blocks);
  return prepare(arguments);
}

// Counts are exchanged first.

template <Buffer Mine>
Collected<detail::ElementOf<Mine>> Collectives::gather_uneven(const Mine& mine, rt::Rank root,
                                                              At at) const {
  Blocks blocks = blocks_of_all(detail::input_memory(mine).count, at);
  Collected<detail::ElementOf<Mine>> all;
  if (comm_->rank() == root) all.elements.resize(static_cast<std::size_t>(blocks.total()));
  gather(mine, all.elements, root, blocks, at);
  if (comm_->rank() == root) all.blocks = std::move(blocks);
  return all;
}
template <Buffer Mine>
Collected<detail::ElementOf<Mine>> Collectives::allgather_uneven(const Mine& mine, At at) const {
  Collected<detail::ElementOf<Mine>> all;
  all.blocks = blocks_of_all(detail::input_memory(mine).count, at);
  all.elements.resize(static_cast<std::size_t>(all.blocks.total()));
  allgather(mine, all.elements, all.blocks, at);
  return all;
}
template <Buffer All>
std::vector<detail::ElementOf<All>> Collectives::scatter_uneven(const All& all,
                                                                const Blocks& blocks, rt::Rank root,
                                                                At at) const {
  const Blocks known = blocks_of_root(blocks, root, at);
  std::vector<detail::ElementOf<All>> mine(
      static_cast<std::size_t>(known.count(comm_->rank().value)));
  scatter(all, mine, root, known, at);
  return mine;
}
template <Buffer Input>
Collected<detail::ElementOf<Input>> Collectives::alltoall_uneven(const Input& input,
                                                                 const Blocks& sent, At at) const {
  Collected<detail::ElementOf<Input>> received;
  received.blocks = blocks_to_me(sent, at);
  received.elements.resize(static_cast<std::size_t>(received.blocks.total()));
  alltoall(input, received.elements, sent, received.blocks, at);
  return received;
}

}  // namespace cartwright::comm
