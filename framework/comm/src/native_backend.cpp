// SPDX-License-Identifier: Apache-2.0
#include <cartwright/comm/native_backend.hpp>
#include <utility>

#include "native_call.hpp"

namespace cartwright::comm {

namespace {

class NativePrepared final : public Prepared {
 public:
  explicit NativePrepared(std::unique_ptr<NativeCall> call) : call_(std::move(call)) {}
  NativePrepared(const NativePrepared&) = delete;
  NativePrepared& operator=(const NativePrepared&) = delete;
  /// What is still under way (when an exception unwinds) can't be called back: MPI goes on reading
  /// its arguments.
  ~NativePrepared() override {
    if (call_->is_under_way()) (void)call_.release();
  }
  void start() override { call_->start(); }
  bool advance() override { return call_->test(); }

 private:
  std::unique_ptr<NativeCall> call_;
};

}  // namespace

NativeBackend::NativeBackend(const rt::Communicator& comm, std::size_t chunk)
    : comm_(&comm), chunk_(chunk), messages_(comm), types_(std::make_unique<NativeTypes>()) {}

NativeBackend::~NativeBackend() = default;

void NativeBackend::run(const Call& call) {
  NativeCall(call, {comm_, &messages_, &sequence_, types_.get(), chunk_}).run();
}

std::unique_ptr<Prepared> NativeBackend::prepare(const Call& call) {
  return std::make_unique<NativePrepared>(std::make_unique<NativeCall>(
      call, NativeSetting{comm_, &messages_, &sequence_, types_.get(), chunk_}));
}

}  // namespace cartwright::comm
