// SPDX-License-Identifier: Apache-2.0
#include <cartwright/comm/cart_comm.hpp>
#include <cartwright/comm/window/mpi_window.hpp>
#include <cartwright/rt/agreement.hpp>
#include <cartwright/rt/byte_type.hpp>
#include <cartwright/rt/mpi_check.hpp>
#include <chrono>
#include <span>
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

using Clock = std::chrono::steady_clock;

constexpr std::size_t tried_bytes = 64 << 10;
constexpr std::chrono::milliseconds absence(20);

/// Of this rank: another one will find another.
rt::Rank far_rank(const CartComm& cart) {
  for (int rank = 1; rank < cart.size(); ++rank)
    if (cart.is_off_node(rt::Rank{rank})) return rt::Rank{rank};
  return rt::Rank{1};
}

/// A rank and one that goes away for a while tell each other where they are.
class Talk {
 public:
  Talk(const rt::Communicator& ranks, rt::Rank other) : ranks_(&ranks), other_(other) {}
  void say() const {
    rt::isend(*ranks_, std::span(&word, 1), other_, tag).wait({"the trial of MPI's windows"});
  }
  void hear() const {
    std::byte heard{};
    rt::ireceive(*ranks_, std::span(&heard, 1), other_, tag).wait({"the trial of MPI's windows"});
  }

 private:
  static constexpr std::byte word{1};
  static constexpr rt::Tag tag{1};

  const rt::Communicator* ranks_;
  rt::Rank other_;
};

/// Puts bytes there and gets them back: whether they came back in far less time than the target
/// was away, and long before it came back. (It answers, so that it isn't just about to leave.)
bool come_back(const MpiWindow& window, const Talk& talk, rt::Rank target, std::byte value) {
  const std::vector<std::byte> sent(tried_bytes, value);
  std::vector<std::byte> back(tried_bytes);
  talk.say();
  talk.hear();
  const Clock::time_point begin = Clock::now();
  window.put(target, 0, sent).wait();
  window.flush(target);
  window.get(target, 0, back).wait();
  const Clock::time_point end = Clock::now();
  talk.hear();
  return end - begin < absence / 2 && Clock::now() - end > absence / 4 && back == sent;
}

void go_away(const Talk& talk) {
  talk.hear();
  talk.say();
  std::this_thread::sleep_for(absence);
  talk.say();
}

}  // namespace

bool mpi_windows_need_no_target(const CartComm& cart) {
  if (cart.size() == 1) return false;
  const rt::Communicator ranks = cart.communicator().duplicate();
  std::vector<std::byte> memory(tried_bytes);
  const std::unique_ptr<MpiWindow> window = MpiWindow::make(ranks, memory);
  if (window == nullptr) return false;
  const rt::Rank target = rt::shared(ranks, far_rank(cart));
  int tries_left = 3;
  for (; tries_left > 0; --tries_left) {
    if (cart.rank() == target) go_away({ranks, rt::Rank{0}});
    const bool good = cart.rank().value != 0 || come_back(*window, {ranks, target}, target,
                                                          static_cast<std::byte>(tries_left));
    if (!rt::shared(ranks, good)) break;
  }
  window->free();
  return tries_left == 0;
}

}  // namespace cartwright::comm
