// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cartwright/comm/arrival_report.hpp>
#include <cartwright/comm/cart_comm.hpp>
#include <cartwright/grid/output/volume/compositor.hpp>
#include <cartwright/grid/run/app.hpp>
#include <numeric>
#include <utility>

namespace cartwright::grid {
namespace {

int place_of_rank(const std::vector<int>& ranks, int rank) {
  return static_cast<int>(std::ranges::find(ranks, rank) - ranks.begin());
}

}  // namespace

Compositor::Compositor(const App& app, const comm::CartComm& cart, std::string algorithm)
    : app_(app), cart_(cart), algorithm_(std::move(algorithm)) {}

void Compositor::over(std::span<VolumePixel> pixels, const std::vector<int>& ranks) {
  if (cart_.size() == 1) return;
  const comm::Collectives& by = in_order(ranks);
  by.reduce(pixels, comm::associative(Over{}), rt::Rank{place_of_rank(ranks, 0)});
  note_method(by);
}

void Compositor::maximum(std::span<float> values) {
  if (cart_.size() == 1) return;
  std::vector<int> ranks(static_cast<std::size_t>(cart_.size()));
  std::iota(ranks.begin(), ranks.end(), 0);
  const comm::Collectives& by = in_order(ranks);
  by.reduce(values, comm::Operator::maximum, rt::Rank{0});
  note_method(by);
}

const comm::Collectives& Compositor::in_order(const std::vector<int>& ranks) {
  if (algorithm_.empty() && std::ranges::is_sorted(ranks)) return cart_.all();
  std::unique_ptr<comm::Collectives>& known = by_order_[ranks];
  if (!known) known = make(ranks);
  return *known;
}

std::unique_ptr<comm::Collectives> Compositor::make(const std::vector<int>& ranks) {
  const int me = place_of_rank(ranks, cart_.rank().value);
  comm::Context context = cart_.all().context();
  if (!algorithm_.empty()) {
    auto knowledge = std::make_shared<comm::Knowledge>(*context.knowledge);
    knowledge->wanted[plan::Operation::reduce] = algorithm_;
    context.knowledge = std::move(knowledge);
    // Whoever asks for plans for arrivals bears that a pixel may round otherwise: by 1/255 at most.
    if (algorithm_.starts_with("clairvoyant")) context.settings.any_order = true;
  }
  context.nodes = context.nodes.among(ranks, me);
  context.tags.reset();
  if (context.memory != nullptr) {
    if (shares_left_ == 0) lease_memory();
    context.memory = memory_;
    --shares_left_;
    if (!memory_->usable() &&
        traits_of(context.settings.backend).memory == comm::BackendTraits::Memory::needed)
      context.settings.backend = comm::BackendId::p2p;
  }
  // Native knows no algorithms of ours, and whoever names one wants that.
  if (!algorithm_.empty() && !traits_of(context.settings.backend).runs_schedules())
    context.settings.backend = comm::BackendId::p2p;
  return std::make_unique<comm::Collectives>(
      std::make_shared<const rt::Communicator>(cart_.communicator().split(0, me)), cart_.engine(),
      std::move(context));
}

void Compositor::lease_memory() {
  const comm::Context& context = cart_.all().context();
  memory_ = std::make_shared<comm::NodeMemory>(
      app_.runtime().comm(), app_.topology(),
      context.settings.memory_options(std::vector<int>(orders_a_lease, cart_.communicator().size()),
                                      *context.knowledge, app_.runtime().arena()));
  shares_left_ = orders_a_lease;
}

/// Of all orders together: by calls.
void Compositor::report(rt::Report::Section& section) const {
  if (!method_.empty()) section.add("compositing", method_);
  double calls = 0, imbalance = 0, after_last = 0, error = 0, calls_with_forecast = 0;
  double absorbed = 0, calls_with_share = 0;
  for (const auto& [ranks, by] : by_order_)
    for (const comm::ArrivalSummary& site : comm::summarize_arrivals(*by)) {
      const auto weight = static_cast<double>(site.calls);
      calls += weight;
      imbalance += weight * site.imbalance;
      after_last += weight * site.after_last;
      if (site.forecast_error > 0) calls_with_forecast += weight;
      error += weight * site.forecast_error;
      if (!site.absorbed) continue;
      calls_with_share += weight;
      absorbed += weight * *site.absorbed;
    }
  if (calls == 0) return;
  section.add("compositing, last rank behind the first", imbalance / calls, "s");
  section.add("compositing, from the last rank's arrival on", after_last / calls, "s");
  if (calls_with_forecast > 0)
    section.add("compositing, error of forecasts", error / calls_with_forecast, "s");
  if (calls_with_share > 0)
    section.add("compositing, share of imbalance absorbed", absorbed / calls_with_share);
}

void Compositor::note_method(const comm::Collectives& by) {
  if (!method_.empty()) return;
  for (const comm::DecisionNote& note : by.backends().decisions())
    if (note.key.operation == plan::Operation::reduce) method_ = note.explanation;
  if (method_.empty()) method_ = std::string(by.backend().name());
}

}  // namespace cartwright::grid
