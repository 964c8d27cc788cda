// SPDX-License-Identifier: Apache-2.0
#include <cartwright/comm/execution/p2p_channel.hpp>
#include <cartwright/comm/execution/p2p_messages.hpp>
#include <cartwright/comm/execution/scheduled_backend.hpp>
#include <cartwright/comm/packed_call.hpp>
#include <cartwright/comm/supervised_backend.hpp>
#include <cartwright/comm/uneven_transfers.hpp>
#include <optional>
#include <utility>

namespace cartwright::comm::detail {

/// Who carries out the second halves.
struct UnevenTransfers::Channel {
  Channel(const rt::Communicator& comm, rt::ProgressEngine& engine, const Backends& backends,
          const Supervision& supervision)
      : p2p(backends.further_messages()),
        messages(comm, engine,
                 {.name = "p2p",
                  .make_messages =
                      [this](const plan::Program& program, std::size_t element_size) {
                        return P2pMessages(p2p, program, element_size);
                      },
                  .choose =
                      [selection = &backends.selection()](const plan::Problem& problem,
                                                          Waiting waiting) {
                        return selection->decide_for(BackendId::p2p, problem, waiting).choice;
                      },
                  .sequence = &sequence,
                  .traffic = &traffic,
                  .nodes = &nodes,
                  .progress_mpi = [] {}}) {
    if (supervision.is_on()) supervised.emplace(messages, comm, engine, supervision);
  }
  [[nodiscard]] Backend& backend() {
    if (supervised) return *supervised;
    return messages;
  }

  P2pChannel p2p;
  std::uint64_t sequence = 0;
  Traffic traffic;
  NodeView nodes = NodeView::apart();
  ScheduledBackend<P2pMessages> messages;
  std::optional<SupervisedBackend> supervised;
};

/// The lengths, then the blocks.
class UnevenTransfers::TwoSteps final : public rt::Operation {
 public:
  TwoSteps(UnevenTransfers& transfers, Backend& backend, Call exchange,
           std::vector<plan::Count> counts, Transfer transfer)
      : channel_(transfers.channel_.get()),
        supervisor_(dynamic_cast<SupervisedBackend*>(&backend)),
        transfer_(std::move(transfer)),
        counts_(std::move(counts)) {
    exchange.place = plan::Place::in_place;
    exchange.element = element_of<plan::Count>();
    exchange.waiting = Waiting::later;
    exchange.output = reinterpret_cast<std::byte*>(counts_.data());
    lengths_ = backend.prepare(exchange);
    lengths_->start();
    former_has_begun_ = std::exchange(transfers.last_has_begun_, has_begun_);
  }
  TwoSteps(const TwoSteps&) = delete;
  TwoSteps& operator=(const TwoSteps&) = delete;
  /// Given up (when an exception unwinds), it must not keep the next one waiting.
  ~TwoSteps() override { *has_begun_ = true; }

  [[nodiscard]] rt::WaitSite wait_site() const noexcept override { return lengths_->wait_site(); }
  bool advance() override {
    if (!blocks_) {
      knows_lengths_ = knows_lengths_ || lengths_->advance();
      if (!knows_lengths_ || !*former_has_begun_) return false;
      begin();
    }
    if (blocks_->advance()) return true;
    // Others may still wait for lengths: who has them answers in both.
    if (supervisor_ != nullptr) supervisor_->serve();
    return false;
  }

  void awaited() override {
    is_awaited_ = true;
    (blocks_ ? *blocks_ : *lengths_).awaited();
  }

 private:
  void begin() {
    const Blocks known(counts_);  // named by the arguments until these are kept
    Arguments arguments = transfer_(known);
    arguments.call.waiting = Waiting::later;
    blocks_ = std::make_unique<KeptCollective>(channel_->backend(), arguments, nullptr);
    blocks_->start();
    *has_begun_ = true;
    if (is_awaited_) blocks_->awaited();
  }

  Channel* channel_;
  SupervisedBackend* supervisor_;  // of the lengths, if there is one
  Transfer transfer_;
  std::shared_ptr<bool> has_begun_ = std::make_shared<bool>(false);
  std::shared_ptr<const bool> former_has_begun_;
  std::vector<plan::Count> counts_;
  std::unique_ptr<Prepared> lengths_;
  std::unique_ptr<Prepared> blocks_;
  bool knows_lengths_ = false;
  bool is_awaited_ = false;
};

UnevenTransfers::UnevenTransfers(const rt::Communicator& comm, rt::ProgressEngine& engine,
                                 const Backends& backends, const Supervision& supervision)
    : engine_(&engine),
      backends_(&backends),
      channel_(std::make_unique<Channel>(comm, engine, backends, supervision)) {}

UnevenTransfers::~UnevenTransfers() = default;

Pending UnevenTransfers::start(Backend& backend, Call exchange, std::vector<plan::Count> counts,
                               Transfer transfer) {
  backends_->poll_in_native();
  return {*engine_, std::make_unique<TwoSteps>(*this, backend, exchange, std::move(counts),
                                               std::move(transfer))};
}

}  // namespace cartwright::comm::detail
