// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace cartwright::validation {

enum class Verdict : std::uint8_t {
  reproduced,
  explained,    ///< deviates, and the reason is known
  unexplained,  ///< deviates
  impossible    ///< can't be computed or simulated; the reason says why
};

/// A number as it is printed: its digits say how exact it is.
struct Printed {
  std::string text;

  [[nodiscard]] double value() const;
  /// Half a unit in the last printed place.
  [[nodiscard]] double half_digit() const;
};

/// One published value beside ours.
class Row {
 public:
  Row(std::string what, std::string published)
      : what_(std::move(what)), published_(std::move(published)) {}

  /// A number; the tolerance is that of its printed digits, until another is given.
  Row& number(double ours, int decimals, std::string_view unit = {});
  /// Words; they must be the same.
  Row& text(std::string ours);
  /// Whether ours is the same has been found otherwise.
  Row& judged(std::string ours, bool same, std::string deviation, std::string tolerance);
  Row& impossible(std::string reason);

  /// The tolerance: an absolute one, a share of the published number, or besides the printed digits
  /// what those of the numbers make up from which ours is computed. With the reason for it.
  Row& within(double tolerance, std::string_view reason);
  Row& within_percent(double percent, std::string_view reason);
  Row& and_inputs(double tolerance, std::string_view inputs);

  /// Why it deviates, if it does.
  Row& because(std::string reason);
  /// What was meant instead of the printed number. It deviates without an explanation if ours isn't
  /// that either.
  Row& meant(std::string repaired, std::string reason);
  /// What a reader should know in any case.
  Row& note(std::string note);

  [[nodiscard]] const std::string& what() const { return what_; }
  [[nodiscard]] std::string published() const { return published_ + unit_; }
  [[nodiscard]] const std::string& ours() const { return ours_; }
  [[nodiscard]] const std::string& deviation() const { return deviation_; }
  [[nodiscard]] const std::string& tolerance() const { return tolerance_; }
  [[nodiscard]] Verdict verdict() const;
  /// Reason or note; may be empty.
  [[nodiscard]] std::string remark() const;

 private:
  [[nodiscard]] bool agrees() const;

  std::string what_, published_, unit_, ours_, deviation_, tolerance_;
  std::optional<double> number_;  // ours
  double allowed_ = 0.0;
  bool same_ = false;
  bool impossible_ = false;
  std::string reason_, repaired_, note_;
};

/// The rows of one table, section or equation of a document.
class Table {
 public:
  /// `place`: "Table 5.2"; `note` may say where all its numbers come from.
  Table(std::string place, std::string subject, std::string note = {})
      : place_(std::move(place)), subject_(std::move(subject)), note_(std::move(note)) {}

  Row& add(std::string what, std::string published) {
    return rows_.emplace_back(std::move(what), std::move(published));
  }

  [[nodiscard]] const std::string& place() const { return place_; }
  [[nodiscard]] const std::string& subject() const { return subject_; }
  [[nodiscard]] const std::string& note() const { return note_; }
  [[nodiscard]] const std::deque<Row>& rows() const { return rows_; }

 private:
  std::string place_, subject_, note_;
  std::deque<Row> rows_;  // whose references stay valid
};

/// A document and what became of its numbers.
struct Document {
  std::string name;      ///< by author, as chosen on the command line
  std::string citation;  ///< for people
  std::vector<Table> tables;
};

}  // namespace cartwright::validation
