// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <cartwright/rt/binding.hpp>
#include <cartwright/rt/deck.hpp>
#include <cartwright/rt/execute.hpp>
#include <cartwright/rt/failure.hpp>
#include <cartwright/rt/mpi_session.hpp>
#include <cartwright/rt/program.hpp>
#include <cartwright/rt/progress_line.hpp>
#include <cartwright/rt/report.hpp>
#include <cartwright/rt/runtime.hpp>
#include <cartwright/rt/watcher.hpp>
#include <exception>
#include <optional>
#include <utility>

#include "answers.hpp"
#include "deck_check.hpp"
#include "failure_state.hpp"
#include "run_files.hpp"
#include "speaker.hpp"
#include "stop_signals.hpp"

namespace cartwright::rt {
namespace {

struct Call {
  const Program& program;
  const CommandLine& command_line;
  const std::vector<Module>& modules;
  const std::function<void(Runtime&)>& body;
  Ticks started;
};

// Modules that were started, to be stopped in reverse order.
class StartedModules {
 public:
  explicit StartedModules(Runtime& runtime) : runtime_(runtime) {}
  void start(const Module& module) {
    if (module.start) module.start(runtime_);
    started_.push_back(&module);
  }
  // After a failure that was reported: a further one is not news.
  void stop_quietly() noexcept {
    try {
      stop();
    } catch (...) {
      started_.clear();
    }
  }
  void stop() {
    while (!started_.empty()) {
      const Module* const last = started_.back();
      started_.pop_back();
      if (last->stop) last->stop(runtime_);
    }
  }

 private:
  Runtime& runtime_;
  std::vector<const Module*> started_;
};

void say_what_runs(Runtime& runtime) {
  const Program& program = runtime.program();
  runtime.log().heading(fmt::format("{} {} ({})", program.name, program.version, program.commit));
  if (!runtime.deck().file_name().empty()) runtime.log().entry("deck", runtime.deck().file_name());
  for (const auto& setting : runtime.deck().overrides()) {
    runtime.log().entry("override", setting);
  }
}

// The region begins with the process, before there was a trace.
void start(Runtime& runtime, const std::vector<Module>& modules, StartedModules& started) {
  const Timed timed(runtime.trace(), runtime.trace().region("start-up"), {runtime.started(), {}});
  say_what_runs(runtime);
  for (const auto& module : modules) started.start(module);
}

void finish(Runtime& runtime, const std::vector<Module>& modules) {
  {
    const Timed timed(runtime.trace(), runtime.trace().region("final report"));
    runtime.progress_line().end();
    for (const auto& module : modules) {
      if (module.report) module.report(runtime, runtime.report());
    }
  }
  write_run_files(runtime);
}

int run(const Call& call, MpiSession& session, FailureGuard& guard) {
  const Communicator& world = session.world();
  SectionNode root;
  ProcessOptions options;
  Deck deck = Deck::read(world, call.command_line.deck_path, call.command_line.overrides);
  apply_deck(deck, root, options, call.modules);
  session.watcher().bear_silence(options.stop.silence.time);
  Runtime runtime(session, call.program, call.command_line, std::move(deck), options, call.started);
  guard.watch_step(&runtime.progress_line().step());
  StartedModules started(runtime);
  int code = 0;
  try {
    if (options.trace)
      Trace::require_writable(world, *options.trace, call.command_line.mode == Mode::run);
    start(runtime, call.modules, started);
    call.body(runtime);
    if (call.command_line.mode == Mode::run) finish(runtime, call.modules);
    if (world.is_root()) Speaker().note_finished();
    code = static_cast<int>(runtime.exit_code());
  } catch (...) {
    runtime.progress_line().end();
    code = guard.end(world, as_error(std::current_exception()));
    started.stop_quietly();
  }
  started.stop();
  guard.watch_step(nullptr);
  return code;
}

int run_with_mpi(const Call& call) {
  MpiSession session;
  int code = 0;
  {
    FailureGuard guard(session.world(), session.arena());
    try {
      code = run(call, session, guard);
    } catch (...) {
      code = guard.end(session.world(), as_error(std::current_exception()));
    }
  }
  const auto ended = static_cast<ExitCode>(code);
  const bool has_failed = ended != ExitCode::finished && ended != ExitCode::stopped_early;
  if (!session.started_here())
    FailureGuard::end_at_the_latest(0, ExitCode::finished);
  else if (has_failed)
    end_quietly_by_signals();
  return code;
}

}  // namespace

int execute(int argc, char** argv, const Program& program, const std::vector<Module>& modules,
            const std::function<void(Runtime&)>& body, const std::function<void(Runtime&)>& dry_run,
            const std::function<void(Runtime&)>& check) {
  const Ticks started = now();
  try {
    const CommandLine command_line = parse_command_line(
        argc, argv, [&](const std::string& name) { return keys_named(name, modules); },
        program.deck_is_optional);
    const bool plans = command_line.mode == Mode::dry_run;
    if (plans && !dry_run) throw input_error("this program can't plan without running");
    std::optional<StopSignals> signals;  // before MPI starts, which takes a while
    if (command_line.mode == Mode::run) signals.emplace();
    if (command_line.mode == Mode::run || plans) {
      return run_with_mpi({program, command_line, modules, plans ? dry_run : body, started});
    }
    const std::string text = answer(command_line, program, modules);
    if (command_line.mode == Mode::check && check) {
      const int code = run_with_mpi({program, command_line, modules, check, started});
      if (code != 0) return code;
    }
    const bool is_first = rank_from_environment() == 0;
    Log(is_first).answer(text);
    if (is_first) Speaker().note_finished();
    return 0;
  } catch (...) {
    return FailureGuard::end_before_mpi(as_error(std::current_exception()));
  }
}

}  // namespace cartwright::rt
