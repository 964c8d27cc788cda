// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/plan/simulation/simulate.hpp>
#include <iosfwd>

/// The rules of LogGOPSim (Hoefler, Schneider and Lumsdaine 2010) differ from those of network.hpp
/// in what a message does at the two ends:
/// - a send starts only when the port is free, too, which it then holds from its start on for g
/// plus the bytes' time; so the processor of a rank that is about to send waits for its port;
/// - a message is taken in when its first byte comes, in the order in which messages come, whether
/// its receive is due or not: the receiver's processor, as soon as it and the port for receiving
/// are free, is busy for o_r plus the bytes' time, and that port is held for g plus the bytes'
/// time; a receive that is due finds it there, or waits.
/// There is one port each way; ports, bursts, channels and noise are left out of account, and
/// messages of any size are sent eagerly (a rendezvous threshold of infinity).
namespace cartwright::validation {

/// As plan::simulate, by these rules: steps as listed, no traffic.
plan::Simulation simulate_log_gops(int ranks, const plan::ScheduleMaker& make,
                                   const plan::Layout& layout, std::size_t element_size,
                                   const plan::Machine& machine,
                                   const plan::SimulationOptions& options = {});

/// Writes the schedules of all ranks in the language of LogGOPSim, GOAL, each step after the one
/// before it. Times are in picoseconds: of combinations and copies on that machine. To be run with
/// the L, o, g and G of the machine's only level, in picoseconds, and O = 0.
void write_goal(std::ostream& out, int ranks, const plan::ScheduleMaker& make,
                const plan::Layout& layout, std::size_t element_size, const plan::Machine& machine);

}  // namespace cartwright::validation
