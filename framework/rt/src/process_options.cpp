// SPDX-License-Identifier: Apache-2.0
#include <cartwright/rt/duration.hpp>
#include <cartwright/rt/process_options.hpp>
#include <cartwright/rt/schema.hpp>

namespace cartwright::rt {
namespace {

Schema<ProcessOptions::LogOptions> log_schema() {
  return {key("level", &ProcessOptions::LogOptions::level)
              .choices({"quiet", "normal", "verbose"})
              .about("how much a run says")};
}

Schema<ProcessOptions::StopOptions> stop_schema() {
  return {key("wall_time", &ProcessOptions::StopOptions::wall_time)
              .above(0.0)
              .example("1h30m")
              .about("stop with a checkpoint after this much real time"),
          key("silence", &ProcessOptions::StopOptions::silence)
              .above(0.0)
              .example("5min")
              .about("end the run when a rank is gone or stopped, a node can't be reached, or all "
                     "ranks wait for each other for longer than this; off: never, for debuggers")};
}

}  // namespace

TypeName Codec<SilenceLimit>::type(const Limits&) {
  return {"a duration, such as 90 (seconds) or 1h30m, or off", "durations", "duration or off"};
}

bool Codec<SilenceLimit>::read(const DeckValue& given, const Reading& reading,
                               SilenceLimit& value) {
  if (given.is_scalar() && given.text() == "off") {
    value.time.reset();
    return true;
  }
  Seconds time{};
  if (!given.is_scalar() || !parse_duration(given.text()))
    return reading.refuse(given, type(reading.limits).one);
  if (!Codec<Seconds>::read(given, reading, time)) return false;
  value.time = time;
  return true;
}

std::string Codec<SilenceLimit>::show(const SilenceLimit& value, const Limits&) {
  return value.time ? format_duration(*value.time) : "off";
}

std::string Codec<SilenceLimit>::json_schema(const Limits& limits) {
  return Codec<Seconds>::json_schema(limits);
}

void bind_process_options(SectionNode& root, ProcessOptions& options) {
  const auto schema =
      Schema<ProcessOptions>(key("trace", &ProcessOptions::trace)
                                 .example("trace.json")
                                 .about("write a timeline for Perfetto (ui.perfetto.dev) to this "
                                        "file; a name without a folder goes to output.directory"))
          .section("log", &ProcessOptions::log, log_schema(), "what a run says")
          .section("stop", &ProcessOptions::stop, stop_schema(), "when a run ends early");
  schema.bind(root, options);
}

}  // namespace cartwright::rt
