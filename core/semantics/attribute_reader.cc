// SPDX-License-Identifier: Apache-2.0
#include "core/semantics/attribute_reader.h"

#include <array>
#include <cfloat>
#include <cmath>
#include <numeric>
#include <optional>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "core/ir/attribute_adder.h"
#include "core/ir/default_layout.h"
#include "core/semantics/literal_reader.h"
#include "core/semantics/metadata_reader.h"
#include "core/semantics/shape_reader.h"
#include "core/semantics/sharding_reader.h"
#include "core/semantics/value_readers.h"

namespace hloscope {
namespace {

using Kind = TokenKind;

std::optional<double> ReadFloat(TokenCursor& c) {
  const SourceRange range = c.range();
  const absl::string_view text = c.text();
  const std::optional<double> value = c.Double();
  // NaN is no number that is too large.
  if (!value || !(std::abs(*value) > FLT_MAX)) return value;
  c.Report(DiagnosticKind::kValueOutOfRange, range, text, "it is beyond the largest f32");
  return std::nullopt;
}

// A list of integers that belongs to instruction `id`.
std::optional<std::vector<int64_t>> ReadDimensions(TokenCursor& c, const Module& module, InstructionId id) {
  std::optional<std::vector<int64_t>> list = ReadInts(c);
  if (list && module.opcode(id) == Opcode::kMap && module.shape(id).IsArray()) {
    // A map works on all dimensions, whatever is written.
    list->resize(static_cast<size_t>(module.shape(id).rank()));
    std::iota(list->begin(), list->end(), 0);
  }
  return list;
}

std::optional<std::vector<Shape>> ReadShapes(TokenCursor& c) {
  std::optional<std::vector<Shape>> shapes = ReadShapeList(c);
  if (!shapes) return std::nullopt;
  for (Shape& shape : *shapes) shape = WithDefaultLayouts(shape);
  return shapes;
}

std::optional<Word> ReadWord(TokenCursor& c, AttributeKind kind) {
  const Enumeration enumeration = InfoOf(kind).enumeration;
  // Some words are keywords or look like other tokens elsewhere: compare the text.
  const auto value = c.AtEnd() ? std::nullopt : WordValue(enumeration, c.text());
  if (value) {
    c.Advance();
    return Word{enumeration, static_cast<size_t>(*value)};
  }
  c.FailUnknownWord(AttributeName(kind), WordsOf(enumeration));
  return std::nullopt;
}

std::optional<std::vector<int64_t>> ReadWords(TokenCursor& c, AttributeKind kind) {
  std::vector<int64_t> words;
  const bool good = c.ReadList(Kind::kLeftBrace, Kind::kRightBrace, false, [&] {
    const std::optional<Word> word = ReadWord(c, kind);
    if (word) words.push_back(static_cast<int64_t>(word->word));
    return word.has_value();
  });
  if (!good) return std::nullopt;
  return words;
}

// A name or an inline body; `inline_index` counts the bodies met so far.
std::optional<ComputationId> ReadComputation(TokenCursor& c, const NameResolver& resolve, uint32_t* inline_index) {
  if (c.At(Kind::kLeftBrace)) {
    const ComputationId id = resolve.inline_computation(*inline_index);
    ++*inline_index;
    if (!id.has_value()) {
      if (c.Peek() == Kind::kRightBrace) {
        c.Fail(DiagnosticKind::kEmptyComputation, "_");
      } else {
        c.FailExpected("the name of a computation or a body of instructions");
      }
      return std::nullopt;
    }
    // The body has been read: skip its tokens.
    int64_t depth = 0;
    do {
      if (c.At(Kind::kLeftBrace)) ++depth;
      if (c.At(Kind::kRightBrace)) --depth;
      c.Advance();
    } while (depth > 0 && !c.AtEnd());
    return id;
  }
  if (!c.At(Kind::kName) && !c.At(Kind::kIdentifier)) {
    c.FailExpected("the name of a computation");
    return std::nullopt;
  }
  const ComputationId id = resolve.computation(c.name(), c.range());
  c.Advance();
  if (!id.has_value()) return std::nullopt;
  return id;
}

std::optional<std::array<ComputationId, 1>> ReadOneComputation(TokenCursor& c, const NameResolver& resolve) {
  uint32_t inline_index = 0;
  const std::optional<ComputationId> id = ReadComputation(c, resolve, &inline_index);
  if (!id) return std::nullopt;
  return std::array<ComputationId, 1>{*id};
}

std::optional<std::vector<ComputationId>> ReadComputations(TokenCursor& c, const NameResolver& resolve) {
  std::vector<ComputationId> ids;
  uint32_t inline_index = 0;
  bool good = true;
  const bool complete = c.ReadList(Kind::kLeftBrace, Kind::kRightBrace, false, [&] {
    const TokenIndex first = c.position();
    const auto id = ReadComputation(c, resolve, &inline_index);
    if (id) ids.push_back(*id);
    // Go on after an unknown name: the next one may be unknown too.
    good = good && id.has_value();
    return c.position() > first;
  });
  if (!good || !complete) return std::nullopt;
  return ids;
}

std::optional<std::vector<InstructionId>> ReadInstructions(TokenCursor& c, const NameResolver& resolve) {
  std::vector<InstructionId> ids;
  const SourceRange open = c.range();
  const bool good = c.ReadList(Kind::kLeftBrace, Kind::kRightBrace, false, [&] {
    if (!c.At(Kind::kName) && !c.At(Kind::kIdentifier)) return c.FailExpected("the name of an instruction");
    const InstructionId id = resolve.instruction(c.name(), c.range());
    if (id.has_value()) ids.push_back(id);
    c.Advance();
    return true;
  });
  if (good && c.tokens().begin(c.position() - 1) == open.end) {
    // `{}` is not accepted here.
    c.Report(DiagnosticKind::kBadValue, SourceRange{open.begin, open.end + 1}, c.subject(),
             "the name of an instruction", "`{}`");
    return std::nullopt;
  }
  if (!good) return std::nullopt;
  return ids;
}

std::optional<DomainValue> ReadDomain(TokenCursor& c, Module& module) {
  DomainValue domain;
  bool has_kind = false, has_entry = false, has_exit = false;
  const SourceRange whole = c.range();
  if (!c.Expect(Kind::kLeftBrace)) return std::nullopt;
  while (!c.At(Kind::kRightBrace)) {
    // Allowed before every field, the first too.
    if (c.Eat(Kind::kComma) && c.At(Kind::kRightBrace)) {
      c.FailSurplusComma();
      return std::nullopt;
    }
    if (!c.At(Kind::kAttributeName)) {
      c.FailExpected("`name=value` or `}`");
      return std::nullopt;
    }
    const absl::string_view field = c.name();
    if (field != "kind" && field != "entry" && field != "exit") {
      static constexpr absl::string_view kFields[] = {"kind", "entry", "exit"};
      c.FailUnknownField("domain", kFields);
      return std::nullopt;
    }
    bool& has = field == "kind" ? has_kind : field == "entry" ? has_entry : has_exit;
    if (has) {
      c.FailDuplicateField();
      return std::nullopt;
    }
    has = true;
    c.Advance();
    if (field == "kind") {
      auto kind = c.String();
      if (!kind) return std::nullopt;
      domain.kind = *std::move(kind);
    } else {
      auto sharding = ReadSharding(c, module);
      if (!sharding) return std::nullopt;
      (field == "entry" ? domain.entry : domain.exit) = *std::move(sharding);
    }
  }
  if (!c.Expect(Kind::kRightBrace)) return std::nullopt;
  if (!has_kind || !has_entry || !has_exit) {
    c.Report(DiagnosticKind::kMissingField, whole, "domain", !has_kind ? "kind" : !has_entry ? "entry" : "exit");
    return std::nullopt;
  }
  return domain;
}

// At the value of `parameter_replication`: it belongs to parameters and has a flag for each leaf of the shape.
bool ReplicationIsAllowed(TokenCursor& c, InstructionId id, const Module& module) {
  if (module.opcode(id) != Opcode::kParameter) {
    return c.Fail(DiagnosticKind::kUnknownAttribute, OpcodeName(module.opcode(id)),
                  AttributeName(AttributeKind::kParameterReplication), "; it belongs to parameters");
  }
  if (!module.shape(id).IsValid()) return true;
  DiagnosticSink ignored;  // a malformed list is reported when it is read
  TokenCursor ahead(c.source(), c.tokens(), ignored, TokenRange{c.position(), c.end()}, c.subject());
  const auto flags = ReadBools(ahead);
  const int64_t leaves = module.shape(id).LeafCount();
  if (!flags || static_cast<int64_t>(flags->size()) == leaves) return true;
  return c.Fail(DiagnosticKind::kBadValue, AttributeName(AttributeKind::kParameterReplication),
                absl::StrCat(leaves, leaves == 1 ? " flag" : " flags", ", one for each array of the shape"),
                absl::StrCat(flags->size()));
}

}  // namespace

bool ReadAttribute(TokenCursor& c, AttributeKind kind, uint32_t syntax, const NameResolver& resolve, InstructionId id,
                   Module& module) {
  const AttributeAdder add = {module, id, kind, syntax};
  // Adds what was read if nothing is left over.
  const auto done = [&](auto value) {
    if (!value || !c.ExpectEnd()) return false;
    add(*std::move(value));
    return true;
  };
  switch (InfoOf(kind).type) {
    case AttributeType::kBool:
      return done(c.Bool());
    case AttributeType::kInt:
      return done(c.Int());
    case AttributeType::kInt32:
      return done(c.IntIn(std::numeric_limits<int32_t>::min(), std::numeric_limits<int32_t>::max()));
    case AttributeType::kFloat:
      return done(ReadFloat(c));
    case AttributeType::kString:
      return done(c.String());
    case AttributeType::kInts:
      return done(ReadDimensions(c, module, id));
    case AttributeType::kBools:
      return ReplicationIsAllowed(c, id, module) && done(ReadBools(c));
    case AttributeType::kIntPairs:
    case AttributeType::kIntLists:
      return done(ReadIntLists(c));
    case AttributeType::kComputation:
      return done(ReadOneComputation(c, resolve));
    case AttributeType::kComputations:
      return done(ReadComputations(c, resolve));
    case AttributeType::kWord:
      return done(ReadWord(c, kind));
    case AttributeType::kWords:
      return done(ReadWords(c, kind));
    case AttributeType::kShape:
      return done(ReadShape(c));
    case AttributeType::kShapes:
      return done(ReadShapes(c));
    case AttributeType::kLiteral:
      return done(ReadLiteralWithShapes(c));
    case AttributeType::kAliasing:
      return done(ReadAliasing(c, false));
    case AttributeType::kReplicaGroups:
      return done(ReadReplicaGroups(c));
    case AttributeType::kWindow:
      return done(ReadWindow(c));
    case AttributeType::kDimLabels:
      return done(ReadDimLabels(c));
    case AttributeType::kPadding:
      return done(ReadPadding(c));
    case AttributeType::kSliceRanges:
      return done(ReadSliceRanges(c));
    case AttributeType::kSparsity:
      return done(ReadSparsity(c));
    case AttributeType::kBlockScaling:
      return done(ReadBlockScaling(c));
    case AttributeType::kRaw: {
      auto raw = ReadRaw(c);
      // An empty string counts as absent.
      if (raw && raw->text.empty()) return c.ExpectEnd();
      return done(std::move(raw));
    }
    case AttributeType::kSharding:
      return done(ReadSharding(c, module));
    case AttributeType::kFrontendAttributes:
      return done(ReadFrontendAttributes(c));
    case AttributeType::kStatistics:
      return done(ReadStatistics(c));
    case AttributeType::kInstructions:
      return done(ReadInstructions(c, resolve));
    case AttributeType::kOrigin:
      return done(ReadOrigin(c));
    case AttributeType::kMetadata:
      return done(ReadMetadata(c, module));
    case AttributeType::kResultAccuracy:
      return done(ReadResultAccuracy(c));
    case AttributeType::kDomain:
      return done(ReadDomain(c, module));
  }
  return false;
}

}  // namespace hloscope
