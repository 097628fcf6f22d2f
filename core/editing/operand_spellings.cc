// SPDX-License-Identifier: Apache-2.0
// Opcodes and operand lists that are not written as in HLO.
#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "core/diagnostics/familiar_names.h"
#include "core/editing/repair_line.h"
#include "core/editing/statement_edits.h"
#include "core/ir/opcode.h"

namespace hloscope {
namespace {

bool TakesValue(absl::string_view opcode) { return opcode == "constant" || opcode == "parameter"; }

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

// `jnp.concatenate([x, y], axis=1)`, `jnp.transpose(x, (1, 0))`: the axes are an attribute, or the only one there is.
void AddCallsOfNumPy(RepairLine& line, size_t word, absl::string_view opcode) {
  if (opcode.empty() || line.kind(word + 1) != TokenKind::kLeftParen) return;
  const size_t close = line.CloseOf(word + 1);
  const std::vector<std::string> names = NamesOfOperands(line, word + 2, close);
  if (names.empty()) return;
  const std::string call = absl::StrCat(opcode, "(", absl::StrJoin(names, ", "), ")");
  std::vector<int64_t> axes = NumbersIn(line.Between(line.At(word + 2), line.At(close)));
  line.Write(line.At(word), line.End(close), call);
  if (axes.empty()) axes.push_back(0);
  line.Write(line.At(word), line.End(close), absl::StrCat(call, ", dimensions={", JoinNumbers(axes), "}"));
}

// `gelu(x)` where a computation is called so.
void AddCallOfComputation(RepairLine& line, size_t word) {
  const Module& module = line.document().module();
  const absl::string_view name = line.word(word);
  if (line.kind(word + 1) != TokenKind::kLeftParen) return;
  for (size_t c = 0; c < module.computations().size(); ++c) {
    if (module.ComputationName(ComputationId(c)) != name) continue;
    const size_t close = line.CloseOf(word + 1);
    line.Write(line.At(word), line.End(close),
               absl::StrCat("call", line.Slice(word + 1, close), ", to_apply=", line.Named(name)));
    return;
  }
}

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
    AddCallsOfNumPy(line, i, meant);
    AddCallOfComputation(line, i);
    for (const std::string& part : std::vector<std::string>(absl::StrSplit(plain, '_'))) {
      if (part != plain && OpcodeFromName(part)) line.Replace(absl::StrCat("change to `", part, "`"), i, i, part);
    }
  }
  // No opcode at all: `(f32[], s32[]) (a, b)`, `{a, b}`.
  if (!equals || line.kind(*equals + 1) != TokenKind::kLeftParen) return;
  const size_t close = line.CloseOf(*equals + 1);
  if (line.kind(close + 1) == TokenKind::kLeftParen) line.Write(line.At(close + 1), line.At(close + 1), "tuple");
  if (line.kind(close + 1) == TokenKind::kLeftBrace || line.kind(close + 1) == TokenKind::kLeftBracket) {
    const size_t end = line.CloseOf(close + 1);
    line.Write(line.At(close + 1), line.End(end),
               absl::StrCat("tuple(", line.Between(line.End(close + 1), line.At(end)), ")"));
  }
}

// The end of the operands after the opcode: where attributes begin, or the line ends.
size_t EndOfOperands(const RepairLine& line, size_t opcode) {
  size_t last = opcode + 1;
  while (last < line.size() && line.kind(last) != TokenKind::kAttributeName) ++last;
  if (last < line.size() && last > opcode + 1 && line.kind(last - 1) == TokenKind::kComma) --last;
  return last;
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
  // `x, init=zero)`: operands that are named.
  if (line.kind(open) == TokenKind::kLeftParen) {
    const size_t close = line.CloseOf(open);
    const std::vector<std::string> inside = NamesOfOperands(line, open, close);
    if (inside.size() > names.size()) {
      line.Write(line.End(opcode), line.End(close), absl::StrCat("(", absl::StrJoin(inside, ", "), ")"));
    }
  }
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

// Each number once, as indices are.
void AddConstantsForAll(RepairLine& line, const std::vector<size_t>& operands) {
  if (operands.size() < 2) return;
  for (const absl::string_view type : {"s32", "f32", "s64", "u32"}) {
    std::vector<std::pair<std::string, std::string>> names;  // of values
    std::string lines;
    std::vector<TextEdit> edits;
    for (const size_t i : operands) {
      const std::string value(line.word(i));
      auto known = std::find_if(names.begin(), names.end(), [&](const auto& name) { return name.first == value; });
      if (known == names.end()) {
        const std::string plain = absl::StrReplaceAll(value, {{".", "_"}, {"-", "minus_"}});
        names.emplace_back(value, line.Named(FreeName(line.document().module(), absl::StrCat("constant_", plain))));
        known = names.end() - 1;
        absl::StrAppend(&lines, line.Indentation(), known->second, " = ", type, "[] constant(", value, ")\n");
      }
      edits.push_back({{line.At(i), line.End(i)}, known->second});
    }
    edits.insert(edits.begin(), {{line.begin(), line.begin()}, lines});
    line.Add(absl::StrCat("make `", type, "[]` constants of the numbers"), std::move(edits));
  }
}

// `iota(64)`, `arange(0, 64)`: how many there are is in the shape.
void AddIota(RepairLine& line, size_t opcode) {
  if (line.word(opcode) != "iota" && NearestOpcode(line.word(opcode)) != "iota") return;
  const size_t rank = line.WrittenDimensions().size();
  for (size_t d = rank; d-- > 0;) {
    line.Write(line.At(opcode), line.line_end(), absl::StrCat("iota(), iota_dimension=", d));
  }
}

void AddConstants(RepairLine& line, size_t open) {
  const size_t close = line.CloseOf(open);
  const Module& module = line.document().module();
  const auto is_operand = [&](size_t i) {
    const TokenKind before = line.kind(i - 1);
    return (line.IsNumber(i) || line.kind(i) == TokenKind::kDecimal) &&
           (before == TokenKind::kLeftParen || before == TokenKind::kComma || before == TokenKind::kRightBracket ||
            before == TokenKind::kRightBrace);
  };
  std::vector<size_t> operands;
  int depth = 0;
  for (size_t i = open; i < close; ++i) {
    if (IsOpeningBracket(line.kind(i))) ++depth;
    if (IsClosingBracket(line.kind(i))) --depth;
    if (depth == 1 && i > open && is_operand(i)) operands.push_back(i);
  }
  AddConstantsForAll(line, operands);
  for (const size_t i : operands) {
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
  const std::string argument = absl::StrCat("(", number, ")");
  const std::string title = absl::StrCat("number it ", number);
  if (line.kind(opcode + 1) == TokenKind::kLeftParen) {
    line.ReplaceBetween(title, line.End(opcode), line.End(line.CloseOf(opcode + 1)), argument);
  }
  line.ReplaceBetween(title, line.End(opcode), line.line_end(), argument);
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
  AddIota(line, *opcode);
  if (line.word(*opcode) == "parameter") AddParameterNumber(line, *opcode);
}

}  // namespace hloscope
