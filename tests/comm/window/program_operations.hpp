// SPDX-License-Identifier: Apache-2.0
// Issues the operations of random programs of epochs.
#pragma once

#include <map>
#include <memory>
#include <utility>

#include "../imagined_device.hpp"
#include "program_checks.hpp"

namespace cartwright::comm::test {

/// The lock of one target, as acts want it.
template <class T>
struct OfTarget {
  LockEpoch<T>* lock;
  void put(rt::Rank /*target*/, const Slice& at, auto&& values) const { lock->put(at, values); }
  void get(rt::Rank /*target*/, const Slice& at, auto&& values) const { lock->get(at, values); }
  void accumulate(rt::Rank /*target*/, const Slice& at, auto& values, auto op) const {
    lock->accumulate(at, values, op);
  }
  void get_accumulate(rt::Rank /*target*/, const Slice& at, auto& values, auto&& former,
                      Operator op) const {
    lock->get_accumulate(at, values, former, op);
  }
  void get_atomically(rt::Rank /*target*/, const Slice& at, auto&& values) const {
    lock->get_atomically(at, values);
  }
  void fetch_and_op(rt::Rank /*target*/, plan::Count at, T value, T& former, auto op) const {
    lock->fetch_and_op(at, value, former, op);
  }
  void compare_and_swap(rt::Rank /*target*/, plan::Count at, T expected, T desired,
                        T& former) const {
    lock->compare_and_swap(at, expected, desired, former);
  }
};

/// What one rank does to others, with the memory for it, and what it reads.
template <class T>
class ProgramOperations {
 public:
  ProgramOperations(ProgramModel<T>& model, bool on_device)
      : model_(&model), on_device_(on_device) {}

  /// Which of two epochs comes first may not be determined.
  void begin_visit() {
    if (model_->areas().reorders) done_to_shared_.clear();
  }
  /// Here and in the model. What will come of it; null: nothing.
  template <class Epoch>
  Read<T>* carry_out(Epoch& epoch, const Action& action, int step, const Visit& visit) {
    const T compared = model_->compared(action, step, visit);
    std::vector<T>& operands = *sources_.emplace_back(
        std::make_unique<std::vector<T>>(model_->operands(action, step, visit)));
    Read<T>* const read = new_read(action, step, visit, operands);
    issue(epoch, action, step, visit, operands, compared, read);
    return read;
  }
  /// All that has come so far, or will.
  [[nodiscard]] const typename ProgramChecks<T>::Reads& reads() const { return reads_; }

 private:
  template <class Epoch>
  void issue(Epoch& epoch, const Action& action, int step, const Visit& visit,
             const std::vector<T>& operands, T compared, Read<T>* read) {
    was_on_device_ = on_device_ && !was_on_device_;
    if (!was_on_device_)
      return issue_with(epoch, action, step, visit, operands, operands[0], compared, read);
    const auto count = static_cast<plan::Count>(operands.size());
    const auto there = on_device(on_imagined_device(operands.data()), count, imagined_copies);
    issue_with(epoch, action, step, visit, there, operands[0], compared, read);
  }
  /// `operands`: wherever they lie; `operand`: the first one, of operations of single values.
  template <class Epoch, class Operands>
  void issue_with(Epoch& epoch, const Action& action, int step, const Visit& visit,
                  const Operands& operands, T operand, T compared, Read<T>* read) {
    using Deed = Action::Deed;
    const rt::Rank target{visit.target};
    const plan::Count first = model_->first(action, step, visit.origin);
    const Slice at = action.is_strided
                         ? Slice(first, {.block = 1, .stride = 2, .count = action.count})
                         : Slice(first);
    switch (action.deed) {
      case Deed::put:
        return epoch.put(target, at, operands);
      case Deed::get:
        return into(*read, [&](const auto& values) { epoch.get(target, at, values); });
      case Deed::accumulate:
        return by_update(action, [&](auto op) { epoch.accumulate(target, at, operands, op); });
      case Deed::get_accumulate:
        return into(*read, [&](const auto& values) {
          epoch.get_accumulate(target, at, operands, values, *action.op);
        });
      case Deed::get_atomically:
        return into(*read, [&](const auto& values) { epoch.get_atomically(target, at, values); });
      case Deed::fetch_and_op:
        return by_update(action, [&](auto op) {
          epoch.fetch_and_op(target, first, operand, read->values[0], op);
        });
      case Deed::compare_and_swap:
        return epoch.compare_and_swap(target, first, compared, operand, read->values[0]);
    }
  }

  static void by_update(const Action& action, const auto& issue) {
    if (action.op)
      issue(*action.op);
    else
      issue(replace);
  }
  void into(Read<T>& read, const auto& issue) const {
    const auto all = static_cast<plan::Count>(read.values.size());
    T* const values = read.values.data();
    const Strides strides{.block = 1, .stride = read.stride, .count = all / read.stride};
    if (was_on_device_)
      issue(on_device(strided(on_imagined_device(values), strides), imagined_copies));
    else if (read.stride == 1)
      issue(std::span<T>(read.values));
    else
      issue(strided(values, strides));
  }

  /// It is done in the model.
  Read<T>* new_read(const Action& action, int step, const Visit& visit,
                    const std::vector<T>& operands) {
    using Deed = Action::Deed;
    std::vector<T> former = model_->apply(action, step, visit);
    std::optional<T> earlier;
    if (action.place == Place::shared) {
      std::optional<T>& done = done_to_shared_[{visit.target, *action.op}];
      earlier = done;
      if (action.deed != Deed::get_atomically)
        done = done ? combined(*action.op, *done, operands[0]) : operands[0];
    }
    if (action.deed == Deed::put || action.deed == Deed::accumulate) return nullptr;
    Read<T>& read = *reads_.emplace_back(std::make_unique<Read<T>>());
    read.stride = action.is_strided_here ? 2 : 1;
    read.values.assign(former.size() * static_cast<std::size_t>(read.stride), Read<T>::untouched);
    if (is_of_one_origin(action.place)) read.expected = std::move(former);
    read.action = &action;
    read.target = visit.target;
    read.step = step;
    read.operand = operands[0];
    read.earlier = earlier;
    return &read;
  }

  ProgramModel<T>* model_;
  bool on_device_;
  bool was_on_device_ = false;
  std::map<std::pair<int, Operator>, std::optional<T>> done_to_shared_;  // by target
  std::vector<std::unique_ptr<std::vector<T>>> sources_;
  typename ProgramChecks<T>::Reads reads_;
};

}  // namespace cartwright::comm::test
