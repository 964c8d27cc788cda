// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <mpi.h>

#include <algorithm>
#include <cartwright/comm/cart_comm.hpp>
#include <cartwright/comm/window/mpi_window.hpp>
#include <cartwright/comm/window/records.hpp>
#include <cartwright/comm/window/window_core.hpp>
#include <cartwright/comm/window/window_space.hpp>
#include <cartwright/rt/error.hpp>
#include <cartwright/rt/mpi_check.hpp>
#include <cstring>
#include <optional>
#include <utility>

namespace cartwright::comm {

namespace {

/// How often the thread looks.
constexpr std::chrono::microseconds thread_period{50};

rt::WaitSite site_of(const RequestState& request) {
  return {request.what, request.site.file, request.site.line};
}

/// Something that is complete when a request is.
class Followed final : public rt::Operation {
 public:
  explicit Followed(EpochRequest request)
      : request_(std::make_unique<EpochRequest>(std::move(request))),
        site_(request_->wait_site()) {}
  bool advance() override {
    if (request_->is_complete()) return true;
    // Told once: who hears of it may go on to wait for something else.
    if (const auto begin = std::exchange(awaited_since_, std::nullopt)) {
      request_->check_time(*begin);
      awaited_since_ = begin;
    }
    return false;
  }
  void awaited() override { awaited_since_ = std::chrono::steady_clock::now(); }
  [[nodiscard]] rt::WaitSite wait_site() const noexcept override { return site_; }

 private:
  std::unique_ptr<EpochRequest> request_;
  rt::WaitSite site_;
  std::optional<std::chrono::steady_clock::time_point> awaited_since_;
};

}  // namespace

plan::Count elements_of_memory(const Strides& strides) {
  if (strides.is_contiguous()) return strides.elements();
  throw rt::internal_failure("a window's memory on a device has gaps",
                             "Give all of the allocation: epochs reach parts of it by slices.");
}

void WindowSpace::Guard::keep_out(WindowSpace& space) {
  lock_ = std::unique_lock(space.mutex_);
  if (space.fault_) std::rethrow_exception(std::exchange(space.fault_, nullptr));
}

WindowSpace::WindowSpace(rt::ProgressEngine& engine, P2pChannel channel, int ranks, int me)
    : engine_(&engine), channel_(std::move(channel)), ranks_(ranks), me_(me) {}

WindowSpace::~WindowSpace() {
  if (thread_) {
    thread_users_ = 1;
    stop_thread();
  }
  engine_->remove(*this);
}

void WindowSpace::connect(const CartComm& cart) {
  if (messenger_ != nullptr || ranks_ == 1) return;
  const std::shared_ptr<NodeMemory>& memory = cart.all().context().memory;
  std::optional<LeasedPaths> paths;
  if (memory != nullptr && memory->usable())
    paths = memory->lease_paths(cart.communicator(), Messenger::shape(), 0);
  messenger_ = std::make_unique<Messenger>(channel_, ranks_, me_, std::move(paths));
}

bool WindowSpace::mpi_windows_need_no_target(const CartComm& cart) {
  if (!mpi_windows_need_no_target_)
    mpi_windows_need_no_target_ = comm::mpi_windows_need_no_target(cart);
  return *mpi_windows_need_no_target_;
}

std::uint32_t WindowSpace::add(WindowCore& core, bool by_messages) {
  const auto number = static_cast<std::uint32_t>(windows_.size());
  windows_.push_back(&core);
  if (by_messages) {
    ++by_messages_;
    drive();
  }
  return number;
}

void WindowSpace::remove(const WindowCore& core, bool by_messages) noexcept {
  std::replace(windows_.begin(), windows_.end(), const_cast<WindowCore*>(&core),
               static_cast<WindowCore*>(nullptr));
  std::erase(busy_, &core);
  if (by_messages) --by_messages_;
}

int WindowSpace::take_lane(const LaneSet& free_everywhere) {
  for (std::size_t lane = 0; lane < free_everywhere.size(); ++lane) {
    if (!free_everywhere[lane]) continue;
    free_lanes_.reset(lane);
    return static_cast<int>(lane);
  }
  throw rt::internal_failure(
      fmt::format("{} windows of one communicator are in use, and a further one is made",
                  free_everywhere.size()),
      "Free those that aren't needed, or let one window serve several arrays.",
      rt::Reach::all_ranks);
}

void WindowSpace::keep_busy(WindowCore& core) {
  if (std::exchange(core.is_listed_, true)) return;
  busy_.push_back(&core);
}

void WindowSpace::drive() {
  if (!engine_->is_active(*this)) engine_->add(*this);
}

void WindowSpace::send() {
  if (messenger_ != nullptr) messenger_->flush();
}

void WindowSpace::take(int from, std::span<const std::byte> records) {
  while (!records.empty()) {
    Record record;
    std::memcpy(&record, records.data(), sizeof record);
    WindowCore* const core = record.window < windows_.size() ? windows_[record.window] : nullptr;
    ++taken_;
    // Credit may come behind the end of its window.
    if (core != nullptr) core->receive(from, record, records.first(record.bytes));
    records = records.subspan(record.bytes);
  }
}

void WindowSpace::progress() {
  if (messenger_ != nullptr)
    messenger_->poll([this](int from, std::span<const std::byte> records) { take(from, records); });
  std::size_t kept = 0;
  // Some may be added meanwhile. NOLINTNEXTLINE(modernize-loop-convert)
  for (std::size_t i = 0; i < busy_.size(); ++i) {
    WindowCore* const core = busy_[i];
    core->progress();
    core->is_listed_ = core->has_work();
    if (core->is_listed_) busy_[kept++] = core;
  }
  busy_.resize(kept);
  send();
  for (WindowCore* const core : busy_) core->send_long();
}

bool WindowSpace::advance() {
  const Guard guard(*this);
  progress();
  return busy_.empty() && by_messages_ == 0 && (messenger_ == nullptr || messenger_->is_drained());
}

void WindowSpace::start_thread(bool by_messages) {
  int level = 0;
  rt::mpi_check(MPI_Query_thread(&level), "MPI_Query_thread");
  mpi_serves_threads_ = level == MPI_THREAD_MULTIPLE;
  if (by_messages && !mpi_serves_threads_)
    throw rt::input_error("a window that sends messages wants a thread, and MPI serves one only",
                          "Start MPI with MPI_THREAD_MULTIPLE, or poll: cart.engine().poll().",
                          rt::Reach::all_ranks);
  if (thread_users_++ > 0) return;
  thread_ends_ = false;
  thread_.emplace([this] { run_thread(); });
}

void WindowSpace::stop_thread() noexcept {
  if (--thread_users_ > 0 || !thread_) return;
  thread_ends_ = true;
  thread_->join();
  thread_.reset();
}

void WindowSpace::run_thread() {
  while (!thread_ends_) {
    {
      const std::lock_guard lock(mutex_);
      try {
        if (!fault_) progress();
      } catch (...) {
        fault_ = std::current_exception();
      }
    }
    std::this_thread::sleep_for(thread_period);
  }
}

RequestState& WindowSpace::new_request(WindowCore& core, const Epoch* epoch, const char* what,
                                       CallSite site) {
  RequestState& request = requests_.take();
  request.is_complete.store(false, std::memory_order_relaxed);
  request.is_detached = false;
  request.left = 1;
  request.space = this;
  request.core = &core;
  request.epoch = epoch;
  request.what = what;
  request.site = site;
  return request;
}

void WindowSpace::complete_part(RequestState& request) {
  if (--request.left > 0) return;
  request.epoch = nullptr;
  if (request.is_detached) return requests_.give_back(request);
  request.is_complete.store(true, std::memory_order_release);
}

void WindowSpace::end_requests(const WindowCore& core) noexcept {
  std::unique_lock<std::mutex> lock;
  if (thread_) lock = std::unique_lock(mutex_);
  requests_.for_each([this, &core](RequestState& request) {
    if (request.core != &core || request.left == 0) return;
    request.left = 1;
    complete_part(request);
  });
}

void WindowSpace::release(RequestState& request) noexcept {
  std::unique_lock<std::mutex> lock;
  if (thread_) lock = std::unique_lock(mutex_);
  if (request.is_complete.load(std::memory_order_relaxed))
    requests_.give_back(request);
  else
    request.is_detached = true;
}

bool WindowSpace::test(RequestState& request) {
  if (!request.is_complete.load(std::memory_order_acquire)) engine_->poll();
  return request.is_complete.load(std::memory_order_acquire);
}

void WindowSpace::wait(RequestState& request) {
  if (test(request)) return;
  drive();
  awaited_ = site_of(request);
  const auto begin = std::chrono::steady_clock::now();
  const auto is_over = [&request, begin] {
    if (request.is_complete.load(std::memory_order_acquire)) return true;
    request.core->check_time(request, begin);
    return false;
  };
  engine_->wait_until(is_over, *this);
}

EpochRequest::~EpochRequest() noexcept(false) {
  if (state_ == nullptr) return;
  if (!rt::unwinding()) wait();
  release();
}

void EpochRequest::release() noexcept {
  if (state_ == nullptr) return;
  RequestState& state = *std::exchange(state_, nullptr);
  state.space->release(state);
}

bool EpochRequest::test() {
  if (state_ == nullptr) return true;
  if (!state_->space->test(*state_)) return false;
  release();
  return true;
}

void EpochRequest::wait() {
  if (state_ == nullptr) return;
  state_->space->wait(*state_);
  release();
}

rt::WaitSite EpochRequest::wait_site() const noexcept {
  return state_ == nullptr ? rt::WaitSite{} : site_of(*state_);
}

void EpochRequest::check_time(std::chrono::steady_clock::time_point begin) const {
  if (!is_complete()) state_->core->check_time(*state_, begin);
}

void EpochRequest::detach() && {
  release();
}

Pending EpochRequest::pending() && {
  if (state_ == nullptr) return {};
  rt::ProgressEngine& engine = state_->space->engine();
  return {engine, std::make_unique<Followed>(std::move(*this))};
}

}  // namespace cartwright::comm
