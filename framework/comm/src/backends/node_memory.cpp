// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cartwright/comm/backends/node_memory.hpp>
#include <cartwright/comm/transport/core_distance.hpp>
#include <cartwright/comm/transport/leased_segment.hpp>
#include <cartwright/rt/agreement.hpp>
#include <cartwright/rt/error.hpp>
#include <numeric>
#include <utility>

namespace cartwright::comm {

namespace {

/// The arena knows the ranks of real nodes already, if it is of the same ranks.
bool are_nodes_of(const rt::Arena& arena, const rt::Communicator& parent,
                  const mapping::Topology& topology) {
  return !topology.is_virtual && std::ssize(arena.nodes().node_of()) == parent.size() &&
         arena.nodes().count() == topology.nodes;
}

/// Ranks of one node of the topology; of those on one real node, if an imagined
/// one is larger. With links, of all nodes.
rt::Communicator ranks_of_node(const rt::Communicator& parent, const mapping::Topology& topology,
                               const rt::Arena& arena, bool of_all) {
  if (of_all) return parent.split(0, parent.rank().value);
  const rt::Communicator imagined = parent.split(topology.here.node, topology.here.slot_on_node);
  return imagined.split(arena.nodes().number(), topology.here.slot_on_node);
}

void require_one_host(const rt::Arena& arena) {
  if (arena.nodes().count() == 1) return;
  throw rt::input_error(
      "comm.links: a network can be imagined between nodes of one host, and these ranks are on "
      "several",
      "Start them on one node, with mapping.topology for the nodes to imagine, or leave comm.links "
      "out.",
      rt::Reach::all_ranks);
}

/// Each communicator gets the same share of a member's part, and room in it for no more members
/// than it may have.
std::vector<MailboxShape> shapes_of(const NodeMemory::Options& options, int members,
                                    const CopyThresholds& copies) {
  const std::size_t all = options.bytes.value_or(NodeMemory::usual_bytes(members));
  const std::size_t each = all / std::max<std::size_t>(options.communicators.size(), 1) /
                           static_cast<std::size_t>(members);
  std::vector<MailboxShape> shapes;
  shapes.reserve(options.communicators.size());
  for (const int largest : options.communicators)
    shapes.push_back(MailboxShape::within(each, std::min(largest, members), copies));
  return shapes;
}

rt::Error no_room_for_links() {
  return rt::input_error("comm.links: an imagined network needs memory that ranks share",
                         "Give the container or job more memory, or leave comm.links out.",
                         rt::Reach::all_ranks);
}

}  // namespace

NodeMemory::NodeMemory(const rt::Communicator& parent, const mapping::Topology& topology,
                       Options options)
    : arena_(options.arena ? *std::move(options.arena) : rt::Arena(parent)),
      own_node_(are_nodes_of(arena_, parent, topology)
                    ? rt::Communicator()
                    : ranks_of_node(parent, topology, arena_, options.links.has_value())),
      node_(own_node_ ? &own_node_ : &arena_.nodes().comm()),
      links_(options.links) {
  if (links_) require_one_host(arena_);
  const CopyThresholds& copies = options.tuning->copies(!topology.oversubscribed);
  // What is too little for the largest node is refused by all ranks alike.
  const int most = links_ ? node_->size() : std::max(topology.largest_node, node_->size());
  (void)shapes_of(options, most, copies);
  std::size_t all = 0;
  for (MailboxShape& shape : shapes_of(options, node_->size(), copies)) {
    shape.has_links = links_.has_value();
    shares_.push_back({.shape = shape, .begin = all});
    all += shape.bytes_per_member();
  }
  lease_ = arena_.lease(*node_, all + 3 * cache_line);
  usable_ = rt::on_all_ranks(parent, lease_.has_value());
  if (!usable_) {
    lease_.reset();
    if (!links_) return;
    throw no_room_for_links();
  }
  segment_ = view_of(*lease_, *node_);
  if (links_) reach_through_links(topology, all + cache_line);
  // Zero as they are, but pages lie near the rank that writes them first.
  const auto mine = lease_->mine();
  for (const Share& share : shares_)
    std::ranges::fill(mine.subspan(share.begin, share.shape.staging_begin()), std::byte{0});
  node_->barrier();
  if (topology.oversubscribed) return;
  const double distance =
      rt::combined(parent, core_distance(*node_, segment_, all), rt::Combine::largest);
  cores_are_far_ = distance > options.tuning->far_cores_from();
}

void NodeMemory::reach_through_links(const mapping::Topology& topology, std::size_t words) {
  node_of_ = rt::collected(*node_, topology.here.node);
  link_words_ = words;
}

std::vector<Link> NodeMemory::links_of(const std::vector<int>& members, int me) const {
  if (!links_) return {};
  const auto node = [&](int member) { return node_of_[static_cast<std::size_t>(member)]; };
  const auto way = [&](int member, std::size_t line) -> Link::Time& {
    const auto first = std::ranges::find(node_of_, node(member)) - node_of_.begin();
    std::byte* const words = segment_.parts[static_cast<std::size_t>(first)].data() + link_words_;
    return *reinterpret_cast<Link::Time*>(words + line * cache_line);
  };
  std::vector<Link> links;
  links.reserve(members.size());
  for (const int member : members)
    links.push_back(node(member) == node(me) ? Link() : Link(*links_, way(me, 0), way(member, 1)));
  return links;
}

const NodeMemory::Share& NodeMemory::take_share() {
  if (!usable_ || taken_ == shares_.size())
    throw rt::internal_failure("more communicators than planned want to share memory");
  return shares_[taken_++];
}

NodePaths NodeMemory::paths_of(const rt::Communicator& comm) {
  const Share& share = take_share();
  return paths_in(comm, segment_, share.shape, share.begin);
}

NodeShare NodeMemory::share_of(const rt::Communicator& comm) {
  const Share& taken = take_share();
  NodeShare share;
  const std::vector<int> members = members_of(comm, share.members);
  share.segment = segment_.restricted(members, taken.begin, taken.shape.bytes_per_member());
  return share;
}

std::vector<int> NodeMemory::members_of(const rt::Communicator& comm,
                                        std::vector<std::int32_t>& of_rank) const {
  std::vector<int> of_node(static_cast<std::size_t>(node_->size()));
  std::iota(of_node.begin(), of_node.end(), 0);
  const std::vector<int> of_comm = node_->translate(of_node, comm);
  of_rank.assign(static_cast<std::size_t>(comm.size()), -1);
  std::vector<int> members;
  for (std::size_t i = 0; i < of_node.size(); ++i) {
    if (of_comm[i] < 0) continue;
    of_rank[static_cast<std::size_t>(of_comm[i])] = static_cast<std::int32_t>(members.size());
    members.push_back(of_node[i]);
  }
  return members;
}

std::optional<LeasedPaths> NodeMemory::lease_paths(const rt::Communicator& comm, MailboxShape shape,
                                                   std::size_t bytes) const {
  if (!usable_) return std::nullopt;
  shape.members = node_->size();
  shape.has_links = links_.has_value();
  const std::size_t begin = shape.bytes_per_member();
  std::optional<rt::Lease> lease = arena_.lease(*node_, begin + bytes);
  if (!lease && links_) throw no_room_for_links();
  if (!lease) return std::nullopt;
  // What lies between nodes takes turns on the ways of this object's own lease.
  NodePaths paths = paths_in(comm, view_of(*lease), shape, 0);
  const std::span<std::byte> memory = lease->mine().subspan(begin, bytes);
  return LeasedPaths{*std::move(lease), std::move(paths), memory};
}

std::optional<LeasedMemory> NodeMemory::lease_memory(const rt::Communicator& comm,
                                                     std::size_t bytes) const {
  if (!usable_) return std::nullopt;
  std::optional<rt::Lease> lease = arena_.lease(*node_, bytes);
  if (!lease) return std::nullopt;
  std::vector<int> of_comm(static_cast<std::size_t>(comm.size()));
  std::iota(of_comm.begin(), of_comm.end(), 0);
  return LeasedMemory{*std::move(lease), comm.translate(of_comm, *node_)};
}

NodePaths NodeMemory::paths_in(const rt::Communicator& comm, const SegmentView& segment,
                               const MailboxShape& shape, std::size_t offset) const {
  NodePaths paths;
  const std::vector<int> members = members_of(comm, paths.members);
  paths.mailboxes =
      std::make_unique<Mailboxes>(segment.restricted(members, offset, shape.bytes_per_member()),
                                  shape, links_of(members, segment.me));
  return paths;
}

}  // namespace cartwright::comm
