// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/comm/cart_comm.hpp>
#include <cartwright/comm/window.hpp>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace cartwright::bench {

/// A window in memory of its own, which ranks of a node share, or in the caller's: then all goes by
/// messages.
template <class T>
class WindowByWay {
 public:
  WindowByWay(const comm::CartComm& cart, bool by_messages, std::size_t count,
              comm::WindowOptions options = {})
      : memory_(by_messages ? count : 0),
        window_(by_messages ? comm::Window<T>(cart, std::span<T>(memory_), std::move(options))
                            : comm::Window<T>::allocate(cart, static_cast<plan::Count>(count),
                                                        std::move(options))) {}
  [[nodiscard]] comm::Window<T>& operator*() noexcept { return window_; }
  [[nodiscard]] comm::Window<T>* operator->() noexcept { return &window_; }

 private:
  std::vector<T> memory_;
  comm::Window<T> window_;
};

/// Collective. Calls `measure(cart, by_messages)` for either way, with all ranks in a periodic row
/// whose windows go so.
template <class Measure>
void by_both_ways(const rt::Communicator& world, const Measure& measure) {
  for (const bool by_messages : {false, true}) {
    rt::ProgressEngine engine;
    const comm::BackendId backend = by_messages ? comm::BackendId::p2p : comm::BackendId::automatic;
    const comm::CartComm cart(
        world, engine,
        {.dims = {world.size()}, .periodic = {true}, .settings = {.backend = backend}});
    measure(cart, by_messages);
  }
}

inline std::string name_of_way(bool by_messages) {
  return by_messages ? "messages" : "memory";
}

}  // namespace cartwright::bench
