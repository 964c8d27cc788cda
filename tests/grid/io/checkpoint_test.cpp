// SPDX-License-Identifier: Apache-2.0
#include <cartwright/grid/output/checkpoint.hpp>

#include <bit>
#include <cstdint>
#include <random>
#include <span>

#include "sample_field.hpp"
#include "scratch.hpp"

namespace cartwright::grid::test {
namespace {

namespace fs = std::filesystem;

const GridDescription box{3, {13, 7, 5}, {1, 1, 1}, {0, 0, 0}, {false, true, false}};

CheckpointStore::Options store_options(int keep = 2) {
  return {keep, {"a.yaml", "solver: wave\n", "1.0", "abc", ""}, {{"solver", "wave"}}};
}

/// Two fields that a checkpoint holds.
struct State {
  State(const rt::Communicator& comm, bool first_axis = false)
      : u(sample(comm, box, "u", Centring::cell, 1, first_axis)),
        v(sample(comm, box, "v", Centring::node, 3, first_axis)) {}
  void fill(double phase) {
    u.fill(phase);
    v.fill(phase + 0.5);
  }
  [[nodiscard]] bool holds(double phase) const { return u.holds(phase) && v.holds(phase + 0.5); }
  [[nodiscard]] std::vector<const FieldBase*> read() const { return {&u, &v}; }
  [[nodiscard]] std::vector<FieldBase*> write() { return {&u, &v}; }
  SampleField<double> u;
  SampleField<double> v;
};

void write_step(CheckpointStore& store, State& state, long long step) {
  state.fill(static_cast<double>(step));
  store.write({step, 0.1 * static_cast<double>(step), 0.1, "", {}}, state.read());
}

template <class T>
SavedNumbers saved(const std::string& name, ScalarType type, const std::vector<T>& values) {
  const auto bytes = std::as_bytes(std::span(values));
  return {name, type, {bytes.begin(), bytes.end()}};
}

fs::path file_of(const Scratch& scratch, int step) {
  std::string digits = std::to_string(step);
  digits.insert(0, 10 - digits.size(), '0');
  return scratch.path() / ("step_" + digits + ".h5");
}

TEST(Checkpoint, ReadsBackOnAnotherSpread) {
  const Team comm = world();
  const Team one = alone();
  const Scratch scratch(comm);
  CheckpointStore store(comm, box, scratch.path(), store_options());
  State state(comm);
  write_step(store, state, 10);
  State other(comm, true);
  const auto restored = store.restore(other.write());
  EXPECT_TRUE(other.holds(10));
  EXPECT_EQ(restored.state.step, 10);
  EXPECT_EQ(restored.state.time, 0.1 * 10);
  EXPECT_EQ(restored.state.time_step, 0.1);
  EXPECT_TRUE(restored.skipped.empty());
  State single(one);
  MPI_Barrier(comm.handle());
  EXPECT_EQ(
      CheckpointStore(one, box, scratch.path(), store_options()).restore(single.write()).state.step,
      10);
  EXPECT_TRUE(single.holds(10));
}

TEST(Checkpoint, KeepsTheNewest) {
  const Team comm = world();
  const Scratch scratch(comm);
  CheckpointStore store(comm, box, scratch.path(), store_options(2));
  State state(comm);
  for (const int step : {1, 2, 3}) write_step(store, state, step);
  EXPECT_FALSE(fs::exists(file_of(scratch, 1)));
  EXPECT_TRUE(fs::exists(file_of(scratch, 2)));
  EXPECT_EQ(store.restore(state.write()).state.step, 3);
}

TEST(Checkpoint, PassesOverDamagedOnes) {
  const Team comm = world();
  std::mt19937 random(5);
  for (int variant = 0; variant < 14; ++variant) {
    const Scratch scratch(comm);
    CheckpointStore store(comm, box, scratch.path(), store_options());
    State state(comm);
    write_step(store, state, 1);
    write_step(store, state, 2);
    const fs::path newest = file_of(scratch, 2);
    MPI_Barrier(comm.handle());
    std::string text = contents(newest);
    const std::size_t place = random() % text.size();
    if (variant == 0) text.clear();
    if (variant == 1) text.pop_back();
    if (variant == 2) text = std::string(10000, 'x');
    if (variant == 3) text = text.substr(0, 600);
    if (variant > 3 && variant < 8) text.resize(place);
    if (variant >= 8) text[place] = static_cast<char>(text[place] ^ (1 << (variant % 8)));
    MPI_Barrier(comm.handle());
    if (comm.is_root()) put(newest, text);
    MPI_Barrier(comm.handle());
    const auto restored = store.restore(state.write());
    EXPECT_EQ(restored.state.step, 1) << "variant " << variant << " at " << place;
    EXPECT_TRUE(state.holds(1));
    ASSERT_EQ(restored.skipped.size(), 1U);
    EXPECT_NE(restored.skipped[0].find("is passed over"), std::string::npos);
    EXPECT_TRUE(fs::exists(fs::path(newest) += ".damaged"));
  }
}

TEST(Checkpoint, SaysThatThereIsNone) {
  const Team comm = world();
  const Scratch scratch(comm);
  CheckpointStore store(comm, box, scratch.path() / "checkpoints", store_options());
  State state(comm);
  const std::string none = refusal([&] { (void)store.restore(state.write()); });
  EXPECT_NE(none.find("no whole checkpoint"), std::string::npos) << none;
}

TEST(Checkpoint, RefusesThatOfAnotherRun) {
  const Team comm = world();
  const Scratch scratch(comm);
  State state(comm);
  {
    CheckpointStore store(comm, box, scratch.path(), store_options());
    write_step(store, state, 4);
  }
  auto heat = store_options();
  heat.must_match["solver"] = "heat";
  heat.must_match["scheme"] = "explicit";
  GridDescription longer = box;
  longer.extent[0] = 14;
  CheckpointStore store(comm, longer, scratch.path(), heat);
  auto u = sample(comm, box, "u", Centring::node);
  auto w = sample(comm, box, "w", Centring::cell);
  const std::string text = refusal([&] { (void)store.restore({&u, &w}); });
  for (const char* part : {"'solver' is wave in the checkpoint, heat in the deck",
                           "grid.extent [13, 7, 5], the deck grid.extent [14, 7, 5]",
                           "field 'u' is cell-centred float64 in the checkpoint, nodal float64",
                           "a field 'v' that the solver lacks", "the checkpoint has no field 'w'"})
    EXPECT_NE(text.find(part), std::string::npos) << text;
  EXPECT_TRUE(fs::exists(file_of(scratch, 4)));
}

TEST(Checkpoint, HoldsNumbersBitByBit) {
  const Team comm = world();
  const Scratch scratch(comm);
  CheckpointStore store(comm, box, scratch.path(), store_options());
  State state(comm);
  const double no_number = std::bit_cast<double>(0x7ff8dead00000001U);
  const std::vector<SavedNumbers> numbers{
      saved<double>("rho", ScalarType::float64, {1.0 / 3.0}),
      saved<double>("odd \"names\" too", ScalarType::float64, {no_number, -0.0, 5e-324}),
      saved<float>("f", ScalarType::float32, {0.1F}),
      saved<std::int64_t>("count", ScalarType::int64, {-1}),
      saved<std::uint8_t>("flag", ScalarType::boolean, {1}),
      saved<double>("none", ScalarType::float64, {})};
  store.write({7, 0.7, 0.1, "it is steady", numbers}, state.read());
  const auto restored = store.restore(state.write(), numbers);
  EXPECT_EQ(restored.state.ended_because, "it is steady");
  ASSERT_EQ(restored.state.numbers.size(), numbers.size());
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    EXPECT_EQ(restored.state.numbers[i].name, numbers[i].name);
    EXPECT_EQ(restored.state.numbers[i].type, numbers[i].type);
    EXPECT_EQ(restored.state.numbers[i].bytes, numbers[i].bytes);
  }
}

TEST(Checkpoint, RefusesOtherNumbers) {
  const Team comm = world();
  const Scratch scratch(comm);
  CheckpointStore store(comm, box, scratch.path(), store_options());
  State state(comm);
  store.write({7,
               0.7,
               0.1,
               "",
               {saved<double>("a", ScalarType::float64, {1.0}),
                saved<double>("b", ScalarType::float64, {1.0, 2.0}),
                saved<double>("c", ScalarType::float64, {1.0})}},
              state.read());
  const std::string text = refusal([&] {
    (void)store.restore(state.write(), {saved<float>("a", ScalarType::float32, {1.0F}),
                                        saved<double>("b", ScalarType::float64, {1.0, 2.0, 3.0}),
                                        saved<double>("d", ScalarType::float64, {1.0})});
  });
  for (const char* part :
       {"'a' is float64 in the checkpoint, float32 in the solver",
        "'b' is 2 values of float64 in the checkpoint, 3 values of float64 in the solver",
        "the checkpoint has no 'd' (float64)",
        "the checkpoint has 'c' (float64), which the solver lacks", "Restart with the program"})
    EXPECT_NE(text.find(part), std::string::npos) << text;
}

TEST(Checkpoint, RefusesNumbersThatDifferBetweenRanks) {
  const Team comm = world();
  if (comm.size() == 1) return;
  const Scratch scratch(comm);
  CheckpointStore store(comm, box, scratch.path(), store_options());
  State state(comm);
  const bool is_last = comm.rank().value == comm.size() - 1;
  const auto write = [&](const std::vector<SavedNumbers>& numbers) {
    return refusal(
        [&] {
          store.write({7, 0.7, 0.1, "", numbers}, state.read());
        },
        rt::ExitCode::internal_failure);
  };
  const std::string last = std::to_string(comm.size() - 1);
  const auto same = saved<double>("same", ScalarType::float64, {0.5});
  std::string text =
      write({same, saved<double>("rho", ScalarType::float64, {is_last ? 2.5 : 1.5})});
  EXPECT_NE(text.find("'rho' is 1.5 on rank 0, but 2.5 on rank " + last), std::string::npos)
      << text;
  text = write({saved<int>("h", ScalarType::int32, {4, is_last ? 6 : 5}), same});
  EXPECT_NE(text.find("'h'[1] is 5 on rank 0, but 6 on rank " + last), std::string::npos) << text;
  text = write(is_last ? std::vector{same} : std::vector{same, same});
  EXPECT_NE(text.find("have made different Scalars and Arrays"), std::string::npos) << text;
  EXPECT_FALSE(fs::exists(file_of(scratch, 7)));
}

TEST(Checkpoint, KnowsWhetherFieldsAreAsRestored) {
  const Team comm = world();
  const Scratch scratch(comm);
  CheckpointStore store(comm, box, scratch.path(), store_options());
  State state(comm);
  write_step(store, state, 3);
  EXPECT_FALSE(store.are_as_restored(state.write()));
  (void)store.restore(state.write());
  EXPECT_TRUE(store.are_as_restored(state.write()));
  state.v.fill(4.0);
  EXPECT_FALSE(store.are_as_restored(state.write()));
}

TEST(Checkpoint, RemovesWhatAKilledRunLeft) {
  const Team comm = world();
  const Scratch scratch(comm);
  if (comm.is_root()) put(scratch.path() / "step_0000000009.h5.unfinished", "half");
  MPI_Barrier(comm.handle());
  const CheckpointStore store(comm, box, scratch.path(), store_options());
  EXPECT_FALSE(fs::exists(scratch.path() / "step_0000000009.h5.unfinished"));
}

}  // namespace
}  // namespace cartwright::grid::test
