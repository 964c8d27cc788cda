// SPDX-License-Identifier: Apache-2.0
#include <cartwright/plan/describe.hpp>
#include <cartwright/plan/interpret_messages.hpp>

#include <stdexcept>

namespace cartwright::plan {

namespace {

std::string text(const MessageName& name) {
  return "message " + std::to_string(name.number) + " from rank " + std::to_string(name.from) +
         " to rank " + std::to_string(name.to);
}

}  // namespace

void throw_wrong_length(const Schedule& schedule, const Step& step, std::size_t received,
                        std::size_t expected) {
  throw std::runtime_error("rank " + std::to_string(schedule.team().me) + " at `" + describe(step) +
                           "` expects " + std::to_string(expected) + " elements, but " +
                           std::to_string(received) + " were sent");
}

void throw_waits_forever(const Step& step, int rank) {
  throw std::runtime_error("rank " + std::to_string(rank) + " waits forever at `" + describe(step) +
                           "`");
}

void throw_left_over(const MessageName& name) {
  throw std::runtime_error(text(name) + " was sent and never received");
}

void throw_sent_twice(const MessageName& name) {
  throw std::runtime_error(text(name) + " was sent twice");
}

}  // namespace cartwright::plan
