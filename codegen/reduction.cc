// SPDX-License-Identifier: Apache-2.0
// reduce and scan (docs/ops/tensor.md 3).
#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "codegen/cpp_types.h"
#include "codegen/element_writer.h"
#include "codegen/families.h"
#include "codegen/folding.h"
#include "codegen/index_map.h"
#include "core/analysis/position_reducer.h"
#include "core/transform/monoid.h"

namespace hloscope::codegen {
namespace {

// Rows that are added to them for each time that they go through memory.
constexpr int64_t kRows = 4;
// Accumulators of one result that do not wait for each other. Elements of up to two bytes come so fast that more are
// worth it, and comparisons of long rows wait longer than sums.
constexpr int64_t kWays = 16, kWaysOfNarrow = 32, kWaysOfComparisons = 64;
// Rows of so many elements are long.
constexpr int64_t kLongRow = 512;
// Shorter sums are not worth them.
constexpr int64_t kLeastForWays = 64;
// Rows that are asked for ahead of those that are folded, where they are so long that the processor itself does not
// look that far.
constexpr int64_t kRowsAhead = 4, kLeastBytesToPrefetch = 1024, kCacheLineBytes = 64;

class ReduceWriter {
 public:
  ReduceWriter(ComputationWriter& writer, InstructionId id)
      : writer_(writer), module_(writer.module()), id_(id), count_(module_.operands(id).size() / 2) {}

  absl::Status Write();

 private:
  absl::Status FindFolding();
  bool HasDeclaredTypes() const;
  void FindNumbers(size_t kept, bool lanes, int64_t along_reduced);
  // Loops over what stays, then over what goes.
  std::vector<int64_t> OrderLoops();
  std::string LanesBody(size_t kept, std::vector<int64_t>* outer) const;
  std::string LineBody(size_t kept) const;
  // Neighbouring results that take in short runs of neighbours, which follow one another: all their elements side by
  // side, and the runs last.
  bool HasRunsAsLanes(size_t kept) const;
  // Whether functions of numerics/reduction fold rows of them.
  bool RunsAreColumns() const {
    return run_ && row_stride_ > 0 && lane_stride_ > 0 && (folding_.sums_doubles || runs_type_ == ElementType::kF32);
  }
  std::string RunsAsLanesBody(size_t kept) const;
  // Lines that take the next number and its place, if it is better, into `part` of arrays parts0, parts1 and nans; and
  // those that fold a result into `sum` and `place` in order, where NaN or a zero make the order matter.
  std::string TakePlace(const std::string& indent, const std::string& part,
                        absl::Span<const std::string> variables) const;
  std::string IsBetter(const std::string& part, const std::string& x, const std::string& place) const;
  std::string FoldInOrder(std::string indent, const std::string& nan, const std::string& sum, const std::string& place,
                          absl::Span<const std::string> variables) const;
  bool HasFloatPlaces() const { return folding_.types[0] == "float" || folding_.types[0] == "double"; }
  std::string TypeOfNans() const { return folding_.types[0] == "double" ? "uint64_t" : "uint32_t"; }
  // Lines that find the greatest or the least number of a run and where it is, some parts side by side; where NaN or a
  // zero make the order matter, the elements are folded in order.
  std::string PlacesBody() const;
  // Lines that fold parts[] into sum0, half onto half: pairs that do not wait for each other.
  std::string FoldWays(const std::string& indent) const;
  // Where runs of f32 or bf16 lie whose numbers are those of the input: in an array, or in one that it shows or
  // converts. Nothing if the loops of numerics/reduction do not fold such numbers.
  struct Runs {
    InstructionId array;
    IndexMap map;
  };
  std::optional<Runs> FindRuns(IndexMap map) const;
  std::string StartOfNumbers(const std::string& first) const;
  // The line that folds a run into sum0.
  std::string FoldRun(const std::string& first) const;
  // The line that folds `lanes` columns of `rows` rows, the first of which begin at `first`, into sums0[].
  std::string FoldColumns(const std::string& first, int64_t rows, const std::string& lanes) const;
  // The line that folds a number into one of parts[]. Comparisons need not round what is one of two numbers: the last
  // one does.
  std::string FoldPart(const std::string& part, const std::string& number) const;
  // Lines that ask for the lanes of a row; none where rows are short or the input is computed.
  std::string PrefetchRow(const std::string& indent, const std::string& lanes, std::vector<std::string> variables,
                          const std::string& row) const;
  // Opening lines of the loops over reduced dimensions [from, to), each deeper than the one before.
  std::string OpenReduced(size_t from, size_t to, std::string* indent) const;
  std::string Close(size_t count, std::string* indent) const;
  std::string Result(size_t k, const std::string& accumulator) const;

  ComputationWriter& writer_;
  const Module& module_;
  const InstructionId id_;
  const size_t count_;
  Folding folding_;
  std::vector<int64_t> kept_, reduced_;  // dimensions of the inputs
  std::optional<LoopNest> nest_;
  std::optional<LoopNest> start_;  // no loops: the initial values
  std::vector<std::string> numbers_, inits_;
  std::optional<PositionReducer> places_;
  std::optional<std::string> stored_;  // the element of the first input, where that is an array
  // The element of runs, or of rows of columns, that functions of numerics/reduction fold.
  std::optional<std::string> run_, column_;
  int64_t row_stride_ = 0;   // between the rows of columns
  int64_t lane_stride_ = 0;  // between the runs of neighbouring results
  ElementType runs_type_ = ElementType::kF32;
  std::vector<std::string> results_;  // "r0[...]"
  std::vector<int64_t> sizes_;        // of the joined loops
  size_t first_reduced_ = 0;          // among them
  int64_t ways_ = kWays;
};

absl::Status ReduceWriter::FindFolding() {
  absl::StatusOr<ScalarFunction> function =
      writer_.writer().ScalarFunctionOf(module_.ComputationAttribute(id_, AttributeKind::kToApply));
  if (!function.ok()) return function.status();
  folding_.function = *function;
  for (ElementType type : function->results) folding_.types.push_back(NumberType(type));
  const auto monoids = RecognizeMonoids(module_, id_);
  if (monoids && count_ == 1) {
    const Monoid& monoid = (*monoids)[0];
    if (monoid.opcode == Opcode::kAdd && IsFloat(monoid.type)) {
      folding_.sums_doubles = true;
      folding_.types = {"double"};
      folding_.identity = "0.0";
    } else if (monoid.IsExact()) {
      if (monoid.opcode == Opcode::kMaximum) folding_.comparison = "Maximum";
      if (monoid.opcode == Opcode::kMinimum) folding_.comparison = "Minimum";
      if (const std::optional<Literal> identity = monoid.Identity()) {
        folding_.identity = NumberText(monoid.type, identity->ElementBytes(0));
      }
    }
  }
  if (HasDeclaredTypes()) {
    places_ = RecognizePositionReducer(module_, module_.ComputationAttribute(id_, AttributeKind::kToApply));
  }
  return absl::OkStatus();
}

// Whether the operands are of the types that the computation has.
bool ReduceWriter::HasDeclaredTypes() const {
  for (size_t k = 0; k < 2 * count_; ++k) {
    if (module_.shape(module_.operand(id_, k)).element_type() != folding_.function.parameters[k]) return false;
  }
  return true;
}

std::vector<int64_t> ReduceWriter::OrderLoops() {
  const Shape& input = module_.shape(module_.operand(id_, 0));
  const absl::Span<const int64_t> dimensions = module_.IntsAttribute(id_, AttributeKind::kDimensions);
  for (int64_t d = 0; d < input.rank(); ++d) (absl::c_linear_search(dimensions, d) ? reduced_ : kept_).push_back(d);
  std::vector<int64_t> sizes;
  for (int64_t d : kept_) sizes.push_back(input.dimension(d));
  for (int64_t d : reduced_) sizes.push_back(input.dimension(d));
  return sizes;
}

std::string ReduceWriter::OpenReduced(size_t from, size_t to, std::string* indent) const {
  std::string text;
  for (size_t k = from; k < to; ++k) {
    absl::StrAppend(&text, *indent, "for (int64_t i", k, " = 0; i", k, " < ", sizes_[k], "; ++i", k, ") {\n");
    *indent += "  ";
  }
  return text;
}

std::string ReduceWriter::Close(size_t count, std::string* indent) const {
  std::string text;
  for (size_t k = 0; k < count; ++k) {
    indent->resize(indent->size() - 2);
    absl::StrAppend(&text, *indent, "}\n");
  }
  return text;
}

// The line that stores accumulator number k.
std::string ReduceWriter::Result(size_t k, const std::string& accumulator) const {
  const Shape shape = LeavesOf(module_.shape(id_))[k];
  const ElementType type = shape.element_type();
  std::string number;
  if (folding_.sums_doubles) {
    number = Converted(ElementType::kF64, type, absl::StrCat("static_cast<double>(", inits_[0], ") + ", accumulator));
  } else {
    number = Converted(folding_.function.results[k], type, accumulator);
  }
  return absl::StrCat(results_[k], " = ", Stored(type, number), ";");
}

std::string ReduceWriter::PrefetchRow(const std::string& indent, const std::string& lanes,
                                      std::vector<std::string> variables, const std::string& row) const {
  const int64_t bytes = StorageBytes(module_.shape(module_.operand(id_, 0)).element_type());
  const size_t lane = first_reduced_ - 1, last = sizes_.size() - 1;
  if (!stored_ || sizes_[lane] * bytes < kLeastBytesToPrefetch) return "";
  variables[last] = absl::StrCat("std::min<int64_t>(", row, " + ", kRowsAhead, ", ", sizes_[last] - 1, ")");
  return absl::StrCat(indent, "for (int64_t l = 0; l < ", lanes, "; l += ", kCacheLineBytes / bytes,
                      ") __builtin_prefetch(&", nest_->Replace(*stored_, variables), ");\n");
}

// Neighbouring results side by side.
std::string ReduceWriter::LanesBody(size_t kept, std::vector<int64_t>* outer) const {
  const size_t lane = kept - 1;
  const int64_t size = sizes_[lane], blocks = (size + kFoldedLanes - 1) / kFoldedLanes;
  std::vector<std::string> variables = LoopVariables(sizes_.size());
  const std::string block = variables[lane];
  variables[lane] = blocks == 1 ? "l" : "(first + l)";
  outer->assign(sizes_.begin(), sizes_.begin() + static_cast<int64_t>(lane));
  std::string indent = "  ";
  std::string lanes = absl::StrCat(size), text;
  if (blocks > 1) {
    outer->push_back(blocks);
    absl::StrAppend(&text, indent, "const int64_t first = ", block, " * ", kFoldedLanes, ";\n", indent,
                    "const int64_t lanes = first + ", kFoldedLanes, " < ", size, " ? ", kFoldedLanes, " : ", size,
                    " - first;\n");
    lanes = "lanes";
  }
  const std::string loop = absl::StrCat("for (int64_t l = 0; l < ", lanes, "; ++l) {\n");
  absl::StrAppend(&text, start_->Body(indent, {}));
  std::vector<std::string> accumulators;
  const std::string array = places_ ? "parts" : "sums";
  for (size_t k = 0; k < count_; ++k) {
    absl::StrAppend(&text, indent, folding_.types[k], " ", array, k, "[", std::min(size, kFoldedLanes), "];\n", indent,
                    "for (int64_t l = 0; l < ", lanes, "; ++l) ", array, k,
                    "[l] = ", folding_.sums_doubles ? "0.0" : inits_[k], ";\n");
    accumulators.push_back(absl::StrCat(array, k, "[l]"));
  }
  if (places_) absl::StrAppend(&text, indent, TypeOfNans(), " nans[", std::min(size, kFoldedLanes), "] = {};\n");
  const size_t last = sizes_.size() - 1;
  text += OpenReduced(first_reduced_, last, &indent);
  const std::string row = variables[last];
  const auto add_row = [&] {
    absl::StrAppend(&text, "#pragma GCC ivdep\n", indent, loop);
    if (places_) {
      text += TakePlace(absl::StrCat(indent, "  "), "l", variables);
    } else {
      absl::StrAppend(&text, nest_->Body(absl::StrCat(indent, "  "), variables), indent, "  ",
                      FoldText(folding_, accumulators, numbers_), "\n");
    }
    absl::StrAppend(&text, indent, "}\n");
  };
  const std::string next_row = absl::StrCat("; ++", row, ") {\n");
  if (column_) {
    std::vector<std::string> start = variables;
    start[lane] = blocks == 1 ? "0" : "first";
    start[last] = "0";
    absl::StrAppend(&text, indent, FoldColumns(nest_->Replace(*column_, start), sizes_.back(), lanes), "\n");
  } else if (count_ == 1 && sizes_[last] >= kRows && folding_.comparison.empty()) {
    // Of a chain of comparisons the compiler makes branches.
    absl::StrAppend(&text, indent, "int64_t ", row, " = 0;\n", indent, "for (; ", row, " + ", kRows,
                    " <= ", sizes_[last], "; ", row, " += ", kRows, ") {\n");
    for (int64_t k = 0; k < kRows; ++k) {
      text += PrefetchRow(absl::StrCat(indent, "  "), lanes, variables, absl::StrCat(row, " + ", k));
    }
    absl::StrAppend(&text, "#pragma GCC ivdep\n", indent, "  ", loop, indent, "    ", folding_.types[0],
                    " sum = sums0[l];\n#pragma GCC unroll ", kRows, "\n", indent, "    for (int64_t k = 0; k < ", kRows,
                    "; ++k) {\n");
    variables[last] = absl::StrCat("(", row, " + k)");
    absl::StrAppend(&text, nest_->Body(absl::StrCat(indent, "      "), variables), indent, "      ",
                    FoldText(folding_, {"sum"}, numbers_), "\n", indent, "    }\n", indent, "    sums0[l] = sum;\n",
                    indent, "  }\n", indent, "}\n");
    variables[last] = row;
    if (sizes_[last] % kRows != 0) {
      absl::StrAppend(&text, indent, "for (; ", row, " < ", sizes_[last], next_row);
      indent += "  ";
      add_row();
      text += Close(1, &indent);
    }
  } else {
    absl::StrAppend(&text, indent, "for (int64_t ", row, " = 0; ", row, " < ", sizes_[last], next_row);
    indent += "  ";
    text += PrefetchRow(indent, lanes, variables, row);
    add_row();
    text += Close(1, &indent);
  }
  text += Close(last - first_reduced_, &indent);
  absl::StrAppend(&text, indent, loop);
  if (places_) text += FoldInOrder(indent + "  ", "nans[l]", accumulators[0], accumulators[1], variables);
  for (size_t k = 0; k < count_; ++k) {
    absl::StrAppend(&text, indent, "  ", nest_->Replace(Result(k, accumulators[k]), variables), "\n");
  }
  absl::StrAppend(&text, indent, "}\n");
  return text;
}

std::string ReduceWriter::FoldPart(const std::string& part, const std::string& number) const {
  if (folding_.comparison.empty() || !IsFloat(module_.shape(id_).element_type())) {
    return FoldText(folding_, {part}, {number});
  }
  return absl::StrCat(part, " = ", folding_.comparison, "()(", part, ", ", number, ");");
}

std::string ReduceWriter::FoldWays(const std::string& indent) const {
  std::string text;
  for (int64_t half = ways_ / 2; half > 0; half /= 2) {
    absl::StrAppend(&text, "#pragma GCC ivdep\n", indent, "for (int64_t w = 0; w < ", half, "; ++w) ",
                    FoldPart("parts[w]", absl::StrCat("parts[w + ", half, "]")), "\n");
  }
  return absl::StrCat(text, indent, FoldText(folding_, {"sum0"}, {"parts[0]"}), "\n");
}

std::optional<ReduceWriter::Runs> ReduceWriter::FindRuns(IndexMap map) const {
  InstructionId array = module_.operand(id_, 0);
  const auto type = [&] { return module_.shape(array).element_type(); };
  const bool compares = !folding_.comparison.empty() && type() == module_.shape(id_).element_type();
  if (count_ != 1 || (!folding_.sums_doubles && !compares)) return std::nullopt;
  while (writer_.plan().role(array) == Role::kInline) {
    const InstructionId operand = module_.operands(array).empty() ? InstructionId() : module_.operand(array, 0);
    if (IsView(module_, array) && module_.shape(operand).element_type() == type()) {
      map = OperandMap(module_, array, map);
    } else if (module_.opcode(array) != Opcode::kConvert || type() != ElementType::kF32 ||
               module_.shape(operand).element_type() != ElementType::kBF16) {
      return std::nullopt;
    }
    array = operand;
  }
  if (type() != ElementType::kF32 && type() != ElementType::kBF16) return std::nullopt;
  return Runs{array, std::move(map)};
}

// What functions of numerics/reduction take for where numbers begin.
std::string ReduceWriter::StartOfNumbers(const std::string& first) const {
  const std::string start = absl::StrCat("&", first);
  if (runs_type_ != ElementType::kBF16) return start;
  return absl::StrCat("reinterpret_cast<const numerics::Bf16*>(", start, ")");
}

std::string ReduceWriter::FoldColumns(const std::string& first, int64_t rows, const std::string& lanes) const {
  const std::string columns =
      absl::StrCat(StartOfNumbers(first), ", ", row_stride_, ", ", rows, ", ", lanes, ", sums0);");
  if (folding_.sums_doubles) return absl::StrCat("numerics::AddRowsOfFloats(", columns);
  return absl::StrCat("numerics::FoldRowsOfFloats(", folding_.comparison, "(), ", columns);
}

std::string ReduceWriter::FoldRun(const std::string& first) const {
  const std::string run = absl::StrCat(StartOfNumbers(first), ", ", sizes_.back());
  if (folding_.sums_doubles) return absl::StrCat("sum0 += numerics::SumFloats(", run, ");");
  return FoldText(folding_, {"sum0"}, {absl::StrCat("numerics::FoldFloatRun(", folding_.comparison, "(), ", run, ")")});
}

std::string ReduceWriter::IsBetter(const std::string& part, const std::string& x, const std::string& place) const {
  return absl::StrCat("const bool better = (", x, places_->takes_greatest ? " > " : " < ", "parts0[", part, "]) | ((",
                      x, " == parts0[", part, "]) & (", place, " < parts1[", part, "]));\n");
}

std::string ReduceWriter::TakePlace(const std::string& indent, const std::string& part,
                                    absl::Span<const std::string> variables) const {
  std::string text = absl::StrCat(nest_->Body(indent, variables), indent, IsBetter(part, numbers_[0], numbers_[1]));
  for (size_t k = 0; k < 2; ++k) {
    const std::string element = absl::StrCat("parts", k, "[", part, "]");
    absl::StrAppend(&text, indent, element, " = better ? ", numbers_[k], " : ", element, ";\n");
  }
  if (!HasFloatPlaces()) return text;
  absl::StrAppend(&text, indent, "nans[", part, "] |= ", numbers_[0], " != ", numbers_[0], " ? 1 : 0;\n");
  return text;
}

std::string ReduceWriter::FoldInOrder(std::string indent, const std::string& nan, const std::string& sum,
                                      const std::string& place, absl::Span<const std::string> variables) const {
  if (!HasFloatPlaces()) return "";
  std::string text =
      absl::StrCat(indent, "if (", nan, " != 0 || ", sum, " == 0 || ", inits_[0], " != ", inits_[0], ") {\n");
  indent += "  ";
  absl::StrAppend(&text, indent, sum, " = ", inits_[0], ", ", place, " = ", inits_[1], ";\n");
  text += OpenReduced(first_reduced_, sizes_.size(), &indent);
  absl::StrAppend(&text, nest_->Body(indent, variables), indent, FoldText(folding_, {sum, place}, numbers_), "\n");
  return text + Close(sizes_.size() - first_reduced_ + 1, &indent);
}

std::string ReduceWriter::PlacesBody() const {
  const size_t last = sizes_.size() - 1;
  std::vector<std::string> variables = LoopVariables(sizes_.size());
  const std::string variable = variables[last];
  std::string indent = "  ", text;
  const std::string each = absl::StrCat("for (int64_t w = 0; w < ", kWaysOfComparisons, "; ++w) ");
  for (size_t k = 0; k < 2; ++k) {
    absl::StrAppend(&text, indent, folding_.types[k], " parts", k, "[", kWaysOfComparisons, "];\n", indent, each,
                    "parts", k, "[w] = ", inits_[k], ";\n");
  }
  absl::StrAppend(&text, indent, TypeOfNans(), " nans[", kWaysOfComparisons, "] = {};\n");
  text += OpenReduced(first_reduced_, last, &indent);
  absl::StrAppend(&text, indent, "int64_t ", variable, " = 0;\n", indent, "for (; ", variable, " + ",
                  kWaysOfComparisons, " <= ", sizes_[last], "; ", variable, " += ", kWaysOfComparisons,
                  ") {\n#pragma GCC ivdep\n", indent, "  ", each, "{\n");
  variables[last] = absl::StrCat("(", variable, " + w)");
  absl::StrAppend(&text, TakePlace(indent + "    ", "w", variables), indent, "  }\n", indent, "}\n");
  variables[last] = variable;
  absl::StrAppend(&text, indent, "for (; ", variable, " < ", sizes_[last], "; ++", variable, ") {\n",
                  TakePlace(indent + "  ", "0", variables), indent, "}\n");
  text += Close(last - first_reduced_, &indent);
  // Parts in one.
  absl::StrAppend(&text, indent, each, "{\n", indent, "  ", IsBetter("0", "parts0[w]", "parts1[w]"), indent,
                  "  if (better) parts0[0] = parts0[w], parts1[0] = parts1[w];\n", indent, "  nans[0] |= nans[w];\n",
                  indent, "}\n", indent, "sum0 = parts0[0], sum1 = parts1[0];\n");
  return text + FoldInOrder(indent, "nans[0]", "sum0", "sum1", variables);
}

// One result after the other.
std::string ReduceWriter::LineBody(size_t kept) const {
  std::vector<std::string> variables = LoopVariables(sizes_.size());
  std::string indent = "  ", text = start_->Body(indent, {});
  const bool ways = folding_.identity.has_value() && sizes_.size() > kept && sizes_.back() >= kLeastForWays;
  std::vector<std::string> accumulators;
  for (size_t k = 0; k < count_; ++k) {
    absl::StrAppend(&text, indent, folding_.types[k], " sum", k, " = ", folding_.sums_doubles ? "0.0" : inits_[k],
                    ";\n");
    accumulators.push_back(absl::StrCat("sum", k));
  }
  if (places_ && sizes_.size() > kept && sizes_.back() >= kLeastForWays) {
    text += PlacesBody();
  } else if (run_ && sizes_.size() > kept && sizes_.back() >= kLeastForWays) {
    const size_t last = sizes_.size() - 1;
    text += OpenReduced(first_reduced_, last, &indent);
    variables[last] = "0";
    absl::StrAppend(&text, indent, FoldRun(nest_->Replace(*run_, variables)), "\n");
    text += Close(last - first_reduced_, &indent);
  } else if (!ways) {
    text += OpenReduced(first_reduced_, sizes_.size(), &indent);
    absl::StrAppend(&text, nest_->Body(indent, variables), indent, FoldText(folding_, accumulators, numbers_), "\n");
    text += Close(sizes_.size() - first_reduced_, &indent);
  } else {
    const size_t last = sizes_.size() - 1;
    const std::string variable = variables[last];
    absl::StrAppend(&text, indent, folding_.types[0], " parts[", ways_, "];\n", indent, "for (int64_t w = 0; w < ",
                    ways_, "; ++w) parts[w] = ", *folding_.identity, ";\n");
    text += OpenReduced(first_reduced_, last, &indent);
    absl::StrAppend(&text, indent, "int64_t ", variable, " = 0;\n", indent, "for (; ", variable, " + ", ways_,
                    " <= ", sizes_[last], "; ", variable, " += ", ways_, ") {\n#pragma GCC ivdep\n", indent,
                    "  for (int64_t w = 0; w < ", ways_, "; ++w) {\n");
    variables[last] = absl::StrCat("(", variable, " + w)");
    absl::StrAppend(&text, nest_->Body(absl::StrCat(indent, "    "), variables), indent, "    ",
                    FoldPart("parts[w]", numbers_[0]), "\n", indent, "  }\n", indent, "}\n");
    variables[last] = variable;
    if (sizes_[last] % ways_ != 0) {
      absl::StrAppend(&text, indent, "for (; ", variable, " < ", sizes_[last], "; ++", variable, ") {\n",
                      nest_->Body(absl::StrCat(indent, "  "), variables), indent, "  ",
                      FoldPart("parts[0]", numbers_[0]), "\n", indent, "}\n");
    }
    text += Close(last - first_reduced_, &indent);
    text += FoldWays(indent);
  }
  for (size_t k = 0; k < count_; ++k) {
    absl::StrAppend(&text, indent, nest_->Replace(Result(k, accumulators[k]), variables), "\n");
  }
  return text;
}

bool ReduceWriter::HasRunsAsLanes(size_t kept) const {
  constexpr int64_t kLongestRun = 128, kFewestRuns = 8, kMostLanes = 4096;  // sums that stay in the innermost cache
  if (count_ != 1 || places_ || !folding_.identity || kept == 0 || sizes_.size() < kept + 2) return false;
  const int64_t run = sizes_.back(), lanes = sizes_[kept - 1] * run;
  if (run > kLongestRun || lanes > kMostLanes || lanes < 2 * run || sizes_[sizes_.size() - 2] < kFewestRuns) {
    return false;
  }
  if (RunsAreColumns()) return lane_stride_ == run;
  // Some input is read that way, and none against it.
  bool is_read_so = false;
  for (const LinearIndex& index : nest_->joined_indices()) {
    is_read_so = is_read_so || (index.strides.back() == 1 && index.strides[kept - 1] == run);
    if (std::abs(index.strides.back()) > 1) return false;
  }
  return is_read_so;
}

std::string ReduceWriter::RunsAsLanesBody(size_t kept) const {
  const size_t lane = kept - 1, last = sizes_.size() - 1;
  const int64_t run = sizes_[last], lanes = sizes_[lane] * run;
  std::string indent = "  ";
  std::string text = absl::StrCat(start_->Body(indent, {}), indent, folding_.types[0], " sums0[", lanes, "];\n", indent,
                                  "for (int64_t l = 0; l < ", lanes, "; ++l) sums0[l] = ", *folding_.identity, ";\n");
  std::vector<std::string> variables = LoopVariables(sizes_.size());
  const std::string each_result = absl::StrCat("for (int64_t l = 0; l < ", sizes_[lane], "; ++l) ");
  const std::string each_element = absl::StrCat("for (int64_t k = 0; k < ", run, "; ++k) ");
  const std::string sum = absl::StrCat("sums0[l * ", run, " + k]");
  if (RunsAreColumns()) {
    text += OpenReduced(first_reduced_, last - 1, &indent);
    variables[lane] = variables[last - 1] = variables[last] = "0";
    absl::StrAppend(&text, indent, FoldColumns(nest_->Replace(*run_, variables), sizes_[last - 1], absl::StrCat(lanes)),
                    "\n");
    text += Close(last - 1 - first_reduced_, &indent);
  } else {
    text += OpenReduced(first_reduced_, last, &indent);
    variables[lane] = "l";
    variables[last] = "k";
    absl::StrAppend(&text, indent, each_result, "{\n#pragma GCC ivdep\n", indent, "  ", each_element, "{\n",
                    nest_->Body(indent + "    ", variables), indent, "    ", FoldText(folding_, {sum}, numbers_), "\n",
                    indent, "  }\n", indent, "}\n");
    text += Close(last - first_reduced_, &indent);
  }
  variables[lane] = "l";
  absl::StrAppend(&text, indent, each_result, "{\n", indent, "  ", folding_.types[0],
                  " sum = ", folding_.sums_doubles ? "0.0" : inits_[0], ";\n", indent, "  ", each_element,
                  FoldText(folding_, {"sum"}, {sum}), "\n", indent, "  ", nest_->Replace(Result(0, "sum"), variables),
                  "\n", indent, "}\n");
  return text;
}

// Where functions of numerics/reduction can fold the input: neighbours, and nothing else that the loops read.
void ReduceWriter::FindNumbers(size_t kept, bool lanes, int64_t along_reduced) {
  const std::vector<LinearIndex>& indices = nest_->joined_indices();
  const std::optional<std::string> element = std::exchange(run_, std::nullopt);
  if (!element || indices.size() != 2 || sizes_.empty()) return;
  if (!lanes) {
    const bool backwards = absl::c_any_of(indices, [](const LinearIndex& index) { return index.strides.back() == -1; });
    if (along_reduced == 1 && !backwards) run_ = element;
    if (run_ && kept > 0 && sizes_.size() >= kept + 2) {
      // Results do not move along the run.
      const LinearIndex& input = indices[indices[0].strides.back() == 0 ? 1 : 0];
      lane_stride_ = input.strides[kept - 1];
      row_stride_ = input.strides[sizes_.size() - 2];
    }
    return;
  }
  // The result does not move from row to row.
  const LinearIndex& input = indices[indices[0].strides.back() == 0 ? 1 : 0];
  const bool side_by_side =
      absl::c_all_of(indices, [&](const LinearIndex& index) { return index.strides[kept - 1] == 1; });
  row_stride_ = input.strides.back();
  const bool folds = folding_.sums_doubles || runs_type_ == ElementType::kF32;
  if (side_by_side && row_stride_ > 0 && folds) column_ = element;
}

absl::Status ReduceWriter::Write() {
  if (absl::Status status = FindFolding(); !status.ok()) return status;
  std::vector<int64_t> loops = OrderLoops();
  const size_t kept_rank = kept_.size();
  // Variadic reduces of different sizes do not exist: all inputs have the dimensions of the first.
  IndexMap map(loops.size());
  for (size_t k = 0; k < kept_.size(); ++k) map[static_cast<size_t>(kept_[k])] = {static_cast<int>(k), 1, 0};
  for (size_t k = 0; k < reduced_.size(); ++k) {
    map[static_cast<size_t>(reduced_[k])] = {static_cast<int>(kept_rank + k), 1, 0};
  }
  LinearIndex target{0, std::vector<int64_t>(loops.size(), 0)};
  const std::vector<int64_t> kept_sizes(loops.begin(), loops.begin() + static_cast<int64_t>(kept_rank));
  const std::vector<int64_t> strides = RowMajorStridesOf(kept_sizes);
  std::copy(strides.begin(), strides.end(), target.strides.begin());
  std::vector<std::string> names;
  for (size_t k = 0; k < count_; ++k) names.push_back(writer_.DefineAllocated(id_, static_cast<int64_t>(k)));
  if (ProductOf(kept_sizes) == 0) return absl::OkStatus();

  nest_.emplace(loops, std::vector<size_t>{kept_rank});
  start_.emplace(std::vector<int64_t>(), std::vector<size_t>(), "s");
  LoopArguments arguments;
  ElementWriter elements(writer_, arguments, *nest_), starts(writer_, arguments, *start_);
  for (size_t k = 0; k < count_; ++k) {
    const InstructionId input = module_.operand(id_, k), init = module_.operand(id_, count_ + k);
    absl::StatusOr<std::string> number = elements.Number(input, map);
    if (!number.ok()) return number.status();
    if (k == 0 && writer_.plan().role(input) != Role::kInline) stored_ = elements.Element(input, map, false);
    if (const std::optional<Runs> runs = FindRuns(map)) {
      run_ = elements.Element(runs->array, runs->map, false);
      runs_type_ = module_.shape(runs->array).element_type();
    }
    absl::StatusOr<std::string> start = starts.Number(init, {});
    if (!start.ok()) return start.status();
    // A number in `start` has a name like one in the loops.
    inits_.push_back(*start);
    numbers_.push_back(folding_.sums_doubles ? *number
                                             : Converted(module_.shape(input).element_type(),
                                                         folding_.function.parameters[count_ + k], *number));
    const std::string type = StoredType(LeavesOf(module_.shape(id_))[k].element_type());
    results_.push_back(nest_->Element(arguments.Output(type, absl::StrCat(names[k], ".to<", type, ">()")), target));
  }
  for (size_t k = 0; k < count_; ++k) {
    const std::string name = absl::StrCat("init", k);
    start_->AddLine(absl::StrCat("const ", folding_.sums_doubles ? "double" : folding_.types[k], " ", name, " = ",
                                 folding_.sums_doubles
                                     ? absl::StrCat("static_cast<double>(", inits_[k], ")")
                                     : Converted(module_.shape(module_.operand(id_, count_ + k)).element_type(),
                                                 folding_.function.results[k], inits_[k]),
                                 ";"));
    inits_[k] = name;
  }
  const std::string narrow[] = {StoredType(ElementType::kBF16), StoredType(ElementType::kS8),
                                StoredType(ElementType::kU8)};
  if (absl::c_any_of(arguments.parameters(), [&](const LoopParameter& parameter) {
        return !parameter.is_output && absl::c_linear_search(narrow, parameter.type);
      })) {
    ways_ = kWaysOfNarrow;
  }
  nest_->Join();
  start_->Join();
  sizes_ = nest_->joined_sizes();
  first_reduced_ = nest_->JoinedBefore(kept_rank);
  if (!folding_.comparison.empty() && !sizes_.empty() && sizes_.back() >= kLongRow) ways_ = kWaysOfComparisons;
  const size_t kept = first_reduced_;
  // Results side by side, if that is the order of the inputs in memory.
  int64_t along_kept = 0, along_reduced = 0;
  for (const LinearIndex& index : nest_->joined_indices()) {
    if (kept > 0 && std::abs(index.strides[kept - 1]) == 1) ++along_kept;
    if (sizes_.size() > kept && std::abs(index.strides.back()) == 1) ++along_reduced;
  }
  --along_kept;  // the result itself
  // Of several inputs, one may be the places along a reduced dimension.
  const bool prefers_kept = along_kept > along_reduced || (count_ > 1 && along_kept > 0 && along_kept == along_reduced);
  const bool lanes = kept > 0 && sizes_.size() > kept && sizes_[kept - 1] >= 4 && prefers_kept;
  FindNumbers(kept, lanes, along_reduced);
  std::vector<int64_t> outer(sizes_.begin(), sizes_.begin() + static_cast<int64_t>(kept));
  const bool has_runs_as_lanes = !lanes && HasRunsAsLanes(kept);
  if (has_runs_as_lanes) outer.pop_back();
  const std::string body = lanes ? LanesBody(kept, &outer) : has_runs_as_lanes ? RunsAsLanesBody(kept) : LineBody(kept);
  if (run_ || column_) writer_.program().Use(RuntimePart::kReduction);
  const double rounds =
      static_cast<double>(ProductOf(loops)) / static_cast<double>(std::max<int64_t>(ProductOf(outer), 1));
  LoopText text = LoopWithRows(arguments.parameters(), *nest_, outer, lanes || has_runs_as_lanes ? kept - 1 : kept,
                               rounds * (elements.nanoseconds() + 0.3), body, /*last_is_vector=*/false);
  // Initial values belong to no row.
  for (size_t k = 0; k < text.rows.elements.size(); ++k) {
    if (start_->Uses(arguments.parameters()[k].name)) text.rows.elements[k] = 0;
  }
  writer_.CallLoop(id_, arguments.parameters(), arguments.arguments(), text);
  return absl::OkStatus();
}

// Results and arguments are whole arrays, so the computation is called for each position.
absl::Status WriteScan(ComputationWriter& writer, InstructionId id) {
  const Module& module = writer.module();
  const size_t dimension = static_cast<size_t>(module.IntsAttribute(id, AttributeKind::kDimensions)[0]);
  const size_t carry_count = static_cast<size_t>(module.IntAttribute(id, AttributeKind::kNumCarries));
  const absl::Span<const InstructionId> operands = module.operands(id);
  const size_t input_count = operands.size() - carry_count;
  const std::vector<Shape> leaves = LeavesOf(module.shape(id));
  const size_t output_count = leaves.size() - carry_count;
  const auto scanned = [&](const std::string& array, const Shape& shape) {
    const auto sizes = shape.dimensions();
    return absl::StrCat("{", array, ", ", ProductOf(sizes.first(dimension)), ", ",
                        ProductOf(sizes.subspan(dimension + 1)) * StorageBytes(shape.element_type()), "}");
  };
  std::vector<std::string> inputs, outputs, carries;
  for (size_t k = 0; k < input_count; ++k) {
    inputs.push_back(scanned(writer.Read(operands[k]), module.shape(operands[k])));
  }
  for (size_t k = 0; k < output_count; ++k) {
    outputs.push_back(scanned(absl::StrCat("Allocate(", leaves[k].ByteSize(), ")"), leaves[k]));
  }
  for (size_t k = input_count; k < operands.size(); ++k) carries.push_back(writer.Take(operands[k]));
  const Shape& first = input_count > 0 ? module.shape(operands[0]) : leaves[0];
  const std::string name = writer.NameFor(id);
  const auto list = [&](const std::string& type, const std::string& suffix, const std::vector<std::string>& values) {
    std::string variable = writer.LocalName(absl::StrCat(name, suffix));
    writer.AddLine(values.empty() ? absl::StrCat(type, "* const ", variable, " = nullptr;")
                                  : absl::StrCat(type, " ", variable, "[] = {", absl::StrJoin(values, ", "), "};"));
    return variable;
  };
  const std::string in = list("ScannedArray", "_in", inputs), out = list("ScannedArray", "_out", outputs);
  const std::string carried = list("Array", "_carried", carries);
  writer.AddLine(absl::StrCat(
      "RunScan(hlo::", writer.writer().FunctionOf(module.ComputationAttribute(id, AttributeKind::kToApply)), ", ",
      module.BoolAttribute(id, AttributeKind::kIsReverse) ? "true" : "false", ", ",
      first.dimension(static_cast<int64_t>(dimension)), ", ", in, ", ", input_count, ", ", out, ", ", output_count,
      ", ", carried, ", ", carry_count, ");"));
  for (size_t k = 0; k < leaves.size(); ++k) {
    const std::string result = writer.Define(id, static_cast<int64_t>(k));
    writer.AddLine(absl::StrCat("Array ", result, " = std::move(", k < output_count ? out : carried, "[",
                                k < output_count ? k : k - output_count, "]", k < output_count ? ".array" : "", ");"));
  }
  return absl::OkStatus();
}

}  // namespace

absl::Status WriteReduction(ComputationWriter& writer, InstructionId id) {
  switch (writer.module().opcode(id)) {
    case Opcode::kReduce:
      return ReduceWriter(writer, id).Write();
    case Opcode::kReduceWindow:
      return WriteReduceWindow(writer, id);
    case Opcode::kScan:
      return WriteScan(writer, id);
    default:
      return absl::UnimplementedError("no code is written for this opcode");
  }
}

}  // namespace hloscope::codegen
