// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cartwright/comm/cart_comm.hpp>
#include <cartwright/comm/window/mpi_window.hpp>
#include <cartwright/rt/agreement.hpp>
#include <cartwright/rt/byte_type.hpp>
#include <cartwright/rt/mpi_check.hpp>
#include <chrono>
#include <thread>
#include <vector>

namespace cartwright::comm {

std::unique_ptr<MpiWindow> MpiWindow::make(const rt::Communicator& ranks,
                                           std::span<std::byte> mine) {
  MPI_Win handle = MPI_WIN_NULL;
  int code = MPI_SUCCESS;
  {
    const rt::WaitScope waiting({"MPI_Win_create"});
    code = MPI_Win_create(mine.data(), static_cast<MPI_Aint>(mine.size()), 1, MPI_INFO_NULL,
                          ranks.handle(), &handle);
  }
  // Open MPI's components for one-sided operations may all decline (MPI_ERR_WIN): Debian leaves
  // none that would serve Ethernet. What some ranks have made all the same stays with MPI.
  if (!rt::on_all_ranks(ranks, code == MPI_SUCCESS)) return nullptr;
  rt::mpi_check(MPI_Win_set_errhandler(handle, MPI_ERRORS_RETURN), "MPI_Win_set_errhandler");
  rt::mpi_check(MPI_Win_lock_all(MPI_MODE_NOCHECK, handle), "MPI_Win_lock_all");
  return std::unique_ptr<MpiWindow>(new MpiWindow(handle));
}

void MpiWindow::free() {
  rt::mpi_blocking("MPI_Win_unlock_all", MPI_Win_unlock_all, handle_);
  rt::mpi_blocking("MPI_Win_free", MPI_Win_free, &handle_);
}

rt::Message MpiWindow::put(rt::Rank target, std::size_t first,
                           std::span<const std::byte> data) const {
  const rt::ByteType bytes(data.size());
  MPI_Request request = MPI_REQUEST_NULL;
  rt::mpi_check(
      MPI_Rput(data.data(), bytes.count(), bytes.type(), target.value, static_cast<MPI_Aint>(first),
               bytes.count(), bytes.type(), handle_, &request),
      "MPI_Rput");
  return {request, false};
}

rt::Message MpiWindow::get(rt::Rank target, std::size_t first, std::span<std::byte> data) const {
  const rt::ByteType bytes(data.size());
  MPI_Request request = MPI_REQUEST_NULL;
  rt::mpi_check(
      MPI_Rget(data.data(), bytes.count(), bytes.type(), target.value, static_cast<MPI_Aint>(first),
               bytes.count(), bytes.type(), handle_, &request),
      "MPI_Rget");
  return {request, false};
}

void MpiWindow::flush(rt::Rank target) const {
  rt::mpi_blocking("MPI_Win_flush", MPI_Win_flush, target.value, handle_);
}

namespace {

constexpr std::size_t tried_bytes = 64 << 10;
constexpr std::chrono::milliseconds absence(20);

rt::Rank rank_elsewhere(const CartComm& cart) {
  for (int rank = 1; rank < cart.size(); ++rank)
    if (cart.is_off_node(rt::Rank{rank})) return rt::Rank{rank};
  return rt::Rank{1};
}

/// Puts bytes there and gets them back: whether they came back long before the target does. It has
/// time to leave first.
bool come_back(const MpiWindow& window, rt::Rank target, std::byte value) {
  const std::vector<std::byte> sent(tried_bytes, value);
  std::vector<std::byte> back(tried_bytes);
  std::this_thread::sleep_for(absence / 5);
  const auto begin = std::chrono::steady_clock::now();
  window.put(target, 0, sent).wait();
  window.flush(target);
  window.get(target, 0, back).wait();
  return std::chrono::steady_clock::now() - begin < absence / 2 && back == sent;
}

}  // namespace

bool mpi_windows_need_no_target(const CartComm& cart) {
  if (cart.size() == 1) return false;
  std::vector<std::byte> memory(tried_bytes);
  const std::unique_ptr<MpiWindow> window = MpiWindow::make(cart.communicator(), memory);
  if (window == nullptr) return false;
  const rt::Rank target = rank_elsewhere(cart);
  int tries_left = 3;
  for (; tries_left > 0; --tries_left) {
    cart.start_barrier().wait();
    if (cart.rank() == target) std::this_thread::sleep_for(absence);
    const bool good =
        cart.rank().value != 0 || come_back(*window, target, static_cast<std::byte>(tries_left));
    if (!rt::shared(cart.communicator(), good)) break;
  }
  window->free();
  return tries_left == 0;
}

}  // namespace cartwright::comm
