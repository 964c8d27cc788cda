// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>

namespace cartwright::rt {

class Deck;
class Report;
struct SectionNode;
class Runtime;

/// What a floor brings to a run. Any function may be empty. Options are kept in structs of the
/// module's own, bound to the deck by `schema`.
struct Module {
  std::string name;
  /// Before `schema`, where there is a deck: read, but not checked. For a module whose schema
  /// depends on the deck (Deck::peek). Without MPI, the same on every rank.
  std::function<void(const Deck&)> peek = {};
  /// Before the deck is checked, also without MPI (for --check, --json-schema…).
  std::function<void(SectionNode& root)> schema = {};
  /// After the deck is checked and its values are assigned, also for --check: what a schema can't
  /// see. Throws Deck::error. Without MPI, the same on every rank.
  std::function<void(const Deck&)> check = {};
  /// After the deck is checked, in order of the list. Collective. Also for --dry-run.
  std::function<void(Runtime&)> start = {};
  /// Before the final report, in order of the list. Collective.
  std::function<void(Runtime&, Report&)> report = {};
  /// In reverse order, for modules that were started. Collective; also after a failure that all
  /// ranks have met, but not after one that this rank has met alone.
  std::function<void(Runtime&)> stop = {};
};

}  // namespace cartwright::rt
