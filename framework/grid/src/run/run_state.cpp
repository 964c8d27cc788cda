// SPDX-License-Identifier: Apache-2.0
#include <cartwright/grid/run/run_state.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cartwright/rt/error.hpp>
#include <cstring>
#include <set>
#include <utility>

namespace cartwright::grid {
namespace {

/// A fault of the solver's, which every rank makes.
[[noreturn]] void refuse(const std::string& what, const std::string& advice) {
  throw rt::internal_failure(what, advice, rt::Reach::all_ranks);
}

}  // namespace

StateMember::StateMember(RunState& state, std::string name, ScalarType type,
                         std::span<std::byte> memory)
    : state_(state), name_(std::move(name)), type_(type), memory_(memory) {
  state_.add(*this);
}

StateMember::~StateMember() {
  std::erase(state_.members_, this);
}

void StateMember::require_usable() const {
  if (state_.is_usable()) return;
  refuse(fmt::format("'{}' is read before run.steps(), where a restart restores it", name_),
         "Set it in run.on_fresh_start(), and read it there or after run.steps().");
}

void RunState::add(StateMember& member) {
  const std::string& name = member.name();
  if (name.empty())
    refuse("a Scalar or Array has an empty name", "Checkpoints know it by its name: give it one.");
  if (fresh_starts_ > 0)
    refuse(fmt::format("'{}' is made in run.on_fresh_start()", name),
           "A restart needs it too: make it before, and set it there.");
  if (phase_ != Phase::registration)
    refuse(fmt::format("'{}' is made after run.steps()", name),
           "Make it before, so that checkpoints hold it.");
  if (member.memory().size() > most_bytes)
    refuse(fmt::format("'{}' has {} bytes; a small array has at most {}", name,
                       member.memory().size(), most_bytes),
           "Keep many numbers in a field, and pass it to run.steps().");
  if (std::ranges::any_of(members_, [&](const StateMember* m) { return m->name() == name; }))
    refuse(fmt::format("two Scalars or Arrays are called '{}'", name),
           "Checkpoints know them by their names: give each one of its own.");
  members_.push_back(&member);
}

RunState::FreshStart RunState::begin_fresh_start() {
  if (phase_ == Phase::loop)
    refuse("run.on_fresh_start() is called after the loop has begun", "Call it before.");
  return FreshStart(*this);
}

void RunState::close(const std::vector<FieldBase*>& fields,
                     const std::vector<std::string>& other_fields) {
  if (fresh_starts_ > 0)
    refuse("run.steps() is called in run.on_fresh_start()", "A restart needs it too.");
  if (phase_ != Phase::registration)
    refuse("the steps of a run can be made only once",
           "Use one loop, and call run.steps() once: auto steps = run.steps(…).");
  std::set<std::string> names;
  for (const FieldBase* field : fields)
    if (!names.insert(field->name()).second)
      refuse(fmt::format("two fields of run.steps() are called '{}'", field->name()),
             "Checkpoints know them by their names: give each one of its own.");
  names.insert(other_fields.begin(), other_fields.end());
  for (const StateMember* member : members_)
    if (names.contains(member->name()))
      refuse(fmt::format("a field and a Scalar or Array are called '{}'", member->name()),
             "Give each a name of its own.");
  phase_ = Phase::steps;
}

std::vector<SavedNumbers> RunState::save() const {
  std::vector<SavedNumbers> saved;
  saved.reserve(members_.size());
  for (const StateMember* member : members_)
    saved.push_back(
        {member->name(), member->type(), {member->memory().begin(), member->memory().end()}});
  return saved;
}

void RunState::restore(const std::vector<SavedNumbers>& saved) {
  for (const StateMember* member : members_) {
    const auto found = std::ranges::find(saved, member->name(), &SavedNumbers::name);
    if (found == saved.end() || found->bytes.size() != member->memory().size())
      throw rt::internal_failure(
          fmt::format("nothing that fits was restored to '{}'", member->name()));
    if (!found->bytes.empty())
      std::memcpy(member->memory().data(), found->bytes.data(), found->bytes.size());
  }
}

}  // namespace cartwright::grid
