// SPDX-License-Identifier: Apache-2.0
// Shapes that are not written as HLO writes them.
#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "core/diagnostics/familiar_names.h"
#include "core/editing/repair_line.h"
#include "core/ir/element_type.h"
#include "core/ir/opcode.h"

namespace hloscope {
namespace {

// `float32`, `np.float32`, `32f`: the element type that is meant, or nothing.
std::string MeantElementType(absl::string_view word) {
  if (ElementTypeFromName(word)) return std::string(word);
  const size_t digits = std::min(word.find_first_not_of("0123456789"), word.size());
  const std::string turned = absl::StrCat(word.substr(digits), word.substr(0, digits));
  if (digits > 0 && ElementTypeFromName(turned)) return turned;
  return std::string(NearestElementType(word));
}

std::string WrittenShape(absl::string_view type, const std::vector<int64_t>& dimensions) {
  return absl::StrCat(type, "[", JoinNumbers(dimensions), "]");
}

// `tensor<8x16xf32>`, at any place of the line.
struct MlirType {
  size_t begin = 0, end = 0;
  std::string shape;
};

std::optional<MlirType> MlirTypeIn(absl::string_view text) {
  for (const absl::string_view word : {"tensor<", "memref<", "vector<"}) {
    const size_t at = text.find(word);
    const size_t close = at == absl::string_view::npos ? at : text.find('>', at);
    if (close == absl::string_view::npos) continue;
    std::vector<std::string> parts =
        absl::StrSplit(std::string(text.substr(at + word.size(), close - at - word.size())), 'x');
    const std::string type = MeantElementType(parts.back());
    parts.pop_back();
    if (type.empty()) continue;
    return MlirType{at, close + 1, WrittenShape(type, NumbersIn(absl::StrJoin(parts, ",")))};
  }
  return std::nullopt;
}

// The element type and what follows it up to the opcode are a shape in other brackets.
void AddOtherBrackets(RepairLine& line, size_t equals, size_t opcode) {
  const std::string type = MeantElementType(line.word(equals + 1));
  const std::string turned =
      line.IsNumber(equals + 1) ? MeantElementType(absl::StrCat(line.word(equals + 1), line.word(equals + 2))) : "";
  const uint32_t from = line.At(equals + 1), to = line.End(opcode - 1);
  const absl::string_view written = line.Between(from, to);
  const size_t layout = written.find("]{");
  const absl::string_view kept = layout == absl::string_view::npos ? absl::string_view() : written.substr(layout + 1);
  const absl::string_view dimensions = written.substr(
      line.word(equals + 1).size(),
      layout == absl::string_view::npos ? absl::string_view::npos : layout - line.word(equals + 1).size());
  if (!turned.empty()) {
    line.Write(from, to, WrittenShape(turned, NumbersIn(dimensions.substr(std::min<size_t>(dimensions.size(), 1)))));
  } else if (!type.empty()) {
    line.Write(from, to, absl::StrCat(WrittenShape(type, NumbersIn(dimensions)), kept));
  }
  if (line.kind(equals + 1) == TokenKind::kString) {
    line.Write(from, to, std::string(line.word(equals + 1).substr(1, line.word(equals + 1).size() - 2)));
  }
}

// The shape of a parameter in the signature that is written above.
std::optional<std::string> ShapeInSignature(const RepairLine& line, absl::string_view name) {
  const absl::string_view above = line.document().source().text().substr(0, line.begin());
  const size_t brace = above.rfind("{\n");
  if (brace == absl::string_view::npos) return std::nullopt;
  const size_t start = above.rfind('\n', brace);
  const absl::string_view header = above.substr(start == absl::string_view::npos ? 0 : start + 1, brace - start);
  absl::ConsumePrefix(&name, "%");
  const std::string written = absl::StrCat(name, ": ");
  for (size_t at = header.find(written); at != absl::string_view::npos; at = header.find(written, at + 1)) {
    if (at > 0 && header[at - 1] != '(' && header[at - 1] != ' ' && header[at - 1] != '%') continue;
    const size_t begin = at + written.size(), close = header.find(']', begin);
    if (close != absl::string_view::npos) return std::string(header.substr(begin, close + 1 - begin));
  }
  return std::nullopt;
}

void AddLayouts(RepairLine& line) {
  for (size_t i = 0; i + 1 < line.size(); ++i) {
    if (line.kind(i) != TokenKind::kRightBracket || line.kind(i + 1) != TokenKind::kLeftBrace) continue;
    const size_t close = line.CloseOf(i + 1);
    std::vector<int64_t> dimensions;
    for (size_t k = i + 2; k < close; ++k) {
      if (line.IsNumber(k)) dimensions.push_back(static_cast<int64_t>(dimensions.size()));
    }
    std::reverse(dimensions.begin(), dimensions.end());
    const std::string layout = absl::StrCat("{", JoinNumbers(dimensions), "}");
    line.Replace(absl::StrCat("change the layout to ", layout), i + 1, close, layout);
    line.Replace("remove the layout", i + 1, close, "");
  }
}

void AddTupleShapes(RepairLine& line, size_t equals, size_t opcode) {
  const size_t first = equals + 1;
  if (line.kind(first) == TokenKind::kLeftBrace) {
    const size_t close = line.CloseOf(first);
    line.Add("write the tuple in parentheses",
             {{{line.At(first), line.End(first)}, "("}, {{line.At(close), line.End(close)}, ")"}});
  }
  // The shapes of the tuple, whatever is around and between them.
  std::vector<std::string> shapes;
  for (size_t i = first; i + 1 < opcode; ++i) {
    if (line.kind(i) != TokenKind::kPrimitiveType || line.kind(i + 1) != TokenKind::kLeftBracket) continue;
    size_t close = line.CloseOf(i + 1);
    if (line.kind(close + 1) == TokenKind::kLeftBrace && close + 1 < opcode) close = line.CloseOf(close + 1);
    shapes.push_back(std::string(line.Slice(i, std::min(close, opcode - 1))));
    i = close;
  }
  if (line.word(opcode) != "tuple" && shapes.size() < 2) return;
  line.Write(line.At(first), line.End(opcode - 1), absl::StrCat("(", absl::StrJoin(shapes, ", "), ")"));
}

// `name: shape = ...`, `shape name = ...`, `name shape = ...`, `name = opcode shape(...)`, `... : shape`.
void AddMisplacedShapes(RepairLine& line, size_t equals) {
  const uint32_t after = equals + 1 < line.size() ? line.At(equals + 1) : line.line_end();
  // Before `=`: what is no name and no ROOT.
  const size_t root = line.word(0) == "ROOT" ? 1 : 0;
  for (size_t i = root; i + 1 < equals; ++i) {
    if (line.kind(i) != TokenKind::kPrimitiveType || line.kind(i + 1) != TokenKind::kLeftBracket) continue;
    const size_t close = line.CloseOf(i + 1);
    const std::string shape(line.Slice(i, close));
    std::string name;
    for (size_t k = root; k < equals; ++k) {
      if (k >= i && k <= close) continue;
      if (line.IsName(k)) name = std::string(line.word(k));
    }
    absl::string_view plain = name;
    absl::ConsumeSuffix(&plain, ":");
    if (!plain.empty()) line.Write(line.At(root), after, absl::StrCat(plain, " = ", shape, " "));
  }
  if (line.IsName(equals + 1) && line.kind(equals + 2) == TokenKind::kPrimitiveType &&
      line.kind(equals + 3) == TokenKind::kLeftBracket) {
    const size_t close = line.CloseOf(equals + 3);
    line.Write(after, line.End(close), absl::StrCat(line.Slice(equals + 2, close), " ", line.word(equals + 1)));
  }
  // Behind: `op(x) : f32[4]`, `op(x) -> f32[4]`, `op %x : tensor<4xf32>`.
  for (size_t i = equals + 1; i + 1 < line.size(); ++i) {
    if (line.kind(i) != TokenKind::kColon && line.kind(i) != TokenKind::kArrow) continue;
    const absl::string_view type = absl::StripAsciiWhitespace(line.Between(line.End(i), line.line_end()));
    const std::optional<MlirType> mlir = MlirTypeIn(type);
    const std::string shape = mlir ? mlir->shape : std::string(type);
    const absl::string_view call = absl::StripAsciiWhitespace(line.Between(after, line.At(i)));
    const bool has_shape = line.kind(equals + 1) == TokenKind::kPrimitiveType;
    if (has_shape) line.Write(after, line.line_end(), std::string(call));
    const size_t blank = call.find(' ');
    if (call.find('(') == absl::string_view::npos && blank != absl::string_view::npos) {
      absl::string_view opcode = call.substr(0, blank);
      if (const size_t dot = opcode.rfind('.'); dot != absl::string_view::npos) opcode.remove_prefix(dot + 1);
      line.Write(after, line.line_end(),
                 absl::StrCat(shape, " ", opcode, "(", absl::StripAsciiWhitespace(call.substr(blank)), ")"));
    }
    line.Write(after, line.line_end(), absl::StrCat(shape, " ", call));
    break;
  }
}

}  // namespace

void AddShapeSpellings(RepairLine& line) {
  for (size_t i = 1; i + 1 < line.size(); ++i) {
    const bool separates = line.word(i) == ";" || line.word(i) == "x" || line.word(i) == ":";
    if (separates && line.IsNumber(i - 1) && line.IsNumber(i + 1)) {
      line.Replace("separate dimensions by `,`", i, i, ",");
    }
  }
  if (const std::optional<MlirType> type = MlirTypeIn(line.text())) {
    line.Write(line.begin() + static_cast<uint32_t>(type->begin), line.begin() + static_cast<uint32_t>(type->end),
               type->shape);
  }
  const std::optional<size_t> equals = line.Equals();
  if (!equals || *equals == 0 || *equals + 1 >= line.size()) return AddLayouts(line);
  AddMisplacedShapes(line, *equals);
  if (const std::optional<size_t> opcode = line.Opcode(); opcode && *opcode > *equals + 1) {
    AddOtherBrackets(line, *equals, *opcode);
    AddTupleShapes(line, *equals, *opcode);
    if (line.kind(*equals + 1) == TokenKind::kLeftBracket) {
      for (const char* type : {"f32", "s32", "pred", "bf16", "f64", "s64"}) {
        line.Add(absl::StrCat("make it `", type, "`"), {{{line.At(*equals + 1), line.At(*equals + 1)}, type}});
      }
    }
    if (const std::optional<std::string> shape = ShapeInSignature(line, line.word(*equals - 1))) {
      line.Write(line.At(*equals + 1), line.End(*opcode - 1), *shape);
    }
    if (line.word(*opcode) != "parameter" && line.word(*opcode) != "constant") {
      line.ReplaceBetween("leave the shape to what the operands say", line.At(*equals + 1), line.At(*opcode), "");
    }
  }
  AddLayouts(line);
}

}  // namespace hloscope
