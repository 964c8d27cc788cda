// SPDX-License-Identifier: Apache-2.0
#include "watch.hpp"

#include <fmt/format.h>
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <cartwright/rt/duration.hpp>
#include <cartwright/rt/ticks.hpp>
#include <cstdlib>
#include <optional>
#include <string_view>
#include <utility>

#include "failure_state.hpp"

namespace cartwright::rt {
namespace {

constexpr double until_files = 5.0;     // s that UDP gets to bring an answer
constexpr double until_warning = 15.0;  // s that both get

bool can_be_read(int descriptor) noexcept {
  pollfd look{descriptor, POLLIN, 0};
  return ::poll(&look, 1, 0) > 0;
}

}  // namespace

double WatchLimits::silence_of_environment() {
  constexpr double usual = 60.0;
  const char* const text = std::getenv("CARTWRIGHT_STOP_SILENCE");
  if (text == nullptr) return usual;
  if (std::string_view(text) == "off") return none;
  const auto duration = parse_duration(text);  // a deck will say so if it is wrong
  return duration && duration->count() > 0.0 ? duration->count() : usual;
}

SilenceLimits WatchLimits::now() const noexcept {
  SilenceLimits limits;
  const double borne = silence.load(std::memory_order_relaxed);
  const double waiting = wait.load(std::memory_order_relaxed);
  limits.silence.reset();
  if (borne < none) limits.silence = borne;
  if (waiting < none) limits.wait = waiting;
  limits.margin = 3.0 * period();
  limits.grace = 1.5;
  return limits;
}

double WatchLimits::period() const noexcept {
  const double shortest =
      std::min(silence.load(std::memory_order_relaxed), wait.load(std::memory_order_relaxed));
  return std::clamp(shortest / 10.0, 0.05, 1.0);
}

Watch::Watch(WatchSetup setup, WatchLink& link, const WaitRecord& record, const WatchLimits& limits)
    : setup_(std::move(setup)),
      link_(&link),
      record_(&record),
      limits_(&limits),
      beats_(setup_.slots.size()),
      numbers_(setup_.nodes.size()),
      sight_at_(setup_.nodes.size(), -1) {
  const WatchedNode& own = setup_.nodes[static_cast<std::size_t>(setup_.node)];
  sight_.node = own.name;
  for (std::size_t i = 0; i < own.ranks.size(); ++i) {
    sight_.ranks.push_back({.rank = own.ranks[i], .process = own.marks[i].number});
    is_visible_.push_back(rt::is_visible(own.marks[i]));
  }
  sight_.sees_all = setup_.nodes.size() == 1 || (leads() && decides());
  for (std::size_t node = 0; node < setup_.nodes.size() && leads(); ++node) {
    const bool is_seen = decides() ? node != 0 : node == 0;
    if (!is_seen) continue;
    sight_at_[node] = static_cast<int>(sight_.nodes.size());
    sight_.nodes.push_back({.name = setup_.nodes[node].name, .ranks = setup_.nodes[node].ranks});
  }
}

void Watch::run(int stop) {
  Ticks last = now();
  look(0.0);  // at once: who was never heard of can't be missed
  for (;;) {
    const double period = limits_->period();
    link_->wait(stop, period);
    if (can_be_read(stop)) return;
    read_messages();
    const Ticks present = now();
    const double elapsed = seconds_between(last, present);
    if (elapsed < period / 2.0) continue;  // woken by a message
    last = present;
    look(std::min(elapsed, 2.0 * period));  // what is longer: this process didn't run itself
  }
}

NodeSight* Watch::sight_of(int node) noexcept {
  const int at = sight_at_[static_cast<std::size_t>(node)];
  return at < 0 ? nullptr : &sight_.nodes[static_cast<std::size_t>(at)];
}

void Watch::look(double seconds) {
  running_ += seconds;
  look_at_myself(seconds);
  if (board().ended.load(std::memory_order_acquire) != 0) return follow(seconds);
  look_at_ranks(seconds);
  if (leads()) talk(seconds);
  if (const auto found = judge(sight_, limits_->now())) end(*found);
}

void Watch::look_at_myself(double seconds) {
  const WaitRecord::View view = record_->look();
  Activity& mine = sight_.ranks[static_cast<std::size_t>(setup_.member)].activity;
  const bool is_same = view.sequence == sequence_ && view.kind != WaitKind::none;
  sequence_ = view.sequence;
  mine.kind = view.kind;
  idle_ = is_same && view.kind == WaitKind::files && setup_.files.is_idle() ? idle_ + seconds : 0.0;
  mine.only_waits = idle_ > 0.0;
  mine.seconds = is_same ? mine.seconds + seconds : 0.0;
  if (mine.only_waits) mine.seconds = idle_;
  mine.where = view.kind == WaitKind::none ? std::string() : describe(view.site);
  setup_.slots[static_cast<std::size_t>(setup_.member)]->tell(mine);
}

void Watch::look_at_ranks(double seconds) {
  constexpr double long_enough = 3.0;  // s, also where silence is borne for ever
  const double doubtful =
      std::min(limits_->silence.load(std::memory_order_relaxed) / 2.0, long_enough);
  const auto& marks = setup_.nodes[static_cast<std::size_t>(setup_.node)].marks;
  for (std::size_t i = 0; i < setup_.slots.size(); ++i) {
    if (static_cast<int>(i) == setup_.member) continue;
    RankSight& rank = sight_.ranks[i];
    const std::uint64_t beat = setup_.slots[i]->beat();
    rank.silent = beat == beats_[i] ? rank.silent + seconds : 0.0;
    beats_[i] = beat;
    rank.activity = setup_.slots[i]->activity();
    rank.state = ProcessState::runs;
    if (rank.silent > doubtful && is_visible_[i]) rank.state = state_of(marks[i]);
  }
}

WatchMessage Watch::report() const {
  WatchMessage message;
  message.waiting_milliseconds = static_cast<std::uint64_t>(1e3 * common_wait(sight_.ranks));
  message.set_text(activities_of(sight_.ranks, limits_->now()));
  return message;
}

void Watch::talk(double seconds) {
  if (sight_.nodes.empty()) return;
  const double period = limits_->period();
  for (NodeSight& node : sight_.nodes) node.silent += seconds;
  const WatchMessage message = report();
  if (!decides()) {
    if (sight_.nodes.front().silent > 3.0 * period) link_->forget(0);
    link_->send(0, message);
  }
  talk_by_files(message);
}

void Watch::talk_by_files(const WatchMessage& report) {
  const auto is_unknown = [](const NodeSight& node) { return !node.is_known; };
  if (running_ < until_files) return;
  if (!link_->uses_directory()) {
    if (std::ranges::none_of(sight_.nodes, is_unknown)) return;
    if (has_directory_.load(std::memory_order_acquire)) link_->use_directory(directory_);
  }
  if (link_->uses_directory()) {
    WatchMessage copy = report;
    copy.number = ++reports_;
    link_->leave(copy);
    for (int node = 0; node < static_cast<int>(setup_.nodes.size()); ++node) {
      if (sight_of(node) == nullptr) continue;
      const auto found = link_->look(node);
      if (found && found->number != numbers_[static_cast<std::size_t>(node)]) take(*found);
    }
  }
  if (has_warned_ || !decides() || running_ < until_warning) return;
  const auto unknown = std::ranges::find_if(sight_.nodes, is_unknown);
  if (unknown == sight_.nodes.end()) return;
  has_warned_ = true;
  write_to_standard_error(
      fmt::format("cartwright: warning: node {} isn't watched (stop.silence): neither UDP messages "
                  "nor files in the output directory come through\n",
                  unknown->name));
}

void Watch::read_messages() {
  std::optional<std::string> to_say;
  while (const auto message = link_->receive()) {
    switch (message->kind) {
      case Kind::report:
        take(*message);
        if (decides() && leads()) link_->send(message->from, report());
        break;
      case Kind::end:
        if (decides()) to_say = message->said();
        break;
      case Kind::ended:
        (void)claim();  // nobody of this node has to say anything
        board().ended.store(2, std::memory_order_release);
        ::_exit(static_cast<int>(ExitCode::internal_failure));
    }
  }
  // Only now: who was stopped, and wakes up, may find behind it that the other has spoken by
  // itself.
  if (to_say) pass_on(*to_say);
}

void Watch::pass_on(const std::string& text) {
  board().ended.store(1, std::memory_order_release);
  if (claim()) speak(text);
  tell_all_that_it_ended();
  board().ended.store(2, std::memory_order_release);
  ::_exit(static_cast<int>(ExitCode::internal_failure));
}

void Watch::take(const WatchMessage& report) {
  NodeSight* const node = sight_of(report.from);
  if (node == nullptr) return;
  if (report.kind != Kind::report) return;
  numbers_[static_cast<std::size_t>(report.from)] = report.number;
  node->is_known = true;
  node->silent = 0.0;
  node->has_left = report.has_left != 0;
  node->waits = 1e-3 * static_cast<double>(report.waiting_milliseconds);
  node->activities = report.said();
}

void Watch::leave() {
  Activity& mine = sight_.ranks[static_cast<std::size_t>(setup_.member)].activity;
  mine = {.has_left = true};
  setup_.slots[static_cast<std::size_t>(setup_.member)]->tell(mine);
  if (!leads()) return;
  WatchMessage last;
  last.has_left = 1;
  last.number = ++reports_;
  constexpr int copies = 3;  // one of them will arrive
  for (int copy = 0; copy < copies; ++copy)
    for (int node = 0; node < static_cast<int>(setup_.nodes.size()); ++node)
      if (sight_of(node) != nullptr) link_->send(node, last);
  if (link_->uses_directory()) link_->leave(last);
}

void Watch::use_directory(const std::string& path) {
  if (has_directory_.load(std::memory_order_acquire)) return;
  directory_ = path;
  has_directory_.store(true, std::memory_order_release);
}

bool Watch::claim() noexcept {
  return may_speak(board().claimed);
}

void Watch::end(const Error& error) {
  const std::string text = failure_message(error);
  if (claim()) {
    board().ended.store(1, std::memory_order_release);
    if (decides())
      speak(text);
    else
      hand_over(text);
    tell_all_that_it_ended();
    board().ended.store(2, std::memory_order_release);
  } else {
    link_->wait(-1, 5.0);  // who speaks needs time; then this process ends by itself
  }
  ::_exit(static_cast<int>(ExitCode::internal_failure));
}

void Watch::hand_over(const std::string& text) {
  WatchMessage message;
  message.kind = Kind::end;
  message.set_text(text);
  constexpr double handicap = 2.0;  // s: node 0 decides, also where it has no core just then
  const double patience = 3.0 * limits_->period() + handicap + 0.1 * setup_.node;
  for (const Ticks begin = now(); seconds_between(begin, now()) < patience;) {
    link_->forget(0);
    link_->send(0, message);
    link_->wait(-1, 0.1);
    while (const auto answer = link_->receive())
      if (answer->kind == Kind::ended) return;
  }
  speak(text);
}

void Watch::speak(const std::string& text) {
  write_last_words(text);
  speaker_.note_ended();
}

void Watch::tell_all_that_it_ended() {
  WatchMessage message;
  message.kind = Kind::ended;
  for (int node = 0; node < static_cast<int>(setup_.nodes.size()); ++node) {
    if (node == setup_.node) continue;
    link_->send(node, message);  // to who was heard from last, and to all where it might be
    link_->forget(node);
    link_->send(node, message);
  }
}

void Watch::follow(double seconds) {
  ending_ += seconds;
  const bool has_spoken = board().ended.load(std::memory_order_acquire) > 1;
  if (has_spoken || ending_ > 8.0 * limits_->period())
    ::_exit(static_cast<int>(ExitCode::internal_failure));
}

}  // namespace cartwright::rt
