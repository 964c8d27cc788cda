// SPDX-License-Identifier: Apache-2.0
#include "trial.hpp"

#include <fmt/format.h>

#include <optional>
#include <utility>
#include <variant>
#include <vector>

#include "model.hpp"

namespace cartwright::campaign {
namespace {

using comm::Operator;

template <class T>
class TypedTrial final : public Trial {
 public:
  TypedTrial(const comm::Collectives& collectives, const Call& call)
      : collectives_(collectives),
        call_(call),
        me_(collectives.communicator().rank().value),
        model_(call, collectives.communicator().size(), me_) {}

  void begin() override {
    fill(0);
    switch (call_.form) {
      case Form::blocking:
        return visit([&](auto run, auto&&... more) { run.blocking(more...); });
      case Form::started:
        return visit([&](auto run, auto&&... more) { pending_ = run.started(more...); });
      case Form::persistent:
        visit([&](auto run, auto&&... more) { persistent_ = run.prepared(more...); });
        for (int start = 0; start + 1 < call_.starts; ++start) {
          persistent_.start();
          persistent_.wait();
          note_fault(start);
          fill(start + 1);
        }
        return persistent_.start();
    }
  }

  bool test() override {
    return call_.form == Form::persistent ? persistent_.test() : pending_.test();
  }

  void end() override {
    if (call_.form == Form::started) pending_.wait();
    if (call_.form == Form::persistent) persistent_.wait();
    note_fault(call_.form == Form::persistent ? call_.starts - 1 : 0);
  }

  [[nodiscard]] std::string fault() const override { return fault_; }

 private:
  // In place where the model's data fit into one buffer.
  [[nodiscard]] bool in_place() const {
    return call_.in_place && call_.operation <= 6 && call_.operation >= 2;
  }

  void fill(int start) {
    const std::vector<T> input = model_.input(me_, start);
    const std::optional<std::vector<T>> output = model_.output(start);
    std::size_t size = output ? output->size() : 0;
    if (in_place()) {
      // Persistent collectives keep the addresses: the vectors' sizes don't change between starts.
      output_.resize(input.size());
      std::copy(input.begin(), input.end(), output_.begin());
      return;
    }
    if (call_.operation == 1) {
      output_.resize(static_cast<std::size_t>(call_.count));
      if (me_ == model_.root()) std::copy(input.begin(), input.end(), output_.begin());
      return;
    }
    if (call_.operation == 5) size = input.size();
    input_.resize(input.size());
    std::copy(input.begin(), input.end(), input_.begin());
    output_.assign(size, T{});
  }

  void note_fault(int start) {
    if (!fault_.empty()) return;
    const std::optional<std::vector<T>> expected = model_.output(start);
    if (!expected) return;
    const std::size_t begin =
        in_place() && call_.operation == 6 ? static_cast<std::size_t>(model_.offset(me_)) : 0;
    for (std::size_t i = 0; i < expected->size(); ++i) {
      if (begin + i < output_.size() && output_[begin + i] == (*expected)[i]) continue;
      fault_ = fmt::format("element {} of {} is wrong after start {}", i, expected->size(), start);
      return;
    }
    if (!in_place() && !call_.in_place && input_ != model_.input(me_, start) && call_.operation > 1)
      fault_ = fmt::format("the input has changed in start {}", start);
  }

  /// Calls `use` with the three forms of the operation, and the arguments.
  template <class Use>
  void visit(Use use) {
    if constexpr (std::is_same_v<T, Chain>) {
      visit_operation(use, comm::associative(Compose{}));
    } else {
      constexpr std::array operators{Operator::sum, Operator::minimum, Operator::maximum};
      visit_operation(use, operators[static_cast<std::size_t>(call_.combination)]);
    }
  }

  template <class Use, class Op>
  void visit_operation(Use use, Op op) {
    const rt::Rank root{model_.root()};
    const comm::Blocks blocks = call_.uneven ? comm::Blocks(model_.blocks()) : comm::Blocks();
    const auto& c = collectives_;
    switch (call_.operation) {
      case 0:
        return use(forms([&] { c.barrier(); }, [&] { return c.start_barrier(); },
                         [&] { return c.prepare_barrier(); }));
      case 1:
        return use(forms([&] { c.broadcast(output_, root); },
                         [&] { return c.start_broadcast(output_, root); },
                         [&] { return c.prepare_broadcast(output_, root); }));
      case 2:
        if (in_place())
          return use(forms([&] { c.reduce(output_, op, root); },
                           [&] { return c.start_reduce(output_, op, root); },
                           [&] { return c.prepare_reduce(output_, op, root); }));
        return use(forms([&] { c.reduce(input_, output_, op, root); },
                         [&] { return c.start_reduce(input_, output_, op, root); },
                         [&] { return c.prepare_reduce(input_, output_, op, root); }));
      case 3:
        if (in_place())
          return use(forms([&] { c.allreduce(output_, op); },
                           [&] { return c.start_allreduce(output_, op); },
                           [&] { return c.prepare_allreduce(output_, op); }));
        return use(forms([&] { c.allreduce(input_, output_, op); },
                         [&] { return c.start_allreduce(input_, output_, op); },
                         [&] { return c.prepare_allreduce(input_, output_, op); }));
      case 4:
        if (in_place())
          return use(forms([&] { c.scan(output_, op); }, [&] { return c.start_scan(output_, op); },
                           [&] { return c.prepare_scan(output_, op); }));
        return use(forms([&] { c.scan(input_, output_, op); },
                         [&] { return c.start_scan(input_, output_, op); },
                         [&] { return c.prepare_scan(input_, output_, op); }));
      case 5:
        if (in_place())
          return use(forms([&] { c.exscan(output_, op); },
                           [&] { return c.start_exscan(output_, op); },
                           [&] { return c.prepare_exscan(output_, op); }));
        return use(forms([&] { c.exscan(input_, output_, op); },
                         [&] { return c.start_exscan(input_, output_, op); },
                         [&] { return c.prepare_exscan(input_, output_, op); }));
      case 6:
        if (in_place())
          return use(forms([&] { c.reduce_scatter(output_, op, blocks); },
                           [&] { return c.start_reduce_scatter(output_, op, blocks); },
                           [&] { return c.prepare_reduce_scatter(output_, op, blocks); }));
        return use(forms([&] { c.reduce_scatter(input_, output_, op, blocks); },
                         [&] { return c.start_reduce_scatter(input_, output_, op, blocks); },
                         [&] { return c.prepare_reduce_scatter(input_, output_, op, blocks); }));
      case 7:
        return use(forms([&] { c.gather(input_, output_, root, blocks); },
                         [&] { return c.start_gather(input_, output_, root, blocks); },
                         [&] { return c.prepare_gather(input_, output_, root, blocks); }));
      case 8:
        return use(forms([&] { c.scatter(input_, output_, root, blocks); },
                         [&] { return c.start_scatter(input_, output_, root, blocks); },
                         [&] { return c.prepare_scatter(input_, output_, root, blocks); }));
      case 9:
        return use(forms([&] { c.allgather(input_, output_, blocks); },
                         [&] { return c.start_allgather(input_, output_, blocks); },
                         [&] { return c.prepare_allgather(input_, output_, blocks); }));
      default: {
        std::vector<int> sent, received;
        for (int rank = 0; rank < c.communicator().size(); ++rank) {
          sent.push_back(model_.pair(me_, rank));
          received.push_back(model_.pair(rank, me_));
        }
        const comm::Blocks to = call_.uneven ? comm::Blocks(sent) : comm::Blocks();
        const comm::Blocks from = call_.uneven ? comm::Blocks(received) : comm::Blocks();
        return use(forms([&] { c.alltoall(input_, output_, to, from); },
                         [&] { return c.start_alltoall(input_, output_, to, from); },
                         [&] { return c.prepare_alltoall(input_, output_, to, from); }));
      }
    }
  }

  template <class Blocking, class Started, class Prepared>
  struct Forms {
    Blocking blocking;
    Started started;
    Prepared prepared;
  };
  template <class Blocking, class Started, class Prepared>
  static Forms<Blocking, Started, Prepared> forms(Blocking blocking, Started started,
                                                  Prepared prepared) {
    return {blocking, started, prepared};
  }

  const comm::Collectives& collectives_;
  Call call_;
  int me_;
  Model<T> model_;
  std::vector<T> input_, output_;  // declared before what works on them
  comm::Pending pending_;
  comm::Persistent persistent_;
  std::string fault_;
};

}  // namespace

std::unique_ptr<Trial> make_trial(const comm::Collectives& collectives, const Call& call) {
  switch (call.kind) {
    case Kind::int64:
      return std::make_unique<TypedTrial<std::int64_t>>(collectives, call);
    case Kind::int32:
      return std::make_unique<TypedTrial<std::int32_t>>(collectives, call);
    case Kind::real:
      return std::make_unique<TypedTrial<double>>(collectives, call);
    case Kind::chain:
      return std::make_unique<TypedTrial<Chain>>(collectives, call);
  }
  return nullptr;
}

}  // namespace cartwright::campaign
