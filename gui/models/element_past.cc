// SPDX-License-Identifier: Apache-2.0
#include "gui/models/element_past.h"

#include <QCoreApplication>

#include "absl/strings/str_cat.h"
#include "gui/models/plurals.h"
#include "gui/models/text.h"

namespace hloscope::gui {
namespace {

struct ElementPastText {
  Q_DECLARE_TR_FUNCTIONS(ElementHistory)
};

ElementAnswer Failure(const absl::Status& status) { return {ToQString(status.message()), {}}; }

ElementRow RowOf(evaluator::Provenance& provenance, const Module& module, const evaluator::PlacedElement& one,
                 bool with_path) {
  const InstructionId id = one.place.instruction;
  ElementRow row;
  row.element = ToQString(evaluator::ElementName(module.InstructionName(id), one.place.element));
  row.value = ToQString(one.text);
  row.operation = ToQString(OpcodeName(module.opcode(id)));
  if (with_path) row.where = ToQString(provenance.PathOf(one.place.frame, id));
  row.instruction = id;
  row.place = one.place.element;
  return row;
}

ElementAnswer Why(evaluator::Provenance& provenance, const Module& module, const evaluator::ValuePlace& place,
                  const QString& name) {
  const absl::StatusOr<evaluator::Provenance::Sources> sources = provenance.SourcesOf(place);
  if (!sources.ok()) return Failure(sources.status());
  ElementAnswer answer;
  switch (sources->kind) {
    case evaluator::DependenceKind::kNone:
      answer.summary = sources->note.empty() ? ElementPastText::tr("%1 depends on no operand: it was given.").arg(name)
                                             : ToQString(sources->note);
      break;
    case evaluator::DependenceKind::kAll:
      answer.summary = ElementPastText::tr("Which elements count is not known for %1: it may depend on all of them.")
                           .arg(ToQString(OpcodeName(module.opcode(place.instruction))));
      break;
    case evaluator::DependenceKind::kExact:
      answer.summary = ElementPastText::tr("%1 was computed from %2 element(s).", nullptr, ForPlural(sources->count))
                           .arg(name, FormatCount(sources->count));
      break;
  }
  if (sources->count > static_cast<int64_t>(sources->elements.size())) {
    answer.summary +=
        ElementPastText::tr(" The first %n (is|are) listed.", nullptr, ForPlural(sources->elements.size()));
  }
  for (const evaluator::PlacedElement& one : sources->elements) {
    answer.rows.push_back(RowOf(provenance, module, one, !(one.place.frame == place.frame)));
  }
  return answer;
}

ElementAnswer FollowOrigin(evaluator::Provenance& provenance, const Module& module,
                           const evaluator::ValuePlace& place) {
  const absl::StatusOr<evaluator::OriginReport> report = provenance.OriginOf(place);
  if (!report.ok()) return Failure(report.status());
  ElementAnswer answer;
  answer.summary = ElementPastText::tr("Origin: %1").arg(ToQString(report->why));
  for (const evaluator::PlacedElement& hop : report->hops) answer.rows.push_back(RowOf(provenance, module, hop, true));
  for (const evaluator::PlacedElement& operand : report->operands) {
    answer.rows.push_back(RowOf(provenance, module, operand, false));
  }
  return answer;
}

// The loop whose state a parameter is: of its body or its condition. None if it is no such parameter.
InstructionId LoopOf(const Module& module, InstructionId parameter) {
  if (module.opcode(parameter) != Opcode::kParameter) return InstructionId();
  const ComputationId computation = module.instruction(parameter).computation;
  for (uint32_t i = 0; i < module.instruction_count(); ++i) {
    const InstructionId id(i);
    if (module.opcode(id) != Opcode::kWhile) continue;
    const bool is_its = module.ComputationAttribute(id, AttributeKind::kBody) == computation ||
                        module.ComputationAttribute(id, AttributeKind::kCondition) == computation;
    if (is_its) return id;
  }
  return InstructionId();
}

ElementAnswer History(evaluator::Debugger& debugger, InstructionId instruction, const evaluator::Element& element,
                      const QString& name);

// What a loop's state was: what it began with, then what each iteration made of it.
ElementAnswer HistoryOfState(evaluator::Debugger& debugger, InstructionId loop, const evaluator::Element& element,
                             const QString& name) {
  const Module& module = debugger.module();
  const absl::Span<const InstructionId> operands = module.operands(loop);
  const ComputationId body = module.ComputationAttribute(loop, AttributeKind::kBody);
  const InstructionId root = body.has_value() ? module.computation(body).root : InstructionId();
  if (operands.size() != 1 || !operands[0].has_value() || !root.has_value()) return {};
  ElementAnswer answer = History(debugger, operands[0], element, name);
  const ElementAnswer later = History(debugger, root, element, name);
  answer.rows.insert(answer.rows.end(), later.rows.begin(), later.rows.end());
  if (answer.rows.size() > kMaxElementRows) answer.rows.resize(kMaxElementRows);
  answer.summary = ElementPastText::tr("%1 had %n value(s) so far: what the loop began with, then one an iteration.",
                                       nullptr, ForPlural(answer.rows.size()))
                       .arg(name);
  return answer;
}

ElementAnswer History(evaluator::Debugger& debugger, InstructionId instruction, const evaluator::Element& element,
                      const QString& name) {
  const Module& module = debugger.module();
  if (const InstructionId loop = LoopOf(module, instruction); loop.has_value()) {
    return HistoryOfState(debugger, loop, element, name);
  }
  const absl::string_view computation = module.ComputationName(module.instruction(instruction).computation);
  const std::string text =
      absl::StrCat(computation, "::", evaluator::ElementName(module.InstructionName(instruction), element));
  evaluator::ExpressionError error;
  const std::optional<evaluator::Expression> expression = evaluator::Expression::Parse(text, debugger.names(), &error);
  if (!expression.has_value()) return {ToQString(error.message), {}};
  const auto past = debugger.History(*expression, kMaxElementRows);
  if (!past.ok()) return Failure(past.status());
  ElementAnswer answer;
  answer.summary =
      ElementPastText::tr("%1 was computed %n time(s) so far.", nullptr, ForPlural(past->size())).arg(name);
  if (past->size() >= kMaxElementRows)
    answer.summary = ElementPastText::tr("%1: the first %n time(s).", nullptr, ForPlural(past->size())).arg(name);
  for (const evaluator::Debugger::PastResult& one : *past) {
    ElementRow row;
    row.element = name;
    row.value = ToQString(evaluator::BriefValue(one.value));
    row.operation = ToQString(OpcodeName(module.opcode(instruction)));
    row.where = ToQString(one.path);
    row.instruction = instruction;
    row.place = element;
    answer.rows.push_back(std::move(row));
  }
  return answer;
}

}  // namespace

std::optional<evaluator::ValuePlace> PlaceInRun(evaluator::Debugger& debugger, int64_t device,
                                                InstructionId instruction, const evaluator::Element& element) {
  const absl::Span<const evaluator::Frame> frames = debugger.timeline().inspection(device).frames();
  const ComputationId computation = debugger.module().instruction(instruction).computation;
  for (size_t i = frames.size(); i-- > 0;) {
    if (frames[i].computation == computation)
      return evaluator::ValuePlace{{device, frames[i].serial}, instruction, element};
  }
  return std::nullopt;
}

ElementAnswer AskPast(evaluator::Debugger& debugger, PastQuestion question, int64_t device, InstructionId instruction,
                      const evaluator::Element& element) {
  const Module& module = debugger.module();
  const QString name = ToQString(evaluator::ElementName(module.InstructionName(instruction), element));
  if (question == PastQuestion::kHistory) return History(debugger, instruction, element, name);
  const std::optional<evaluator::ValuePlace> place = PlaceInRun(debugger, device, instruction, element);
  if (!place.has_value()) {
    return {ElementPastText::tr("Its computation is not active: values live while their computation runs."), {}};
  }
  evaluator::Provenance provenance(debugger.timeline());
  return question == PastQuestion::kWhy ? Why(provenance, module, *place, name)
                                        : FollowOrigin(provenance, module, *place);
}

}  // namespace hloscope::gui
