// SPDX-License-Identifier: Apache-2.0
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
              .about("stop with a checkpoint after this much real time")};
}

}  // namespace

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
