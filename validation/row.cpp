// SPDX-License-Identifier: Apache-2.0
#include "row.hpp"

#include <fmt/format.h>

#include <cmath>
#include <cstdlib>

namespace cartwright::validation {

namespace {

// So that 0.35 - 0.30 is no more than 0.05.
constexpr double rounding = 1e-9;

std::string deviation_text(double ours, double published) {
  if (published == 0.0) return fmt::format("{:+.3g}", ours);
  const double percent = 100.0 * (ours - published) / std::abs(published);
  return std::abs(percent) < 0.005 ? "0" : fmt::format("{:+.2f} %", percent);
}

}  // namespace

double Printed::value() const {
  return std::strtod(text.c_str(), nullptr);
}

double Printed::half_digit() const {
  const auto point = text.find('.');
  if (point == std::string::npos) return 0.5;
  std::size_t end = point + 1;
  while (end < text.size() && text[end] >= '0' && text[end] <= '9') ++end;
  return 0.5 * std::pow(10.0, -static_cast<double>(end - point - 1));
}

Row& Row::number(double ours, int decimals, std::string_view unit) {
  const Printed printed{published_};
  number_ = ours;
  if (!unit.empty()) unit_ = fmt::format(" {}", unit);
  ours_ = fmt::format("{:.{}f}{}", ours, decimals, unit_);
  allowed_ = printed.half_digit();
  deviation_ = deviation_text(ours, printed.value());
  tolerance_ = "printed digits";
  return *this;
}

Row& Row::text(std::string ours) {
  ours_ = std::move(ours);
  same_ = ours_ == published_;
  deviation_ = same_ ? "0" : "different";
  tolerance_ = "the same";
  return *this;
}

Row& Row::judged(std::string ours, bool same, std::string deviation, std::string tolerance) {
  ours_ = std::move(ours);
  same_ = same;
  deviation_ = std::move(deviation);
  tolerance_ = std::move(tolerance);
  return *this;
}

Row& Row::impossible(std::string reason) {
  impossible_ = true;
  reason_ = std::move(reason);
  return *this;
}

Row& Row::within(double tolerance, std::string_view reason) {
  allowed_ = tolerance;
  tolerance_ = fmt::format("± {:.4g}: {}", tolerance, reason);
  return *this;
}

Row& Row::within_percent(double percent, std::string_view reason) {
  allowed_ = std::abs(Printed{published_}.value()) * percent / 100.0;
  tolerance_ = fmt::format("± {:g} %: {}", percent, reason);
  return *this;
}

Row& Row::and_inputs(double tolerance, std::string_view inputs) {
  allowed_ += tolerance;
  tolerance_ = fmt::format("± {:.2g}: printed digits, also of {}", allowed_, inputs);
  return *this;
}

Row& Row::because(std::string reason) {
  reason_ = std::move(reason);
  return *this;
}

Row& Row::meant(std::string repaired, std::string reason) {
  repaired_ = std::move(repaired);
  reason_ = fmt::format("{} is meant: {}", repaired_, reason);
  return *this;
}

Row& Row::note(std::string note) {
  note_ = std::move(note);
  return *this;
}

bool Row::agrees() const {
  if (!number_) return same_;
  return std::abs(*number_ - Printed{published_}.value()) <= allowed_ + rounding;
}

Verdict Row::verdict() const {
  if (impossible_) return Verdict::impossible;
  if (agrees()) return Verdict::reproduced;
  if (reason_.empty()) return Verdict::unexplained;
  if (repaired_.empty()) return Verdict::explained;
  const bool repaired = number_
                            ? std::abs(*number_ - Printed{repaired_}.value()) <= allowed_ + rounding
                            : ours_ == repaired_;
  return repaired ? Verdict::explained : Verdict::unexplained;
}

std::string Row::remark() const {
  const Verdict result = verdict();
  std::string remark = result == Verdict::reproduced ? "" : reason_;
  if (!note_.empty()) remark += (remark.empty() ? "" : ". ") + note_;
  return remark;
}

}  // namespace cartwright::validation
