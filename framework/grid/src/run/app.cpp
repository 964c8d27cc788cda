// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cartwright/comm/cart_comm.hpp>
#include <cartwright/grid/run/app.hpp>
#include <cartwright/grid/run/app_options.hpp>
#include <cartwright/grid/run/thread_binding.hpp>
#include <cartwright/rt/deck.hpp>
#include <cartwright/rt/error.hpp>
#include <cartwright/rt/memory_room.hpp>
#include <cartwright/rt/program.hpp>
#include <cartwright/rt/report.hpp>
#include <cartwright/rt/watcher.hpp>
#include <limits>
#include <span>

namespace cartwright::grid {

App::App(rt::Runtime& runtime, const AppOptions& options)
    : App(runtime, options, ExchangeOptions{}) {}

App::App(rt::Runtime& runtime, const AppOptions& options, const ExchangeOptions& exchange)
    : runtime_(runtime), options_(options), exchange_(exchange) {
  runtime_.watcher().bear_waiting(options_.comm.time_limit);
}

const mapping::Options& App::mapping_options() const noexcept {
  return options_.mapping;
}
const comm::Settings& App::comm_settings() const noexcept {
  return options_.comm;
}

const mapping::Topology& App::topology() const {
  if (!topology_)
    topology_ = std::make_shared<const mapping::Topology>(mapping::discover(
        runtime_.comm(), options_.mapping.topology, ThreadBinding::of_this_rank().cpus));
  return *topology_;
}

std::unique_ptr<comm::CartComm> App::make_cart(const CartShape& shape) const {
  comm::CartOptions cart;
  cart.dims = shape.dims;
  cart.periodic = shape.periodic;
  cart.weights = shape.face_weights;
  cart.settings = options_.comm.as_resolved();
  cart.arena = runtime_.arena();
  cart.strategy = mapping::strategy_from_name(options_.mapping.strategy);
  return std::make_unique<comm::CartComm>(runtime_.comm(), runtime_.progress(), cart, topology());
}

InnerLoopRecord& App::inner_loop(const std::string& name) {
  const auto found = std::ranges::find(inner_loops_, name, &InnerLoopRecord::name);
  return found != inner_loops_.end() ? *found : inner_loops_.emplace_back(InnerLoopRecord{name});
}

RunInfo App::info(const comm::CartComm& cart) const {
  const rt::Deck& deck = runtime_.deck();
  RunInfo info;
  info.deck_name = deck.file_name();
  info.deck_text = deck.text();
  info.version = runtime_.program().version;
  info.commit = runtime_.program().commit;
  for (const std::string& given : deck.overrides()) info.deck_text += "\n# command line: " + given;
  for (const auto& [name, value] : cart.description())
    info.layout += fmt::format("{}{}: {}", info.layout.empty() ? "" : "; ", name, value);
  return info;
}

void bind_solver_key(rt::SectionNode& root, std::string& chosen,
                     const std::vector<std::string>& solvers) {
  rt::KeyNode node;
  node.name = "solver";
  node.about = "what to solve; its parameters are in the section of that name";
  node.required = solvers.size() > 1;
  node.limits.choices = solvers;
  if (!node.required) chosen = solvers.front();
  node.example = solvers.front();
  node.value = rt::bind_value(chosen, node.limits);
  root.add_key(std::move(node));
}

void bind_app_options(rt::SectionNode& root, AppOptions& options) {
  mapping::schema().bind(root.add_section("mapping", "which rank computes what"), options.mapping);
  comm::schema().bind(root.add_section("comm", "communication"), options.comm);
}

void check_app_options(const rt::Deck& deck, const AppOptions& options,
                       const std::vector<long long>& extent) {
  mapping::check_options(deck, options.mapping, extent);
  comm::check_settings(deck, options.comm);
}

void require_memory(const comm::CartComm& cart, double bytes_of_rank, const std::string& what_needs,
                    const std::string& what_to_do) {
  // Asked before any rank touches its part: Linux promises more than it has, and kills later.
  const int nodes = cart.topology().machine_nodes;
  const int ranks_on_node = (cart.size() + nodes - 1) / nodes;
  // A look takes as long as touching little.
  constexpr double little = 1 << 20;
  const double room = bytes_of_rank > little ? static_cast<double>(rt::memory_room().bytes)
                                             : std::numeric_limits<double>::infinity();
  std::array<double, 2> most{bytes_of_rank, -room};
  cart.allreduce(std::span<double>(most), comm::Operator::maximum);
  const double needed = most[0] * ranks_on_node, available = -most[1];
  if (needed <= available) return;
  const auto text = [](double value) { return rt::readable_bytes(static_cast<long long>(value)); };
  throw rt::input_error(fmt::format("{} {} of memory a node ({} a rank), but {} are free there",
                                    what_needs, text(needed), text(most[0]), text(available)),
                        what_to_do, rt::Reach::all_ranks);
}

}  // namespace cartwright::grid
