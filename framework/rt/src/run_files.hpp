// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/rt/runtime.hpp>

namespace cartwright::rt {

/// Collective. The end of a run: prints the report, writes report.json and the timeline. A file
/// that can't be written is a warning: the results of the run are good.
void write_run_files(Runtime& runtime);

}  // namespace cartwright::rt
