// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/grid/run/field_base.hpp>
#include <cartwright/grid/run/formula.hpp>
#include <memory>
#include <string>
#include <vector>

namespace cartwright::grid {

class Run;

/// Which fields a run shows, and what is known of them. Fields whose components have names are
/// shown by component: "gas.density", and "gas.velocity", which is a vector.
struct ShownFields {
  /// A row of diagnostics.csv has numbers of each of them: single components.
  struct Column {
    const FieldBase* field;
    std::vector<Formula> exact;  ///< empty: not known
  };
  std::vector<const FieldBase*> output;    ///< in files: vectors are whole
  std::vector<const FieldBase*> pictures;  ///< some of them, or single components of vectors
  std::vector<Column> columns;
  const FieldBase* vectors = nullptr;  ///< drawn as arrows over pictures; one of its components
  std::string vectors_name;
  std::vector<const FieldBase*> vector_components;      ///< its own, by axis
  const FieldBase* mask = nullptr;                      ///< of output.pictures
  const FieldBase* volume = nullptr;                    ///< of output.render: a number, or a vector
  std::vector<std::shared_ptr<const FieldBase>> parts;  ///< keeps alive what the others name

  /// Bytes a point that files hold of the field `name`.
  [[nodiscard]] std::size_t bytes_of(const std::string& name) const;
};

/// As the deck wants it; `declared` are the fields of the run that the solver declares. Throws
/// Deck::error: also for --check.
[[nodiscard]] ShownFields choose_shown(const Run& run,
                                       const std::vector<const FieldBase*>& declared);

}  // namespace cartwright::grid
