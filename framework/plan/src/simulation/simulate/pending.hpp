// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/plan/interpret_messages.hpp>
#include <cartwright/plan/models/time.hpp>

#include <cstdint>
#include <vector>

namespace cartwright::plan::simulation {

/// Messages that were sent and that no receive has asked for yet, with the time at which they
/// arrive. A hash table of chains, whose nodes are used again and again: few messages are pending
/// at a time, and those stay in the cache.
class PendingMessages {
 public:
  PendingMessages() : buckets_(1024, none) {}

  void put(const MessageName& name, Picoseconds arrival) {
    if (count_ == buckets_.size()) grow();
    std::uint32_t node = free_;
    if (node == none) {
      node = static_cast<std::uint32_t>(nodes_.size());
      nodes_.emplace_back();
    } else {
      free_ = nodes_[node].next;
    }
    std::uint32_t& bucket = bucket_of(name);
    nodes_[node] = {name, bucket, arrival};
    bucket = node;
    ++count_;
  }

  /// False when there is no such message.
  bool take(const MessageName& name, Picoseconds& arrival) {
    for (std::uint32_t* link = &bucket_of(name); *link != none; link = &nodes_[*link].next) {
      const std::uint32_t found = *link;
      Node& node = nodes_[found];
      if (node.name != name) continue;
      arrival = node.arrival;
      *link = node.next;
      node.next = free_;
      free_ = found;
      --count_;
      return true;
    }
    return false;
  }

  [[nodiscard]] bool empty() const { return count_ == 0; }
  [[nodiscard]] MessageName any() const {
    for (const std::uint32_t bucket : buckets_)
      if (bucket != none) return nodes_[bucket].name;
    return {};
  }

 private:
  static constexpr std::uint32_t none = ~0u;
  struct Node {
    MessageName name;
    std::uint32_t next = none;
    Picoseconds arrival = 0;
  };

  std::uint32_t& bucket_of(const MessageName& name) {
    return buckets_[MessageNameHash()(name) & (buckets_.size() - 1)];
  }

  void grow() {
    std::vector<std::uint32_t> old(2 * buckets_.size(), none);
    old.swap(buckets_);
    for (std::uint32_t node : old) {
      while (node != none) {
        const std::uint32_t next = nodes_[node].next;
        std::uint32_t& bucket = bucket_of(nodes_[node].name);
        nodes_[node].next = bucket;
        bucket = node;
        node = next;
      }
    }
  }

  std::vector<std::uint32_t> buckets_;
  std::vector<Node> nodes_;
  std::uint32_t free_ = none;
  std::size_t count_ = 0;
};

}  // namespace cartwright::plan::simulation
