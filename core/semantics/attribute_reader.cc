#include "core/semantics/attribute_reader.h"

#include <cfloat>
#include <cmath>
#include <numeric>
#include <optional>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "core/ir/default_layout.h"
#include "core/semantics/literal_reader.h"
#include "core/semantics/metadata_reader.h"
#include "core/semantics/shape_reader.h"
#include "core/semantics/sharding_reader.h"
#include "core/semantics/value_readers.h"

namespace hloscope {
namespace {

using Kind = TokenKind;

std::optional<int> ReadWord(TokenCursor& c, AttributeKind kind) {
  const Enumeration enumeration = InfoOf(kind).enumeration;
  // Some words are keywords or look like other tokens elsewhere: compare the text.
  const auto value = c.AtEnd() ? std::nullopt : WordValue(enumeration, c.text());
  if (value) {
    c.Advance();
    return value;
  }
  c.FailUnknownWord(AttributeName(kind), WordsOf(enumeration));
  return std::nullopt;
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

bool ReadComputations(TokenCursor& c, const NameResolver& resolve, std::vector<ComputationId>& ids) {
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
  return good && complete;
}

bool ReadInstructions(TokenCursor& c, const NameResolver& resolve, std::vector<InstructionId>& ids) {
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
    return false;
  }
  return good;
}

std::optional<DomainValue> ReadDomain(TokenCursor& c, Module& module) {
  DomainValue domain;
  bool has_kind = false, has_entry = false, has_exit = false;
  const SourceRange whole = c.range();
  if (!c.Expect(Kind::kLeftBrace)) return std::nullopt;
  while (c.At(Kind::kAttributeName)) {
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
    c.Eat(Kind::kComma);
  }
  if (!c.Expect(Kind::kRightBrace)) return std::nullopt;
  if (!has_kind || !has_entry || !has_exit) {
    c.Report(DiagnosticKind::kMissingField, whole, "domain", !has_kind ? "kind" : !has_entry ? "entry" : "exit");
    return std::nullopt;
  }
  return domain;
}

// `parameter_replication`, standing at its value: belongs to parameters and has a flag for each leaf of the shape.
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
  // Adds what was read if nothing is left over.
  const auto done = [&](auto&& value, auto add) {
    if (!value || !c.ExpectEnd()) return false;
    add(*std::forward<decltype(value)>(value));
    return true;
  };
  switch (InfoOf(kind).type) {
    case AttributeType::kBool:
      return done(c.Bool(), [&](bool v) { module.AddBool(id, kind, v, syntax); });
    case AttributeType::kInt:
      return done(c.Int(), [&](int64_t v) { module.AddInt(id, kind, v, syntax); });
    case AttributeType::kInt32:
      return done(c.IntIn(std::numeric_limits<int32_t>::min(), std::numeric_limits<int32_t>::max()),
                  [&](int64_t v) { module.AddInt(id, kind, v, syntax); });
    case AttributeType::kFloat: {
      const SourceRange range = c.range();
      const absl::string_view text = c.text();
      const auto value = c.Double();
      if (value && std::abs(*value) > FLT_MAX) {
        c.Report(DiagnosticKind::kValueOutOfRange, range, text, "it is beyond the largest f32");
        return false;
      }
      return done(value, [&](double v) { module.AddFloat(id, kind, v, syntax); });
    }
    case AttributeType::kString:
      return done(c.String(), [&](const std::string& v) { module.AddString(id, kind, v, syntax); });
    case AttributeType::kInts:
      return done(ReadInts(c), [&](std::vector<int64_t> v) {
        if (module.opcode(id) == Opcode::kMap && module.shape(id).IsArray()) {
          // A map works on all dimensions, whatever is written.
          v.resize(static_cast<size_t>(module.shape(id).rank()));
          std::iota(v.begin(), v.end(), 0);
        }
        module.AddInts(id, kind, v, syntax);
      });
    case AttributeType::kBools:
      if (!ReplicationIsAllowed(c, id, module)) return false;
      return done(ReadBools(c), [&](const std::vector<int64_t>& v) { module.AddInts(id, kind, v, syntax); });
    case AttributeType::kIntPairs:
    case AttributeType::kIntLists:
      return done(ReadIntLists(c),
                  [&](std::vector<std::vector<int64_t>> v) { module.AddIntLists(id, kind, std::move(v), syntax); });
    case AttributeType::kComputation: {
      uint32_t inline_index = 0;
      return done(ReadComputation(c, resolve, &inline_index),
                  [&](ComputationId v) { module.AddComputations(id, kind, {v}, syntax); });
    }
    case AttributeType::kComputations: {
      std::vector<ComputationId> ids;
      if (!ReadComputations(c, resolve, ids) || !c.ExpectEnd()) return false;
      module.AddComputations(id, kind, ids, syntax);
      return true;
    }
    case AttributeType::kWord:
      return done(ReadWord(c, kind), [&](int v) { module.AddWord(id, kind, v, syntax); });
    case AttributeType::kWords: {
      std::vector<int64_t> words;
      const bool good = c.ReadList(Kind::kLeftBrace, Kind::kRightBrace, false, [&] {
        const auto word = ReadWord(c, kind);
        if (word) words.push_back(*word);
        return word.has_value();
      });
      if (!good || !c.ExpectEnd()) return false;
      module.AddInts(id, kind, words, syntax);
      return true;
    }
    case AttributeType::kShape:
      return done(ReadShape(c), [&](const Shape& v) { module.AddShape(id, kind, v, syntax); });
    case AttributeType::kShapes:
      return done(ReadShapeList(c), [&](std::vector<Shape> v) {
        for (Shape& shape : v) shape = WithDefaultLayouts(shape);
        module.AddShapes(id, kind, std::move(v), syntax);
      });
    case AttributeType::kLiteral:
      return done(ReadLiteralWithShapes(c), [&](Literal v) { module.AddLiteral(id, kind, std::move(v), syntax); });
    case AttributeType::kAliasing:
      return done(ReadAliasing(c, false),
                  [&](std::vector<AliasEntry> v) { module.AddAliasing(id, kind, std::move(v), syntax); });
    case AttributeType::kReplicaGroups:
      return done(ReadReplicaGroups(c), [&](ReplicaGroups v) { module.AddReplicaGroups(id, std::move(v), syntax); });
    case AttributeType::kWindow:
      return done(ReadWindow(c), [&](Window v) { module.AddWindow(id, std::move(v), syntax); });
    case AttributeType::kDimLabels:
      return done(ReadDimLabels(c),
                  [&](ConvolutionDimensionNumbers v) { module.AddDimLabels(id, std::move(v), syntax); });
    case AttributeType::kPadding:
      return done(ReadPadding(c), [&](PaddingConfig v) { module.AddPadding(id, std::move(v), syntax); });
    case AttributeType::kSliceRanges:
      return done(ReadSliceRanges(c),
                  [&](std::vector<SliceRange> v) { module.AddSliceRanges(id, std::move(v), syntax); });
    case AttributeType::kSparsity:
      return done(ReadSparsity(c), [&](SparsityConfig v) { module.AddSparsity(id, std::move(v), syntax); });
    case AttributeType::kRaw: {
      auto raw = ReadRaw(c);
      // An empty string counts as absent.
      if (raw && raw->text.empty()) return c.ExpectEnd();
      return done(std::move(raw), [&](RawValue v) { module.AddRaw(id, kind, std::move(v), syntax); });
    }
    case AttributeType::kSharding:
      return done(ReadSharding(c, module), [&](Sharding v) { module.AddSharding(id, std::move(v), syntax); });
    case AttributeType::kFrontendAttributes:
      return done(ReadFrontendAttributes(c),
                  [&](FrontendAttributes v) { module.AddFrontendAttributes(id, std::move(v), syntax); });
    case AttributeType::kStatistics:
      return done(ReadStatistics(c), [&](Statistics v) { module.AddStatistics(id, std::move(v), syntax); });
    case AttributeType::kInstructions: {
      std::vector<InstructionId> ids;
      if (!ReadInstructions(c, resolve, ids) || !c.ExpectEnd()) return false;
      module.AddInstructions(id, kind, ids, syntax);
      return true;
    }
    case AttributeType::kOrigin:
      return done(ReadOrigin(c), [&](Origin v) { module.AddOrigin(id, std::move(v), syntax); });
    case AttributeType::kMetadata:
      return done(ReadMetadata(c, module), [&](const Metadata& v) { module.AddMetadata(id, v, syntax); });
    case AttributeType::kResultAccuracy:
      return done(ReadResultAccuracy(c), [&](ResultAccuracy v) { module.AddResultAccuracy(id, v, syntax); });
    case AttributeType::kDomain:
      return done(ReadDomain(c, module), [&](DomainValue v) { module.AddDomain(id, std::move(v), syntax); });
  }
  return false;
}

}  // namespace hloscope
