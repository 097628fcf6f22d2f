// SPDX-License-Identifier: Apache-2.0
#include "core/print/printer.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <utility>

#include "absl/container/flat_hash_map.h"
#include "core/ir/default_layout.h"
#include "core/print/async_sugar.h"
#include "core/print/attribute_printer.h"
#include "core/print/attribute_selection.h"
#include "core/print/buffered_text.h"
#include "core/print/header_printer.h"
#include "core/print/inline_plan.h"
#include "core/print/instruction_printer.h"
#include "core/print/number_printer.h"
#include "core/print/omissions.h"
#include "core/print/print_order.h"
#include "core/print/shape_printer.h"
#include "core/print/string_printer.h"
#include "core/print/unique_names.h"

namespace hloscope {
namespace {

// Computations of more instructions get their name after the closing brace, if names are wanted there.
constexpr size_t kLongComputation = 5;
// Of an instruction; of most modules more than it takes, which costs nothing.
constexpr size_t kUsualBytes = 300;
constexpr size_t kPartsOfComputation = 2;  // beside its instructions

class Printer {
 public:
  Printer(const Module& module, const PrintOptions& options)
      : module_(module), options_(options), shapes_(module.shape_count()), plain_shapes_(module.shape_count()) {
    if (options_.compact_tuple_access && options_.control_predecessors) FindControlNeighbours();
  }

  PrintedModule WholeModule() {
    FindInlined();
    // Bodies that the text has in place keep their names, so that printing what was read again changes nothing.
    std::vector<bool> in_place(module_.computations().size(), false);
    for (size_t c = 0; c < in_place.size(); ++c) {
      in_place[c] = IsInlined(ComputationId(c)) && module_.computations()[c].is_anonymous;
    }
    names_.emplace(module_, options_.keep_written_names, in_place);
    out_.reserve(module_.instruction_count() * kUsualBytes);
    parts_.reserve(module_.instruction_count() + module_.computations().size() * kPartsOfComputation + 1);
    using Kind = PrintedModule::Part::Kind;
    AddPart(Kind::kHeader, 0);
    parts_.back().end = static_cast<uint32_t>(AppendHeader(module_, options_, out_.Direct()));
    std::vector<ComputationId> order = ComputationPrintOrder(module_, options_.order);
    order.erase(std::remove_if(order.begin(), order.end(), [&](ComputationId c) { return PrintsElsewhere(c); }),
                order.end());
    for (ComputationId computation : order) {
      AddPart(Kind::kComputationOpen, out_.size(), computation);
      const bool is_marked = options_.entry_mark || computation != order.back();
      if (computation == module_.entry() && is_marked) out_.append("ENTRY ");
      AppendComputationHeading(computation);
      AppendBody(computation);
      const std::string thread = WrittenThread(module_.computation(computation), options_);
      if (!thread.empty()) {
        out_.append(", execution_thread=");
        out_.append(thread);
        EndPart();
      }
      if (options_.closing_names && module_.computation(computation).instructions.size() > kLongComputation) {
        out_.append(" // ");
        out_.append(names_->Of(computation));
      }
      out_.append("\n\n");
    }
    return {out_.Take(), std::move(parts_), std::move(stack_frame_numbers_)};
  }

  std::string TopLevelInstruction(InstructionId id) {
    is_top_level_ = true;
    // A plan looks at the whole module.
    if (is_inlined_.empty() && MayInlineIn(id)) FindInlined();
    AppendInstruction(id);
    parts_.clear();
    return out_.Take();
  }

  std::string AttributeValue(InstructionId id, AttributeKind kind) {
    AppendValue(id, kind);
    return out_.Take();
  }

 private:
  void FindInlined() {
    if (!options_.inline_computations && !options_.keep_written_inline_computations) return;
    is_inlined_ = PlanInlining(module_, /*only_written=*/!options_.inline_computations, options_.order);
  }

  // Whether a computation that the instruction calls, or one that this one calls, may print in place.
  bool MayInlineIn(InstructionId id) const {
    // Asynchronous sugar prints what a wrapped instruction calls.
    const Opcode opcode = module_.opcode(id);
    bool may = opcode == Opcode::kAsyncStart || opcode == Opcode::kAsyncUpdate || opcode == Opcode::kAsyncDone;
    module_.ForEachCalledComputation(id, [&](AttributeKind, ComputationId callee) {
      may |= callee.has_value() && (options_.inline_computations || module_.computation(callee).is_anonymous);
    });
    return may;
  }

  const SugaredChains& Sugar() {
    if (!sugar_) {
      sugar_.emplace(module_, options_,
                     [this](InstructionId id, AttributeKind kind) { return IsSelected(module_, options_, id, kind); });
    }
    return *sugar_;
  }

  // Tuple accesses at either end of a control edge: they cannot hide, since `control-predecessors` takes only names.
  void FindControlNeighbours() {
    has_control_edge_.assign(module_.instruction_count(), false);
    for (size_t i = 0; i < module_.instruction_count(); ++i) {
      const InstructionId id(i);
      if (module_.attributes(id).empty()) continue;
      for (InstructionId before : module_.InstructionsAttribute(id, AttributeKind::kControlPredecessors)) {
        has_control_edge_[i] = true;
        if (before.has_value()) has_control_edge_[before.index()] = true;
      }
    }
  }

  void AddPart(PrintedModule::Part::Kind kind, size_t begin, ComputationId computation = ComputationId::None(),
               InstructionId instruction = InstructionId::None()) {
    parts_.push_back({kind, computation, instruction, static_cast<uint32_t>(begin), 0});
  }
  void EndPart() { parts_.back().end = static_cast<uint32_t>(out_.size()); }

  // --- Names ---

  void AppendName(absl::string_view name) {
    if (!options_.ids) name = name.substr(0, name.find('.'));
    if (options_.percent || NeedsPercent(name)) out_.push_back('%');
    out_.append(name);
  }

  void AppendInstructionName(InstructionId id) {
    if (!id.has_value()) {
      out_.append("<unknown>");
    } else if (options_.canonical_names) {
      // Numbered in order of first appearance in the body.
      const auto [it, inserted] = canonical_.try_emplace(id, static_cast<int64_t>(canonical_.size()));
      out_.append(options_.percent ? "%tmp_" : "tmp_");
      AppendInteger(it->second, out_.Direct());
    } else {
      AppendName(names_ ? names_->Of(id) : module_.InstructionName(id));
    }
  }

  void AppendComputationName(ComputationId id) {
    if (id.has_value()) {
      AppendName(names_ ? names_->Of(id) : module_.ComputationName(id));
    } else {
      out_.append("<unknown>");
    }
  }

  const std::string& ShapeTextOf(InstructionId id) {
    const ShapeId shape = module_.instruction(id).shape;
    std::string& text = shapes_[shape.index()];
    if (text.empty()) text = ShapeText(module_.shape(shape), options_);
    return text;
  }

  // Without layout, in signatures.
  const std::string& PlainShapeTextOf(InstructionId id) {
    const ShapeId shape = module_.instruction(id).shape;
    std::string& text = plain_shapes_[shape.index()];
    if (text.empty()) text = module_.shape(shape).ToString(/*with_layout=*/false);
    return text;
  }

  void AppendIndexComment(size_t index) {
    out_.append("/*index=");
    AppendInteger(static_cast<int64_t>(index), out_.Direct());
    out_.append("*/");
  }

  // --- Computations ---

  // With sugar, what an asynchronous chain wraps; what was written in place prints there only, so that printing what
  // was read again changes nothing.
  bool PrintsElsewhere(ComputationId id) {
    return (options_.async_sugar && Sugar().IsHidden(id)) || (IsInlined(id) && module_.computation(id).is_anonymous);
  }

  bool IsInlined(ComputationId id) const { return id.has_value() && !is_inlined_.empty() && is_inlined_[id.index()]; }

  // Up to the blank before the brace.
  void AppendComputationHeading(ComputationId id) {
    if (options_.ids) {
      AppendComputationName(id);
    } else if (options_.percent) {
      out_.push_back('%');
    }
    const bool signature = options_.signatures && !LeavesOutSignature(module_.computation(id), options_);
    if (signature) AppendSignature(id);
    if (options_.ids || signature) out_.push_back(' ');
  }

  // What AppendInstructionName will call the parameters of a body: operands are named before their users are.
  absl::flat_hash_map<InstructionId, int64_t> CanonicalNumbers(ComputationId id) {
    absl::flat_hash_map<InstructionId, int64_t> numbers;
    if (!order_) order_.emplace(module_, options_.order);
    for (InstructionId instruction : order_->Of(id)) {
      if (!IsHiddenTupleAccess(instruction)) numbers.emplace(instruction, static_cast<int64_t>(numbers.size()));
    }
    return numbers;
  }

  void AppendSignature(ComputationId id) {
    const Computation& computation = module_.computation(id);
    const absl::flat_hash_map<InstructionId, int64_t> numbers =
        options_.canonical_names ? CanonicalNumbers(id) : absl::flat_hash_map<InstructionId, int64_t>();
    out_.append(" (");
    for (size_t i = 0; i < computation.parameters.size(); ++i) {
      if (i > 0) out_.append(", ");
      const InstructionId parameter = computation.parameters[i];
      if (!parameter.has_value()) continue;
      if (const auto number = numbers.find(parameter); number != numbers.end()) {
        out_.append("tmp_");
        AppendInteger(number->second, out_.Direct());
      } else {
        out_.append(names_->Of(parameter));
      }
      out_.append(": ");
      out_.append(PlainShapeTextOf(parameter));
    }
    out_.append(") -> ");
    if (computation.root.has_value()) out_.append(PlainShapeTextOf(computation.root));
  }

  bool IsHiddenTupleAccess(InstructionId id) const {
    return options_.compact_tuple_access && module_.opcode(id) == Opcode::kGetTupleElement &&
           (!options_.keep_written_tuple_access || module_.instruction(id).synthesized) &&
           module_.computation(module_.instruction(id).computation).root != id && module_.operands(id).size() == 1 &&
           module_.operand(id, 0).has_value() && module_.HasAttribute(id, AttributeKind::kIndex) &&
           (has_control_edge_.empty() || !has_control_edge_[id.index()]) && HasShapeOfElement(id);
  }

  // `t#1` has the shape of the element: an access that declares another one, such as another layout, must stay.
  bool HasShapeOfElement(InstructionId id) const {
    const Shape& tuple = module_.shape(module_.operand(id, 0));
    const int64_t index = module_.IntAttribute(id, AttributeKind::kIndex);
    if (!tuple.IsTuple() || index < 0 || index >= tuple.tuple_size()) return false;
    const Shape &element = tuple.element(index), &shape = module_.shape(id);
    return element == shape || WithDefaultLayouts(element) == WithDefaultLayouts(shape);
  }

  // From the opening to the closing brace.
  void AppendBody(ComputationId id) {
    const Computation& computation = module_.computation(id);
    absl::flat_hash_map<InstructionId, int64_t> outer_canonical;
    std::swap(canonical_, outer_canonical);
    const bool has_parts = depth_ == 0 && names_;  // of a whole module, not in place
    out_.push_back('{');
    if (has_parts) EndPart();
    out_.push_back('\n');
    ++depth_;
    if (!order_) order_.emplace(module_, options_.order);
    std::vector<InstructionId> order = order_->Of(id);
    if (options_.compact_tuple_access) {
      order.erase(std::remove_if(order.begin(), order.end(), [&](InstructionId i) { return IsHiddenTupleAccess(i); }),
                  order.end());
    }
    const bool marks_root = !LeavesOutRoot(computation, options_) || order.empty() || order.back() != computation.root;
    for (InstructionId instruction : order) {
      Indent();
      if (has_parts) AddPart(PrintedModule::Part::Kind::kInstruction, out_.size(), id, instruction);
      if (instruction == computation.root && marks_root) out_.append("ROOT ");
      AppendInstruction(instruction);
      if (has_parts) EndPart();
      out_.push_back('\n');
    }
    --depth_;
    Indent();
    if (has_parts) AddPart(PrintedModule::Part::Kind::kComputationClose, out_.size(), id);
    out_.push_back('}');
    if (has_parts) EndPart();
    std::swap(canonical_, outer_canonical);
  }

  void Indent() {
    for (int i = 0; i < depth_; ++i) out_.append("  ");
  }

  // --- Instructions ---

  void AppendInstruction(InstructionId id) {
    const bool nameless = is_top_level_ && depth_ == 0 && options_.canonical_names;
    if (!nameless) {
      AppendInstructionName(id);
      out_.append(" = ");
    }
    if (!LeavesOutShape(module_.instruction(id), options_)) {
      out_.append(ShapeTextOf(id));
      out_.push_back(' ');
    }
    const InstructionId wrapped = WrappedBy(id);
    AppendOpcode(id, wrapped);
    out_.push_back('(');
    AppendArguments(id, !nameless && options_.operand_names);
    out_.push_back(')');
    AppendAttributes(id, wrapped);
  }

  // What the link of an asynchronous chain stands for; none if it prints in the general form.
  InstructionId WrappedBy(InstructionId id) {
    switch (module_.opcode(id)) {
      case Opcode::kAsyncStart:
      case Opcode::kAsyncUpdate:
      case Opcode::kAsyncDone:
        return options_.async_sugar ? Sugar().WrappedBy(id) : InstructionId::None();
      default:
        return InstructionId::None();
    }
  }

  void AppendOpcode(InstructionId id, InstructionId wrapped) {
    const Opcode opcode = module_.opcode(id);
    if (!wrapped.has_value()) {
      out_.append(OpcodeName(opcode));
      return;
    }
    out_.append(OpcodeName(module_.opcode(wrapped)));
    // "-start" of "async-start".
    out_.append(OpcodeName(opcode).substr(absl::string_view("async").size()));
  }

  void AppendArguments(InstructionId id, bool with_names) {
    const Instruction& instruction = module_.instruction(id);
    if (instruction.opcode == Opcode::kParameter) {
      AppendInteger(instruction.parameter_number, out_.Direct());
      return;
    }
    if (instruction.opcode == Opcode::kConstant) {
      if (instruction.literal.has_value()) {
        AppendLiteral(module_.literal(id),
                      {.large = options_.large_constants,
                       .index_comments = options_.literal_index_comments,
                       .essential = options_.essential_constants},
                      out_.Direct());
      }
      return;
    }
    const absl::Span<const InstructionId> operands = module_.operands(id);
    for (size_t k = 0; k < operands.size(); ++k) {
      if (options_.max_operands > 0 && k == options_.max_operands) {
        out_.append(", ...(+");
        AppendInteger(static_cast<int64_t>(operands.size() - k), out_.Direct());
        out_.push_back(')');
        return;
      }
      if (k > 0) out_.append(", ");
      if (k > 0 && k % 5 == 0 && options_.operand_index_comments) AppendIndexComment(k);
      if (operands[k].has_value()) AppendOperandShape(operands[k], FormOfOperand(instruction, k, options_), with_names);
      if (with_names) AppendOperandName(operands[k]);
    }
  }

  void AppendOperandShape(InstructionId operand, OperandForms::Form form, bool with_names) {
    if (form == OperandForms::Form::kName) return;
    const Shape& shape = module_.shape(operand);
    if (form == OperandForms::Form::kShapeWithLayouts) {
      out_.append(ShapeText(shape, LayoutText::kAll));
    } else {
      out_.append(form == OperandForms::Form::kShape ? ShapeTextOf(operand) : PlainShapeTextOf(operand));
    }
    if (with_names) out_.push_back(' ');
  }

  // `%t#2#0` for elements of tuples that do not print themselves.
  void AppendOperandName(InstructionId operand) {
    path_.clear();
    while (operand.has_value() && IsHiddenTupleAccess(operand)) {
      path_.push_back(module_.IntAttribute(operand, AttributeKind::kIndex));
      operand = module_.operand(operand, 0);
    }
    AppendInstructionName(operand);
    for (size_t i = path_.size(); i-- > 0;) {
      out_.push_back('#');
      AppendInteger(path_[i], out_.Direct());
    }
  }

  // --- Attributes (7.4) ---

  void AppendAttributes(InstructionId id, InstructionId wrapped) {
    for (const auto& [owner, kind] : SelectAttributes(module_, options_, id, wrapped)) AppendAttribute(owner, kind);
  }

  void AppendAttribute(InstructionId id, AttributeKind kind) {
    out_.append(", ");
    if (kind == AttributeKind::kComparisonType && options_.comparison_order) {
      const ComparisonType type = module_.WordAttribute(id, kind, ComparisonType::kFloat);
      if (type == ComparisonType::kTotalOrder || type == ComparisonType::kFloat) {
        out_.append(type == ComparisonType::kFloat ? "order=PARTIAL" : "order=TOTAL");
        return;
      }
    }
    // `to_apply` of a custom call is an old spelling (6.9).
    const bool old_spelling = kind == AttributeKind::kToApply && module_.opcode(id) == Opcode::kCustomCall;
    const AttributeKind spelled = old_spelling ? AttributeKind::kCalledComputations : kind;
    out_.append(AttributeName(spelled));
    out_.push_back('=');
    AppendValue(id, kind);
    if (kind == AttributeKind::kMetadata && names_ && !options_.only_op_name) NoteStackFrame(*module_.MetadataOf(id));
  }

  // Metadata was printed just now: of what follows the number there is at most the payload.
  void NoteStackFrame(const Metadata& metadata) {
    if (metadata.stack_frame_id == 0) return;
    size_t end = out_.Direct()->rfind('}');
    if (const absl::string_view payload = module_.string(metadata.metadata_payload); !payload.empty()) {
      std::string quoted;
      AppendQuoted(payload, &quoted);
      end -= quoted.size() + absl::string_view(" metadata_payload=").size();
    }
    std::string digits;
    AppendInteger(metadata.stack_frame_id, &digits);
    stack_frame_numbers_.push_back(
        {static_cast<uint32_t>(end - digits.size()), static_cast<uint32_t>(end), metadata.stack_frame_id});
  }

  void AppendValue(InstructionId id, AttributeKind kind) {
    switch (InfoOf(kind).type) {
      case AttributeType::kComputation:
      case AttributeType::kComputations:
        AppendCallees(id, kind);
        return;
      case AttributeType::kInstructions: {
        out_.push_back('{');
        const absl::Span<const InstructionId> instructions = module_.InstructionsAttribute(id, kind);
        for (size_t i = 0; i < instructions.size(); ++i) {
          if (i > 0) out_.append(", ");
          AppendInstructionName(instructions[i]);
        }
        out_.push_back('}');
        return;
      }
      case AttributeType::kBool:
      case AttributeType::kInt:
      case AttributeType::kInt32:
      case AttributeType::kFloat:
      case AttributeType::kString:
      case AttributeType::kInts:
      case AttributeType::kIntPairs:
      case AttributeType::kIntLists:
      case AttributeType::kBools:
      case AttributeType::kWord:
      case AttributeType::kWords:
      case AttributeType::kShape:
      case AttributeType::kShapes:
      case AttributeType::kLiteral:
      case AttributeType::kAliasing:
      case AttributeType::kReplicaGroups:
      case AttributeType::kWindow:
      case AttributeType::kDimLabels:
      case AttributeType::kPadding:
      case AttributeType::kSliceRanges:
      case AttributeType::kSparsity:
      case AttributeType::kBlockScaling:
      case AttributeType::kRaw:
      case AttributeType::kSharding:
      case AttributeType::kFrontendAttributes:
      case AttributeType::kStatistics:
      case AttributeType::kOrigin:
      case AttributeType::kMetadata:
      case AttributeType::kResultAccuracy:
      case AttributeType::kDomain:
        AppendAttributeValue(module_, id, kind, options_, out_.Direct());
        return;
    }
  }

  void AppendCallees(InstructionId id, AttributeKind kind) {
    const absl::Span<const ComputationId> callees = module_.ComputationsAttribute(id, kind);
    const bool list = InfoOf(kind).type == AttributeType::kComputations ||
                      (kind == AttributeKind::kToApply && module_.opcode(id) == Opcode::kCustomCall);
    const auto is_inlined = [this](ComputationId callee) { return IsInlined(callee); };
    if (std::any_of(callees.begin(), callees.end(), is_inlined)) {
      out_.append(list ? "{\n" : "\n");
      for (size_t i = 0; i < callees.size(); ++i) {
        if (i > 0) out_.append(",\n");
        Indent();
        if (is_inlined(callees[i])) {
          AppendBody(callees[i]);
        } else {
          AppendComputationName(callees[i]);
        }
      }
      if (list) out_.append("\n}");
      return;
    }
    if (list) out_.push_back('{');
    for (size_t i = 0; i < callees.size(); ++i) {
      if (i > 0) out_.append(", ");
      AppendComputationName(callees[i]);
    }
    if (list) out_.push_back('}');
  }

  const Module& module_;
  const PrintOptions& options_;
  std::optional<SugaredChains> sugar_;     // made at the first asynchronous link
  std::optional<UniqueNames> names_;       // none: the module's names as they are
  std::optional<InstructionOrder> order_;  // made when a body prints
  std::vector<std::string> shapes_;        // with layout, by ShapeId; empty: not printed yet
  std::vector<std::string> plain_shapes_;  // without
  BufferedText out_;
  std::vector<PrintedModule::Part> parts_;
  std::vector<PrintedModule::StackFrameNumber> stack_frame_numbers_;
  std::vector<bool> is_inlined_;                           // by computation; empty: none prints in place
  std::vector<bool> has_control_edge_;                     // by instruction; empty: irrelevant
  absl::flat_hash_map<InstructionId, int64_t> canonical_;  // of the body that is being printed
  std::vector<int64_t> path_;
  int depth_ = 0;  // bodies around the place that is being printed
  bool is_top_level_ = false;
};

}  // namespace

PrintedModule PrintModuleWithPositions(const Module& module, const PrintOptions& options) {
  return Printer(module, options).WholeModule();
}

std::string PrintModule(const Module& module, const PrintOptions& options) {
  return PrintModuleWithPositions(module, options).text;
}

InstructionPrinter::InstructionPrinter(const Module& module, PrintOptions options) {
  auto kept = std::make_shared<const PrintOptions>(std::move(options));
  auto printer = std::make_shared<Printer>(module, *kept);
  print_ = [kept, printer](InstructionId id) { return printer->TopLevelInstruction(id); };
}

std::string PrintInstruction(const Module& module, InstructionId id, const PrintOptions& options) {
  return Printer(module, options).TopLevelInstruction(id);
}

std::string PrintAttributeValue(const Module& module, InstructionId id, AttributeKind attribute,
                                const PrintOptions& options) {
  if (!AcceptsAttribute(module.opcode(id), attribute) || !AttributePrints(module, id, attribute)) return "";
  return Printer(module, options).AttributeValue(id, attribute);
}

}  // namespace hloscope
