// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/comm/cart_comm.hpp>

#include "../common/program.hpp"

namespace cartwright::bench {

/// The programs of docs/epochs with epochs that nobody waits for, the same code closing each by
/// waiting, and the MPI library's own means. Two ranks or more.

/// LU factorisation (panel_lu.hpp) while ranks are disturbed: each sleeps in each step for a random
/// time, exponential, whose mean is a share of what a step takes undisturbed; the same times for
/// all.
void measure_lu(const rt::Communicator& world, const Setting& setting, Results& results);

/// Words counted in a table over all ranks, tasks stolen (word_table.hpp), against MPI's windows.
void measure_words(const rt::Communicator& world, const Setting& setting, Results& results);

/// Particles that move between ranks (particle_strip.hpp), disturbed as above, against messages
/// whose length their receivers ask for.
void measure_particles(const rt::Communicator& world, const Setting& setting, Results& results);

}  // namespace cartwright::bench
