// SPDX-License-Identifier: Apache-2.0
#include "codegen/loop_function.h"

#include <algorithm>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "codegen/cpp_types.h"

namespace hloscope::codegen {
namespace {

// Marks around the number of an index.
constexpr char kIndexBegin = '\x01', kIndexEnd = '\x02';

// Handing work to other threads costs some microseconds.
constexpr double kWorthThreads = 60e3;
constexpr double kBlockNanoseconds = 20e3;

std::string IndexText(const LinearIndex& index, absl::Span<const std::string> variables) {
  std::string text;
  for (size_t loop = 0; loop < index.strides.size(); ++loop) {
    const int64_t stride = index.strides[loop];
    if (stride == 0) continue;
    absl::StrAppend(&text, text.empty() ? (stride < 0 ? "-" : "") : (stride < 0 ? " - " : " + "), variables[loop]);
    if (stride != 1 && stride != -1) absl::StrAppend(&text, " * ", stride < 0 ? -stride : stride);
  }
  if (index.offset != 0 || text.empty()) {
    if (text.empty()) return absl::StrCat(index.offset);
    absl::StrAppend(&text, index.offset < 0 ? " - " : " + ", index.offset < 0 ? -index.offset : index.offset);
  }
  return text;
}

// Edge of the blocks in which transpositions are walked: the floats of a cache line.
constexpr int64_t kBlock = 16;

// The loop along which some array is read or written while it jumps along the last one; the number of loops if there is
// none.
size_t LoopAcross(const LoopNest& nest) {
  const std::vector<int64_t>& sizes = nest.joined_sizes();
  size_t across = sizes.size();
  for (size_t loop = 0; loop + 1 < sizes.size(); ++loop) {
    if (sizes[loop] < kBlock || sizes.back() < kBlock) continue;
    for (const LinearIndex& index : nest.joined_indices()) {
      if (std::abs(index.strides[loop]) == 1 && std::abs(index.strides.back()) >= kBlock) across = loop;
    }
  }
  return across;
}

}  // namespace

std::string LoopNest::Index(LinearIndex index) {
  for (size_t k = 0; k < indices_.size(); ++k) {
    if (indices_[k].offset == index.offset && indices_[k].strides == index.strides) {
      return absl::StrCat(std::string(1, kIndexBegin), k, std::string(1, kIndexEnd));
    }
  }
  indices_.push_back(std::move(index));
  return absl::StrCat(std::string(1, kIndexBegin), indices_.size() - 1, std::string(1, kIndexEnd));
}

std::string LoopNest::Element(absl::string_view parameter, LinearIndex index) {
  const std::string mark = Index(std::move(index));
  size_t number = 0;
  if (absl::SimpleAtoi(absl::string_view(mark).substr(1, mark.size() - 2), &number)) {
    uses_.emplace_back(std::string(parameter), number);
  }
  return absl::StrCat(parameter, "[", mark, "]");
}

bool LoopNest::Uses(absl::string_view parameter) const {
  return std::any_of(uses_.begin(), uses_.end(), [&](const auto& use) { return use.first == parameter; });
}

int64_t LoopNest::RowElements(absl::string_view parameter, size_t loops) const {
  int64_t elements = 0;
  for (const auto& [name, number] : uses_) {
    if (name != parameter) continue;
    const LinearIndex& index = joined_[number];
    const int64_t stride = index.strides[loops - 1];
    if (elements != 0 && stride != elements) return 0;
    elements = stride;
    for (size_t loop = 0; loop + 1 < loops; ++loop) {
      if (index.strides[loop] != index.strides[loop + 1] * joined_sizes_[loop + 1]) return 0;
    }
    int64_t first = index.offset, last = index.offset;
    for (size_t loop = loops; loop < joined_sizes_.size(); ++loop) {
      (index.strides[loop] < 0 ? first : last) += index.strides[loop] * (joined_sizes_[loop] - 1);
    }
    if (first < 0 || last >= stride) return 0;
  }
  return elements;
}

std::string LoopNest::Name(absl::string_view type, absl::string_view expression) {
  std::string name = absl::StrCat(prefix_, names_++);
  AddLine(absl::StrCat("const ", type, " ", name, " = ", expression, ";"));
  return name;
}

void LoopNest::Join() {
  joined_.clear();
  for (const LinearIndex& index : indices_) joined_.push_back({index.offset, {}});
  joined_of_.assign(sizes_.size() + 1, 0);
  size_t last = 0;  // the loop that the last joined one ends with
  for (size_t loop = 0; loop < sizes_.size(); ++loop) {
    joined_of_[loop] = joined_sizes_.size();
    if (sizes_[loop] == 1) continue;
    bool joins = !joined_sizes_.empty();
    for (size_t begin : group_begins_) joins = joins && !(last < begin && begin <= loop);
    for (size_t k = 0; k < indices_.size() && joins; ++k) {
      joins = joined_[k].strides.back() == indices_[k].strides[loop] * sizes_[loop];
    }
    last = loop;
    if (joins) {
      joined_sizes_.back() *= sizes_[loop];
      for (size_t k = 0; k < indices_.size(); ++k) joined_[k].strides.back() = indices_[k].strides[loop];
    } else {
      joined_sizes_.push_back(sizes_[loop]);
      for (size_t k = 0; k < indices_.size(); ++k) joined_[k].strides.push_back(indices_[k].strides[loop]);
    }
  }
  joined_of_[sizes_.size()] = joined_sizes_.size();
}

size_t LoopNest::JoinedBefore(size_t loop) const { return joined_of_[loop]; }

std::string LoopNest::Replace(absl::string_view text, absl::Span<const std::string> variables) const {
  std::string result;
  for (size_t at = 0; at < text.size();) {
    const size_t begin = text.find(kIndexBegin, at);
    if (begin == absl::string_view::npos) {
      absl::StrAppend(&result, text.substr(at));
      break;
    }
    const size_t end = text.find(kIndexEnd, begin);
    absl::StrAppend(&result, text.substr(at, begin - at));
    size_t number = 0;
    if (absl::SimpleAtoi(text.substr(begin + 1, end - begin - 1), &number)) {
      result += IndexText(joined_[number], variables);
    }
    at = end + 1;
  }
  return result;
}

bool LoopNest::Contains(absl::string_view text) const {
  return std::any_of(lines_.begin(), lines_.end(),
                     [&](const std::string& line) { return absl::StrContains(line, text); });
}

std::string LoopNest::Body(absl::string_view indent, absl::Span<const std::string> variables) const {
  std::string text;
  for (const std::string& line : lines_) absl::StrAppend(&text, indent, Replace(line, variables), "\n");
  return text;
}

std::vector<std::string> LoopVariables(size_t count) {
  std::vector<std::string> names;
  for (size_t k = 0; k < count; ++k) names.push_back(absl::StrCat("i", k));
  return names;
}

std::string ParameterList(absl::Span<const LoopParameter> parameters) {
  return absl::StrJoin(parameters, ", ", [](std::string* out, const LoopParameter& parameter) {
    absl::StrAppend(out, parameter.is_output ? "" : "const ", parameter.type, "* __restrict ", parameter.name);
  });
}

namespace {

// Loops around a body, from the outermost one on.
class LoopLines {
 public:
  LoopLines(absl::Span<const int64_t> sizes, bool last_is_vector) : sizes_(sizes), last_is_vector_(last_is_vector) {}

  // The first `count` loops as one, from `begin` to `end`.
  void OpenRange(size_t count) {
    if (count == 1) {
      Open(0, "for (int64_t i0 = begin; i0 < end; ++i0)");
      return;
    }
    Open(count - 1, "for (int64_t i = begin; i < end; ++i)");
    std::vector<std::string> variables;
    for (size_t k = 0; k < count; ++k) {
      const int64_t inner = ProductOf(sizes_.subspan(k + 1, count - k - 1));
      variables.push_back(absl::StrCat("i", k, " = i", inner == 1 ? "" : absl::StrCat(" / ", inner),
                                       k == 0 ? "" : absl::StrCat(" % ", sizes_[k])));
    }
    absl::StrAppend(&text_, indent_, "const int64_t ", absl::StrJoin(variables, ", "), ";\n");
  }
  // All loops from number `first` on.
  void OpenFrom(size_t first) {
    for (size_t k = first; k < sizes_.size(); ++k) {
      Open(k, absl::StrCat("for (int64_t i", k, " = 0; i", k, " < ", sizes_[k], "; ++i", k, ")"));
    }
  }
  // The loops with the body, whose lines are written for an indent of two blanks.
  std::string Close(absl::string_view body) {
    const std::string deeper = indent_.substr(2);
    for (size_t at = 0; at < body.size();) {
      const size_t end = std::min(body.find('\n', at), body.size());
      const absl::string_view line = body.substr(at, end - at);
      absl::StrAppend(&text_, line.empty() || line[0] == '#' ? "" : deeper, line, "\n");
      at = end + 1;
    }
    while (indent_.size() > 2) {
      indent_.resize(indent_.size() - 2);
      absl::StrAppend(&text_, indent_, "}\n");
    }
    return std::move(text_);
  }

 private:
  void Open(size_t last, absl::string_view line) {
    if (last_is_vector_ && last + 1 == sizes_.size()) text_ += "#pragma GCC ivdep\n";
    absl::StrAppend(&text_, indent_, line, " {\n");
    indent_ += "  ";
  }

  const absl::Span<const int64_t> sizes_;
  const bool last_is_vector_;
  std::string text_, indent_ = "  ";
};

}  // namespace

std::string FunctionOfLoops(absl::Span<const LoopParameter> parameters, absl::Span<const int64_t> outer,
                            double nanoseconds, absl::string_view body, bool last_is_vector) {
  const std::string list = ParameterList(parameters);
  const int64_t total = ProductOf(outer);
  LoopLines loops(outer, last_is_vector);
  if (outer.empty() || total <= 1 || nanoseconds * static_cast<double>(total) <= kWorthThreads) {
    loops.OpenFrom(0);
    return absl::StrCat("void ", kLoopNameMark, "(", list, ") {\n", loops.Close(body), "}\n");
  }
  // Few outer iterations: two loops are distributed as one.
  const bool two = outer[0] < 32 && outer.size() > 1 && !(last_is_vector && outer.size() == 2);
  const int64_t shared = two ? outer[0] * outer[1] : outer[0];
  const int64_t grain = RowsOfBlock(nanoseconds * static_cast<double>(total / shared), shared);
  loops.OpenRange(two ? 2 : 1);
  loops.OpenFrom(two ? 2 : 1);
  std::string arguments;
  for (const LoopParameter& parameter : parameters) absl::StrAppend(&arguments, ", ", parameter.name);
  return absl::StrCat("static void ", kLoopNameMark, "_part(", kRowRange, list, ") {\n", loops.Close(body), "}\nvoid ",
                      kLoopNameMark, "(", list, ") {\n  ParallelFor(", shared, ", ", grain,
                      ", [&](int64_t begin, int64_t end) { ", kLoopNameMark, "_part(begin, end", arguments,
                      "); });\n}\n");
}

int64_t RowsOfBlock(double nanoseconds, int64_t rows) {
  if (nanoseconds * static_cast<double>(rows) <= kWorthThreads) return rows;
  return std::clamp<int64_t>(static_cast<int64_t>(kBlockNanoseconds / std::max(nanoseconds, 1e-3)), 1, rows);
}

LoopText LoopWithRows(absl::Span<const LoopParameter> parameters, const LoopNest& nest, absl::Span<const int64_t> outer,
                      size_t row_loops, double nanoseconds, absl::string_view body, bool last_is_vector) {
  LoopText text = FunctionOfLoops(parameters, outer, nanoseconds, body, last_is_vector);
  if (row_loops == 0) return text;
  for (const LoopParameter& parameter : parameters) {
    text.rows.elements.push_back(nest.RowElements(parameter.name, row_loops));
    if (parameter.is_output && text.rows.elements.back() == 0) return text;
  }
  text.rows.count = ProductOf(outer.first(row_loops));
  text.rows.nanoseconds = nanoseconds * static_cast<double>(ProductOf(outer.subspan(row_loops)));
  LoopLines loops(outer, last_is_vector);
  loops.OpenRange(row_loops);
  loops.OpenFrom(row_loops);
  text.of_rows = absl::StrCat("void ", kLoopNameMark, "(", kRowRange, ParameterList(parameters), ") {\n",
                              loops.Close(body), "}\n");
  return text;
}

LoopText FunctionOfRange(absl::Span<const LoopParameter> parameters, const LoopRows& rows, absl::string_view line) {
  const std::string list = ParameterList(parameters);
  const int64_t grain = RowsOfBlock(rows.nanoseconds, rows.count);
  const std::string range = absl::StrCat("int64_t begin = 0, end = ", rows.count);
  // Several lines are indented, each on a line of its own.
  std::string lines = absl::StrCat(" ", line, " ");
  if (absl::StrContains(line, '\n')) {
    lines = "\n";
    for (absl::string_view part : absl::StrSplit(line, '\n')) {
      absl::StrAppend(&lines, absl::StartsWith(part, "#") ? "" : "    ", part, "\n");
    }
    lines += "  ";
  }
  LoopText text =
      absl::StrCat("void ", kLoopNameMark, "(", list, ") {\n",
                   grain == rows.count ? absl::StrCat("  constexpr ", range, ";\n  ", line, "\n")
                                       : absl::StrCat("  ParallelFor(", rows.count, ", ", grain,
                                                      ", [&](int64_t begin, int64_t end) {", lines, "});\n"),
                   "}\n");
  text.of_rows = absl::StrCat("void ", kLoopNameMark, "(", kRowRange, list, ") {", lines, "}\n");
  text.rows = rows;
  return text;
}

namespace {

constexpr int64_t kFormLanes = 1024;  // that are computed before a look at whether all were served

// The last loop, over `l` from l_begin to l_end: computed by forms that serve most arguments, and once more if they did
// not serve all.
std::string LoopWithForms(const LoopNest& nest, std::vector<std::string> variables) {
  const std::string loop = "for (int64_t l = l_begin; l < l_end; ++l) {\n";
  variables.back() = "l";
  return absl::StrCat("  MostArguments form;\n#pragma GCC ivdep\n  ", loop, nest.Body("    ", variables),
                      "  }\n  if (!form.all_served()) {\n    const EveryArgument form;\n    ", loop,
                      nest.Body("      ", variables), "    }\n  }\n");
}

// With the last loop in blocks.
LoopText FunctionWithForms(absl::Span<const LoopParameter> parameters, const LoopNest& nest, double nanoseconds) {
  const std::vector<int64_t>& sizes = nest.joined_sizes();
  const int64_t size = sizes.back(), lanes = std::min(size, kFormLanes);
  if (sizes.size() == 1) {
    // Elements are rows, of which some are computed at a time.
    LoopRows rows = {size, {}, nanoseconds};
    bool has_rows = true;
    for (const LoopParameter& parameter : parameters) {
      rows.elements.push_back(nest.RowElements(parameter.name, 1));
      has_rows = has_rows && !(parameter.is_output && rows.elements.back() == 0);
    }
    LoopText text =
        FunctionOfRange(parameters, rows,
                        absl::StrCat("for (int64_t l_begin = begin; l_begin < end; l_begin += ", kFormLanes,
                                     ") {\n  const int64_t l_end = l_begin + ", kFormLanes, " < end ? l_begin + ",
                                     kFormLanes, " : end;\n", LoopWithForms(nest, LoopVariables(1)), "}"));
    return has_rows ? text : LoopText(text.whole);
  }
  std::vector<int64_t> outer = sizes;
  outer.back() = (size + lanes - 1) / lanes;
  const std::vector<std::string> variables = LoopVariables(outer.size());
  const std::string body =
      absl::StrCat("  const int64_t l_begin = ", variables.back(), " * ", lanes, ", l_end = l_begin + ", lanes, " < ",
                   size, " ? l_begin + ", lanes, " : ", size, ";\n", LoopWithForms(nest, variables));
  return LoopWithRows(parameters, nest, outer, outer.size() - 1, nanoseconds * static_cast<double>(lanes), body,
                      /*last_is_vector=*/false);
}

}  // namespace

bool PaysToLookUp(absl::Span<const LoopParameter> parameters, int64_t count, double nanoseconds) {
  // Elements for which a table pays that is made by every process, and what takes longer than to look a result up.
  constexpr int64_t kLeast = int64_t{4} << 16;
  constexpr double kNanoseconds = 1.5;
  if (count < kLeast || nanoseconds < kNanoseconds || parameters.size() != 2) return false;
  return !parameters[0].is_output && parameters[1].is_output && BytesOfStored(parameters[0].type) == 2 &&
         BytesOfStored(parameters[1].type) <= 2;
}

LoopText FunctionOfLookUps(absl::Span<const LoopParameter> parameters, const LoopRows& rows, absl::string_view body) {
  const LoopParameter &from = parameters[0], &to = parameters[1];
  std::string text = "const auto compute = [](const uint8_t* operand, uint8_t* result, int64_t count) {\n";
  absl::StrAppend(&text, "  const ", from.type, "* __restrict ", from.name, " = reinterpret_cast<const ", from.type,
                  "*>(operand);\n  ", to.type, "* __restrict ", to.name, " = reinterpret_cast<", to.type,
                  "*>(result);\n", body, "};\n");
  absl::StrAppend(
      &text, "static numerics::ResultTable table(compute, ", BytesOfStored(from.type), ", ", BytesOfStored(to.type),
      ");\nconst uint8_t* const operand = reinterpret_cast<const uint8_t*>(", from.name,
      " + begin);\nuint8_t* const result = reinterpret_cast<uint8_t*>(", to.name,
      " + begin);\nif (!table.LookUp(operand, result, end - begin)) compute(operand, result, end - begin);");
  return FunctionOfRange(parameters, rows, text);
}

LoopText FunctionOfNest(absl::Span<const LoopParameter> parameters, const LoopNest& nest, double nanoseconds,
                        bool* looks_up) {
  const std::vector<int64_t>& sizes = nest.joined_sizes();
  if (looks_up != nullptr && sizes.size() == 1 && PaysToLookUp(parameters, sizes[0], nanoseconds) &&
      nest.joined_indices().size() == 1 && nest.RowElements(parameters[0].name, 1) == 1 &&
      nest.RowElements(parameters[1].name, 1) == 1) {
    *looks_up = true;
    const std::string loop = nest.Contains(kFormArgument)
                                 ? absl::StrCat("  constexpr int64_t l_begin = 0;\n  const int64_t l_end = count;\n",
                                                LoopWithForms(nest, LoopVariables(1)))
                                 : absl::StrCat("#pragma GCC ivdep\n  for (int64_t i0 = 0; i0 < count; ++i0) {\n",
                                                nest.Body("    ", LoopVariables(1)), "  }\n");
    return FunctionOfLookUps(parameters, {sizes[0], {1, 1}, nanoseconds}, loop);
  }
  const size_t last = sizes.size() - 1;
  const size_t other = LoopAcross(nest);
  if (other == sizes.size() && !sizes.empty() && nest.Contains(kFormArgument))
    return FunctionWithForms(parameters, nest, nanoseconds);
  if (other == sizes.size()) {
    // The vector loop stays whole, unless it is the only one.
    const size_t row_loops = sizes.size() <= 1 ? sizes.size() : sizes.size() - 1;
    return LoopWithRows(parameters, nest, sizes, row_loops, nanoseconds, nest.Body("  ", LoopVariables(sizes.size())),
                        /*last_is_vector=*/true);
  }
  std::vector<int64_t> outer;
  std::vector<std::string> variables(sizes.size());
  for (size_t loop = 0; loop < last; ++loop) {
    if (loop == other) continue;
    variables[loop] = absl::StrCat("i", outer.size());
    outer.push_back(sizes[loop]);
  }
  const std::string block = absl::StrCat("i", outer.size());
  const int64_t blocks = (sizes[other] + kBlock - 1) / kBlock;
  outer.push_back(blocks);
  variables[other] = std::string(1, 'k');
  variables[last] = std::string(1, 'l');
  const auto least = [](const std::string& end, int64_t size) {
    return absl::StrCat(end, " < ", size, " ? ", end, " : ", size);
  };
  const std::string body = absl::StrCat(
      "  const int64_t k_begin = ", block, " * ", kBlock,
      ", k_end = ", least(absl::StrCat("k_begin + ", kBlock), sizes[other]),
      ";\n  for (int64_t l_begin = 0; l_begin < ", sizes[last], "; l_begin += ", kBlock,
      ") {\n    const int64_t l_end = ", least(absl::StrCat("l_begin + ", kBlock), sizes[last]),
      ";\n    for (int64_t k = k_begin; k < k_end; ++k) {\n#pragma GCC ivdep\n",
      "      for (int64_t l = l_begin; l < l_end; ++l) {\n", nest.Body("        ", variables), "      }\n    }\n  }\n");
  return FunctionOfLoops(parameters, outer, nanoseconds * static_cast<double>(kBlock * sizes[last]), body,
                         /*last_is_vector=*/false);
}

LoopText FunctionOfMoves(absl::Span<const LoopParameter> parameters, const LoopNest& nest, double nanoseconds,
                         int64_t element_bytes, bool* uses_copy) {
  constexpr int64_t kLeastBytes = 1 << 14;
  const std::vector<LinearIndex>& indices = nest.joined_indices();
  const std::vector<int64_t>& sizes = nest.joined_sizes();
  // One of the arrays lies along another loop than the last one.
  bool is_transposed = false;
  for (const LinearIndex& index : indices) {
    for (size_t loop = 0; loop + 1 < sizes.size() && indices.size() == 2; ++loop) {
      is_transposed = is_transposed || (std::abs(index.strides[loop]) == 1 && std::abs(index.strides.back()) > 1);
    }
  }
  *uses_copy = is_transposed && ProductOf(sizes) * element_bytes >= kLeastBytes;
  if (!*uses_copy) return FunctionOfNest(parameters, nest, nanoseconds);
  const auto list = [](absl::Span<const int64_t> values) {
    return absl::StrCat("{", absl::StrJoin(values, ", "), "}");
  };
  const auto start = [&](size_t k) {
    return absl::StrCat(parameters[k].name, indices[k].offset == 0 ? "" : absl::StrCat(" + ", indices[k].offset));
  };
  return absl::StrCat("void ", kLoopNameMark, "(", ParameterList(parameters),
                      ") {\n  static constexpr int64_t sizes[] = ", list(sizes),
                      ", from[] = ", list(indices[0].strides), ", to[] = ", list(indices[1].strides),
                      ";\n  CopyStrided(", element_bytes, ", sizes, ", start(0), ", from, ", start(1), ", to);\n}\n");
}

}  // namespace hloscope::codegen
