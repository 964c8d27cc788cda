// SPDX-License-Identifier: Apache-2.0
#include <cartwright/comm/arrivals/site_table.hpp>

namespace cartwright::comm {

namespace {

std::uint64_t mixed(std::uint64_t hash, std::uint64_t more) {
  hash = (hash ^ more) * 0x9E3779B97F4A7C15U;
  return hash ^ (hash >> 29U);
}

std::uint64_t hash_of(const CallKey& key, int root) {
  std::uint64_t hash =
      mixed(static_cast<std::uint64_t>(key.operation) + 1, static_cast<std::uint64_t>(key.size));
  hash = mixed(hash, static_cast<std::uint64_t>(key.waiting));
  hash = mixed(hash, static_cast<std::uint64_t>(key.combining));
  return mixed(hash, static_cast<std::uint64_t>(root));
}

}  // namespace

std::size_t SiteTable::Hash::operator()(const SiteKey& key) const noexcept {
  return static_cast<std::size_t>(mixed(hash_of(key.call, key.root), key.before));
}

Site& SiteTable::add(const SiteKey& key, const Call& call) {
  return *(last_ = &sites_.emplace_back(Site{.key = key, .number = sites_.size(), .last = call}));
}

Site& SiteTable::find(const Call& call) {
  SiteKey key{.call = CallKey::of(call, ranks_), .root = call.root.value};
  key.before = mixed(mixed(mixed(0, last_->passed[0]), last_->passed[1]), last_->passed[2]);
  const std::uint64_t hash = hash_of(key.call, key.root);
  if (sites_.size() > most && !known_.contains(key)) key = {};
  Site& before = *last_;
  const auto known = known_.find(key);
  Site& site = known != known_.end() ? *known->second : add(key, call);
  if (known == known_.end()) known_.emplace(key, &site);
  site.passed = {hash, before.passed[0], before.passed[1]};
  site.last = call;  // of the same class of sizes
  site.last.input = nullptr;
  site.last.output = nullptr;
  site.bytes = problem_of(call, ranks_).bytes();
  // Lists are the caller's; that there were some is all that is asked later.
  static constexpr plan::Count none = 0;
  if (call.has_uneven_blocks()) site.last.offsets = {&none, 1};
  site.last.output_offsets = {};
  if (!is_mixed(site)) before.next = &site;
  return *(last_ = &site);
}

}  // namespace cartwright::comm
