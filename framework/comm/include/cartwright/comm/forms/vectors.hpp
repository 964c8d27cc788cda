// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/comm/collectives.hpp>
#include <cartwright/comm/forms/description.hpp>
#include <span>
#include <utility>

/// Broadcast, reduce, allreduce: one vector, the same on all ranks or at a root.
namespace cartwright::comm {

inline Pending Collectives::start_barrier(At at) const {
  return start({.call = {.site = at}});
}
inline Persistent Collectives::prepare_barrier(At at) const {
  return prepare({.call = {.site = at}});
}

inline void Collectives::broadcast(Buffer auto&& data, rt::Rank root, At at) const {
  auto call = detail::describe<decltype(data)>(plan::Operation::broadcast, at);
  call.call.root = root;
  detail::fill_broadcast(call, *comm_, detail::output_memory(data));
  run(call);
}
inline Pending Collectives::start_broadcast(Buffer auto&& data, rt::Rank root, At at) const {
  auto call = detail::describe<decltype(data)>(plan::Operation::broadcast, at);
  call.call.root = root;
  detail::fill_broadcast(call, *comm_, detail::output_memory(data));
  return start(call);
}
inline Persistent Collectives::prepare_broadcast(Buffer auto&& data, rt::Rank root, At at) const {
  auto call = detail::describe<decltype(data)>(plan::Operation::broadcast, at);
  call.call.root = root;
  detail::fill_broadcast(call, *comm_, detail::output_memory(data));
  return prepare(call);
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
  auto call = detail::describe<decltype(input), decltype(output)>(plan::Operation::reduce, op, at);
  call.call.root = root;
  detail::fill_reduce(call, *comm_, detail::input_memory(input), detail::output_memory(output));
  run(call);
}
inline Pending Collectives::start_reduce(Buffer auto&& input, Buffer auto&& output, auto op,
                                         rt::Rank root, At at) const {
  detail::must_outlive_call<decltype(input)>();
  const detail::KeptOperator kept(std::move(op));
  auto call =
      detail::describe<decltype(input), decltype(output)>(plan::Operation::reduce, kept.get(), at);
  call.call.root = root;
  detail::fill_reduce(call, *comm_, detail::input_memory(input), detail::output_memory(output));
  return start(call, kept.keeper());
}
inline Persistent Collectives::prepare_reduce(Buffer auto&& input, Buffer auto&& output, auto op,
                                              rt::Rank root, At at) const {
  detail::must_outlive_call<decltype(input)>();
  const detail::KeptOperator kept(std::move(op));
  auto call =
      detail::describe<decltype(input), decltype(output)>(plan::Operation::reduce, kept.get(), at);
  call.call.root = root;
  detail::fill_reduce(call, *comm_, detail::input_memory(input), detail::output_memory(output));
  return prepare(call, kept.keeper());
}
inline void Collectives::reduce(Buffer auto&& in_out, auto op, rt::Rank root, At at) const {
  auto call = detail::describe<decltype(in_out)>(plan::Operation::reduce, op, at);
  call.call.root = root;
  detail::fill_reduce_in_place(call, *comm_, detail::output_memory(in_out));
  run(call);
}
inline Pending Collectives::start_reduce(Buffer auto&& in_out, auto op, rt::Rank root,
                                         At at) const {
  const detail::KeptOperator kept(std::move(op));
  auto call = detail::describe<decltype(in_out)>(plan::Operation::reduce, kept.get(), at);
  call.call.root = root;
  detail::fill_reduce_in_place(call, *comm_, detail::output_memory(in_out));
  return start(call, kept.keeper());
}
inline Persistent Collectives::prepare_reduce(Buffer auto&& in_out, auto op, rt::Rank root,
                                              At at) const {
  const detail::KeptOperator kept(std::move(op));
  auto call = detail::describe<decltype(in_out)>(plan::Operation::reduce, kept.get(), at);
  call.call.root = root;
  detail::fill_reduce_in_place(call, *comm_, detail::output_memory(in_out));
  return prepare(call, kept.keeper());
}
inline void Collectives::allreduce(const Buffer auto& input, Buffer auto&& output, auto op,
                                   At at) const {
  auto call =
      detail::describe<decltype(input), decltype(output)>(plan::Operation::allreduce, op, at);
  detail::fill_vector(call, detail::input_memory(input), detail::output_memory(output));
  run(call);
}
inline Pending Collectives::start_allreduce(Buffer auto&& input, Buffer auto&& output, auto op,
                                            At at) const {
  detail::must_outlive_call<decltype(input)>();
  const detail::KeptOperator kept(std::move(op));
  auto call = detail::describe<decltype(input), decltype(output)>(plan::Operation::allreduce,
                                                                  kept.get(), at);
  detail::fill_vector(call, detail::input_memory(input), detail::output_memory(output));
  return start(call, kept.keeper());
}
inline Persistent Collectives::prepare_allreduce(Buffer auto&& input, Buffer auto&& output, auto op,
                                                 At at) const {
  detail::must_outlive_call<decltype(input)>();
  const detail::KeptOperator kept(std::move(op));
  auto call = detail::describe<decltype(input), decltype(output)>(plan::Operation::allreduce,
                                                                  kept.get(), at);
  detail::fill_vector(call, detail::input_memory(input), detail::output_memory(output));
  return prepare(call, kept.keeper());
}
inline void Collectives::allreduce(Buffer auto&& in_out, auto op, At at) const {
  auto call = detail::describe<decltype(in_out)>(plan::Operation::allreduce, op, at);
  detail::fill_vector_in_place(call, detail::output_memory(in_out));
  run(call);
}
inline Pending Collectives::start_allreduce(Buffer auto&& in_out, auto op, At at) const {
  const detail::KeptOperator kept(std::move(op));
  auto call = detail::describe<decltype(in_out)>(plan::Operation::allreduce, kept.get(), at);
  detail::fill_vector_in_place(call, detail::output_memory(in_out));
  return start(call, kept.keeper());
}
inline Persistent Collectives::prepare_allreduce(Buffer auto&& in_out, auto op, At at) const {
  const detail::KeptOperator kept(std::move(op));
  auto call = detail::describe<decltype(in_out)>(plan::Operation::allreduce, kept.get(), at);
  detail::fill_vector_in_place(call, detail::output_memory(in_out));
  return prepare(call, kept.keeper());
}
template <class T>
requires(!Buffer<T>) T Collectives::allreduce(const T& value, auto op, At at)
const {
  T result = value;
  allreduce(std::span<T>(&result, 1), std::move(op), at);
  return result;
}

}  // namespace cartwright::comm
