// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <cartwright/mapping/machine/machine_file.hpp>
#include <cartwright/plan/models/log_gp.hpp>
#include <cartwright/rt/error.hpp>
#include <cmath>
#include <random>
#include <string>
#include <vector>

namespace cartwright::mapping {
namespace {

namespace formulas = plan::formulas;

const std::string machines = CARTWRIGHT_INPUTS "/machines";

plan::Machine bundled(const std::string& name) {
  return read_machine(find_machine(name, machines));
}

void expect_same(const plan::BySize& a, const plan::BySize& b) {
  EXPECT_EQ(a.points(), b.points());
}

void expect_same(const plan::Network& a, const plan::Network& b) {
  EXPECT_EQ(a.model, b.model);
  expect_same(a.send_overhead, b.send_overhead);
  expect_same(a.send_overhead_min, b.send_overhead_min);
  expect_same(a.receive_overhead, b.receive_overhead);
  expect_same(a.latency, b.latency);
  expect_same(a.gap, b.gap);
  expect_same(a.byte_time, b.byte_time);
  EXPECT_EQ(a.varying_overhead, b.varying_overhead);
  EXPECT_EQ(a.free_burst, b.free_burst);
  EXPECT_EQ(a.bytes_hold_port, b.bytes_hold_port);
  EXPECT_EQ(a.first_byte_is_free, b.first_byte_is_free);
}

/// Bit for bit.
void expect_same(const plan::Machine& a, const plan::Machine& b) {
  EXPECT_EQ(a.name, b.name);
  EXPECT_EQ(a.about, b.about);
  EXPECT_EQ(a.source, b.source);
  EXPECT_EQ(a.reduce_overhead, b.reduce_overhead);
  EXPECT_EQ(a.stage_overhead, b.stage_overhead);
  EXPECT_EQ(a.reduce_byte_time, b.reduce_byte_time);
  EXPECT_EQ(a.copy_byte_time, b.copy_byte_time);
  ASSERT_EQ(a.levels.size(), b.levels.size());
  for (std::size_t i = 0; i < a.levels.size(); ++i) {
    EXPECT_EQ(a.levels[i].name, b.levels[i].name);
    EXPECT_EQ(a.levels[i].units, b.levels[i].units);
    EXPECT_EQ(a.levels[i].ports, b.levels[i].ports);
    EXPECT_EQ(a.levels[i].leaving.bandwidth, b.levels[i].leaving.bandwidth);
    EXPECT_EQ(a.levels[i].inside.bandwidth, b.levels[i].inside.bandwidth);
    expect_same(a.levels[i].network, b.levels[i].network);
  }
}

/// What `parse_machine` says of a text that it refuses.
std::string refusal(const std::string& text) {
  try {
    (void)parse_machine(text, "m.yaml");
  } catch (const rt::Error& error) {
    EXPECT_EQ(error.code(), rt::ExitCode::input_error);
    return error.what();
  }
  return "accepted";
}

void expect_in(const std::string& part, const std::string& text) {
  EXPECT_NE(text.find(part), std::string::npos) << "'" << part << "' isn't in:\n" << text;
}

constexpr const char* small_machine = R"(name: small
source: a test
levels:
  node:
    hockney: {latency: 1.33 us, bandwidth: 1627.5 MB/s}
    leaving: [1727.5 MB/s, 3.2 GB/s]
  core:
    units: 12
    ports: 2
    hockney: {latency: {8: 370 ns, 2 KiB: 1e-3 ms}, bandwidth: unlimited}
)";

TEST(MachineFile, reads_levels_in_order) {
  const plan::Machine machine = parse_machine(small_machine, "m.yaml");
  EXPECT_EQ(machine.name, "small");
  ASSERT_EQ(machine.levels.size(), 2U);
  const plan::Level& node = machine.levels[0];
  EXPECT_EQ(node.name, "node");
  EXPECT_EQ(node.units, 0);
  EXPECT_EQ(node.ports, 1);
  EXPECT_EQ(node.network.latency.at(0), 1.33e-6);
  EXPECT_EQ(node.network.byte_time.at(0), 1.0 / 1627.5e6);
  EXPECT_EQ(node.leaving.bandwidth, (std::vector<double>{1727.5e6, 3.2e9}));
  const plan::Level& core = machine.levels[1];
  EXPECT_EQ(core.units, 12);
  EXPECT_EQ(core.ports, 2);
  EXPECT_EQ(core.network.latency.at(8), 370e-9);
  EXPECT_EQ(core.network.latency.at(2048), 1e-6);
  EXPECT_EQ(core.network.byte_time.at(8), 0.0);
  EXPECT_FALSE(core.leaving.limited());
  EXPECT_EQ(machine.ranks_in_unit(0), 12);
}

TEST(MachineFile, levels_keep_the_order_of_the_file_not_of_the_alphabet) {
  const plan::Machine machine = parse_machine(R"(name: m
source: s
levels:
  zone: {hockney: {latency: 2 us}}
  socket: {units: 2, hockney: {latency: 1 us}}
  core: {units: 4, hockney: {latency: 100 ns}}
)",
                                              "m.yaml");
  ASSERT_EQ(machine.levels.size(), 3U);
  EXPECT_EQ(machine.levels[0].name, "zone");
  EXPECT_EQ(machine.levels[1].name, "socket");
  EXPECT_EQ(machine.levels[2].name, "core");
}

TEST(MachineFile, channels_that_are_shared_without_loss) {
  const plan::Machine machine = parse_machine(R"(name: m
source: s
levels:
  node: {hockney: {latency: 2 us}, leaving: {each: 25 GB/s, together: 90 GB/s}}
)",
                                              "m.yaml");
  EXPECT_EQ(machine.levels[0].leaving.bandwidth, (std::vector<double>{25e9, 50e9, 75e9, 90e9}));
  expect_in("leaving: {each: 25 GB/s, together: 90 GB/s}", machine_text(machine));
}

TEST(MachineFile, channels_inside_of_units) {
  const auto text = [](const std::string& socket, const std::string& core) {
    return "name: m\nsource: s\nlevels:\n"
           "  node: {hockney: {latency: 2 us}, leaving: [1 GB/s], inside: [2 GB/s, 3 GB/s]}\n"
           "  socket: {units: 2, hockney: {latency: 1 us}" +
           socket +
           "}\n"
           "  core: {units: 4, hockney: {latency: 1 us}" +
           core + "}\n";
  };
  const plan::Machine machine = parse_machine(text("", ""), "m.yaml");
  EXPECT_EQ(machine.levels[0].inside.bandwidth, (std::vector<double>{2e9, 3e9}));
  EXPECT_FALSE(machine.levels[1].inside.limited());
  expect_same(parse_machine(machine_text(machine), "again.yaml"), machine);
  expect_in("m.yaml:4", refusal(text(", leaving: [1 GB/s]", "")));
  expect_in("'socket' can't have channels of its own", refusal(text(", leaving: [1 GB/s]", "")));
  expect_in("'core' can't have channels of its own", refusal(text("", ", leaving: [1 GB/s]")));
  expect_in("'socket' can't have channels of its own", refusal(text(", inside: [1 GB/s]", "")));
  expect_in("nothing stays inside of one core", refusal(text("", ", inside: [1 GB/s]")));
}

TEST(MachineFile, every_model) {
  const auto network = [](const std::string& section) {
    return parse_machine("name: m\nsource: s\nlevels:\n  node:\n    " + section + "\n", "m.yaml")
        .levels.front()
        .network;
  };
  expect_same(network("hockney: {latency: 2 us, bandwidth: 0.5 ns/B}"),
              plan::hockney(2e-6, 0.5e-9));
  expect_same(
      network("logp: {latency: 20 us, send_overhead: 5 us, receive_overhead: 6 us, gap: 10 us}"),
      plan::log_p(20e-6, 5e-6, 6e-6, 10e-6));
  expect_same(
      network("loggp: {latency: 4.5 us, send_overhead: 2.4us, receive_overhead: 1.1us, gap: "
              "3us, bandwidth: 1.2 ns/B}"),
      plan::log_gp(4.5e-6, 2.4e-6, 1.1e-6, 3e-6, 1.2e-9));
  expect_same(network("logfp: {latency: 5 us, send_overhead_min: 0.5 us, send_overhead_max: 2 us, "
                      "receive_overhead: 1.5 us, gap: 3 us, free_burst: 4}"),
              plan::log_fp(5e-6, 0.5e-6, 2e-6, 1.5e-6, 3e-6, 4));
  expect_same(network("pipelined: {pipelining_latency: 500 ns, required_latency: 100 ns}"),
              plan::pipelined(500e-9, 100e-9));
  const plan::Network general = network(
      "general: {called: mine, latency: 1 us, free_burst: 3, bytes_hold_port: false, "
      "first_byte_is_free: false}");
  EXPECT_EQ(general.model, "mine");
  EXPECT_EQ(general.free_burst, 3);
  EXPECT_FALSE(general.bytes_hold_port);
  EXPECT_FALSE(general.varying_overhead);
}

TEST(MachineFile, all_faults_at_once_with_their_places) {
  const std::string text = refusal(R"(name: m
levels:
  node:
    hockney: {latency: 1.33, bandwith: 1627.5 MB/s}
  core:
    unit: 12
    loggp: {latency: fast, send_overhead: -1 us, receive_overhead: 1 parsec, gap: 1 us}
    leaving: 3 GB/s
)");
  expect_in("'source' is missing", text);
  expect_in("m.yaml:4:24", text);
  expect_in("add a unit", text);
  expect_in("unknown key 'bandwith' in 'levels.node.hockney', did you mean 'bandwidth'?", text);
  expect_in("m.yaml:6:5: unknown key 'unit' in 'levels.core', did you mean 'units'?", text);
  expect_in("m.yaml:7:22", text);
  expect_in("it can't be negative", text);
  expect_in("'parsec' is no unit here", text);
  expect_in("m.yaml:8:14", text);
}

TEST(MachineFile, what_only_the_whole_can_tell) {
  const std::string text = refusal(R"(name: m
source: s
combine_overhead: {8 B: 1 ns, 16 B: 2 ns}
levels:
  node:
    loggp: {latency: 1 us}
    hockney: {latency: 1 us}
  core:
    ports: 2
)");
  expect_in("'combine_overhead' must be one value", text);
  expect_in("'levels.node.loggp.gap' is missing", text);
  expect_in("m.yaml:6:5", text);
  expect_in("has a second model", text);
  expect_in("'levels.core.units' is missing", text);
  expect_in("'levels.core' needs a section named for its model: hockney, logp", text);
  expect_in("m.yaml: a machine needs at least one level", refusal("name: m\nsource: s\n"));
}

TEST(MachineFile, sizes_must_ascend_and_be_sizes) {
  const std::string text = refusal(R"(name: m
source: s
levels:
  node:
    hockney: {latency: {8 B: 1 us, 8: 2 us, 1.5 B: 3 us, big: 4 us}}
)");
  expect_in("must be larger than the size before it", text);
  expect_in("no whole number of bytes", text);
  expect_in("'big' in 'levels.node.hockney.latency' is no size", text);
}

TEST(MachineFile, units_are_suggested) {
  const auto with = [](const std::string& bandwidth) {
    return refusal("name: m\nsource: s\nlevels: {node: {hockney: {latency: 1 us, bandwidth: " +
                   bandwidth + "}}}\n");
  };
  EXPECT_EQ(with("100 Gbit/s"), "accepted");
  EXPECT_EQ(with("1.5 GiB/s"), "accepted");
  expect_in("did you mean 'MB/s'?", with("10 MBs"));
  expect_in("nothing would ever arrive", with("0 MB/s"));
  expect_in("together", refusal("name: m\nsource: s\nlevels: {node: {hockney: {latency: 1 us}, "
                                "leaving: {each: 1 GB/s, togehter: 2 GB/s}}}\n"));
}

TEST(MachineFile, finds_machines_by_name_or_path) {
  const auto names = machine_names(machines);
  EXPECT_TRUE(std::ranges::is_sorted(names));
  EXPECT_EQ(find_machine("jaguar", machines), machines + "/jaguar.yaml");
  EXPECT_EQ(find_machine("my/own", machines), "my/own");
  EXPECT_EQ(find_machine("own.yaml", machines), "own.yaml");
  EXPECT_EQ(find_machine("jaguar", machines, "/no/such/directory"), machines + "/jaguar.yaml");
  EXPECT_EQ(find_machine("jaguar", machines, machines + "/"), machines + "/jaguar.yaml");
  try {
    (void)find_machine("jagaur", machines);
    FAIL() << "found";
  } catch (const rt::Error& error) {
    expect_in("did you mean 'jaguar'?", error.what());
    expect_in("archer-ch5", error.advice());
  }
  EXPECT_THROW((void)machine_names("/no/such/place"), rt::Error);
}

TEST(BundledMachines, are_all_readable_say_their_source_and_come_back) {
  const auto names = machine_names(machines);
  EXPECT_GE(names.size(), 15U);
  for (const std::string& name : names) {
    SCOPED_TRACE(name);
    const plan::Machine machine = bundled(name);
    EXPECT_EQ(machine.name, name);
    EXPECT_FALSE(machine.about.empty());
    EXPECT_GT(machine.source.size(), 40U);
    ASSERT_FALSE(machine.levels.empty());
    for (const plan::Level& level : machine.levels) {
      const double one_way = formulas::log_gp_of(level.network, 8).one_way();
      EXPECT_GT(one_way, 1e-8);
      EXPECT_LT(one_way, 1e-4);
    }
    expect_same(parse_machine(machine_text(machine), "again.yaml"), machine);
  }
}

TEST(BundledMachines, archer_has_table_4_1) {
  const plan::Network put = bundled("archer").levels.front().network;
  EXPECT_EQ(put.latency.at(8), 0.88e-6);
  EXPECT_EQ(put.send_overhead.at(8), 0.38e-6);
  EXPECT_EQ(put.send_overhead.at(2048), 0.79e-6);
  EXPECT_NEAR(put.send_overhead.at(1280), (0.46e-6 + 0.79e-6) / 2, 1e-15);
  const plan::Network hidden = bundled("archer-ch5").levels.front().network;
  EXPECT_NEAR(hidden.latency.at(8) / hidden.send_overhead.at(8), 2.911, 1e-12);
}

TEST(BundledMachines, numbers_of_their_sources) {
  EXPECT_EQ(bundled("fennel").stage_overhead, 10e-9);
  EXPECT_EQ(bundled("fennel").levels[0].network.byte_time.at(8), 0.4e-9);
  const auto example = formulas::log_gp_of(bundled("logp-example").levels[0].network, 1);
  EXPECT_NEAR(formulas::burst_time(example, 1), 31e-6, 1e-15);
  EXPECT_NEAR(formulas::burst_time(example, 3), 51e-6, 1e-15);
  EXPECT_NEAR(formulas::log_gp_of(bundled("oscar").levels[0].network, 1).one_way(), 8e-6, 1e-15);
  EXPECT_EQ(bundled("logfp-plot-2").levels[0].network.free_burst, 2);
  EXPECT_EQ(bundled("logfp-plot-4").levels[0].network.free_burst, 4);
  const plan::Machine jaguar = bundled("jaguar");
  EXPECT_EQ(jaguar.ranks_in_unit(0), 12);
  EXPECT_EQ(jaguar.levels[0].leaving.at(2), 3203.4e6);
  EXPECT_EQ(jaguar.levels[0].leaving.at(100), 3611.8e6);
  EXPECT_EQ(bundled("ra").ranks_in_unit(0), 8);
  EXPECT_EQ(bundled("alamode").ranks_in_unit(0), 4);
  EXPECT_EQ(bundled("bluedrop").ranks_in_unit(0) * bundled("bluedrop").levels[0].units, 32);
  EXPECT_EQ(bundled("kraken").ranks_in_unit(0) * bundled("kraken").levels[0].units, 12);
  const plan::Machine frontier = bundled("frontier");
  EXPECT_EQ(frontier.levels[0].units * frontier.ranks_in_unit(0), 74 * 128 * 64);
  EXPECT_EQ(bundled("epyc-ndr").ranks_in_unit(1), 192);
}

TEST(MachineText, any_numbers_come_back_to_the_last_bit) {
  std::mt19937_64 random(5);
  std::uniform_real_distribution<double> exponent(-14.0, 3.0);
  const auto number = [&] { return std::pow(10.0, exponent(random)); };
  for (int i = 0; i < 100; ++i) {
    plan::Machine machine;
    machine.name = "any: \"name\" # of it";
    machine.about = i % 2 == 0 ? "" : "two\nlines";
    machine.source = "µ";
    machine.reduce_overhead = number();
    machine.stage_overhead = number();
    machine.reduce_byte_time = number();
    machine.copy_byte_time = number();
    plan::Network general = plan::log_fp(number(), number(), number(), number(), number(), 7);
    general.byte_time = plan::BySize({{1, number()}, {1500, number()}, {1 << 20, number()}});
    general.model = "something else";
    machine.levels.push_back({"outer most", 0, general, 3, {{number(), number(), number()}}});
    machine.levels.push_back({"inner", 4, plan::pipelined(number(), number(), number()), 1, {}});
    machine.levels.push_back(
        {"core", 2, plan::hockney(plan::BySize({{8, number()}, {9, number()}}), number()), 1, {}});
    expect_same(parse_machine(machine_text(machine), "any.yaml"), machine);
    if (HasFailure()) {
      ADD_FAILURE() << machine_text(machine);
      break;
    }
  }
}

}  // namespace
}  // namespace cartwright::mapping
