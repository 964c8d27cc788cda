// SPDX-License-Identifier: Apache-2.0
#include <cartwright/comm/backends/native_backend.hpp>
#include <utility>

#include "native_call.hpp"

namespace cartwright::comm {

namespace {

class NativePrepared final : public Prepared {
 public:
  NativePrepared(const Call& call, const NativeSetting& setting)
      : work_(std::make_unique<Work>(call, setting)) {}
  NativePrepared(const NativePrepared&) = delete;
  NativePrepared& operator=(const NativePrepared&) = delete;
  /// What is still under way (when an exception unwinds) can't be called back: MPI goes on reading
  /// its arguments.
  ~NativePrepared() override {
    if (work_->native.is_under_way()) (void)work_.release();
  }
  void start() override { work_->native.start(); }
  bool advance() override { return work_->native.test(); }
  [[nodiscard]] rt::WaitSite wait_site() const noexcept override {
    return wait_site_of(work_->call);
  }

 private:
  struct Work {
    Work(const Call& asked, const NativeSetting& setting) : call(asked), native(call, setting) {}
    Call call;
    NativeCall native;
  };
  std::unique_ptr<Work> work_;
};

}  // namespace

NativeBackend::NativeBackend(const rt::Communicator& comm, rt::ProgressEngine& engine,
                             P2pChannel messages, Blocking blocking, std::size_t chunk)
    : comm_(&comm),
      engine_(&engine),
      blocking_(blocking),
      chunk_(chunk),
      messages_(std::move(messages)),
      types_(std::make_unique<NativeTypes>()) {}

NativeBackend::~NativeBackend() = default;

void NativeBackend::run(const Call& call, const plan::Choice* /*how*/) {
  if (blocking_ == Blocking::polled) {
    const auto collective = prepare(call);
    collective->start();
    return rt::Request(*engine_, *collective).wait();
  }
  const rt::WaitScope waiting(wait_site_of(call));
  NativeCall(call, {comm_, &messages_, &sequence_, types_.get(), chunk_}).run();
}

std::unique_ptr<Prepared> NativeBackend::prepare(const Call& call, const plan::Choice* /*how*/) {
  return std::make_unique<NativePrepared>(
      call, NativeSetting{comm_, &messages_, &sequence_, types_.get(), chunk_});
}

}  // namespace cartwright::comm
