// SPDX-License-Identifier: Apache-2.0
#include <cartwright/comm/selection/knowledge_store.hpp>
#include <cartwright/comm/settings.hpp>
#include <cartwright/plan/models/typical_machine.hpp>
#include <cartwright/plan/selection/operation.hpp>
#include <cartwright/rt/deck.hpp>
#include <cartwright/rt/error.hpp>
#include <cartwright/rt/failure.hpp>
#include <utility>

namespace cartwright::comm {

namespace {

/// At its place in a deck, a command line or an environment.
class NoSuchBackend final : public rt::Error {
 public:
  NoSuchBackend(const rt::Error& error, const rt::DeckValue& given)
      : Error(error.code(), given.origin().place() + ": " + error.what(), error.advice(),
              error.reach()) {}
};

}  // namespace

}  // namespace cartwright::comm

namespace cartwright::rt {

/// A name, turned into an id where it is read; an unknown one is refused with a list of all.
template <>
struct Codec<comm::BackendId> {
  static TypeName type(const Limits& limits) { return Codec<std::string>::type(limits); }
  static bool read(const DeckValue& given, const Reading& reading, comm::BackendId& value) {
    std::string name;
    if (!Codec<std::string>::read(given, reading, name)) return false;
    try {
      value = comm::known_backend(name);
    } catch (const Error& error) {
      throw comm::NoSuchBackend(error, given);
    }
    return true;
  }
  static std::string show(comm::BackendId value, const Limits& limits) {
    return Codec<std::string>::show(std::string(comm::name_of(value)), limits);
  }
  static std::string json_schema(const Limits& limits) {
    return Codec<std::string>::json_schema(limits);
  }
};

}  // namespace cartwright::rt

namespace cartwright::comm {

namespace {

/// What was measured here says nothing of a network that is imagined.
std::shared_ptr<const Knowledge> between_links(const Knowledge& known, const LinkSpeed& speed) {
  constexpr double overhead = 0.3e-6;  // s, of a rank: that of memory, in which the messages lie
  Knowledge imagined{.defaults = known.defaults, .wanted = known.wanted};
  plan::Machine machine = known.machine ? *known.machine : plan::typical_machine(1);
  if (machine.levels.size() == 1) machine.levels = plan::typical_machine(1).levels;
  const double byte_time = speed.bandwidth > 0 ? 1 / speed.bandwidth : 0;
  machine.levels.front().network =
      plan::log_gp(speed.latency, overhead, overhead, overhead, byte_time);
  machine.levels.front().leaving = {};
  if (speed.bandwidth > 0) machine.levels.front().leaving.bandwidth = {speed.bandwidth};
  imagined.machine = std::move(machine);
  return std::make_shared<const Knowledge>(std::move(imagined));
}

using OfOperation = Settings::OfOperation;

constexpr std::pair<plan::Operation, OfOperation Settings::*> of_operations[] = {
    {plan::Operation::allreduce, &Settings::allreduce},
    {plan::Operation::reduce, &Settings::reduce},
    {plan::Operation::reduce_scatter, &Settings::reduce_scatter},
    {plan::Operation::scan, &Settings::scan},
    {plan::Operation::exscan, &Settings::exscan},
    {plan::Operation::broadcast, &Settings::broadcast},
    {plan::Operation::scatter, &Settings::scatter},
    {plan::Operation::gather, &Settings::gather},
    {plan::Operation::allgather, &Settings::allgather},
    {plan::Operation::alltoall, &Settings::alltoall},
    {plan::Operation::barrier, &Settings::barrier}};

rt::Schema<OfOperation> schema_of_operation() {
  return {rt::key("algorithm", &OfOperation::algorithm)
              .example("ring")
              .about("how backends other than native carry it out: an algorithm that "
                     "./cartwright simulate --list names, with its tuning in brackets; empty: the "
                     "one that is expected to be the quickest")};
}

rt::Schema<Settings::Shared> schema_of_shared() {
  return {
      rt::key("memory", &Settings::Shared::memory)
          .unit("MiB")
          .minimum(1)
          .about("shared memory that the ranks of a node take for their collectives, together; "
                 "absent: 64, and for more than 16 ranks 4 for each; where there is plenty, only "
                 "what is used becomes real memory")};
}

rt::Schema<Settings::Links> schema_of_links() {
  return {rt::key("latency", &Settings::Links::latency)
              .minimum(0)
              .example("100us")
              .about("how long an empty message between nodes takes; absent: as long as it does"),
          rt::key("bandwidth", &Settings::Links::bandwidth)
              .unit("GB/s")
              .minimum(0)
              .about("how much all messages together that leave a node, or enter one, bring; 0: no "
                     "limit")};
}

}  // namespace

rt::Schema<Settings> schema() {
  // No choices for the backend here: the table of backends knows the names, and says so.
  rt::Schema<Settings> keys = {
      rt::key("backend", &Settings::backend)
          .example("native")
          .about(
              "who carries out collectives: native (the MPI library), p2p (schedules over "
              "messages), shared (schedules through the memory of a node), rma (schedules whose "
              "senders put data into the receiver's memory, on a node) or auto (the quickest of "
              "the first three for each operation and size); with shared and auto, ghosts "
              "travel through the memory of a node, too; with rma by one-sided epochs, so that a "
              "late rank holds up nobody but its neighbours; else by messages"),
      rt::key("axes", &Settings::axes)
          .choices<AxisOrder>({{"auto", AxisOrder::automatic},
                               {"overlapped", AxisOrder::overlapped},
                               {"sequential", AxisOrder::sequential}})
          .about("collectives along several axes of the grid: all at the same time (overlapped), "
                 "one axis after the other, or what a model of the machine predicts to be quicker"),
      rt::key("learn", &Settings::learn)
          .about("let the ways to carry out a collective take turns in its first calls of each "
                 "size, keep the quickest, and remember it for the next run on these hosts; only "
                 "where results stay the same bit for bit, and only with comm.backend: auto"),
      rt::key("arrivals", &Settings::arrivals)
          .choices<ArrivalUse>({{"off", ArrivalUse::off},
                                {"watch", ArrivalUse::watch},
                                {"frozen", ArrivalUse::frozen},
                                {"on", ArrivalUse::on}})
          .about(
              "when ranks come to collectives: not looked at (off); measured on one clock, for "
              "the report at the end (watch); and forecast, so that reductions go round ranks "
              "that will be late (on), or forecast once, and that plan stays (frozen); no bit of "
              "a result changes, unless any_order allows it"),
      rt::key("any_order", &Settings::any_order)
          .about("with arrivals: on or frozen, sums of floating-point numbers may be added in "
                 "another order from call to call, and operators that don't commute with other "
                 "brackets, which changes last bits; what the framework sums itself keeps its "
                 "bits"),
      rt::key("device_memory", &Settings::device_memory)
          .choices<DeviceMemory>({{"auto", DeviceMemory::automatic},
                                  {"staged", DeviceMemory::staged},
                                  {"direct", DeviceMemory::direct}})
          .about(
              "how messages get at memory of a device: copied through the host's (staged), or by "
              "the MPI library, which takes the device's addresses (direct: also in collectives "
              "that only move data); auto: ghosts directly where the library says that it can, "
              "all else staged"),
      rt::key("checked", &Settings::checked)
          .about("compare each collective across ranks before it begins: a wrong order of calls or "
                 "different counts end the run with a table of who has called what"),
      rt::key("time_limit", &Settings::time_limit)
          .above(0)
          .example("5min")
          .about("how long a rank waits for a collective before it ends the run and says for whom "
                 "it waits; absent: as long as it takes")};
  rt::Schema<Settings> all = std::move(keys)
                                 .section("shared", &Settings::shared, schema_of_shared())
                                 .section("links", &Settings::links, schema_of_links());
  for (const auto& [operation, member] : of_operations) {
    // Not assigned to itself: a section is added in place.
    rt::Schema<Settings> more = std::move(all).section(std::string(plan::name_of(operation)),
                                                       member, schema_of_operation());
    all = std::move(more);
  }
  return all;
}

std::map<plan::Operation, std::string> Settings::algorithms() const {
  std::map<plan::Operation, std::string> asked;
  for (const auto& [operation, member] : of_operations)
    if (const std::string& algorithm = (this->*member).algorithm; !algorithm.empty())
      asked[operation] = algorithm;
  return asked;
}

void check_settings(const rt::Deck& deck, const Settings& settings) {
  // What CartComm would say, with its place in the deck.
  const auto at = [&deck](const std::string& path, const auto& read) {
    try {
      read();
    } catch (const rt::Error& error) {
      throw deck.error(path, error.what(), error.advice());
    }
  };
  const BackendTraits& backend = traits_of(settings.backend);
  if (settings.arrivals > ArrivalUse::watch && !backend.runs_schedules())
    throw deck.error("comm.arrivals", "plans for arrivals are schedules, and native runs none",
                     "Use comm.backend: auto, shared or p2p, or comm.arrivals: watch.");
  if (settings.link_speed() && !backend.may_have_links)
    throw deck.error("comm.links.latency", "an imagined network needs comm.backend: auto or shared",
                     "Messages of MPI's can't be delayed: leave comm.links out, or name one of "
                     "these two.");
  if (settings.link_speed() && settings.device_memory == DeviceMemory::direct)
    throw deck.error("comm.device_memory",
                     "messages of MPI's can't be delayed, as comm.links wants it",
                     "Leave comm.links out, or use comm.device_memory: staged.");
  for (const auto& [operation, algorithm] : settings.algorithms())
    at("comm." + std::string(plan::name_of(operation)) + ".algorithm",
       [&, of = operation, &name = algorithm] { (void)wanted_choice(of, name); });
}

std::shared_ptr<const Knowledge> known_to(const rt::Communicator& comm,
                                          const mapping::Topology& topology,
                                          const Settings& settings) {
  auto knowledge = find_knowledge(comm, topology, settings.algorithms(), settings.learn);
  if (const auto speed = settings.link_speed()) return between_links(*knowledge, *speed);
  return knowledge;
}

Settings resolved(const rt::Communicator& comm, Settings settings) {
  if (settings.is_resolved) return settings;
  rt::say_uncaught_errors_once();
  rt::Deck environment = rt::Deck::of_environment(comm, "comm");
  rt::SectionNode root;
  schema().bind(root.add_section("comm"), settings);
  try {
    environment.apply(root);
  } catch (const NoSuchBackend&) {
    throw;
  } catch (const rt::Error& error) {
    throw rt::input_error(error.what(), "docs/deck.md explains the keys of section comm.",
                          rt::Reach::all_ranks);
  }
  return settings.as_resolved();
}

}  // namespace cartwright::comm
