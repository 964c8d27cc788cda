// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/comm/calls/buffer.hpp>
#include <cartwright/comm/elements/element.hpp>
#include <cartwright/comm/window/open_epoch.hpp>
#include <cartwright/comm/window/slice.hpp>
#include <cartwright/rt/rank.hpp>
#include <concepts>
#include <cstring>

namespace cartwright::comm {

/// What epochs do to the memory of targets. Nothing of it waits. Local memory must stay as it is,
/// and results aren't there, until the request of the closing (or of a flush) is complete; single
/// values are copied, and so is what `on_device(…)` reads, at once. What reaches one element of one
/// target from here takes effect in this order if it is atomic; plain puts and gets of the same
/// elements within an epoch have no order. Throws rt::Error for what leaves the target's memory, or
/// isn't a target of the epoch.
template <class T>
class RemoteAccess : public OpenEpoch {
 public:
  using OpenEpoch::OpenEpoch;

  /// Values: a span, a vector, an array, or `strided(…)`.
  template <Buffer Values>
  void put(rt::Rank target, const Slice& at, Values&& values) {
    detail::must_outlive_call<Values>();
    RemoteOperation operation = on(RemoteKind::put, at, values);
    read_from(operation, values);
    issue(target, operation);
  }
  template <Buffer Result>
  void get(rt::Rank target, const Slice& at, Result&& result) {
    detail::must_outlive_call<Result>();
    RemoteOperation operation = on(RemoteKind::get, at, result);
    write_to(operation, result);
    issue(target, operation);
  }
  /// Elementwise atomic: with all other updates, by whatever way they come. The order of those of
  /// different origins isn't determined, so sums of floating-point numbers may round otherwise.
  template <Buffer Values>
  void accumulate(rt::Rank target, const Slice& at, Values&& values, Operator op) {
    detail::must_outlive_call<Values>();
    update(target, at, values, Update::by(op));
  }
  template <Buffer Values>
  void accumulate(rt::Rank target, const Slice& at, Values&& values, Replace /*by*/) {
    detail::must_outlive_call<Values>();
    update(target, at, values, {Update::replace});
  }
  /// The same, and what the elements were.
  template <Buffer Values, Buffer Result>
  void get_accumulate(rt::Rank target, const Slice& at, Values&& values, Result&& former,
                      Operator op) {
    detail::must_outlive_call<Values>();
    detail::must_outlive_call<Result>();
    RemoteOperation operation = on(RemoteKind::fetch, at, values);
    set_update(operation, Update::by(op));
    read_from(operation, values);
    write_to(operation, former);
    issue(target, operation);
  }
  /// Elementwise atomic.
  template <Buffer Result>
  void get_atomically(rt::Rank target, const Slice& at, Result&& result) {
    detail::must_outlive_call<Result>();
    RemoteOperation operation = on(RemoteKind::fetch, at, result);
    set_update(operation, {Update::none});
    write_to(operation, result);
    issue(target, operation);
  }
  void fetch_and_op(rt::Rank target, plan::Count at, const T& value, T& former, Operator op) {
    fetch(target, at, value, former, Update::by(op));
  }
  void fetch_and_op(rt::Rank target, plan::Count at, const T& value, T& former, Replace /*by*/) {
    fetch(target, at, value, former, {Update::replace});
  }
  /// The element becomes `desired` if it has the bytes of `expected`.
  void compare_and_swap(rt::Rank target, plan::Count at, const T& expected, const T& desired,
                        T& former) {
    static_assert(sizeof(T) == 1 || sizeof(T) == 2 || sizeof(T) == 4 || sizeof(T) == 8,
                  "cartwright: only elements of 1, 2, 4 or 8 bytes can be compared and swapped");
    RemoteOperation operation = of_one(RemoteKind::compare_and_swap, at, former);
    std::memcpy(operation.operand.data(), &expected, sizeof(T));
    std::memcpy(operation.operand.data() + sizeof(T), &desired, sizeof(T));
    issue(target, operation);
  }

 private:
  template <class B>
  static constexpr void must_be_regular() {
    static_assert(!detail::is_in_pieces<B>,
                  "cartwright: epochs take spans, strided(…) and on_device(…)");
  }
  template <class B>
  static RemoteOperation on(RemoteKind kind, const Slice& at, const B& values) {
    must_be_regular<B>();
    static_assert(std::same_as<detail::ElementOf<B>, T>,
                  "cartwright: values must be of the window's type");
    const plan::Count elements = detail::input_memory(values).count;
    RemoteOperation operation{.kind = kind, .offset = at.offset};
    operation.at = at.strides.value_or(contiguous(elements));
    if (at.strides) check(operation.at, operation.at.extent());
    if (operation.at.elements() != elements) refuse_length(elements, operation.at.elements());
    return operation;
  }
  static void set_update(RemoteOperation& operation, Update by) {
    static_assert(Reducible<T>, "cartwright: only numbers can be accumulated");
    operation.update = by;
    if constexpr (Reducible<T>) operation.type = scalar_type<T>();
  }
  [[noreturn]] static void refuse_length(plan::Count values, plan::Count slice);
  template <class B>
  static void read_from(RemoteOperation& operation, const B& values) {
    const detail::Memory memory = detail::input_memory(values);
    operation.source = memory.data;
    operation.from = memory.scatter ? memory.scatter.strides : contiguous(memory.count);
    operation.source_device = memory.scatter.device;
  }
  template <class B>
  static void write_to(RemoteOperation& operation, B& result) {
    must_be_regular<B>();
    static_assert(std::same_as<detail::ElementOf<B>, T>,
                  "cartwright: results must be of the window's type");
    const detail::Memory memory = detail::output_memory(result);
    if (memory.count != operation.at.elements())
      refuse_length(memory.count, operation.at.elements());
    operation.result = memory.data;
    operation.into = memory.scatter ? memory.scatter.strides : contiguous(memory.count);
    operation.result_device = memory.scatter.device;
  }
  template <class B>
  void update(rt::Rank target, const Slice& at, const B& values, Update by) {
    RemoteOperation operation = on(RemoteKind::accumulate, at, values);
    set_update(operation, by);
    read_from(operation, values);
    issue(target, operation);
  }
  static RemoteOperation of_one(RemoteKind kind, plan::Count at, T& former) {
    return {.kind = kind,
            .is_inline = true,
            .offset = at,
            .at = contiguous(1),
            .from = contiguous(1),
            .result = reinterpret_cast<std::byte*>(&former),
            .into = contiguous(1)};
  }
  void fetch(rt::Rank target, plan::Count at, const T& value, T& former, Update by) {
    static_assert(sizeof(T) <= sizeof(RemoteOperation::Inline));
    RemoteOperation operation = of_one(RemoteKind::fetch, at, former);
    set_update(operation, by);
    std::memcpy(operation.operand.data(), &value, sizeof(T));
    issue(target, operation);
  }
  void issue(rt::Rank target, const RemoteOperation& operation) {
    this->core().issue(this->epoch(), target.value, operation);
  }
};

[[noreturn]] void refuse_slice_length(plan::Count values, plan::Count slice);
template <class T>
void RemoteAccess<T>::refuse_length(plan::Count values, plan::Count slice) {
  refuse_slice_length(values, slice);
}

}  // namespace cartwright::comm
