// SPDX-License-Identifier: Apache-2.0
// Windows whose ranks reach each other through shared memory, by messages, in both ways, by
// messages in memory of a device, or by messages and a window of MPI's.
#pragma once

#include <fmt/format.h>
#include <mpi.h>

#include <array>
#include <cartwright/comm/window.hpp>
#include <cartwright/mapping/machine/topology.hpp>
#include <iterator>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "../imagined_device.hpp"

namespace cartwright::comm::test {

enum class Way { memory, messages, both, device, mpi_window };

inline constexpr Way all_ways[] = {Way::memory, Way::messages, Way::both, Way::device,
                                   Way::mpi_window};

inline std::string name_of(Way way) {
  static constexpr const char* names[] = {"memory", "messages", "both", "device", "mpi_window"};
  return names[static_cast<std::size_t>(way)];
}

/// A window, and memory that its caller has.
template <class T>
struct Made {
  std::unique_ptr<std::vector<T>> memory;
  Window<T> window;

  /// This rank's, which of a device the test alone reaches.
  [[nodiscard]] std::span<T> local() const {
    return memory == nullptr ? window.local() : std::span<T>(*memory);
  }
};

template <class T>
Made<T> make_window(const CartComm& cart, Way way, plan::Count count, WindowOptions options = {}) {
  if (way == Way::memory || way == Way::both)
    return {nullptr, Window<T>::allocate(cart, count, std::move(options))};
  auto memory = std::make_unique<std::vector<T>>(static_cast<std::size_t>(count));
  if (way == Way::device) {
    const auto there = on_device(on_imagined_device(memory->data()), count, imagined_copies);
    Window<T> window(cart, there, std::move(options));
    return {std::move(memory), std::move(window)};
  }
  options.mpi_window = way == Way::mpi_window;
  Window<T> window(cart, std::span<T>(*memory), std::move(options));
  return {std::move(memory), std::move(window)};
}

/// Where ranks reach each other in both ways, nodes of two ranks are imagined.
inline std::unique_ptr<CartComm> make_cart(const rt::Communicator& world,
                                           rt::ProgressEngine& engine, Way way,
                                           Settings settings = {.is_resolved = true}) {
  const std::string imagined =
      way == Way::both ? fmt::format("node:{} core:2", (world.size() + 1) / 2) : "";
  const auto topology =
      way == Way::both ? mapping::discover(world, imagined) : mapping::discover(world);
  return std::make_unique<CartComm>(
      world, engine, CartOptions{.dims = {world.size()}, .settings = std::move(settings)},
      topology);
}

class Windows {
 public:
  explicit Windows(Way way)
      : way_(way),
        world_(rt::Communicator::duplicate(MPI_COMM_WORLD)),
        cart_(make_cart(world_, engine_, way)) {}
  /// One for all tests of a program, until it is forgotten.
  static Windows& of(Way way) {
    std::unique_ptr<Windows>& windows = all()[static_cast<std::size_t>(way)];
    if (windows == nullptr) windows = std::make_unique<Windows>(way);
    return *windows;
  }
  static void forget() { all() = {}; }

  [[nodiscard]] const CartComm& cart() const { return *cart_; }
  template <class T>
  [[nodiscard]] Made<T> make(plan::Count count, WindowOptions options = {}) {
    return make_window<T>(*cart_, way_, count, std::move(options));
  }

 private:
  static std::array<std::unique_ptr<Windows>, std::size(all_ways)>& all() {
    static std::array<std::unique_ptr<Windows>, std::size(all_ways)> windows;
    return windows;
  }

  Way way_;
  rt::Communicator world_;
  rt::ProgressEngine engine_;
  std::unique_ptr<CartComm> cart_;
};

}  // namespace cartwright::comm::test
