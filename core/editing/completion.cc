#include "core/editing/completion.h"

#include <algorithm>
#include <numeric>
#include <optional>
#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "core/editing/builder_call_snippet.h"
#include "core/editing/snippet_writer.h"
#include "core/editing/statement_edits.h"
#include "core/ops/operand_roles.h"
#include "core/semantics/header_reader.h"
#include "core/semantics/shape_reader.h"

namespace hloscope {
namespace {

using Kind = CompletionChoice::Kind;
using Place = CursorContext::Place;

// Values before the cursor that a snippet's operands are chosen from.
constexpr size_t kRecentValues = 48;
// Computations before the cursor that a snippet's are chosen from.
constexpr size_t kRecentComputations = 64;
// Shapes of the computation that are offered as result shapes.
constexpr size_t kShapesOffered = 8;
// Longer shapes are not written into holes.
constexpr size_t kMaxHole = 200;
// Texts beyond this are cut in details.
constexpr size_t kMaxDetail = 72;

std::string Shorten(std::string text) {
  if (text.size() > kMaxDetail) {
    text.resize(kMaxDetail);
    text += "...";
  }
  return text;
}

// 3: the same beginning, 2: the same but for case, 1: the letters in order; 0: no match. An empty prefix matches all.
int MatchOf(absl::string_view prefix, absl::string_view word) {
  if (word.substr(0, prefix.size()) == prefix) return 3;
  size_t at = 0;
  for (size_t i = 0; i < word.size() && at < prefix.size(); ++i) {
    if (absl::ascii_tolower(static_cast<unsigned char>(word[i])) ==
        absl::ascii_tolower(static_cast<unsigned char>(prefix[at]))) {
      ++at;
    } else if (at == i) {
      // Up to here the beginnings agree; from here on only the order of letters can.
      continue;
    }
  }
  if (at < prefix.size()) return 0;
  const std::string lower = absl::AsciiStrToLower(word.substr(0, prefix.size()));
  return lower == absl::AsciiStrToLower(prefix) ? 2 : 1;
}

std::optional<Shape> ReadShapeAt(const Document& document, SourceRange range) {
  if (range.empty()) return std::nullopt;
  DiagnosticSink sink;
  const auto source = SourceText::FromString("", std::string(document.source().Slice(range)));
  return ReadShapeText(*source, sink);
}

class Completer {
 public:
  Completer(const Document& document, uint32_t offset, const CompletionOptions& options)
      : document_(document),
        module_(document.module()),
        options_(options),
        context_(CursorContextAt(document, offset)),
        partial_(PartialInstructionAt(document, context_)) {}

  CompletionChoices Run() {
    switch (context_.place) {
      case Place::kNone:
        break;
      case Place::kTopLevel:
        AddTopLevel();
        break;
      case Place::kHeaderAttribute:
        AddHeaderAttributes();
        break;
      case Place::kHeaderValue:
        AddHeaderValue();
        break;
      case Place::kThreadAttribute:
        AddWord(Kind::kAttribute, "execution_thread", "execution_thread=\"main\"", "of the computation", 0, kNoIndex);
        break;
      case Place::kInstructionStart:
        AddWord(Kind::kKeyword, "ROOT", "ROOT ", "the result of the computation", 1);
        AddNewInstructions();
        break;
      case Place::kShapeOrOpcode:
        AddOpcodes();
        AddShapes();
        AddElementTypes();
        break;
      case Place::kOpcode:
        AddOpcodes();
        break;
      case Place::kElementType:
        AddElementTypes();
        break;
      case Place::kLayout:
        AddLayouts();
        break;
      case Place::kOperand:
        AddOperands(context_.operand);
        AddBuilderParameters();
        break;
      case Place::kAttributeName:
        AddAttributes();
        break;
      case Place::kAttributeValue:
        AddAttributeValues();
        break;
    }
    return Finish();
  }

 private:
  struct Scored {
    int64_t score;
    CompletionChoice choice;
  };

  // `value` orders choices that match the prefix equally well, the largest first.
  void Add(CompletionChoice choice, int64_t value) {
    const int match = MatchOf(context_.prefix, choice.label);
    if (match == 0) return;
    found_.push_back({static_cast<int64_t>(match) * (int64_t{1} << 48) + value, std::move(choice)});
  }
  void AddWord(Kind kind, absl::string_view label, absl::string_view insert, absl::string_view detail, int64_t value,
               uint32_t index = 0) {
    CompletionChoice choice;
    choice.kind = kind;
    choice.label = std::string(label);
    choice.insert = std::string(insert);
    choice.detail = std::string(detail);
    choice.index = index;
    Add(std::move(choice), value);
  }
  void AddSnippet(Kind kind, absl::string_view label, const SnippetText& snippet, absl::string_view detail,
                  int64_t value, uint32_t index = 0) {
    CompletionChoice choice;
    choice.kind = kind;
    choice.label = std::string(label);
    choice.insert = snippet.text();
    choice.is_snippet = options_.snippets;
    choice.detail = std::string(detail);
    choice.index = index;
    Add(std::move(choice), value);
  }

  CompletionChoices Finish() {
    CompletionChoices result;
    result.replaced = context_.word;
    const size_t kept = std::min(found_.size(), options_.max_choices);
    result.complete = kept == found_.size() && complete_;
    std::partial_sort(found_.begin(), found_.begin() + static_cast<ptrdiff_t>(kept), found_.end(),
                      [](const Scored& a, const Scored& b) {
                        return a.score != b.score ? a.score > b.score : a.choice.label < b.choice.label;
                      });
    found_.resize(kept);
    for (Scored& scored : found_) result.choices.push_back(std::move(scored.choice));
    return result;
  }

  // --- Names in scope ---

  // Whether a name needs a `%`, as those around it have one.
  bool NeedsPercentHere() const {
    // Where one stands already, no other is needed.
    return !context_.percent && context_.computation.has_value() && WritesPercent(document_, context_.computation);
  }
  std::string Spelled(absl::string_view name) const {
    return absl::StrCat(percent_ || NeedsMark(name) ? "%" : "", name);
  }
  bool NeedsMark(absl::string_view name) const { return !context_.percent && ElementTypeFromName(name).has_value(); }

  // The instructions that can be operands, the last of the text first.
  void CollectScope() {
    percent_ = NeedsPercentHere();
    if (!context_.computation.has_value()) return;
    const absl::Span<const InstructionId> all = module_.computation(context_.computation).instructions;
    for (size_t i = all.size(); i-- > 0;) {
      const Instruction& instruction = module_.instruction(all[i]);
      if (instruction.synthesized || !instruction.is_named || !instruction.syntax.has_value()) continue;
      if (document_.InstructionRange(all[i]).begin >= context_.instruction_begin) continue;
      if (module_.InstructionName(all[i]) == context_.name) continue;
      scope_.push_back(all[i]);
    }
  }

  int64_t ValueOfOperand(const PartialInstruction& partial, size_t k, InstructionId id, size_t distance) const {
    int64_t value = static_cast<int64_t>(FitOfOperand(partial, k, module_.shape(id))) << 40;
    // What nothing uses yet was written to be used; what was written last is used first.
    if (document_.users().users(id).empty()) value += int64_t{1} << 36;
    if (std::find(context_.operand_names.begin(), context_.operand_names.end(), module_.InstructionName(id)) !=
        context_.operand_names.end()) {
      value -= int64_t{1} << 35;
    }
    return value + (int64_t{1} << 32) - static_cast<int64_t>(distance);
  }

  void AddOperands(size_t k) {
    CollectScope();
    // Of many, only the best become choices.
    std::vector<std::pair<int64_t, InstructionId>> scored;
    for (size_t i = 0; i < scope_.size(); ++i) {
      const int match = MatchOf(context_.prefix, module_.InstructionName(scope_[i]));
      if (match == 0) continue;
      scored.emplace_back(static_cast<int64_t>(match) * (int64_t{1} << 48) + ValueOfOperand(partial_, k, scope_[i], i),
                          scope_[i]);
    }
    if (scored.size() > options_.max_choices) {
      std::nth_element(scored.begin(), scored.begin() + static_cast<ptrdiff_t>(options_.max_choices), scored.end(),
                       [](const auto& a, const auto& b) { return a.first > b.first; });
      scored.resize(options_.max_choices);
      complete_ = false;
    }
    for (const auto& [score, id] : scored) {
      CompletionChoice choice;
      choice.kind = Kind::kValue;
      choice.label = std::string(module_.InstructionName(id));
      choice.insert = Spelled(choice.label);
      choice.detail = Shorten(module_.shape(id).IsValid() ? module_.shape(id).ToString(false) : std::string());
      choice.index = static_cast<uint32_t>(id.index());
      found_.push_back({score, std::move(choice)});
    }
  }

  // --- Opcodes ---

  // The operands that a new instruction of that opcode might take: one for each, all different as far as possible.
  std::vector<std::string> GuessOperands(PartialInstruction* partial) const {
    std::vector<std::string> names;
    std::vector<InstructionId> used;
    const size_t count = LeastOperandCount(partial->opcode);
    for (size_t k = 0; k < count; ++k) {
      InstructionId best;
      int64_t best_value = 0;
      for (size_t i = 0; i < std::min(scope_.size(), kRecentValues); ++i) {
        if (FitOfOperand(*partial, k, module_.shape(scope_[i])) == Fit::kWrong) continue;
        int64_t value = ValueOfOperand(*partial, k, scope_[i], i);
        if (std::find(used.begin(), used.end(), scope_[i]) != used.end()) value -= int64_t{1} << 38;
        if (best.has_value() && value <= best_value) continue;
        best = scope_[i];
        best_value = value;
      }
      partial->operands.push_back(best.has_value() ? module_.shape(best) : Shape());
      names.push_back(best.has_value() ? Spelled(module_.InstructionName(best))
                                       : OperandRole(partial->opcode, k, count));
      used.push_back(best);
    }
    return names;
  }

  // `shape opcode(operands), attributes`, with what must be there.
  void WriteInstruction(Opcode opcode, bool with_shape, SnippetText* out) const {
    PartialInstruction partial;
    partial.opcode = opcode;
    partial.result = partial_.result;
    const std::vector<std::string> operands = GuessOperands(&partial);
    if (with_shape && !InfoOf(opcode).shape_can_be_omitted) {
      const bool known = !partial.operands.empty() && partial.operands[0].IsValid();
      const std::string shape = known ? partial.operands[0].ToString(false) : "f32[]";
      out->Hole(shape.size() > kMaxHole ? "f32[]" : shape).Text(" ");
    }
    out->Text(absl::StrCat(OpcodeName(opcode), "("));
    if (opcode == Opcode::kParameter) out->Hole(absl::StrCat(NextParameter()));
    if (opcode == Opcode::kConstant) out->Hole("0");
    for (size_t k = 0; k < operands.size(); ++k) {
      if (k > 0) out->Text(", ");
      out->Hole(operands[k]);
    }
    out->Text(")");
    std::vector<AttributeKind> wanted(InfoOf(opcode).required.begin(), InfoOf(opcode).required.end());
    // What hardly ever works without.
    if (opcode == Opcode::kDot) wanted = {AttributeKind::kLhsContractingDims, AttributeKind::kRhsContractingDims};
    if (opcode == Opcode::kBroadcast) wanted = {AttributeKind::kDimensions};
    if (opcode == Opcode::kConvolution || opcode == Opcode::kReduceWindow)
      wanted.insert(wanted.begin(), AttributeKind::kWindow);
    for (AttributeKind attribute : wanted) {
      out->Text(absl::StrCat(", ", AttributeName(attribute), "="));
      WriteAttributeValue(partial, attribute, BestComputation(partial, attribute), out);
    }
  }

  int64_t NextParameter() const {
    if (!context_.computation.has_value()) return 0;
    return static_cast<int64_t>(module_.computation(context_.computation).parameters.size());
  }

  void AddOpcodes() {
    CollectScope();
    const bool with_shape = context_.place == Place::kShapeOrOpcode;
    const bool has_paren = document_.source().text().substr(context_.word.end, 1) == "(";
    for (Opcode opcode : AllOpcodes()) {
      if (MatchOf(context_.prefix, OpcodeName(opcode)) == 0) continue;
      const std::string detail = absl::StrCat("(", OperandSignature(opcode), ")");
      const int64_t value = int64_t{2} << 40;
      if (has_paren) {
        AddWord(Kind::kOpcode, OpcodeName(opcode), OpcodeName(opcode), detail, value, static_cast<uint32_t>(opcode));
        continue;
      }
      SnippetText snippet(options_.snippets);
      WriteInstruction(opcode, with_shape, &snippet);
      AddSnippet(Kind::kOpcode, OpcodeName(opcode), snippet, detail, value, static_cast<uint32_t>(opcode));
    }
    for (const BuilderCall& call : AllBuilderCalls()) {
      if (MatchOf(context_.prefix, call.name) == 0) continue;
      SnippetText snippet(options_.snippets);
      if (has_paren) {
        snippet.Text(call.name);
      } else {
        WriteCall(call, &snippet);
      }
      AddSnippet(Kind::kBuilderCall, call.name, snippet, BuilderSignature(call), int64_t{1} << 40);
    }
  }

  // The arguments of a call of the builder interface that have names.
  void AddBuilderParameters() {
    const BuilderCall* const call = WrittenBuilderCall(context_.unknown_opcode);
    if (call == nullptr) return;
    // The operands come first.
    const bool is_next = context_.operand >= call->operands.size();
    for (const BuilderParameter& parameter : call->parameters) {
      AddWord(Kind::kWord, parameter.name, absl::StrCat(parameter.name, "="), parameter.meaning,
              is_next ? int64_t{1} << 45 : -1);
    }
  }

  // A call of the builder interface with operands that fit, as far as there are any.
  void WriteCall(const BuilderCall& call, SnippetText* out) const {
    std::vector<std::string> names;
    std::vector<Shape> shapes;
    std::vector<size_t> used;
    for (size_t k = 0; k < call.operands.size() + (call.takes_more ? 1 : 0); ++k) {
      std::optional<size_t> best;
      int64_t best_value = 0;
      for (size_t i = 0; i < std::min(scope_.size(), kRecentValues); ++i) {
        if (!FitsBuilderOperand(call, shapes, module_.shape(scope_[i]))) continue;
        int64_t value = ValueOfOperand({}, k, scope_[i], i);
        if (std::find(used.begin(), used.end(), i) != used.end()) value -= int64_t{1} << 38;
        // An input is larger than its kernel.
        if (k == 0 && call.operands[0].role == BuilderOperand::Role::kImage)
          value += std::min<int64_t>(module_.shape(scope_[i]).dimension(2), 1 << 10) << 36;
        // Masks are rarely what is meant.
        if (module_.shape(scope_[i]).element_type() == ElementType::kPred) value -= int64_t{1} << 37;
        if (best && value <= best_value) continue;
        best = i;
        best_value = value;
      }
      names.push_back(best ? Spelled(module_.InstructionName(scope_[*best]))
                           : std::string(call.operands[std::min(k, call.operands.size() - 1)].name));
      shapes.push_back(best ? module_.shape(scope_[*best]) : Shape());
      if (best) used.push_back(*best);
    }
    WriteBuilderCall(call, names, shapes, out);
  }

  // Whole instructions, under a name that is free.
  void AddNewInstructions() {
    CollectScope();
    for (Opcode opcode : AllOpcodes()) {
      if (MatchOf(context_.prefix, OpcodeName(opcode)) == 0) continue;
      SnippetText snippet(options_.snippets);
      snippet.Text(percent_ ? "%" : "").Hole(FreeName(module_, OpcodeName(opcode))).Text(" = ");
      WriteInstruction(opcode, true, &snippet);
      AddSnippet(Kind::kOpcode, OpcodeName(opcode), snippet, absl::StrCat("(", OperandSignature(opcode), ")"), 0,
                 static_cast<uint32_t>(opcode));
    }
    for (const BuilderCall& call : AllBuilderCalls()) {
      if (MatchOf(context_.prefix, call.name) == 0) continue;
      SnippetText snippet(options_.snippets);
      snippet.Text(percent_ ? "%" : "").Hole(FreeName(module_, absl::AsciiStrToLower(call.name))).Text(" = ");
      WriteCall(call, &snippet);
      AddSnippet(Kind::kBuilderCall, call.name, snippet, BuilderSignature(call), -1);
    }
  }
  // --- Types, shapes, layouts ---

  void AddElementTypes() {
    static constexpr ElementType kTypes[] = {
#define HLO_ELEMENT_TYPE(Enum, spelling, bits, storage_bytes, kind, number) ElementType::k##Enum,
#include "core/ir/element_types.def"
    };
    // The usual ones first.
    static constexpr ElementType kUsual[] = {ElementType::kF32,  ElementType::kBF16, ElementType::kS32,
                                             ElementType::kPred, ElementType::kF16,  ElementType::kF64,
                                             ElementType::kS64,  ElementType::kU32,  ElementType::kS8};
    for (ElementType type : kTypes) {
      if (type == ElementType::kTuple || type == ElementType::kBuffer) continue;
      const auto* usual = std::find(std::begin(kUsual), std::end(kUsual), type);
      const int64_t value = std::end(kUsual) - usual;
      if (!IsArrayElement(type)) {
        AddWord(Kind::kElementType, ElementTypeName(type), absl::StrCat(ElementTypeName(type), "[]"), "", value);
        continue;
      }
      SnippetText snippet(options_.snippets);
      snippet.Text(absl::StrCat(ElementTypeName(type), "[")).Hole("").Text("]");
      AddSnippet(Kind::kElementType, ElementTypeName(type), snippet,
                 absl::StrCat(BitWidth(type), BitWidth(type) == 1 ? " bit" : " bits"), value);
    }
  }

  // Result shapes that were used last in the computation.
  void AddShapes() {
    std::vector<ShapeId> seen;
    for (size_t i = 0; i < std::min(scope_.size(), kRecentValues * 4) && seen.size() < kShapesOffered; ++i) {
      const ShapeId shape = module_.instruction(scope_[i]).shape;
      if (!module_.shape(shape).IsValid() || std::find(seen.begin(), seen.end(), shape) != seen.end()) continue;
      seen.push_back(shape);
      const std::string text = module_.shape(shape).ToString();
      if (text.size() > 200) continue;
      AddWord(Kind::kShape, text, absl::StrCat(text, " "), "", (int64_t{3} << 40) - static_cast<int64_t>(i),
              static_cast<uint32_t>(shape.index()));
    }
  }

  void AddLayouts() {
    const std::optional<Shape> shape = ReadShapeAt(document_, context_.shape);
    if (!shape || !shape->IsArray() || shape->rank() == 0) return;
    std::vector<int64_t> order(static_cast<size_t>(shape->rank()));
    std::iota(order.rbegin(), order.rend(), 0);
    // All orders of few dimensions; of many, the two that are used.
    int64_t value = 1000;
    const auto add = [&](absl::string_view detail) {
      AddWord(Kind::kLayout, absl::StrJoin(order, ","), absl::StrCat(absl::StrJoin(order, ","), "}"), detail, value--);
    };
    add("row-major");
    if (shape->rank() == 1) return;
    if (shape->rank() > 4) {
      std::reverse(order.begin(), order.end());
      add("column-major");
      return;
    }
    while (std::prev_permutation(order.begin(), order.end())) {
      add(std::is_sorted(order.begin(), order.end()) ? "column-major" : "");
    }
  }

  // --- Attributes ---

  // The computations that can be called: completed before the instruction. The last of the text first, at most `limit`.
  template <typename Visit>
  void ForEachCallable(size_t limit, Visit visit) const {
    for (size_t i = module_.computations().size(); i-- > 0 && limit > 0;) {
      if (module_.computations()[i].is_anonymous) continue;
      const SourceRange range = document_.ComputationRange(ComputationId(i));
      if (range.empty() || range.end > context_.instruction_begin) continue;
      visit(ComputationId(i));
      --limit;
    }
  }

  int64_t ValueOfComputation(const PartialInstruction& partial, AttributeKind attribute, ComputationId id) const {
    return (static_cast<int64_t>(FitOfComputation(module_, partial, attribute, id)) << 40) +
           static_cast<int64_t>(id.index());
  }

  std::string BestComputation(const PartialInstruction& partial, AttributeKind attribute) const {
    const AttributeType type = InfoOf(attribute).type;
    if (type != AttributeType::kComputation && type != AttributeType::kComputations) return "";
    ComputationId best;
    int64_t best_value = 0;
    ForEachCallable(kRecentComputations, [&](ComputationId id) {
      if (FitOfComputation(module_, partial, attribute, id) == Fit::kWrong) return;
      const int64_t value = ValueOfComputation(partial, attribute, id);
      if (best.has_value() && value <= best_value) return;
      best = id;
      best_value = value;
    });
    return best.has_value() ? Spelled(module_.ComputationName(best)) : "computation";
  }

  void AddAttributes() {
    percent_ = NeedsPercentHere();
    std::vector<AttributeKind> offered;
    if (context_.opcode != Opcode::kInvalid) {
      const OpcodeInfo& info = InfoOf(context_.opcode);
      offered.assign(info.attributes.begin(), info.attributes.end());
    }
    const size_t own = offered.size();
    offered.insert(offered.end(), CommonAttributes().begin(), CommonAttributes().end());
    for (size_t i = 0; i < offered.size(); ++i) {
      const AttributeKind attribute = offered[i];
      if (std::find(context_.attributes.begin(), context_.attributes.end(), attribute) != context_.attributes.end())
        continue;
      const bool required =
          i < own && std::find(InfoOf(context_.opcode).required.begin(), InfoOf(context_.opcode).required.end(),
                               attribute) != InfoOf(context_.opcode).required.end();
      const int64_t value = (required ? 2000 : i < own ? 1000 : 0) + 500 - static_cast<int64_t>(i);
      if (context_.attribute_has_equals) {
        AddWord(Kind::kAttribute, AttributeName(attribute), AttributeName(attribute), required ? "required" : "", value,
                static_cast<uint32_t>(attribute));
        continue;
      }
      SnippetText snippet(options_.snippets);
      snippet.Text(absl::StrCat(AttributeName(attribute), "="));
      WriteAttributeValue(partial_, attribute, BestComputation(partial_, attribute), &snippet);
      AddSnippet(Kind::kAttribute, AttributeName(attribute), snippet, required ? "required" : "", value,
                 static_cast<uint32_t>(attribute));
    }
  }

  void AddAttributeValues() {
    const AttributeInfo& info = InfoOf(context_.attribute);
    const bool is_list = info.type == AttributeType::kComputations || info.type == AttributeType::kWords ||
                         info.type == AttributeType::kInstructions || info.type == AttributeType::kInts;
    if (is_list && context_.empty_value && info.type != AttributeType::kInts) {
      percent_ = NeedsPercentHere();
      AddWholeValue();
      return;
    }
    switch (info.type) {
      case AttributeType::kBool:
        AddWord(Kind::kWord, "true", "true", "", 2);
        AddWord(Kind::kWord, "false", "false", "", 1);
        return;
      case AttributeType::kWord:
      case AttributeType::kWords: {
        int64_t value = 1000;
        for (absl::string_view word : WordsOf(info.enumeration)) AddWord(Kind::kWord, word, word, "", value--);
        return;
      }
      case AttributeType::kComputation:
      case AttributeType::kComputations:
        percent_ = NeedsPercentHere();
        ForEachCallable(module_.computations().size(), [&](ComputationId id) {
          AddWord(Kind::kComputation, module_.ComputationName(id), Spelled(module_.ComputationName(id)),
                  Shorten(SignatureOf(id)), ValueOfComputation(partial_, context_.attribute, id),
                  static_cast<uint32_t>(id.index()));
        });
        return;
      case AttributeType::kInstructions:
        AddOperands(0);
        return;
      case AttributeType::kInts:
        if (context_.empty_value) return AddWholeValue();
        AddDimensions();
        return;
      case AttributeType::kSharding:
        if (context_.empty_value) return AddWholeValue();
        for (absl::string_view word : {"replicated", "maximal device=0", "manual", "unknown", "devices=[1,1]<=[1]"})
          AddWord(Kind::kWord, word, word, "", 0);
        return;
      case AttributeType::kMetadata:
        if (context_.empty_value) return AddWholeValue();
        for (absl::string_view field :
             {"op_type=\"\"", "op_name=\"\"", "source_file=\"\"", "source_line=0", "stack_frame_id=1"})
          AddWord(Kind::kWord, field, field, "", 0);
        return;
      case AttributeType::kWindow:
        if (context_.empty_value) return AddWholeValue();
        for (absl::string_view field : {"size=", "stride=", "pad=", "lhs_dilate=", "rhs_dilate=", "rhs_reversal="})
          AddWord(Kind::kWord, field, field, "", 0);
        return;
      case AttributeType::kResultAccuracy:
        if (context_.empty_value) return AddWholeValue();
        for (absl::string_view field : {"mode=default", "mode=highest", "tolerance={atol=0,rtol=0,ulps=1}"})
          AddWord(Kind::kWord, field, field, "", 0);
        return;
      case AttributeType::kDomain:
        if (context_.empty_value) return AddWholeValue();
        for (absl::string_view field : {"kind=\"sharding\"", "entry={replicated}", "exit={replicated}"})
          AddWord(Kind::kWord, field, field, "", 0);
        return;
      default:
        if (context_.empty_value) AddWholeValue();
        return;
    }
  }

  // The numbers of the dimensions of the first operand.
  void AddDimensions() {
    if (!context_.in_braces || partial_.operands.empty() || !partial_.operands[0].IsArray()) return;
    const Shape& shape = partial_.operands[0];
    for (int64_t d = 0; d < shape.rank(); ++d) {
      AddWord(Kind::kWord, absl::StrCat(d), absl::StrCat(d), absl::StrCat("size ", shape.dimension(d)), 1000 - d);
    }
  }

  void AddWholeValue() {
    SnippetText with_holes(options_.snippets), plain(false);
    const std::string computation = BestComputation(partial_, context_.attribute);
    WriteAttributeValue(partial_, context_.attribute, computation, &with_holes);
    WriteAttributeValue(partial_, context_.attribute, computation, &plain);
    AddSnippet(Kind::kWord, plain.text(), with_holes, "", 0);
  }

  std::string SignatureOf(ComputationId id) const {
    const Computation& computation = module_.computation(id);
    const auto shape_of = [&](InstructionId value) {
      return value.has_value() && module_.shape(value).IsValid() ? module_.shape(value).ToString(false)
                                                                 : std::string("?");
    };
    return absl::StrCat(
        "(",
        absl::StrJoin(computation.parameters, ", ",
                      [&](std::string* out, InstructionId parameter) { absl::StrAppend(out, shape_of(parameter)); }),
        ") -> ", shape_of(computation.root));
  }

  // --- Outside of computations ---

  void AddTopLevel() {
    if (!module_.header().written) {
      SnippetText header(options_.snippets);
      AddSnippet(Kind::kKeyword, "HloModule", header.Text("HloModule ").Hole("module"), "the header", 3);
    }
    SnippetText entry(options_.snippets);
    entry.Text("ENTRY ").Hole("main").Text(" {\n  ").Hole("x").Text(" = ").Hole("f32[]").Text(" parameter(0)\n  ROOT ");
    AddSnippet(Kind::kKeyword, "ENTRY", entry.Hole("result").Text(" = negate(x)\n}"), "the entry computation", 2);
    for (Opcode opcode : {Opcode::kAdd, Opcode::kMaximum, Opcode::kMinimum, Opcode::kMultiply}) {
      SnippetText reducer(options_.snippets);
      reducer.Hole(absl::StrCat(OpcodeName(opcode), "_scalars")).Text(" {\n  a = ").Hole("f32[]");
      reducer.Text(" parameter(0)\n  b = ")
          .Hole("f32[]")
          .Text(absl::StrCat(" parameter(1)\n  ROOT c = ", OpcodeName(opcode), "(a, b)\n}\n"));
      AddSnippet(Kind::kKeyword, absl::StrCat(OpcodeName(opcode), "_scalars"), reducer,
                 absl::StrCat("a computation that reduces with ", OpcodeName(opcode)), 1);
    }
  }

  void AddHeaderAttributes() {
    for (absl::string_view name : HeaderAttributeNames()) {
      if (std::find(context_.header_attributes.begin(), context_.header_attributes.end(), name) !=
          context_.header_attributes.end()) {
        continue;
      }
      AddWord(Kind::kAttribute, name, absl::StrCat(name, context_.attribute_has_equals ? "" : "="), "", 0, kNoIndex);
    }
  }

  void AddHeaderValue() {
    const absl::string_view name = context_.header_attribute;
    if (name == "is_scheduled" || name == "alias_passthrough_params") {
      AddWord(Kind::kWord, "true", "true", "", 2);
      AddWord(Kind::kWord, "false", "false", "", 1);
    } else if (name == "replica_count" || name == "num_partitions") {
      for (int64_t count : {2, 4, 8}) AddWord(Kind::kWord, absl::StrCat(count), absl::StrCat(count), "", -count);
    } else if (absl::StartsWith(name, "allow_spmd_sharding_propagation")) {
      for (absl::string_view flags : {"{true}", "{false}"}) AddWord(Kind::kWord, flags, flags, "", 0);
    } else if (name == "input_output_alias") {
      AddWord(Kind::kWord, "{ {}: (0, {}, may-alias) }", "{ {}: (0, {}, may-alias) }",
              "result: (parameter, part, kind)", 0);
    } else if (name == "buffer_donor") {
      AddWord(Kind::kWord, "{ (0, {}) }", "{ (0, {}) }", "(parameter, part)", 0);
    } else if (name == "entry_computation_layout") {
      AddEntryLayout();
    } else if (FindHeaderAttribute(name) != nullptr) {
      AddWord(Kind::kWord, "{}", "{}", "", 0);
    }
  }

  // What the entry computation says.
  void AddEntryLayout() {
    if (!module_.entry().has_value()) return;
    const Computation& entry = module_.computation(module_.entry());
    if (!entry.root.has_value() || !module_.shape(entry.root).IsValid()) return;
    std::string text = "{(";
    for (size_t k = 0; k < entry.parameters.size(); ++k) {
      if (!entry.parameters[k].has_value()) return;
      absl::StrAppend(&text, k > 0 ? ", " : "", module_.shape(entry.parameters[k]).ToString());
    }
    absl::StrAppend(&text, ")->", module_.shape(entry.root).ToString(), "}");
    AddWord(Kind::kShape, Shorten(text), text, "as the entry computation has it", 0);
  }

  static constexpr uint32_t kNoIndex = 0xFFFFFFFFu;

  const Document& document_;
  const Module& module_;
  const CompletionOptions options_;
  const CursorContext context_;
  const PartialInstruction partial_;
  bool percent_ = false;
  bool complete_ = true;
  std::vector<InstructionId> scope_;
  std::vector<Scored> found_;
};

}  // namespace

PartialInstruction PartialInstructionAt(const Document& document, const CursorContext& context) {
  const Module& module = document.module();
  PartialInstruction partial;
  partial.opcode = context.opcode;
  partial.result = ReadShapeAt(document, context.shape);
  if (!context.computation.has_value()) return partial;
  for (absl::string_view name : context.operand_names) {
    const InstructionId id = name.empty() ? InstructionId::None() : module.FindInstruction(context.computation, name);
    partial.operands.push_back(id.has_value() ? module.shape(id) : Shape());
  }
  return partial;
}

CompletionChoices Complete(const Document& document, uint32_t offset, const CompletionOptions& options) {
  return Completer(document, offset, options).Run();
}

}  // namespace hloscope
