// SPDX-License-Identifier: Apache-2.0
// Opcodes and operand lists that are not written as in HLO.
#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "core/diagnostics/familiar_names.h"
#include "core/editing/repair_line.h"
#include "core/editing/statement_edits.h"
#include "core/ir/opcode.h"

namespace hloscope {
namespace {

bool TakesValue(absl::string_view opcode) { return opcode == "constant" || opcode == "parameter"; }

// `stablehlo.add`, `exp`, `bitcast_reshape`.
void AddOpcodes(RepairLine& line) {
  const std::optional<size_t> equals = line.Equals();
  for (size_t i = equals ? *equals + 1 : 0; i < line.size(); ++i) {
    if (line.kind(i) != TokenKind::kIdentifier || OpcodeFromName(line.word(i))) continue;
    if (line.kind(i + 1) != TokenKind::kLeftParen && !line.IsName(i + 1)) continue;
    std::string plain(line.word(i));
    if (const size_t dot = plain.rfind('.'); dot != std::string::npos) plain = plain.substr(dot + 1);
    const absl::string_view meant = OpcodeFromName(plain) ? absl::string_view(plain) : NearestOpcode(plain);
    if (!meant.empty()) line.Replace(absl::StrCat("change to `", meant, "`"), i, i, std::string(meant));
    if (!meant.empty() && line.IsName(i + 1)) {  // `exp %d`
      line.Write(
          line.At(i), line.line_end(),
          absl::StrCat(meant, "(", absl::StripAsciiWhitespace(line.Between(line.At(i + 1), line.line_end())), ")"));
    }
    for (const std::string& part : std::vector<std::string>(absl::StrSplit(plain, '_'))) {
      if (part != plain && OpcodeFromName(part)) line.Replace(absl::StrCat("change to `", part, "`"), i, i, part);
    }
  }
  // No opcode at all: `(f32[], s32[]) (a, b)`.
  if (!equals || line.kind(*equals + 1) != TokenKind::kLeftParen) return;
  const size_t close = line.CloseOf(*equals + 1);
  if (line.kind(close + 1) == TokenKind::kLeftParen) line.Write(line.At(close + 1), line.At(close + 1), "tuple");
}

// The end of the operands after the opcode: where attributes begin, or the line ends.
size_t EndOfOperands(const RepairLine& line, size_t opcode) {
  size_t last = opcode + 1;
  while (last < line.size() && line.kind(last) != TokenKind::kAttributeName) ++last;
  if (last < line.size() && last > opcode + 1 && line.kind(last - 1) == TokenKind::kComma) --last;
  return last;
}

// Names of values among the tokens, in order, each once for each time it is written.
std::vector<std::string> NamesOfOperands(const RepairLine& line, size_t first, size_t end) {
  std::vector<std::string> names;
  for (size_t i = first; i < end; ++i) {
    absl::string_view name = line.word(i);
    if (line.kind(i) == TokenKind::kString && name.size() > 2) name = name.substr(1, name.size() - 2);
    if (line.kind(i) != TokenKind::kString && !line.IsName(i)) continue;
    absl::string_view plain = name;
    absl::ConsumePrefix(&plain, "%");
    absl::ConsumeSuffix(&plain, ":");
    if (line.IsDefinedAbove(plain)) names.push_back(line.Named(plain));
  }
  return names;
}

void AddOperandLists(RepairLine& line, size_t opcode) {
  const size_t open = opcode + 1;
  const bool is_bracket = IsOpeningBracket(line.kind(open));
  const size_t end = EndOfOperands(line, opcode);
  const absl::string_view word = line.word(opcode);
  // `exponential[x]`, `constant{0}`.
  if (is_bracket && line.kind(open) != TokenKind::kLeftParen) {
    const size_t close = line.CloseOf(open);
    line.Add("write the operands in parentheses",
             {{{line.At(open), line.End(open)}, "("}, {{line.At(close), line.End(close)}, ")"}});
  }
  if (!is_bracket) {
    const std::string operands =
        end > open ? std::string(absl::StripAsciiWhitespace(line.Between(line.At(open), line.End(end - 1)))) : "";
    line.Write(line.End(opcode), end > open ? line.End(end - 1) : line.End(opcode), absl::StrCat("(", operands, ")"));
    // Without any commas.
    const std::vector<std::string> items = absl::StrSplit(operands, ' ', absl::SkipEmpty());
    if (items.size() > 1) {
      line.Write(line.End(opcode), line.End(end - 1), absl::StrCat("(", absl::StrJoin(items, ", "), ")"));
    }
  }
  if (TakesValue(word)) return;
  // The list without what is no operand: names of arguments, shapes, brackets, signs.
  const std::vector<std::string> names = NamesOfOperands(line, open, end);
  const std::string list = absl::StrCat("(", absl::StrJoin(names, ", "), ")");
  line.Write(line.End(opcode), end > open ? line.End(end - 1) : line.End(opcode), list);
  // `x, axis=0)`: attributes among the operands that nothing needs.
  if (end < line.size() && line.word(line.size() - 1) == ")") line.Write(line.End(opcode), line.line_end(), list);
  if (names.size() == 2) line.Write(line.End(opcode), line.End(end - 1), absl::StrCat("(", names[0], ")"));
  // Named arguments come between the operands.
  std::vector<std::string> all = NamesOfOperands(line, open, line.size());
  if (all.size() > names.size())
    line.Write(line.End(opcode), line.line_end(), absl::StrCat("(", absl::StrJoin(all, ", "), ")"));
}

// `get-tuple-element(p, 0)`, `get-tuple-element(p)[0]`.
void AddTupleIndex(RepairLine& line, size_t opcode) {
  if (line.word(opcode) != "get-tuple-element" || line.kind(opcode + 1) != TokenKind::kLeftParen) return;
  const std::vector<int64_t> numbers = NumbersIn(line.Between(line.At(opcode + 2), line.line_end()));
  const std::vector<std::string> names = NamesOfOperands(line, opcode + 2, line.size());
  if (names.empty()) return;
  line.Write(line.End(opcode), line.line_end(),
             absl::StrCat("(", names[0], "), index=", numbers.empty() ? 0 : numbers.back()));
}

void AddConstants(RepairLine& line, size_t open) {
  const size_t close = line.CloseOf(open);
  for (size_t i = open + 1; i < close; ++i) {
    if ((!line.IsNumber(i) && line.kind(i) != TokenKind::kDecimal) ||
        (i != open + 1 && line.kind(i - 1) != TokenKind::kComma)) {
      continue;
    }
    const Module& module = line.document().module();
    const std::string name = line.Named(FreeName(module, "constant"));
    const std::optional<size_t> equals = line.Equals();
    const bool has_shape = equals && line.kind(*equals + 1) == TokenKind::kPrimitiveType;
    std::vector<absl::string_view> types = {"f32", "s32", "bf16", "f16", "f64", "s64", "u32"};
    if (has_shape) types.insert(types.begin(), line.word(*equals + 1));
    for (const absl::string_view type : types) {
      line.Add(absl::StrCat("make a constant of it, `", type, "[] constant(", line.word(i), ")`"),
               {{{line.begin(), line.begin()},
                 absl::StrCat(line.Indentation(), name, " = ", type, "[] constant(", line.word(i), ")\n")},
                {{line.At(i), line.End(i)}, name}});
    }
    // Elementwise opcodes want it in the shape of the others.
    const std::vector<int64_t> dimensions = line.WrittenDimensions();
    if (!has_shape || dimensions.empty()) continue;
    const std::string scalar = line.Named(FreeName(module, "scalar"));
    const absl::string_view type = types.front();
    line.Add(
        absl::StrCat("make an array of it, `broadcast` of `", type, "[] constant(", line.word(i), ")`"),
        {{{line.begin(), line.begin()},
          absl::StrCat(line.Indentation(), scalar, " = ", type, "[] constant(", line.word(i), ")\n", line.Indentation(),
                       name, " = ", type, "[", JoinNumbers(dimensions), "] broadcast(", scalar, "), dimensions={}\n")},
         {{line.At(i), line.End(i)}, name}});
  }
}

// The lowest number that no other parameter of the computation has.
void AddParameterNumber(RepairLine& line, size_t opcode) {
  const Document& document = line.document();
  const ComputationId computation = document.ComputationAt(line.line_end());
  if (!computation.has_value()) return;
  std::vector<int64_t> taken;
  for (InstructionId id : StatementsOf(document, computation)) {
    const SourceRange place = document.InstructionRange(id);
    if (document.module().opcode(id) != Opcode::kParameter ||
        (place.begin >= line.begin() && place.begin <= line.line_end())) {
      continue;
    }
    taken.push_back(document.module().instruction(id).parameter_number);
  }
  int64_t number = 0;
  while (std::find(taken.begin(), taken.end(), number) != taken.end()) ++number;
  line.ReplaceBetween(absl::StrCat("number it ", number), line.End(opcode), line.line_end(),
                      absl::StrCat("(", number, ")"));
}

}  // namespace

void AddOperandSpellings(RepairLine& line) {
  AddOpcodes(line);
  const std::optional<size_t> opcode = line.Opcode();
  if (!opcode) return;
  if (line.kind(*opcode + 1) == TokenKind::kLeftParen && !TakesValue(line.word(*opcode))) {
    AddConstants(line, *opcode + 1);
  }
  AddOperandLists(line, *opcode);
  AddTupleIndex(line, *opcode);
  if (line.word(*opcode) == "parameter") AddParameterNumber(line, *opcode);
}

}  // namespace hloscope
