// SPDX-License-Identifier: Apache-2.0
#include "document.hpp"

#include <fmt/format.h>
#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <cartwright/rt/error.hpp>
#include <filesystem>
#include <set>

#include "computations.hpp"
#include "expression.hpp"

namespace cartwright::validation {

namespace {

/// A YAML list as a value: of texts, as they are printed.
Value value_of(const YAML::Node& node) {
  if (node.IsScalar()) return {node.Scalar()};
  std::vector<Value> values;
  for (const YAML::Node& inner : node) values.push_back(value_of(inner));
  return {std::move(values)};
}

/// Fills the tables of a document: what one place of it knows, and the row that is being made.
class Maker {
 public:
  explicit Maker(Computations& computations) : computations_(computations) {}

  void add_rows(Table& table, const YAML::Node& rows, const Scope& scope) {
    for (const YAML::Node& node : rows) {
      if (node["rows"])
        add_block(table, node, scope);
      else if (is_wanted(node, scope))
        add_row(table, node, scope);
    }
  }

  /// Names of `node`'s `let`, in their order.
  void define(Scope& scope, const YAML::Node& node) {
    for (const auto& entry : node["let"])
      scope[entry.first.Scalar()] = evaluate(entry.second.Scalar(), scope, computations_);
  }

  std::string text(const YAML::Node& node, const Scope& scope) {
    return node ? fill(node.Scalar(), scope, computations_) : std::string();
  }

 private:
  double number(const YAML::Node& node, const Scope& scope) {
    return evaluate(node.Scalar(), scope, computations_).number();
  }
  bool is_wanted(const YAML::Node& node, const Scope& scope) {
    return !node["if"] || number(node["if"], scope) != 0.0;
  }

  /// Its rows once for each of `lines` (values of `columns`, or a computed list of them), or for
  /// each combination of the values of `each`, the first name changing slowest.
  void add_block(Table& table, const YAML::Node& block, const Scope& scope) {
    if (block["each"]) return add_each(table, block, block["each"].begin(), scope);
    if (!block["lines"]) return add_instance(table, block, scope);
    const auto lines = block["lines"].IsScalar()
                           ? evaluate(block["lines"].Scalar(), scope, computations_)
                           : value_of(block["lines"]);
    for (const Value& line : lines.list()) {
      Scope inner = scope;
      std::size_t column = 0;
      for (const YAML::Node& name : block["columns"]) inner[name.Scalar()] = line.list()[column++];
      add_instance(table, block, inner);
    }
  }
  void add_each(Table& table, const YAML::Node& block, YAML::const_iterator name,
                const Scope& scope) {
    if (name == block["each"].end()) return add_instance(table, block, scope);
    auto next = name;
    ++next;
    for (const YAML::Node& value : name->second) {
      Scope inner = scope;
      inner[name->first.Scalar()] = {value.Scalar()};
      add_each(table, block, next, inner);
    }
  }
  void add_instance(Table& table, const YAML::Node& block, Scope scope) {
    if (!is_wanted(block, scope)) return;
    define(scope, block);
    add_rows(table, block["rows"], scope);
  }

  void add_row(Table& table, const YAML::Node& node, const Scope& scope) {
    static const std::set<std::string> known{
        "if",     "what", "published", "ours",      "decimals", "unit",
        "shown",  "same", "deviation", "tolerance", "within",   "percent",
        "inputs", "of",   "because",   "meant",     "note",     "impossible"};
    for (const auto& entry : node)
      if (!known.contains(entry.first.Scalar()))
        throw rt::input_error(fmt::format("'{}' means nothing in a row", entry.first.Scalar()),
                              "Mend it in validation/.");
    Row& row = table.add(text(node["what"], scope), text(node["published"], scope));
    if (node["same"])
      row.judged(text(node["shown"], scope), number(node["same"], scope) != 0.0,
                 text(node["deviation"], scope), text(node["tolerance"], scope));
    if (node["ours"]) compare(row, node, scope);
    const std::string of = text(node["of"], scope);
    if (node["within"]) row.within(number(node["within"], scope), of);
    if (node["percent"]) row.within_percent(number(node["percent"], scope), of);
    if (node["inputs"]) row.and_inputs(number(node["inputs"], scope), of);
    const std::string because = text(node["because"], scope);
    if (node["meant"])
      row.meant(text(node["meant"], scope), because);
    else
      row.because(because);
    row.note(text(node["note"], scope));
    if (node["impossible"]) row.impossible(text(node["impossible"], scope));
  }
  void compare(Row& row, const YAML::Node& node, const Scope& scope) {
    const Value ours = evaluate(node["ours"].Scalar(), scope, computations_);
    if (ours.is_text())
      row.text(ours.text());
    else
      row.number(ours.number(), node["decimals"] ? node["decimals"].as<int>() : 0,
                 text(node["unit"], scope));
  }

  Computations& computations_;
};

YAML::Node load(const std::string& folder, const std::string& name) {
  return YAML::LoadFile(fmt::format("{}/{}.yaml", folder, name));
}

}  // namespace

std::vector<std::string> document_names(const std::string& folder) {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(folder))
    if (entry.path().extension() == ".yaml") names.push_back(entry.path().stem().string());
  std::ranges::sort(names);
  return names;
}

std::string citation_of(const std::string& folder, const std::string& name) {
  return load(folder, name)["citation"].Scalar();
}

Document read_document(const std::string& folder, const std::string& name, bool is_long) {
  Computations computations;
  Maker maker(computations);
  const YAML::Node whole = load(folder, name);
  Scope scope{{"long", {is_long ? 1.0 : 0.0}}};
  for (const auto& entry : whole["data"]) scope[entry.first.Scalar()] = value_of(entry.second);
  maker.define(scope, whole);
  Document document{name, whole["citation"].Scalar(), {}};
  for (const YAML::Node& node : whole["tables"]) {
    Scope inner = scope;
    maker.define(inner, node);
    Table table(node["place"].Scalar(), node["subject"].Scalar(), maker.text(node["note"], inner));
    maker.add_rows(table, node["rows"], inner);
    document.tables.push_back(std::move(table));
  }
  return document;
}

}  // namespace cartwright::validation
