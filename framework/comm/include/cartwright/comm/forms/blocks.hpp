// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/comm/collectives.hpp>
#include <cartwright/comm/forms/description.hpp>

/// Collectives that move the blocks of ranks.
namespace cartwright::comm {

inline void Collectives::gather(const Buffer auto& mine, Buffer auto&& all, rt::Rank root,
                                const Blocks& blocks, At at) const {
  auto call = detail::describe<decltype(mine), decltype(all)>(plan::Operation::gather, at);
  call.call.root = root;
  detail::fill_gather(call, *comm_, detail::input_memory(mine), detail::output_memory(all), blocks);
  run(call);
}
inline Pending Collectives::start_gather(Buffer auto&& mine, Buffer auto&& all, rt::Rank root,
                                         const Blocks& blocks, At at) const {
  detail::must_outlive_call<decltype(mine)>();
  auto call = detail::describe<decltype(mine), decltype(all)>(plan::Operation::gather, at);
  call.call.root = root;
  detail::fill_gather(call, *comm_, detail::input_memory(mine), detail::output_memory(all), blocks);
  return start(call);
}
inline Persistent Collectives::prepare_gather(Buffer auto&& mine, Buffer auto&& all, rt::Rank root,
                                              const Blocks& blocks, At at) const {
  detail::must_outlive_call<decltype(mine)>();
  auto call = detail::describe<decltype(mine), decltype(all)>(plan::Operation::gather, at);
  call.call.root = root;
  detail::fill_gather(call, *comm_, detail::input_memory(mine), detail::output_memory(all), blocks);
  return prepare(call);
}
inline void Collectives::gather(Buffer auto&& in_out, rt::Rank root, const Blocks& blocks,
                                At at) const {
  auto call = detail::describe<decltype(in_out)>(plan::Operation::gather, at);
  call.call.root = root;
  detail::fill_gather_in_place(call, *comm_, detail::output_memory(in_out), blocks);
  run(call);
}
inline Pending Collectives::start_gather(Buffer auto&& in_out, rt::Rank root, const Blocks& blocks,
                                         At at) const {
  auto call = detail::describe<decltype(in_out)>(plan::Operation::gather, at);
  call.call.root = root;
  detail::fill_gather_in_place(call, *comm_, detail::output_memory(in_out), blocks);
  return start(call);
}
inline Persistent Collectives::prepare_gather(Buffer auto&& in_out, rt::Rank root,
                                              const Blocks& blocks, At at) const {
  auto call = detail::describe<decltype(in_out)>(plan::Operation::gather, at);
  call.call.root = root;
  detail::fill_gather_in_place(call, *comm_, detail::output_memory(in_out), blocks);
  return prepare(call);
}
inline void Collectives::scatter(const Buffer auto& all, Buffer auto&& mine, rt::Rank root,
                                 const Blocks& blocks, At at) const {
  auto call = detail::describe<decltype(all), decltype(mine)>(plan::Operation::scatter, at);
  call.call.root = root;
  detail::fill_scatter(call, *comm_, detail::input_memory(all), detail::output_memory(mine),
                       blocks);
  run(call);
}
inline Pending Collectives::start_scatter(Buffer auto&& all, Buffer auto&& mine, rt::Rank root,
                                          const Blocks& blocks, At at) const {
  detail::must_outlive_call<decltype(all)>();
  auto call = detail::describe<decltype(all), decltype(mine)>(plan::Operation::scatter, at);
  call.call.root = root;
  detail::fill_scatter(call, *comm_, detail::input_memory(all), detail::output_memory(mine),
                       blocks);
  return start(call);
}
inline Persistent Collectives::prepare_scatter(Buffer auto&& all, Buffer auto&& mine, rt::Rank root,
                                               const Blocks& blocks, At at) const {
  detail::must_outlive_call<decltype(all)>();
  auto call = detail::describe<decltype(all), decltype(mine)>(plan::Operation::scatter, at);
  call.call.root = root;
  detail::fill_scatter(call, *comm_, detail::input_memory(all), detail::output_memory(mine),
                       blocks);
  return prepare(call);
}
inline void Collectives::scatter(Buffer auto&& in_out, rt::Rank root, const Blocks& blocks,
                                 At at) const {
  auto call = detail::describe<decltype(in_out)>(plan::Operation::scatter, at);
  call.call.root = root;
  detail::fill_scatter_in_place(call, *comm_, detail::output_memory(in_out), blocks);
  run(call);
}
inline Pending Collectives::start_scatter(Buffer auto&& in_out, rt::Rank root, const Blocks& blocks,
                                          At at) const {
  auto call = detail::describe<decltype(in_out)>(plan::Operation::scatter, at);
  call.call.root = root;
  detail::fill_scatter_in_place(call, *comm_, detail::output_memory(in_out), blocks);
  return start(call);
}
inline Persistent Collectives::prepare_scatter(Buffer auto&& in_out, rt::Rank root,
                                               const Blocks& blocks, At at) const {
  auto call = detail::describe<decltype(in_out)>(plan::Operation::scatter, at);
  call.call.root = root;
  detail::fill_scatter_in_place(call, *comm_, detail::output_memory(in_out), blocks);
  return prepare(call);
}
inline void Collectives::allgather(const Buffer auto& mine, Buffer auto&& all, const Blocks& blocks,
                                   At at) const {
  auto call = detail::describe<decltype(mine), decltype(all)>(plan::Operation::allgather, at);
  detail::fill_allgather(call, *comm_, detail::input_memory(mine), detail::output_memory(all),
                         blocks);
  run(call);
}
inline Pending Collectives::start_allgather(Buffer auto&& mine, Buffer auto&& all,
                                            const Blocks& blocks, At at) const {
  detail::must_outlive_call<decltype(mine)>();
  auto call = detail::describe<decltype(mine), decltype(all)>(plan::Operation::allgather, at);
  detail::fill_allgather(call, *comm_, detail::input_memory(mine), detail::output_memory(all),
                         blocks);
  return start(call);
}
inline Persistent Collectives::prepare_allgather(Buffer auto&& mine, Buffer auto&& all,
                                                 const Blocks& blocks, At at) const {
  detail::must_outlive_call<decltype(mine)>();
  auto call = detail::describe<decltype(mine), decltype(all)>(plan::Operation::allgather, at);
  detail::fill_allgather(call, *comm_, detail::input_memory(mine), detail::output_memory(all),
                         blocks);
  return prepare(call);
}
inline void Collectives::allgather(Buffer auto&& in_out, const Blocks& blocks, At at) const {
  auto call = detail::describe<decltype(in_out)>(plan::Operation::allgather, at);
  detail::fill_all_in_place(call, *comm_, detail::output_memory(in_out), blocks);
  run(call);
}
inline Pending Collectives::start_allgather(Buffer auto&& in_out, const Blocks& blocks,
                                            At at) const {
  auto call = detail::describe<decltype(in_out)>(plan::Operation::allgather, at);
  detail::fill_all_in_place(call, *comm_, detail::output_memory(in_out), blocks);
  return start(call);
}
inline Persistent Collectives::prepare_allgather(Buffer auto&& in_out, const Blocks& blocks,
                                                 At at) const {
  auto call = detail::describe<decltype(in_out)>(plan::Operation::allgather, at);
  detail::fill_all_in_place(call, *comm_, detail::output_memory(in_out), blocks);
  return prepare(call);
}
inline void Collectives::alltoall(const Buffer auto& input, Buffer auto&& output,
                                  const Blocks& sent, const Blocks& received, At at) const {
  auto call = detail::describe<decltype(input), decltype(output)>(plan::Operation::alltoall, at);
  detail::fill_alltoall(call, *comm_, detail::input_memory(input), detail::output_memory(output),
                        sent, received);
  run(call);
}
inline Pending Collectives::start_alltoall(Buffer auto&& input, Buffer auto&& output,
                                           const Blocks& sent, const Blocks& received,
                                           At at) const {
  detail::must_outlive_call<decltype(input)>();
  auto call = detail::describe<decltype(input), decltype(output)>(plan::Operation::alltoall, at);
  detail::fill_alltoall(call, *comm_, detail::input_memory(input), detail::output_memory(output),
                        sent, received);
  return start(call);
}
inline Persistent Collectives::prepare_alltoall(Buffer auto&& input, Buffer auto&& output,
                                                const Blocks& sent, const Blocks& received,
                                                At at) const {
  detail::must_outlive_call<decltype(input)>();
  auto call = detail::describe<decltype(input), decltype(output)>(plan::Operation::alltoall, at);
  detail::fill_alltoall(call, *comm_, detail::input_memory(input), detail::output_memory(output),
                        sent, received);
  return prepare(call);
}
inline void Collectives::alltoall(Buffer auto&& in_out, const Blocks& blocks, At at) const {
  auto call = detail::describe<decltype(in_out)>(plan::Operation::alltoall, at);
  detail::fill_alltoall_in_place(call, *comm_, detail::output_memory(in_out), blocks);
  run(call);
}
inline Pending Collectives::start_alltoall(Buffer auto&& in_out, const Blocks& blocks,
                                           At at) const {
  auto call = detail::describe<decltype(in_out)>(plan::Operation::alltoall, at);
  detail::fill_alltoall_in_place(call, *comm_, detail::output_memory(in_out), blocks);
  return start(call);
}
inline Persistent Collectives::prepare_alltoall(Buffer auto&& in_out, const Blocks& blocks,
                                                At at) const {
  auto call = detail::describe<decltype(in_out)>(plan::Operation::alltoall, at);
  detail::fill_alltoall_in_place(call, *comm_, detail::output_memory(in_out), blocks);
  return prepare(call);
}

}  // namespace cartwright::comm
