// Attributes of instructions: which they may have, once each, and the computations that asynchronous sugar stands for
// (docs/text-format.md 6.6, 6.9, 6.16, 9).
#include <algorithm>
#include <bitset>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "core/ops/asynchronous.h"
#include "core/semantics/attribute_reader.h"
#include "core/semantics/module_reading.h"
#include "core/semantics/old_spellings.h"

namespace hloscope {
namespace {

std::string AsyncParameterName(size_t number) {
  return number == 0 ? "async_param" : absl::StrCat("async_param.", number);
}

absl::string_view ThreadOfStart(const Module& module, InstructionId start) {
  const bool is_written = module.HasAttribute(start, AttributeKind::kAsyncExecutionThread);
  return is_written ? module.StringAttribute(start, AttributeKind::kAsyncExecutionThread) : "main";
}

}  // namespace

void ModuleBuilder::ReadAttributes(const InstructionSyntax& node, InstructionId id, Opcode opcode,
                                   const std::optional<AsyncSugar>& sugar, ComputationId wrapped) {
  const bool sugar_start = sugar && sugar->link == Opcode::kAsyncStart;
  if (sugar_start && wrapped.has_value()) module_.AddComputations(id, AttributeKind::kCalls, {wrapped});
  std::bitset<256> seen;                 // by kind
  std::vector<absl::string_view> meant;  // by misspelt attributes
  for (uint32_t i = 0; i < node.attribute_count; ++i) {
    const AttributeSyntax& attribute = tree_->attributes[node.first_attribute + i];
    const absl::string_view name = NameOf(attribute.name);
    auto kind = AttributeFromName(opcode, name);
    if (sugar_start) {
      const auto own = AttributeFromName(sugar->wrapped, name);
      if (own && BelongsToWrapped(*own, sugar->wrapped)) continue;  // read with the wrapped instruction
    }
    if (sugar && kind == AttributeKind::kCalls) kind.reset();
    if (!kind) {
      if (!ReadOldAttribute(node, i, opcode, id)) meant.push_back(ReportUnknownAttribute(attribute, opcode, sugar));
      continue;
    }
    const size_t bit = static_cast<size_t>(*kind);
    if (seen[bit] && IsDuplicate(node, i)) continue;
    seen.set(bit);
    if (const absl::string_view advice = OldAttributeAdvice(opcode, *kind); !advice.empty()) {
      sink_.Report(DiagnosticKind::kOldSpelling, nodes_->NameRange(attribute.name), name, advice);
    }
    ReadOneAttribute(attribute, i, *kind, id);
  }
  if (!sugar) CheckRequiredAttributes(node, id, opcode, meant);
  if (opcode == Opcode::kAsyncUpdate || opcode == Opcode::kAsyncDone) CheckThreadOfLink(id);
}

void ModuleBuilder::CheckThreadOfLink(InstructionId id) {
  if (!module_.HasAttribute(id, AttributeKind::kAsyncExecutionThread)) return;
  irregular_ = true;  // the start may change
  const InstructionId start = FindAsyncStart(module_, id);
  if (!start.has_value()) return;
  const absl::string_view thread = module_.StringAttribute(id, AttributeKind::kAsyncExecutionThread);
  const absl::string_view thread_of_start = ThreadOfStart(module_, start);
  if (thread == thread_of_start) return;
  sink_
      .Report(DiagnosticKind::kAsyncThread, ids_->Resolve(id, Anchor::Attribute(AttributeKind::kAsyncExecutionThread)),
              OpcodeName(module_.opcode(id)), thread, module_.InstructionName(start), thread_of_start)
      .Related(ids_->Resolve(start, Anchor::Opcode()), "the start is here");
}

bool ModuleBuilder::ReadOldAttribute(const InstructionSyntax& node, uint32_t i, Opcode opcode, InstructionId id) {
  const AttributeSyntax& attribute = tree_->attributes[node.first_attribute + i];
  const absl::string_view name = NameOf(attribute.name);
  const auto old = OldAttributeFromName(opcode, name);
  if (!old) return false;
  if (IsDuplicate(node, i)) return true;
  const SourceRange range = nodes_->NameRange(attribute.name);
  TokenCursor cursor = Cursor(attribute.value, name);
  switch (old->meaning) {
    case OldAttribute::Meaning::kRenamed: {
      const absl::string_view now = AttributeName(old->kind);
      for (uint32_t j = 0; j < node.attribute_count; ++j) {
        if (NameOf(tree_->attributes[node.first_attribute + j].name) != now) continue;
        sink_.Report(DiagnosticKind::kDuplicateAttribute, range, now);
        return true;
      }
      sink_.Report(DiagnosticKind::kOldSpelling, range, name, old->advice)
          .Fix(absl::StrCat("change to `", now, "`"), range, std::string(now));
      ReadOneAttribute(attribute, i, old->kind, id);
      return true;
    }
    case OldAttribute::Meaning::kIgnored:
      if (!cursor.Int() || !cursor.ExpectEnd()) return true;
      break;
    case OldAttribute::Meaning::kPrefetchFlag: {
      const auto flag = cursor.Bool();
      if (!flag || !cursor.ExpectEnd()) return true;
      if (*flag && !module_.HasAttribute(id, old->kind)) module_.AddInt(id, old->kind, 0, i);
      break;
    }
  }
  sink_.Report(DiagnosticKind::kOldSpelling, range, name, old->advice);
  return true;
}

bool ModuleBuilder::IsDuplicate(const InstructionSyntax& node, uint32_t i) {
  const AttributeSyntax& attribute = tree_->attributes[node.first_attribute + i];
  for (uint32_t j = 0; j < i; ++j) {
    const AttributeSyntax& earlier = tree_->attributes[node.first_attribute + j];
    if (NameOf(earlier.name) != NameOf(attribute.name)) continue;
    names_->DuplicateAttribute(node.first_attribute + i, earlier.name);
    return true;
  }
  return false;
}

void ModuleBuilder::ReadOneAttribute(const AttributeSyntax& attribute, uint32_t number, AttributeKind kind,
                                     InstructionId id) {
  const bool may_be_known =
      RecentAttributes::Covers(kind) && !attribute.value.empty() && module_.opcode(id) != Opcode::kMap;
  const absl::string_view text = may_be_known
                                     ? source_.Slice(RangeOfTokens(*tokens_, {attribute.name, attribute.value.end}))
                                     : absl::string_view();
  if (may_be_known) {
    if (const Attribute* const known = recent_attributes_.Find(kind, text)) {
      module_.AddShared(id, *known, number);
      return;
    }
  }
  TokenCursor cursor = Cursor(attribute.value, AttributeName(kind));
  const auto computation = [this](absl::string_view name, SourceRange range) {
    return ResolveComputation(name, range);
  };
  const auto instruction = [this](absl::string_view name, SourceRange range) {
    return ResolveInstruction(name, range);
  };
  const auto inline_computation = [&](uint32_t k) {
    irregular_ = true;
    if (k >= attribute.inline_computation_count || updated_.has_value()) return ComputationId::None();
    return computation_of_syntax_[tree_->inline_computations[attribute.first_inline_computation + k]];
  };
  const NameResolver resolve{computation, instruction, inline_computation};
  const int64_t diagnostics = sink_.report_count();
  const size_t attributes = module_.attributes(id).size();
  const bool is_good = ReadAttribute(cursor, kind, number, resolve, id, module_);
  // An empty string counts as no attribute at all.
  const bool is_added = module_.attributes(id).size() > attributes;
  if (may_be_known && is_good && is_added && sink_.report_count() == diagnostics) {
    recent_attributes_.Keep(module_.attributes(id).back(), text);
  }
}

absl::string_view ModuleBuilder::ReportUnknownAttribute(const AttributeSyntax& attribute, Opcode opcode,
                                                        const std::optional<AsyncSugar>& sugar) {
  std::vector<absl::string_view> names;
  for (AttributeKind kind : InfoOf(opcode).attributes) names.push_back(AttributeName(kind));
  if (sugar && sugar->link == Opcode::kAsyncStart) {
    for (AttributeKind kind : InfoOf(sugar->wrapped).attributes) names.push_back(AttributeName(kind));
  }
  std::vector<absl::string_view> common;
  for (AttributeKind kind : CommonAttributes()) common.push_back(AttributeName(kind));
  const std::string owner =
      sugar ? std::string(OpcodeName(sugar->wrapped)) + "-" + std::string(OpcodeName(opcode).substr(6))
            : std::string(OpcodeName(opcode));
  return names_->UnknownAttribute(attribute.name, owner, names, common);
}

void ModuleBuilder::CheckRequiredAttributes(const InstructionSyntax& node, InstructionId id, Opcode opcode,
                                            absl::Span<const absl::string_view> meant) {
  const auto is_written = [&](AttributeKind kind) {
    for (uint32_t i = 0; i < node.attribute_count; ++i) {
      if (NameOf(tree_->attributes[node.first_attribute + i].name) == AttributeName(kind)) return true;
    }
    return false;
  };
  for (AttributeKind kind : InfoOf(opcode).required) {
    if (module_.HasAttribute(id, kind) || is_written(kind)) continue;  // a malformed one has been reported
    if (std::find(meant.begin(), meant.end(), AttributeName(kind)) != meant.end()) continue;
    sink_.Report(DiagnosticKind::kMissingAttribute, nodes_->Resolve(node, Anchor::Opcode(), kNoSyntaxNode),
                 OpcodeName(opcode), AttributeName(kind));
  }
}

ComputationId ModuleBuilder::WrapAsync(SyntaxId syntax_id, Opcode opcode, const Shape& shape) {
  const InstructionSyntax& node = tree_->instructions[syntax_id.index()];
  const SourceRange at = nodes_->Resolve(node, Anchor::Shape(), kNoSyntaxNode);
  if (!shape.IsTuple() || shape.tuple_size() < 2 || !shape.element(0).IsTuple()) {
    sink_.Report(DiagnosticKind::kAsyncLink, at,
                 absl::StrCat("the shape of an asynchronous start is ((operands...), result, ...), not ",
                              shape.ToString(false)));
    return ComputationId::None();
  }
  const ComputationId outer = computation_;
  const ComputationId wrapped = module_.AddComputation("async_wrapped");
  module_.mutable_computation(wrapped).is_anonymous = true;
  std::vector<InstructionId> parameters;
  for (const Shape& element : shape.element(0).elements()) {
    const InstructionId parameter =
        module_.AddInstruction(wrapped, Opcode::kParameter, AsyncParameterName(parameters.size()), element, {});
    DescribeAsyncParameter(parameter, parameters.size());
    parameters.push_back(parameter);
  }
  const InstructionId root = module_.AddInstruction(wrapped, opcode, "async_op", shape.element(1), parameters);
  {
    Instruction& instruction = module_.mutable_instruction(root);
    instruction.synthesized = true;
    instruction.shape_declared = true;
    instruction.syntax = NodeOfText(syntax_id);  // where diagnostics about it are shown
  }
  Computation& computation = module_.mutable_computation(wrapped);
  computation.parameters = parameters;
  computation.root = root;
  for (uint32_t i = 0; i < node.attribute_count; ++i) {
    const AttributeSyntax& attribute = tree_->attributes[node.first_attribute + i];
    const absl::string_view name = NameOf(attribute.name);
    const auto kind = AttributeFromName(opcode, name);
    if (!kind || !(BelongsToWrapped(*kind, opcode) || IsCopiedToWrapped(*kind))) continue;
    if (IsDuplicate(node, i)) continue;
    ReadOneAttribute(attribute, i, *kind, root);
  }
  CheckRequiredAttributes(node, root, opcode, {});
  wrapped_signatures_.insert_or_assign(wrapped, WrappedSignature(module_, root, shape));
  SetWrappedSignature(wrapped);
  computation_ = outer;
  return wrapped;
}

void ModuleBuilder::DescribeAsyncParameter(InstructionId id, size_t number) {
  Instruction& instruction = module_.mutable_instruction(id);
  instruction.synthesized = true;
  instruction.shape_declared = true;
  instruction.parameter_number = static_cast<uint32_t>(number);
}

void ModuleBuilder::SetWrappedSignature(ComputationId wrapped) {
  const WrappedSignature& signature = wrapped_signatures_.at(wrapped);
  std::vector<InstructionId> parameters = module_.computation(wrapped).parameters;
  InstructionId root = module_.computation(wrapped).root;
  if (signature.parameters().size() > parameters.size()) {
    // Operands are stored before their users: the root becomes the next parameter, and a new one follows.
    const Instruction old_root = module_.instruction(root);
    const absl::Span<const Attribute> listed = module_.attributes(root);
    const std::vector<Attribute> attributes(listed.begin(), listed.end());
    const ShapeId shape = module_.InternShape(Shape::Tuple({}));
    const StringId name = module_.InternString(AsyncParameterName(parameters.size()));
    module_.ReplaceInstruction(root, Opcode::kParameter, name, shape, {});
    DescribeAsyncParameter(root, parameters.size());
    parameters.push_back(root);
    while (parameters.size() < signature.parameters().size()) {
      const std::string next_name = AsyncParameterName(parameters.size());
      parameters.push_back(module_.AddInstruction(wrapped, Opcode::kParameter, next_name, Shape::Tuple({}), {}));
      DescribeAsyncParameter(parameters.back(), parameters.size() - 1);
    }
    root = module_.AddInstruction(wrapped, old_root.opcode, old_root.name, old_root.shape, parameters);
    Instruction& instruction = module_.mutable_instruction(root);
    instruction.synthesized = instruction.shape_declared = true;
    instruction.syntax = old_root.syntax;
    for (const Attribute& attribute : attributes) module_.AddShared(root, attribute, attribute.syntax);
    Computation& computation = module_.mutable_computation(wrapped);
    computation.parameters = parameters;
    computation.root = root;
  }
  for (size_t k = 0; k < std::min(parameters.size(), signature.parameters().size()); ++k) {
    if (module_.shape(parameters[k]) != signature.parameters()[k]) {
      module_.SetShape(parameters[k], signature.parameters()[k]);
    }
  }
  if (module_.shape(root) != signature.result()) module_.SetShape(root, signature.result());
}

void ModuleBuilder::AssignThreads() {
  if (!module_.MayHave(Opcode::kAsyncStart)) return;
  std::vector<InstructionId> starts;
  for (size_t i = 0; i < module_.instruction_count(); ++i) {
    if (module_.opcode(InstructionId(i)) == Opcode::kAsyncStart) starts.push_back(InstructionId(i));
  }
  // The last start that reaches a computation decides.
  std::vector<bool> is_assigned(module_.computations().size(), false);
  std::vector<ComputationId> work;
  const auto add = [&](ComputationId callee) {
    if (!callee.has_value() || is_assigned[callee.index()]) return;
    is_assigned[callee.index()] = true;
    work.push_back(callee);
  };
  std::reverse(starts.begin(), starts.end());
  for (InstructionId start : starts) {
    const std::string thread(ThreadOfStart(module_, start));
    add(module_.ComputationAttribute(start, AttributeKind::kCalls));
    while (!work.empty()) {
      const ComputationId computation = work.back();
      work.pop_back();
      if (module_.computation(computation).execution_thread != thread) {
        module_.mutable_computation(computation).execution_thread = thread;
      }
      for (InstructionId id : module_.computation(computation).instructions) {
        if (module_.attributes(id).empty()) continue;
        module_.ForEachCalledComputation(id, [&](AttributeKind, ComputationId callee) { add(callee); });
        if (module_.opcode(id) == Opcode::kAsyncStart) SetThread(id, thread);
      }
    }
  }
}

void ModuleBuilder::SetThread(InstructionId start, absl::string_view thread) {
  if (ThreadOfStart(module_, start) == thread) return;
  const Instruction old = module_.instruction(start);
  const absl::Span<const InstructionId> listed = module_.operands(start);
  const std::vector<InstructionId> operands(listed.begin(), listed.end());
  const absl::Span<const Attribute> written = module_.attributes(start);
  const std::vector<Attribute> attributes(written.begin(), written.end());
  module_.ReplaceInstruction(start, old.opcode, old.name, old.shape, operands);
  uint32_t number = Module::kNoSyntax;
  for (const Attribute& attribute : attributes) {
    if (attribute.kind == AttributeKind::kAsyncExecutionThread) {
      number = attribute.syntax;
    } else {
      module_.AddShared(start, attribute, attribute.syntax);
    }
  }
  module_.AddString(start, AttributeKind::kAsyncExecutionThread, thread, number);
  Instruction& instruction = module_.mutable_instruction(start);
  instruction.shape_declared = old.shape_declared;
  instruction.synthesized = old.synthesized;
  instruction.has_reading_errors = old.has_reading_errors;
  instruction.is_named = old.is_named;
  instruction.is_marked_root = old.is_marked_root;
  instruction.syntax = old.syntax;
}

void ModuleBuilder::CheckAsyncLink(InstructionId id, Opcode wrapped) {
  InstructionId link = id;
  while (link.has_value() &&
         (module_.opcode(link) == Opcode::kAsyncUpdate || module_.opcode(link) == Opcode::kAsyncDone)) {
    if (module_.operands(link).empty()) return;
    link = module_.operand(link, 0);
  }
  if (!link.has_value() || module_.opcode(link) != Opcode::kAsyncStart) return;
  const ComputationId callee = module_.ComputationAttribute(link, AttributeKind::kCalls);
  if (!callee.has_value()) return;
  const InstructionId root = module_.computation(callee).root;
  if (!root.has_value() || module_.opcode(root) == Opcode::kInvalid) return;
  if (module_.opcode(root) == wrapped) {
    const auto signature = wrapped_signatures_.find(callee);
    if (signature == wrapped_signatures_.end()) return;
    signature->second.Bind(module_.opcode(id), module_.shape(id));
    SetWrappedSignature(callee);
    return;
  }
  sink_
      .Report(DiagnosticKind::kAsyncLink, ids_->Resolve(id, Anchor::Opcode()),
              absl::StrCat("this continues `", module_.InstructionName(link), "`, which wraps `",
                           OpcodeName(module_.opcode(root)), "`, not `", OpcodeName(wrapped), "`"))
      .Related(ids_->Resolve(link, Anchor::Opcode()), "the start is here");
}

}  // namespace hloscope
