// SPDX-License-Identifier: Apache-2.0
#include "reports/debug_view.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "core/print/literal_printer.h"
#include "core/print/printer.h"
#include "evaluator/tensor/summary.h"
#include "numerics/elements/numeric.h"
#include "reports/text_places.h"

namespace hloscope::reports {
namespace {

// Elements; more take long, and a dense copy of them may not fit.
constexpr int64_t kMaxHistogram = int64_t{1} << 28;
constexpr int64_t kEdge = 4;          // elements shown at each end of a long dimension
constexpr int64_t kShownWhole = 200;  // elements of an array that is shown without gaps
constexpr size_t kHistogramBars = 12;

std::string Scalar(ElementType type, const uint8_t* element) {
  if (type == ElementType::kPred) return *element != 0 ? "true" : "false";
  if (IsInteger(type)) {
    return IsUnsigned(type) ? absl::StrCat(ReadBits(type, element)) : absl::StrCat(ReadInteger(type, element));
  }
  const auto number = [&](double x) {
    // As many digits as tell neighbours apart, and not more than are read.
    return type == ElementType::kF64 || type == ElementType::kC128 ? absl::StrFormat("%.9g", x)
                                                                   : absl::StrFormat("%.6g", x);
  };
  if (!IsComplex(type)) return number(ReadReal(type, element));
  const std::complex<double> z = ReadComplex(type, element);
  return absl::StrCat(number(z.real()), z.imag() < 0 || std::signbit(z.imag()) ? "-" : "+", number(std::fabs(z.imag())),
                      "i");
}

bool IsBad(absl::string_view text) {
  return text.find("nan") != absl::string_view::npos || text.find("inf") != absl::string_view::npos;
}

// The indices of a dimension that are shown; -1 for a gap.
std::vector<int64_t> Shown(int64_t size, int64_t limit) {
  std::vector<int64_t> indices;
  for (int64_t i = 0; i < size; ++i) {
    if (size > limit && i == kEdge) {
      indices.push_back(-1);
      i = size - kEdge;
    }
    indices.push_back(i);
  }
  return indices;
}

class ArrayText {
 public:
  ArrayText(const DebugLook& look, const evaluator::Tensor& tensor) : look_(look), tensor_(tensor) {
    const bool whole = tensor.element_count() <= kShownWhole;
    for (int64_t d = 0; d < tensor.rank(); ++d) {
      const int64_t size = tensor.dimension(d);
      const int64_t limit = whole ? size : 2 * kEdge;
      shown_.push_back(Shown(size, limit));
    }
    index_.assign(shown_.size(), 0);
  }

  std::string Text() {
    if (tensor_.rank() == 0) return absl::StrCat("  ", Cell(), "\n");
    Collect(0);
    size_t cell_width = 3;
    for (const Line& line : lines_) {
      for (const std::string& cell : line.cells) cell_width = std::max(cell_width, cell.size());
    }
    size_t label_width = 0;
    for (const Line& line : lines_) label_width = std::max(label_width, line.label.size());
    const size_t columns = std::max<size_t>(1, (static_cast<size_t>(look_.width) - label_width - 4) / (cell_width + 1));
    std::string text;
    for (const Line& line : lines_) {
      for (size_t first = 0; first < std::max<size_t>(line.cells.size(), 1); first += columns) {
        absl::StrAppend(&text, "  ", Painted(look_, Paint::kDim, Padded(first == 0 ? line.label : "", label_width)));
        for (size_t i = first; i < std::min(line.cells.size(), first + columns); ++i) {
          const std::string cell = absl::StrCat(std::string(cell_width - line.cells[i].size(), ' '), line.cells[i]);
          absl::StrAppend(&text, " ", IsBad(cell) ? Painted(look_, Paint::kBad, cell) : cell);
        }
        text += "\n";
      }
    }
    return text;
  }

 private:
  struct Line {
    std::string label;
    std::vector<std::string> cells;
  };

  static std::string Padded(absl::string_view text, size_t width) {
    return absl::StrCat(text, std::string(width - std::min(width, text.size()), ' '));
  }

  std::string Cell() const { return Scalar(tensor_.element_type(), tensor_.At(index_)); }

  void Collect(size_t dimension) {
    if (dimension + 1 == shown_.size()) {
      Line line;
      if (shown_.size() > 1) {
        line.label = "[";
        for (size_t d = 0; d + 1 < shown_.size(); ++d) absl::StrAppend(&line.label, index_[d], ",");
        line.label += "]";
      }
      for (int64_t i : shown_.back()) {
        index_.back() = std::max<int64_t>(i, 0);
        line.cells.push_back(i < 0 ? "..." : Cell());
      }
      lines_.push_back(std::move(line));
      return;
    }
    for (int64_t i : shown_[dimension]) {
      if (i < 0) {
        lines_.push_back({"...", {}});
        continue;
      }
      index_[dimension] = i;
      Collect(dimension + 1);
    }
  }

  const DebugLook& look_;
  const evaluator::Tensor& tensor_;
  std::vector<std::vector<int64_t>> shown_;  // by dimension
  std::vector<int64_t> index_;
  std::vector<Line> lines_;
};

// The text of an instruction without the attributes that say nothing about what is computed.
std::string Essential(absl::string_view line) {
  size_t end = line.size();
  for (absl::string_view attribute : {", metadata={", ", backend_config=", ", frontend_attributes={", ", origin={"}) {
    end = std::min(end, line.find(attribute));
  }
  return std::string(line.substr(0, std::min(end, line.size())));
}

std::string Cut(std::string text, size_t width) {
  if (text.size() <= width || width < 4) return text;
  text.resize(width - 3);
  return text + "...";
}

// Colours "  name = shape opcode(rest": name and opcode.
std::string PaintedSource(const DebugLook& look, const std::string& line) {
  if (!look.color) return line;
  const size_t equals = line.find(" = ");
  if (equals == std::string::npos) return Painted(look, Paint::kDim, line);
  const size_t open = line.find('(', equals + 3);
  // The shape of a tuple is in parentheses of its own.
  size_t opcode_end = open;
  if (open == equals + 3) {
    int depth = 0;
    size_t at = open;
    for (; at < line.size(); ++at) {
      depth += line[at] == '(' ? 1 : line[at] == ')' ? -1 : 0;
      if (depth == 0) break;
    }
    opcode_end = line.find('(', at);
  }
  if (opcode_end == std::string::npos) return line;
  const size_t opcode = line.rfind(' ', opcode_end) + 1;
  const size_t name = line.find_first_not_of(' ');
  return absl::StrCat(line.substr(0, name), Painted(look, Paint::kName, line.substr(name, equals - name)),
                      line.substr(equals, opcode - equals),
                      Painted(look, Paint::kOpcode, line.substr(opcode, opcode_end - opcode)), line.substr(opcode_end));
}

}  // namespace

std::string Painted(const DebugLook& look, Paint paint, absl::string_view text) {
  if (!look.color || text.empty()) return std::string(text);
  constexpr std::array<absl::string_view, 7> kCodes = {"1", "2", "1;36", "33", "32", "1;31", "1;32"};
  return absl::StrCat("\033[", kCodes[static_cast<size_t>(paint)], "m", text, "\033[0m");
}

std::string ShortName(absl::string_view name, size_t width) {
  if (name.size() <= width || width < 8) return std::string(name);
  const size_t tail = width / 2 - 1, head = width - tail - 3;
  return absl::StrCat(name.substr(0, head), "...", name.substr(name.size() - tail));
}

std::string AlignedTable(const DebugLook& look, const std::vector<std::vector<std::string>>& rows) {
  std::vector<size_t> widths;
  for (const std::vector<std::string>& row : rows) {
    widths.resize(std::max(widths.size(), row.size()), 0);
    for (size_t i = 0; i + 1 < row.size(); ++i) widths[i] = std::max(widths[i], row[i].size());
  }
  std::string text;
  for (const std::vector<std::string>& row : rows) {
    std::string line = " ";
    for (size_t i = 0; i < row.size(); ++i) {
      absl::StrAppend(&line, " ", row[i]);
      if (i + 1 < row.size()) line.append(widths[i] - row[i].size() + 1, ' ');
    }
    line.erase(line.find_last_not_of(' ') + 1);
    absl::StrAppend(&text, look.interactive ? Cut(std::move(line), static_cast<size_t>(look.width)) : line, "\n");
  }
  return text;
}

std::string ValueText(const DebugLook& look, absl::string_view name, const evaluator::Value& value) {
  const std::string head = Painted(look, Paint::kName, name);
  if (value.IsTuple()) {
    std::string text = absl::StrCat(head, " = tuple of ", value.elements().size(), "\n");
    for (size_t i = 0; i < value.elements().size(); ++i) {
      text += ValueText(look, absl::StrCat(name, "{", i, "}"), value.elements()[i]);
    }
    return text;
  }
  if (value.IsToken()) return absl::StrCat(head, " = token\n");
  if (!value.IsTensor()) return absl::StrCat(head, " has no value\n");
  const evaluator::Tensor valid = value.tensor().WithRunTimeSizes();
  const std::string shape = valid.shape().ToString(false);
  if (valid.rank() == 0) return absl::StrCat(head, " = ", shape, " ", Scalar(valid.element_type(), valid.data()), "\n");
  std::string facts;
  if (valid.element_count() > kShownWhole) {
    const evaluator::TensorSummary summary = evaluator::Summarize(valid, nullptr, evaluator::kBriefSummary);
    facts = absl::StrFormat("  min %g  max %g  mean %g", summary.min, summary.max, summary.mean);
    if (summary.nan_count > 0) absl::StrAppend(&facts, "  ", summary.nan_count, " NaN");
    if (summary.infinity_count > 0) absl::StrAppend(&facts, "  ", summary.infinity_count, " infinite");
    if (summary.incomplete) absl::StrAppend(&facts, "  in the first ", summary.count, " elements");
  }
  if (valid.element_count() == 0) return absl::StrCat(head, " = ", shape, ", which has no elements\n");
  return absl::StrCat(head, " = ", shape, Painted(look, Paint::kDim, facts), "\n", ArrayText(look, valid).Text());
}

std::string StatisticsTextOf(const DebugLook& look, absl::string_view name, const evaluator::Value& value,
                             evaluator::QuestionLimit& limit) {
  if (value.IsTuple()) {
    std::string text;
    for (size_t i = 0; i < value.elements().size(); ++i) {
      text += StatisticsTextOf(look, absl::StrCat(name, "{", i, "}"), value.elements()[i], limit);
    }
    return text;
  }
  if (!value.IsTensor()) return absl::StrCat(Painted(look, Paint::kName, name), " = token\n");
  const evaluator::Tensor valid = value.tensor().WithRunTimeSizes();
  const evaluator::TensorSummary summary = evaluator::Summarize(valid, [&limit] { return limit.Look(); });
  std::string text =
      absl::StrCat(Painted(look, Paint::kName, name), " = ", valid.shape().ToString(false), "  ", summary.count,
                   summary.count == 1 ? " element, " : " elements, ", valid.byte_size(), " bytes\n");
  if (summary.count == 0) return text;
  const auto count = [&](int64_t n, Paint paint) {
    return n == 0 ? std::string("0") : Painted(look, paint, absl::StrCat(n));
  };
  absl::StrAppend(&text, "  NaN ", count(summary.nan_count, Paint::kBad), "   infinite ",
                  count(summary.infinity_count, Paint::kBad), "   zero ", summary.zero_count, "\n");
  absl::StrAppend(&text, absl::StrFormat("  min %g   max %g   mean %g   standard deviation %g\n", summary.min,
                                         summary.max, summary.mean, summary.standard_deviation));
  const double low = summary.min, high = summary.max;
  if (!(high > low) || !std::isfinite(low) || !std::isfinite(high) || IsComplex(valid.element_type())) return text;
  if (summary.incomplete || valid.element_count() > kMaxHistogram) return text;
  const absl::StatusOr<evaluator::Tensor> dense = valid.Contiguous();
  if (!dense.ok()) return text;
  std::array<int64_t, kHistogramBars> bars{};
  for (int64_t i = 0; i < dense->element_count(); ++i) {
    if (limit.IsOver()) return text;
    const double x = ReadReal(dense->element_type(), dense->data() + i * dense->element_bytes());
    if (!std::isfinite(x)) continue;
    const double place = (x / 2 - low / 2) / (high / 2 - low / 2) * static_cast<double>(kHistogramBars);
    ++bars[std::min(kHistogramBars - 1, static_cast<size_t>(std::max(place, 0.0)))];
  }
  const int64_t most = *std::max_element(bars.begin(), bars.end());
  std::vector<std::vector<std::string>> rows;
  for (size_t k = 0; k < kHistogramBars; ++k) {
    const double from = low + (high - low) / static_cast<double>(kHistogramBars) * static_cast<double>(k);
    const size_t length = static_cast<size_t>((bars[k] * 40 + most - 1) / most);
    rows.push_back({absl::StrFormat("%11.4g ..", from), absl::StrFormat("%*d", 9, bars[k]), std::string(length, '#')});
  }
  return text + AlignedTable(look, rows);
}

std::string SourceListing(const DebugLook& look, const Document& document, InstructionId at, int context) {
  const SourceText& source = KnownText(document);
  const uint32_t line = source.LineColumnAt(KnownRange(document, at).begin).line;
  const uint32_t first = line < static_cast<uint32_t>(context) ? 0 : line - static_cast<uint32_t>(context);
  const uint32_t last = std::min(source.line_count(), line + static_cast<uint32_t>(context) + 1);
  const size_t digits = absl::StrCat(last).size();
  std::string text;
  for (uint32_t i = first; i < last; ++i) {
    const std::string number = absl::StrCat(i + 1);
    const std::string shown =
        Cut(Essential(source.Line(i)), static_cast<size_t>(std::max(20, look.width)) - digits - 5);
    absl::StrAppend(&text, i == line ? Painted(look, Paint::kGood, "=> ") : "   ",
                    std::string(digits - number.size(), ' '), Painted(look, Paint::kDim, number), "  ",
                    PaintedSource(look, shown), "\n");
  }
  return text;
}

std::string OperationLine(const DebugLook& look, const Document& document, InstructionId id) {
  if (document.source().origin() == nullptr) return "";
  const SourceText& source = KnownText(document);
  const uint32_t line = source.LineColumnAt(KnownRange(document, id).begin).line;
  const std::string place = absl::StrCat(source.name(), ":", line + 1, ": ");
  const int width = std::max(20, look.width - 4 - static_cast<int>(place.size()));
  return absl::StrCat(
      Painted(look, Paint::kDim, place),
      Cut(Essential(std::string(absl::StripAsciiWhitespace(source.Line(line)))), static_cast<size_t>(width)));
}

std::string InstructionLine(const DebugLook& look, const Module& module, InstructionId id) {
  PrintOptions options = PrintOptions::Short();
  options.metadata = options.backend_config = false;
  std::string line = Essential(PrintInstruction(module, id, options));
  return PaintedSource(look, Cut(std::move(line), static_cast<size_t>(std::max(20, look.width - 4))));
}

}  // namespace hloscope::reports
