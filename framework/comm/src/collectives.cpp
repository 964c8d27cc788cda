// SPDX-License-Identifier: Apache-2.0
#include <cartwright/comm/collectives.hpp>
#include <cartwright/comm/options.hpp>
#include <cartwright/comm/packed_call.hpp>
#include <cartwright/comm/selection/knowledge_store.hpp>
#include <cartwright/comm/supervised_backend.hpp>
#include <cartwright/mapping/topology.hpp>
#include <utility>

namespace cartwright::comm {

namespace {

/// What the environment and, where it is silent, the program say.
CartOptions wishes(const rt::Communicator& comm, const CollectivesOptions& options) {
  CartOptions asked;
  asked.backend = options.backend;
  asked.supervision = options.supervision;
  asked.algorithms = options.knowledge->wanted;
  asked.learns = options.knowledge->learns;
  return with_environment(comm, std::move(asked));
}

std::vector<plan::Count> lengths_of(const Blocks& blocks) {
  std::vector<plan::Count> lengths;
  lengths.reserve(static_cast<std::size_t>(blocks.ranks()));
  for (int rank = 0; rank < blocks.ranks(); ++rank) lengths.push_back(blocks.count(rank));
  return lengths;
}

void settle(CollectivesOptions& options, const CartOptions& wanted) {
  options.backend = wanted.backend;
  options.supervision = wanted.supervision;
  options.is_settled = true;
}

void find_memory(CollectivesOptions& options, const CartOptions& wanted,
                 const rt::Communicator& comm, const mapping::Topology& topology) {
  options.nodes = NodeView::of(comm, topology);
  if (Backends::uses_memory(options.backend))
    options.memory = std::make_shared<NodeMemory>(comm, topology, 1, wanted.shared_memory);
}

CollectivesOptions discovered(const rt::Communicator& comm, const std::string& backend) {
  const mapping::Topology topology = mapping::discover(comm);
  CollectivesOptions options;
  options.backend = backend;
  const CartOptions wanted = wishes(comm, options);
  settle(options, wanted);
  options.knowledge = find_knowledge(comm, topology, wanted.algorithms, wanted.learns);
  find_memory(options, wanted, comm, topology);
  return options;
}

/// Memory that another backend needs than the program had in mind is found here.
CollectivesOptions settled(const rt::Communicator& comm, CollectivesOptions options) {
  if (options.is_settled) return options;
  const CartOptions wanted = wishes(comm, options);
  const bool is_other = wanted.backend != options.backend;
  settle(options, wanted);
  const bool knows =
      wanted.algorithms == options.knowledge->wanted && wanted.learns == options.knowledge->learns;
  if (!knows) {
    auto knowledge = std::make_shared<Knowledge>(*options.knowledge);
    knowledge->wanted = wanted.algorithms;
    knowledge->learns = wanted.learns;
    options.knowledge = std::move(knowledge);
  }
  if (is_other && Backends::uses_memory(options.backend) && options.memory == nullptr)
    find_memory(options, wanted, comm, mapping::discover(comm));
  return options;
}

}  // namespace

Collectives::Collectives(const rt::Communicator& comm, rt::ProgressEngine& engine,
                         CollectivesOptions options)
    : comm_(&comm),
      engine_(&engine),
      options_(settled(comm, std::move(options))),
      backends_(std::make_shared<const Backends>(comm, engine, options_.backend, options_.knowledge,
                                                 options_.nodes, options_.memory)),
      uneven_(std::make_shared<detail::UnevenTransfers>(comm, engine, *backends_,
                                                        options_.supervision)),
      backend_(&backends_->chosen()) {
  if (!options_.supervision.is_on()) return;
  supervised_ = std::make_shared<SupervisedBackend>(*backend_, comm, engine, options_.supervision);
  backend_ = supervised_.get();
}

Collectives::Collectives(const rt::Communicator& comm, rt::ProgressEngine& engine,
                         const std::string& backend)
    : Collectives(comm, engine, discovered(comm, backend)) {}

Collectives Collectives::by(std::string_view backend) const {
  Collectives other(*this);
  other.backend_ = &backends_->named(backend);
  return other;
}

void Collectives::run_packed(const detail::Arguments& arguments) const {
  const detail::PackedCall packed(arguments);
  packed.pack();
  backend_->run(packed.call());
  packed.unpack();
}

std::unique_ptr<Prepared> Collectives::prepared(const detail::Arguments& arguments,
                                                Keep keep) const {
  detail::Arguments later = arguments;
  later.call.waiting = Waiting::later;
  if (!later.is_strided() && !later.call.has_uneven_blocks() && keep == nullptr) {
    return backend_->prepare(later.call);
  }
  return std::make_unique<detail::KeptCollective>(*backend_, later, std::move(keep));
}

Pending Collectives::start(const detail::Arguments& arguments, Keep keep) const {
  auto collective = prepared(arguments, std::move(keep));
  collective->start();
  return {*engine_, std::move(collective)};
}

Persistent Collectives::prepare(const detail::Arguments& arguments, Keep keep) const {
  detail::Arguments later = arguments;
  later.call.waiting = Waiting::later;
  return {*engine_, std::make_unique<detail::KeptCollective>(*backend_, later, std::move(keep))};
}

Blocks Collectives::blocks_of_all(plan::Count mine, At at) const {
  std::vector<plan::Count> counts(static_cast<std::size_t>(comm_->size()));
  allgather(std::span(&mine, 1), counts, {}, at);
  return Blocks(counts);
}

Blocks Collectives::blocks_of_root(const Blocks& blocks, rt::Rank root, At at) const {
  std::vector<plan::Count> counts(static_cast<std::size_t>(comm_->size()));
  if (comm_->rank() == root) counts = lengths_of(blocks);
  broadcast(counts, root, at);
  return Blocks(counts);
}

Blocks Collectives::blocks_to_me(const Blocks& sent, At at) const {
  std::vector<plan::Count> counts = lengths_of(sent);
  alltoall(counts, {}, at);
  return Blocks(counts);
}

Pending Collectives::start_after_counts_of_all(plan::Count mine, Transfer transfer, At at) const {
  std::vector<plan::Count> counts(static_cast<std::size_t>(comm_->size()));
  counts[static_cast<std::size_t>(comm_->rank().value)] = mine;
  return uneven_->start(*backend_,
                        {.operation = plan::Operation::allgather, .count = 1, .site = at},
                        std::move(counts), std::move(transfer));
}

Pending Collectives::start_after_counts_of_root(const Blocks& blocks, rt::Rank root,
                                                Transfer transfer, At at) const {
  std::vector<plan::Count> counts(static_cast<std::size_t>(comm_->size()));
  if (comm_->rank() == root) counts = lengths_of(blocks);
  const auto count = static_cast<plan::Count>(counts.size());
  return uneven_->start(
      *backend_,
      {.operation = plan::Operation::broadcast, .count = count, .root = root, .site = at},
      std::move(counts), std::move(transfer));
}

Pending Collectives::start_after_counts_to_me(const Blocks& sent, Transfer transfer, At at) const {
  return uneven_->start(*backend_, {.operation = plan::Operation::alltoall, .count = 1, .site = at},
                        lengths_of(sent), std::move(transfer));
}

}  // namespace cartwright::comm
