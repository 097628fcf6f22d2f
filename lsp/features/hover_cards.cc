// SPDX-License-Identifier: Apache-2.0
#include "lsp/features/hover_cards.h"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "core/analysis/cost.h"
#include "core/analysis/sharding_places.h"
#include "core/analysis/source_frames.h"
#include "core/diagnostics/count_text.h"
#include "core/editing/instruction_text.h"
#include "core/layout/byte_size.h"
#include "core/layout/physical_layout.h"
#include "core/ops/attribute_defaults.h"
#include "core/ops/replica_groups.h"
#include "core/resources/resources.h"
#include "evaluator/tensor/summary.h"
#include "evaluator/tensor/value.h"
#include "lsp/features/markdown.h"
#include "reports/layout_text.h"

namespace hloscope::lsp {
namespace {

// Lists longer than this are cut and say how many entries are missing.
constexpr size_t kMaxListed = 8;
constexpr size_t kMaxFrames = 6;
// Bytes of the value of a constant and of a shape that are shown.
constexpr size_t kMaxValueBytes = 80;
constexpr size_t kMaxShapeBytesOfCard = 300;

std::string JoinSections(const std::vector<std::string>& sections) { return absl::StrJoin(sections, "\n\n"); }

std::string ShapeText(const Shape& shape) {
  return shape.IsValid() ? ShortenText(shape.ToString(), kMaxShapeBytesOfCard) : "(unknown shape)";
}

std::string NameOf(const Module& module, InstructionId id) {
  return id.has_value() ? std::string(module.InstructionName(id)) : "(unknown)";
}

// "a, b, c" of at most kMaxListed entries.
template <typename List, typename Format>
std::string JoinListed(const List& list, absl::string_view separator, Format format) {
  std::string out;
  size_t count = 0;
  for (const auto& entry : list) {
    if (count == kMaxListed) {
      absl::StrAppend(&out, separator, "and ", list.size() - kMaxListed, " more");
      break;
    }
    absl::StrAppend(&out, count++ == 0 ? "" : separator, format(entry));
  }
  return out;
}

// "128 elements, 512 bytes".
std::string SizeText(const Shape& shape) {
  if (!shape.IsValid()) return "unknown";
  if (shape.IsToken()) return "a token: it orders side effects and holds no data";
  if (shape.IsOpaque()) return "an opaque handle without a known size";
  if (shape.HasUnboundedDimension()) return "unbounded";
  const absl::string_view bound = shape.IsDynamic() ? "at most " : "";
  if (shape.IsArray()) {
    const int64_t count = shape.ElementCount();
    return absl::StrCat(
        bound, shape.IsScalar() ? "a scalar" : absl::StrCat(FormatCount(count), count == 1 ? " element" : " elements"),
        ", ", FormatBytes(shape.ByteSize()));
  }
  if (shape.IsTuple()) {
    return absl::StrCat(
        "a tuple of ", shape.tuple_size(),
        shape.LeafCount() == shape.tuple_size() ? "" : absl::StrCat(" (", shape.LeafCount(), " leaves)"), ", ", bound,
        FormatBytes(shape.ByteSize()));
  }
  return absl::StrCat("a buffer, ", bound, FormatBytes(shape.ByteSize()));
}

// What is between the parentheses of a parameter or constant, as written.
std::string ArgumentText(const Document& document, InstructionId id) {
  if (!document.module().instruction(id).syntax.has_value()) return "";
  const InstructionText text(document, id);
  if (text.node().arguments.empty()) return "";
  return ShortenText(document.source().Slice(text.RangeOf(text.node().arguments)), kMaxValueBytes);
}

std::string InstructionLine(const Document& document, InstructionId id) {
  const Module& module = document.module();
  const Opcode opcode = module.opcode(id);
  const bool is_root = module.computation(module.instruction(id).computation).root == id;
  std::string arguments;
  if (opcode == Opcode::kParameter || opcode == Opcode::kConstant) {
    arguments = ArgumentText(document, id);
  } else {
    arguments = JoinListed(module.operands(id), ", ", [&](InstructionId operand) { return NameOf(module, operand); });
  }
  return absl::StrCat(is_root ? "ROOT " : "", module.InstructionName(id), " = ", ShapeText(module.shape(id)), " ",
                      opcode == Opcode::kInvalid ? "(unknown opcode)" : OpcodeName(opcode), "(", arguments, ")");
}

// op_name and the stack of source positions; empty if the metadata says neither.
std::string OriginText(const Module& module, InstructionId id) {
  const Metadata* metadata = module.MetadataOf(id);
  if (metadata == nullptr) return "";
  std::vector<std::string> lines;
  if (const absl::string_view op_name = module.string(metadata->op_name); !op_name.empty()) {
    lines.push_back(absl::StrCat("**Framework operation:** ", MarkdownCode(op_name)));
    if (const size_t slash = op_name.rfind('/'); slash != absl::string_view::npos && slash > 0)
      lines.push_back(absl::StrCat("**Scope:** ", MarkdownCode(op_name.substr(0, slash))));
  }
  if (std::string frames = FramesText(SourceFramesOf(module, *metadata)); !frames.empty())
    lines.push_back(std::move(frames));
  return absl::StrJoin(lines, "  \n");
}

absl::string_view DescribeAttributeType(AttributeType type) {
  switch (type) {
    case AttributeType::kBool:
      return "`true` or `false`";
    case AttributeType::kInt:
      return "an integer";
    case AttributeType::kInt32:
      return "a 32-bit integer";
    case AttributeType::kFloat:
      return "a number";
    case AttributeType::kString:
      return "a string";
    case AttributeType::kInts:
      return "a list of integers, `{0,1}`";
    case AttributeType::kIntPairs:
      return "a list of pairs, `{{0,1},{1,0}}`";
    case AttributeType::kIntLists:
      return "a list of integer lists, `{{1,2},{3,4}}`";
    case AttributeType::kBools:
      return "a list of booleans, `{true,false}`";
    case AttributeType::kComputation:
      return "a computation: its name, or its body in braces";
    case AttributeType::kComputations:
      return "computations in braces, `{a, b}`";
    case AttributeType::kWord:
      return "one word";
    case AttributeType::kWords:
      return "a list of words in braces";
    case AttributeType::kShape:
      return "a shape, `f32[2,3]{1,0}`";
    case AttributeType::kShapes:
      return "a list of shapes in braces";
    case AttributeType::kLiteral:
      return "a literal with its shape, `s32[2] {1, 2}`";
    case AttributeType::kAliasing:
      return "pairs of buffers, `{{0}: (1, {})}`";
    case AttributeType::kReplicaGroups:
      return "groups of devices, `{{0,1},{2,3}}` or `[2,2]<=[4]`";
    case AttributeType::kWindow:
      return "a window, `{size=3x3 stride=2x2 pad=1_1x1_1}`";
    case AttributeType::kDimLabels:
      return "dimension labels of both operands and the result, `b01f_01io->b01f`";
    case AttributeType::kPadding:
      return "`low_high` or `low_high_interior` of each dimension, joined by `x`";
    case AttributeType::kSliceRanges:
      return "`[start:limit:stride]` of each dimension in braces";
    case AttributeType::kSparsity:
      return "a sparsity description";
    case AttributeType::kBlockScaling:
      return "operands with scales, `{lhs={scale_idx=2 strides=1x32 steps=1x1}}`";
    case AttributeType::kRaw:
      return "a string, or any balanced text in braces";
    case AttributeType::kSharding:
      return "a sharding, `{replicated}` or `{devices=[2,1]0,1}`";
    case AttributeType::kFrontendAttributes:
      return "pairs, `{key=\"value\"}`";
    case AttributeType::kStatistics:
      return "named numbers, `{visualizing_index=0,a=1.5}`";
    case AttributeType::kInstructions:
      return "instructions of the same computation in braces";
    case AttributeType::kOrigin:
      return "an origin value in braces";
    case AttributeType::kMetadata:
      return "fields in braces, `{op_name=\"add\" source_line=3}`";
    case AttributeType::kResultAccuracy:
      return "`{mode=default}`, `{mode=highest}` or `{tolerance={atol=0,rtol=0,ulps=2}}`";
    case AttributeType::kDomain:
      return "`{kind=..., entry=..., exit=...}`";
  }
  return "";
}

std::string LayoutText(const Shape& shape) {
  if (!shape.IsArray() || !shape.has_layout() || shape.rank() == 0) return "";
  const Layout& layout = shape.layout();
  std::string text = absl::StrCat("**Layout:** ", MarkdownCode(layout.ToString()), ", ");
  if (layout.minor_to_major == Layout::RowMajor(shape.rank()).minor_to_major) {
    absl::StrAppend(&text, "row-major");
  } else {
    absl::StrAppend(&text, "dimensions from fastest to slowest varying: ", absl::StrJoin(layout.minor_to_major, ", "));
  }
  if (!layout.tiles.empty()) absl::StrAppend(&text, "; tiled");
  if (layout.memory_space != 0) absl::StrAppend(&text, "; memory space ", layout.memory_space);
  if (layout.element_size_in_bits != 0) absl::StrAppend(&text, "; ", layout.element_size_in_bits, " bits per element");
  return text;
}

// Kind of value, accepted words.
std::string ValueText(AttributeKind kind) {
  const AttributeInfo& info = InfoOf(kind);
  std::string value = absl::StrCat("**Value:** ", DescribeAttributeType(info.type));
  if (info.enumeration != Enumeration::kNone) {
    const absl::Span<const absl::string_view> words = WordsOf(info.enumeration);
    absl::StrAppend(&value, " out of ", absl::StrJoin(words, ", ", [](std::string* out, absl::string_view word) {
      absl::StrAppend(out, "`", word, "`");
    }));
  }
  return value;
}

std::string DefaultText(const std::optional<AttributeDefault>& value) {
  if (!value.has_value()) return "";
  return absl::StrCat("**Default:** ", value->is_value ? MarkdownCode(value->text) : std::string(value->text));
}

// What an instruction calls is not summed up beyond so many instructions: an answer takes two milliseconds at most.
constexpr size_t kMaxCostAnalysis = 3000;
constexpr size_t kMaxShards = 16;
constexpr int64_t kMaxDevices = 1 << 12;
constexpr size_t kMaxDrawing = 1600;
constexpr int64_t kMaxStatistics = 1 << 18;

// Empty for what neither computes nor moves anything.
std::string CostText(const Module& module, InstructionId id) {
  const std::optional<Cost> cost = CostAnalysis::OfOne(module, id, kMaxCostAnalysis);
  if (!cost.has_value() || *cost == Cost()) return "";
  return absl::StrCat("**Cost:** ", FormatCount(cost->flops), cost->flops == 1 ? " operation, " : " operations, ",
                      ShortBytes(cost->bytes_read), " read, ", ShortBytes(cost->bytes_written), " written");
}

// The user that comes last in the text.
InstructionId LastUser(const Document& document, InstructionId id) {
  InstructionId last;
  for (InstructionId user : document.users().users(id)) {
    if (!last.has_value() || document.InstructionRange(user).begin > document.InstructionRange(last).begin) last = user;
  }
  return last;
}

// What each device holds of the instruction's result.
std::string ShardingText(const Module& module, InstructionId id) {
  const Sharding* sharding = module.ShardingAttribute(id);
  if (sharding == nullptr) return "";
  std::string text = DescribeSharding(*sharding);
  const std::vector<ShardPlace> places = PlacesOfShards(*sharding, module.shape(id), kMaxShards);
  for (const ShardPlace& place : places) {
    absl::StrAppend(&text, "\n- device ", place.device, ": ",
                    MarkdownCode(absl::StrCat("[",
                                              absl::StrJoin(place.ranges, ", ",
                                                            [](std::string* out, const SliceRange& range) {
                                                              absl::StrAppend(out, range.start, ":", range.limit);
                                                            }),
                                              "]")));
  }
  if (places.size() == kMaxShards) absl::StrAppend(&text, "\n- ...");
  return text;
}

// What the ids of a collective's groups number.
absl::string_view GroupMembers(GroupingMode mode) {
  switch (mode) {
    case GroupingMode::kCrossReplica:
      return "Ids are replicas; each partition has groups of its own.";
    case GroupingMode::kCrossPartition:
      return "Ids are partitions; each replica has groups of its own.";
    case GroupingMode::kCrossReplicaAndPartition:
      return "Ids are replicas; a group has all partitions of them.";
    case GroupingMode::kFlattenedId:
      return "Ids are devices: replica * partitions + partition.";
  }
  return "";
}

// The groups one by one, whatever the notation.
std::string ReplicaGroupsText(const Module& module, InstructionId id) {
  const ReplicaGroups* written = module.ReplicaGroupsAttribute(id);
  if (written == nullptr) return "";
  std::string text(GroupMembers(GroupingModeOf(module, id)));
  const std::vector<int64_t>& iota = written->iota.dims;
  const bool is_small = written->form == ReplicaGroups::Form::kExplicit ||
                        (written->form == ReplicaGroups::Form::kIota && iota.size() == 2 && iota[0] <= kMaxDevices &&
                         iota[1] <= kMaxDevices / std::max<int64_t>(iota[0], 1));
  if (!is_small) return text;
  const std::vector<std::vector<int64_t>> groups = written->Expand();
  if (groups.empty()) return text;
  return absl::StrCat(text, "\n\n**Groups (", groups.size(), "):** ",
                      JoinListed(groups, ", ", [](const std::vector<int64_t>& group) {
                        return MarkdownCode(absl::StrCat("{", absl::StrJoin(group, ","), "}"), kMaxValueBytes);
                      }));
}

// Where the elements are in memory, as text, if that is small enough to be read.
std::string Drawing(const Shape& shape) {
  if (!shape.IsArray() || shape.rank() == 0 || shape.HasUnboundedDimension()) return "";
  const absl::StatusOr<PhysicalLayout> layout = PhysicalLayout::Of(shape);
  if (!layout.ok()) return "";
  reports::LayoutTextOptions options;
  options.width = 76;
  const std::string text = hloscope::reports::LayoutText(*layout, options);
  if (text.size() > kMaxDrawing) return "";
  return absl::StrCat("```text\n", text, "```");
}

}  // namespace

std::string FramesText(const std::vector<SourceFrame>& frames) {
  std::vector<std::string> lines;
  for (size_t i = 0; i < frames.size() && i < kMaxFrames; ++i) {
    const SourceFrame& frame = frames[i];
    std::string place(frame.file);
    if (frame.line > 0) absl::StrAppend(&place, ":", frame.line);
    if (frame.line > 0 && frame.column > 0) absl::StrAppend(&place, ":", frame.column);
    std::string line = absl::StrCat(i == 0 ? "**Source:** " : "called from ", MarkdownCode(place));
    if (!frame.function.empty()) absl::StrAppend(&line, " in ", MarkdownCode(frame.function));
    lines.push_back(std::move(line));
  }
  if (frames.size() > kMaxFrames)
    lines.push_back(absl::StrCat("and ", CountOf(frames.size() - kMaxFrames, "more frame")));
  return absl::StrJoin(lines, "  \n");
}

std::string LiteralFacts(const Module& module, InstructionId id) {
  if (module.opcode(id) != Opcode::kConstant || !module.instruction(id).literal.has_value()) return "";
  const Literal& literal = module.literal(id);
  if (!literal.shape().IsArray() || literal.shape().IsScalar() || literal.shape().ElementCount() > kMaxStatistics)
    return "";
  if (literal.IsElided()) return "**Value:** left out of the text";
  const absl::StatusOr<evaluator::Value> value = evaluator::Value::FromLiteral(literal);
  if (!value.ok() || !value->IsTensor() || value->tensor().element_count() == 0) return "";
  const evaluator::TensorSummary summary = evaluator::Summarize(value->tensor());
  std::string text =
      absl::StrFormat("**Values:** %g to %g, mean %g, standard deviation %g, %d of %d zero", summary.min, summary.max,
                      summary.mean, summary.standard_deviation, summary.zero_count, summary.count);
  if (summary.nan_count > 0) absl::StrAppend(&text, ", ", summary.nan_count, " NaN");
  if (summary.infinity_count > 0) absl::StrAppend(&text, ", ", summary.infinity_count, " infinite");
  return text;
}

std::string InstructionCard(const Document& document, InstructionId id) {
  const Module& module = document.module();
  std::vector<std::string> sections = {MarkdownHloBlock(InstructionLine(document, id))};
  sections.push_back(absl::StrCat("**Size:** ", SizeText(module.shape(id))));

  const absl::Span<const InstructionId> operands = module.operands(id);
  if (!operands.empty()) {
    sections.push_back(absl::StrCat("**Operands:** ", JoinListed(operands, ", ", [&](InstructionId operand) {
                                      if (!operand.has_value()) return NameOf(module, operand);
                                      return absl::StrCat(MarkdownCode(module.InstructionName(operand)), " ",
                                                          MarkdownCode(ShapeText(module.shape(operand))));
                                    })));
  }
  const absl::Span<const InstructionId> users = document.users().users(id);
  const bool is_root = module.computation(module.instruction(id).computation).root == id;
  if (users.empty()) {
    sections.push_back(is_root ? "**Users:** none; the result of its computation" : "**Users:** none");
  } else {
    sections.push_back(absl::StrCat(
        "**Users (", users.size(), "):** ",
        JoinListed(users, ", ", [&](InstructionId user) { return MarkdownCode(module.InstructionName(user)); })));
    if (users.size() > 1)
      sections.back() += absl::StrCat("; the last is ", MarkdownCode(module.InstructionName(LastUser(document, id))));
  }
  if (std::string text = LiteralFacts(module, id); !text.empty()) sections.push_back(std::move(text));
  if (std::string text = CostText(module, id); !text.empty()) sections.push_back(std::move(text));
  std::vector<std::string> called;
  module.ForEachCalledComputation(id, [&](AttributeKind kind, ComputationId computation) {
    if (!computation.has_value()) return;
    called.push_back(absl::StrCat(AttributeName(kind), " ", MarkdownCode(module.ComputationName(computation))));
  });
  if (!called.empty()) {
    sections.push_back(
        absl::StrCat("**Calls:** ", JoinListed(called, ", ", [](const std::string& text) { return text; })));
  }
  if (std::string origin = OriginText(module, id); !origin.empty()) sections.push_back(std::move(origin));
  return JoinSections(sections);
}

std::string ShapeFacts(const Shape& shape) {
  std::vector<std::string> sections = {MarkdownHloBlock(ShapeText(shape))};
  sections.push_back(absl::StrCat("**Size:** ", SizeText(shape)));
  if (std::string layout = LayoutText(shape); !layout.empty()) sections.push_back(std::move(layout));
  if (shape.IsValid() && PhysicalBytes(shape) != DataBytes(shape))
    sections.push_back(absl::StrCat("**In memory:** ", FormatBytes(PhysicalBytes(shape)), " with padding"));
  if (std::string drawing = Drawing(shape); !drawing.empty()) sections.push_back(std::move(drawing));
  return JoinSections(sections);
}

std::string ShapeCard(const Document& document, InstructionId id) {
  const Module& module = document.module();
  if (!module.shape(id).IsValid()) return "";
  return JoinSections(
      {ShapeFacts(module.shape(id)), absl::StrCat("Result of ", MarkdownCode(module.InstructionName(id)))});
}

std::string PageLead(Opcode opcode, const std::string& resource_directory) {
  if (opcode == Opcode::kInvalid) return "";
  const std::optional<std::string> page = ReadOpPage(resource_directory, opcode);
  if (!page.has_value()) return "";
  const absl::string_view lead = absl::string_view(*page).substr(0, page->find("\n## "));
  const size_t title_end = lead.find('\n');
  if (title_end == absl::string_view::npos) return "";
  return absl::StrCat("\n\n---\n\n", absl::StripAsciiWhitespace(lead.substr(title_end)));
}

std::string OpcodeCard(Opcode opcode) {
  const OpcodeInfo& info = InfoOf(opcode);
  std::vector<std::string> sections = {absl::StrCat("### ", info.name)};
  std::string operands = info.arity < 0    ? "Takes a varying number of operands."
                         : info.arity == 1 ? "Takes one operand."
                                           : absl::StrCat("Takes ", info.arity, " operands.");
  if (info.shape_can_be_omitted) operands += " The result shape may be left out of the text.";
  sections.push_back(std::move(operands));
  if (!info.attributes.empty()) {
    std::vector<std::string> lines;
    for (AttributeKind kind : info.attributes) {
      const bool required = std::find(info.required.begin(), info.required.end(), kind) != info.required.end();
      lines.push_back(
          absl::StrCat("- `", AttributeName(kind), "`", required ? " (required)" : "", ": ", InfoOf(kind).doc));
    }
    sections.push_back(absl::StrJoin(lines, "\n"));
  }
  return JoinSections(sections);
}

std::string AttributeCard(const Module& module, InstructionId id, AttributeKind kind, absl::string_view meaning) {
  const Opcode opcode = module.opcode(id);
  std::string head = absl::StrCat("**`", AttributeName(kind), "`**");
  std::optional<AttributeDefault> default_value;
  if (opcode != Opcode::kInvalid) {
    const absl::Span<const AttributeKind> required = InfoOf(opcode).required;
    const bool is_required = std::find(required.begin(), required.end(), kind) != required.end();
    absl::StrAppend(&head, " of `", OpcodeName(opcode), "`", is_required ? " (required)" : "");
    default_value = DefaultOf(opcode, kind);
  }
  std::vector<std::string> sections = {std::move(head), std::string(meaning.empty() ? InfoOf(kind).doc : meaning)};
  if (kind == AttributeKind::kSharding) {
    if (std::string text = ShardingText(module, id); !text.empty()) sections.push_back(std::move(text));
  }
  if (kind == AttributeKind::kReplicaGroups) {
    if (std::string text = ReplicaGroupsText(module, id); !text.empty()) sections.push_back(std::move(text));
  }
  if (kind == AttributeKind::kMetadata) {
    if (std::string origin = OriginText(module, id); !origin.empty()) sections.push_back(std::move(origin));
  }
  sections.push_back(ValueText(kind));
  if (std::string text = DefaultText(default_value); !text.empty()) sections.push_back(std::move(text));
  return JoinSections(sections);
}

std::string AttributeCard(AttributeKind kind) {
  std::vector<std::string> sections = {absl::StrCat("**`", AttributeName(kind), "`**"), std::string(InfoOf(kind).doc),
                                       ValueText(kind)};
  if (std::string text = DefaultText(DefaultOf(kind)); !text.empty()) sections.push_back(std::move(text));
  return JoinSections(sections);
}

std::string ComputationCard(const Document& document, ComputationId id) {
  const Module& module = document.module();
  const Computation& computation = module.computation(id);
  const std::string parameters = JoinListed(computation.parameters, ", ", [&](InstructionId parameter) {
    if (!parameter.has_value()) return std::string("(missing)");
    return absl::StrCat(module.InstructionName(parameter), ": ", ShapeText(module.shape(parameter)));
  });
  const std::string result =
      computation.root.has_value() ? ShapeText(module.shape(computation.root)) : "(unknown shape)";
  std::vector<std::string> sections = {
      MarkdownHloBlock(absl::StrCat(id == module.entry() ? "ENTRY " : "",
                                    computation.is_anonymous ? "(inline computation)" : module.ComputationName(id),
                                    " (", parameters, ") -> ", result))};
  std::string size = absl::StrCat("**Instructions:** ", computation.instructions.size());
  if (computation.root.has_value()) {
    absl::StrAppend(&size, ", root ", MarkdownCode(module.InstructionName(computation.root)));
  }
  sections.push_back(std::move(size));
  const absl::Span<const InstructionId> callers = document.users().callers(id);
  if (!callers.empty()) {
    sections.push_back(absl::StrCat(
        "**Callers (", callers.size(), "):** ", JoinListed(callers, ", ", [&](InstructionId caller) {
          const Opcode opcode = module.opcode(caller);
          return absl::StrCat(MarkdownCode(module.InstructionName(caller)),
                              opcode == Opcode::kInvalid ? "" : absl::StrCat(" (", OpcodeName(opcode), ")"));
        })));
  } else if (id != module.entry()) {
    sections.push_back("**Callers:** none");
  }
  if (computation.execution_thread != "main") {
    sections.push_back(absl::StrCat("**Execution thread:** ", MarkdownCode(computation.execution_thread)));
  }
  return JoinSections(sections);
}

std::string ModuleCard(const Module& module) {
  const ModuleHeader& header = module.header();
  std::vector<std::string> sections = {MarkdownHloBlock(absl::StrCat("HloModule ", module.name()))};
  sections.push_back(absl::StrCat("**Computations:** ", module.computations().size(), ", **instructions:** ",
                                  FormatCount(static_cast<int64_t>(module.instruction_count()))));
  if (module.entry().has_value()) {
    sections.push_back(absl::StrCat("**Entry:** ", MarkdownCode(module.ComputationName(module.entry()))));
  }
  sections.push_back(absl::StrCat("**Devices:** ", header.replica_count,
                                  header.replica_count == 1 ? " replica" : " replicas", ", ", header.num_partitions,
                                  header.num_partitions == 1 ? " partition" : " partitions"));
  if (header.is_scheduled) sections.push_back("Scheduled: the text order of instructions is the execution order.");
  return JoinSections(sections);
}

}  // namespace hloscope::lsp
