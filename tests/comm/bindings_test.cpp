// SPDX-License-Identifier: Apache-2.0
// Calls that are put together at run time, and values with their places.
#include <gtest/gtest.h>
#include <mpi.h>

#include <algorithm>
#include <array>
#include <cartwright/comm/collectives.hpp>
#include <cartwright/comm/elements/located.hpp>
#include <functional>
#include <limits>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace cartwright::comm {
namespace {

template <class T>
std::byte* bytes_of(std::vector<T>& elements) {
  return reinterpret_cast<std::byte*>(elements.data());
}

class Bindings : public testing::TestWithParam<const char*> {
 protected:
  Bindings() { engine_.set_oversubscribed(true); }

  [[nodiscard]] Call allreduce_of(std::vector<double>& data) const {
    return {.operation = plan::Operation::allreduce,
            .place = plan::Place::in_place,
            .output = bytes_of(data),
            .element = element_of<double>(),
            .count = static_cast<plan::Count>(data.size()),
            .reduction = predefined(Operator::sum, ScalarType::float64),
            .site = CallSite::here()};
  }

  rt::Communicator comm_ = rt::Communicator::duplicate(MPI_COMM_WORLD);
  rt::ProgressEngine engine_;
  Collectives c_{comm_, engine_, known_backend(GetParam())};
};

TEST_P(Bindings, CarryCallsOut) {
  std::vector<double> data(40, 1.0);
  EXPECT_FALSE(c_.attempt(allreduce_of(data)));
  EXPECT_EQ(data, std::vector<double>(40, comm_.size()));
  Pending pending;
  data.assign(40, 2.0);
  EXPECT_FALSE(c_.attempt_start(allreduce_of(data), pending));
  EXPECT_FALSE(pending.attempt_wait());
  EXPECT_EQ(data, std::vector<double>(40, 2 * comm_.size()));
  EXPECT_FALSE(c_.attempt_start(allreduce_of(data), pending));
  while (!pending.is_complete()) EXPECT_FALSE(pending.attempt_test());
  EXPECT_FALSE(pending.attempt_test());
}

TEST_P(Bindings, RepeatCalls) {
  std::vector<double> data(40, 1.0);
  Persistent sum;
  EXPECT_FALSE(sum.attempt_start());  // nothing to do yet
  EXPECT_FALSE(c_.attempt_prepare(allreduce_of(data), sum));
  double expected = 1;
  for (int start = 0; start < 3; ++start) {
    EXPECT_TRUE(sum.is_complete());
    EXPECT_FALSE(sum.attempt_start());
    EXPECT_FALSE(sum.attempt_wait());
    expected *= comm_.size();
    EXPECT_EQ(data, std::vector<double>(40, expected));
  }
}

TEST_P(Bindings, GetErrorsOfWaitsAsValues) {
  for (const bool polls : {false, true}) {
    std::vector<double> data(40, 1.0);
    Pending pending;
    ASSERT_FALSE(c_.attempt_start(allreduce_of(data), pending));
    const bool is_over = pending.is_complete();
    if (is_over) continue;  // the continuation would throw in this very call
    pending = std::move(pending).then([] { throw std::runtime_error("of the continuation"); });
    std::optional<rt::Error> error;
    while (!error && !pending.is_complete())
      error = polls ? pending.attempt_test() : pending.attempt_wait();
    ASSERT_TRUE(error);
    EXPECT_NE(std::string(error->what()).find("of the continuation"), std::string::npos);
    EXPECT_TRUE(pending.is_complete());
    EXPECT_FALSE(pending.attempt_wait());
    EXPECT_EQ(data, std::vector<double>(40, comm_.size()));
  }
}

TEST_P(Bindings, GetErrorsAsValues) {
  std::vector<double> data(40, 1.0);
  const int ranks = comm_.size();
  const std::vector<plan::Count> descending(static_cast<std::size_t>(ranks) + 1, 3);
  const std::vector<plan::Count> few(static_cast<std::size_t>(ranks), 0);
  struct Wrong {
    const char* told;
    std::function<void(Call&)> spoil;
  };
  for (const auto& [told, spoil] : {
           Wrong{"a negative number", [](Call& call) { call.count = -1; }},
           Wrong{"elements of 0 bytes", [](Call& call) { call.element.size = 0; }},
           Wrong{"there is no operator", [](Call& call) { call.reduction.function = nullptr; }},
           Wrong{"there is no output", [](Call& call) { call.output = nullptr; }},
           Wrong{"there is no input", [](Call& call) { call.place = plan::Place::separate; }},
           Wrong{"overlap",
                 [](Call& call) {
                   call.place = plan::Place::separate;
                   call.input = call.output + 8;
                 }},
           Wrong{"the root is rank",
                 [&](Call& call) {
                   call.operation = plan::Operation::broadcast;
                   call.root = rt::Rank{ranks};
                 }},
           Wrong{"blocks were given for a vector", [&](Call& call) { call.offsets = descending; }},
           Wrong{"ascend",
                 [&](Call& call) {
                   call.operation = plan::Operation::allgather;
                   call.offsets = descending;
                 }},
           Wrong{"blocks were given for",
                 [&](Call& call) {
                   call.operation = plan::Operation::reduce_scatter;
                   call.offsets = few;
                 }},
       }) {
    Call call = allreduce_of(data);
    spoil(call);
    const auto error = c_.attempt(call);
    ASSERT_TRUE(error) << told;
    const std::string text = error->what();
    EXPECT_NE(text.find(told), std::string::npos) << text;
    EXPECT_NE(text.find("bindings_test.cpp:"), std::string::npos) << text;
    Pending pending;
    EXPECT_TRUE(c_.attempt_start(call, pending));
    EXPECT_TRUE(pending.is_complete());
    Persistent persistent;
    EXPECT_TRUE(c_.attempt_prepare(call, persistent));
    EXPECT_FALSE(persistent.attempt_start());  // nothing to do
  }
  EXPECT_FALSE(c_.attempt(allreduce_of(data)));  // nothing is left of them
}

TEST_P(Bindings, ValuesKnowTheirPlaces) {
  const int me = comm_.rank().value;
  const int last = comm_.size() - 1;
  const Located<double> mine{me == last ? -1.0 : 5.0, 10 + me};
  EXPECT_EQ(c_.allreduce(mine, least), (Located<double>{-1.0, 10 + last}));
  EXPECT_EQ(c_.allreduce(mine, greatest),
            (Located<double>{last == 0 ? -1.0 : 5.0, 10}));  // the lowest place of equal ones
  const double none = std::numeric_limits<double>::quiet_NaN();
  const Located<double> spoilt{me == last / 2 ? none : 1.0, me};
  for (const auto& found : {c_.allreduce(spoilt, least), c_.allreduce(spoilt, greatest)}) {
    EXPECT_NE(found.value, found.value);
    EXPECT_EQ(found.place, last / 2);
  }
  std::vector<Located<int>> many(300, {me % 3, me});
  c_.allreduce(many, greatest);
  const int most = std::min(last, 2);
  EXPECT_EQ(many, std::vector<Located<int>>(300, {most, most}));
}

INSTANTIATE_TEST_SUITE_P(, Bindings, testing::Values("native", "p2p", "shared", "rma", "auto"));

}  // namespace
}  // namespace cartwright::comm
