// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/comm/collectives.hpp>
#include <cartwright/comm/forms/description.hpp>
#include <utility>

/// Scans, and reductions whose result is dealt out.
namespace cartwright::comm {

inline void Collectives::scan(const Buffer auto& input, Buffer auto&& output, auto op,
                              At at) const {
  auto call = detail::describe<decltype(input), decltype(output)>(plan::Operation::scan, op, at);
  detail::fill_vector(call, detail::input_memory(input), detail::output_memory(output));
  run(call);
}
inline Pending Collectives::start_scan(Buffer auto&& input, Buffer auto&& output, auto op,
                                       At at) const {
  detail::must_outlive_call<decltype(input)>();
  const detail::KeptOperator kept(std::move(op));
  auto call =
      detail::describe<decltype(input), decltype(output)>(plan::Operation::scan, kept.get(), at);
  detail::fill_vector(call, detail::input_memory(input), detail::output_memory(output));
  return start(call, kept.keeper());
}
inline Persistent Collectives::prepare_scan(Buffer auto&& input, Buffer auto&& output, auto op,
                                            At at) const {
  detail::must_outlive_call<decltype(input)>();
  const detail::KeptOperator kept(std::move(op));
  auto call =
      detail::describe<decltype(input), decltype(output)>(plan::Operation::scan, kept.get(), at);
  detail::fill_vector(call, detail::input_memory(input), detail::output_memory(output));
  return prepare(call, kept.keeper());
}
inline void Collectives::scan(Buffer auto&& in_out, auto op, At at) const {
  auto call = detail::describe<decltype(in_out)>(plan::Operation::scan, op, at);
  detail::fill_vector_in_place(call, detail::output_memory(in_out));
  run(call);
}
inline Pending Collectives::start_scan(Buffer auto&& in_out, auto op, At at) const {
  const detail::KeptOperator kept(std::move(op));
  auto call = detail::describe<decltype(in_out)>(plan::Operation::scan, kept.get(), at);
  detail::fill_vector_in_place(call, detail::output_memory(in_out));
  return start(call, kept.keeper());
}
inline Persistent Collectives::prepare_scan(Buffer auto&& in_out, auto op, At at) const {
  const detail::KeptOperator kept(std::move(op));
  auto call = detail::describe<decltype(in_out)>(plan::Operation::scan, kept.get(), at);
  detail::fill_vector_in_place(call, detail::output_memory(in_out));
  return prepare(call, kept.keeper());
}
inline void Collectives::exscan(const Buffer auto& input, Buffer auto&& output, auto op,
                                At at) const {
  auto call = detail::describe<decltype(input), decltype(output)>(plan::Operation::exscan, op, at);
  detail::fill_vector(call, detail::input_memory(input), detail::output_memory(output));
  run(call);
}
inline Pending Collectives::start_exscan(Buffer auto&& input, Buffer auto&& output, auto op,
                                         At at) const {
  detail::must_outlive_call<decltype(input)>();
  const detail::KeptOperator kept(std::move(op));
  auto call =
      detail::describe<decltype(input), decltype(output)>(plan::Operation::exscan, kept.get(), at);
  detail::fill_vector(call, detail::input_memory(input), detail::output_memory(output));
  return start(call, kept.keeper());
}
inline Persistent Collectives::prepare_exscan(Buffer auto&& input, Buffer auto&& output, auto op,
                                              At at) const {
  detail::must_outlive_call<decltype(input)>();
  const detail::KeptOperator kept(std::move(op));
  auto call =
      detail::describe<decltype(input), decltype(output)>(plan::Operation::exscan, kept.get(), at);
  detail::fill_vector(call, detail::input_memory(input), detail::output_memory(output));
  return prepare(call, kept.keeper());
}
inline void Collectives::exscan(Buffer auto&& in_out, auto op, At at) const {
  auto call = detail::describe<decltype(in_out)>(plan::Operation::exscan, op, at);
  detail::fill_vector_in_place(call, detail::output_memory(in_out));
  run(call);
}
inline Pending Collectives::start_exscan(Buffer auto&& in_out, auto op, At at) const {
  const detail::KeptOperator kept(std::move(op));
  auto call = detail::describe<decltype(in_out)>(plan::Operation::exscan, kept.get(), at);
  detail::fill_vector_in_place(call, detail::output_memory(in_out));
  return start(call, kept.keeper());
}
inline Persistent Collectives::prepare_exscan(Buffer auto&& in_out, auto op, At at) const {
  const detail::KeptOperator kept(std::move(op));
  auto call = detail::describe<decltype(in_out)>(plan::Operation::exscan, kept.get(), at);
  detail::fill_vector_in_place(call, detail::output_memory(in_out));
  return prepare(call, kept.keeper());
}
inline void Collectives::reduce_scatter(const Buffer auto& input, Buffer auto&& output, auto op,
                                        const Blocks& blocks, At at) const {
  auto call =
      detail::describe<decltype(input), decltype(output)>(plan::Operation::reduce_scatter, op, at);
  detail::fill_reduce_scatter(call, *comm_, detail::input_memory(input),
                              detail::output_memory(output), blocks);
  run(call);
}
inline Pending Collectives::start_reduce_scatter(Buffer auto&& input, Buffer auto&& output, auto op,
                                                 const Blocks& blocks, At at) const {
  detail::must_outlive_call<decltype(input)>();
  const detail::KeptOperator kept(std::move(op));
  auto call = detail::describe<decltype(input), decltype(output)>(plan::Operation::reduce_scatter,
                                                                  kept.get(), at);
  detail::fill_reduce_scatter(call, *comm_, detail::input_memory(input),
                              detail::output_memory(output), blocks);
  return start(call, kept.keeper());
}
inline Persistent Collectives::prepare_reduce_scatter(Buffer auto&& input, Buffer auto&& output,
                                                      auto op, const Blocks& blocks, At at) const {
  detail::must_outlive_call<decltype(input)>();
  const detail::KeptOperator kept(std::move(op));
  auto call = detail::describe<decltype(input), decltype(output)>(plan::Operation::reduce_scatter,
                                                                  kept.get(), at);
  detail::fill_reduce_scatter(call, *comm_, detail::input_memory(input),
                              detail::output_memory(output), blocks);
  return prepare(call, kept.keeper());
}
inline void Collectives::reduce_scatter(Buffer auto&& in_out, auto op, const Blocks& blocks,
                                        At at) const {
  auto call = detail::describe<decltype(in_out)>(plan::Operation::reduce_scatter, op, at);
  detail::fill_all_in_place(call, *comm_, detail::output_memory(in_out), blocks);
  run(call);
}
inline Pending Collectives::start_reduce_scatter(Buffer auto&& in_out, auto op,
                                                 const Blocks& blocks, At at) const {
  const detail::KeptOperator kept(std::move(op));
  auto call = detail::describe<decltype(in_out)>(plan::Operation::reduce_scatter, kept.get(), at);
  detail::fill_all_in_place(call, *comm_, detail::output_memory(in_out), blocks);
  return start(call, kept.keeper());
}
inline Persistent Collectives::prepare_reduce_scatter(Buffer auto&& in_out, auto op,
                                                      const Blocks& blocks, At at) const {
  const detail::KeptOperator kept(std::move(op));
  auto call = detail::describe<decltype(in_out)>(plan::Operation::reduce_scatter, kept.get(), at);
  detail::fill_all_in_place(call, *comm_, detail::output_memory(in_out), blocks);
  return prepare(call, kept.keeper());
}

}  // namespace cartwright::comm
