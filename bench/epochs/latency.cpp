// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <cartwright/comm/window.hpp>

#include "../common/race.hpp"
#include "../peer/mpi_window.hpp"
#include "rates.hpp"
#include "ways.hpp"

namespace cartwright::bench {

namespace {

constexpr rt::Rank zero{0}, one{1};

/// Each rank in turn writes to the other: two epochs.
class PingPong {
 public:
  PingPong(const comm::CartComm& cart, bool by_messages)
      : me_(cart.rank().value), ours_(cart, by_messages, 1), peer_(cart.communicator(), 8) {}

  void general() {
    turn(
        0, [&] { access(one); }, [&] { expose(zero); });
    turn(
        1, [&] { access(zero); }, [&] { expose(one); });
  }
  void peer_general() {
    turn(
        0, [&] { peer_access(1); }, [&] { peer_expose(0); });
    turn(
        1, [&] { peer_access(0); }, [&] { peer_expose(1); });
  }
  void fence() {
    auto epoch = ours_->fence();
    epoch.put(me_ == 0 ? one : zero, 0, std::span(&value_, 1));
    epoch.close().wait();
  }
  void peer_fence() {
    peer_.fence();
    peer_.put(1 - me_, &value_, sizeof value_);
    peer_.close_fence();
  }
  void lock() {
    if (me_ != 0) return;
    auto epoch = ours_->lock(one);
    epoch.put(0, std::span(&value_, 1));
    epoch.unlock().wait();
  }
  void peer_lock() {
    if (me_ != 0) return;
    peer_.lock(1);
    peer_.put(1, &value_, sizeof value_);
    peer_.unlock(1);
  }

 private:
  template <class Mine, class Theirs>
  void turn(int origin, const Mine& mine, const Theirs& theirs) {
    if (me_ == origin)
      mine();
    else
      theirs();
  }
  void access(rt::Rank target) {
    auto epoch = ours_->start({target});
    epoch.put(target, 0, std::span(&value_, 1));
    epoch.complete().wait();
  }
  void expose(rt::Rank origin) { ours_->post({origin}).wait().wait(); }
  void peer_access(int target) {
    peer_.start({target});
    peer_.put(target, &value_, sizeof value_);
    peer_.complete();
  }
  void peer_expose(int origin) {
    peer_.post({origin});
    peer_.wait();
  }

  int me_;
  double value_ = 1;
  WindowByWay<double> ours_;
  MpiWindow peer_;
};

}  // namespace

void measure_latency(const comm::CartComm& cart, const Setting& setting, Results& results) {
  for (const bool by_messages : {false, true}) {
    const auto add = [&](const std::string& name, void (PingPong::*ours)(),
                         void (PingPong::*peer)()) {
      PingPong epochs(cart, by_messages);
      const auto samples =
          race(setting.world, {[&] { (epochs.*ours)(); }, [&] { (epochs.*peer)(); }},
               {.seconds = setting.options.quick ? 0.7 : 4.0});
      results.add(Case::of_times(
          fmt::format("{}, 8 bytes, {}, {}", name, name_of_way(by_messages), setting.layout),
          {{"way", name_of_way(by_messages)}, {"layout", setting.layout}}, samples[0], samples[1]));
    };
    add("two epochs there and back", &PingPong::general, &PingPong::peer_general);
    add("fence", &PingPong::fence, &PingPong::peer_fence);
    if (!by_messages)  // the other rank would have to serve
      add("lock", &PingPong::lock, &PingPong::peer_lock);
  }
}

}  // namespace cartwright::bench
