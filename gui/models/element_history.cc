// SPDX-License-Identifier: Apache-2.0
#include "gui/models/element_history.h"

#include <QCoreApplication>
#include <algorithm>

#include "core/print/number_printer.h"
#include "gui/models/plurals.h"
#include "gui/models/text.h"

namespace hloscope::gui {
namespace {

// Seconds; somebody waits for the answer with the pointer on the element.
constexpr double kPatience = 0.2;

struct ElementHistoryText {
  Q_DECLARE_TR_FUNCTIONS(ElementHistory)
};

QString ElementText(const evaluator::Value& value, const evaluator::Element& element) {
  if (!evaluator::HasElement(value, element)) return QStringLiteral("?");
  std::string text;
  AppendElement(evaluator::ArrayAt(value, element.path)->element_type(), evaluator::ElementAt(value, element), &text);
  return ToQString(text);
}

ElementRow RowOf(const Module& module, InstructionId id, const evaluator::Value& value,
                 const evaluator::Element& element) {
  ElementRow row;
  row.element = ToQString(evaluator::ElementName(module.InstructionName(id), element));
  row.value = ElementText(value, element);
  row.operation = ToQString(OpcodeName(module.opcode(id)));
  row.instruction = id;
  row.place = element;
  return row;
}

}  // namespace

ElementAnswer WhyElement(const Module& module, const SessionController& session, InstructionId instruction,
                         const evaluator::Element& element) {
  ElementAnswer answer;
  const QString name = ToQString(evaluator::ElementName(module.InstructionName(instruction), element));
  const Opcode opcode = module.opcode(instruction);
  const absl::Span<const InstructionId> operands = module.operands(instruction);
  if (opcode == Opcode::kTuple || opcode == Opcode::kGetTupleElement) {
    evaluator::Element from = element;
    InstructionId source = operands.empty() ? InstructionId() : operands[0];
    if (opcode == Opcode::kGetTupleElement) {
      from.path.insert(from.path.begin(), module.IntAttribute(instruction, AttributeKind::kIndex));
    } else if (!element.path.empty() && static_cast<size_t>(element.path[0]) < operands.size()) {
      source = operands[static_cast<size_t>(element.path[0])];
      from.path.erase(from.path.begin());
    }
    if (source.has_value()) {
      answer.summary = ElementHistoryText::tr("%1 is passed on as it is.").arg(name);
      answer.is_exact = session.ValueOf(source).has_value();
      answer.rows.push_back(RowOf(module, source, session.ValueOf(source), from));
    }
    return answer;
  }
  std::vector<evaluator::Value> values;
  for (InstructionId operand : operands) {
    values.push_back(operand.has_value() ? session.ValueOf(operand) : evaluator::Value());
    if (!values.back().has_value()) {
      answer.summary = ElementHistoryText::tr("The operands of %1 have no values where the run is.").arg(name);
      return answer;
    }
  }
  int64_t count = 0;
  const auto add = [&](size_t operand, const evaluator::Element& from) {
    if (answer.rows.size() < kMaxElementRows) {
      answer.rows.push_back(RowOf(module, operands[operand], values[operand], from));
    }
    // Beyond a million the exact number does not matter.
    return ++count < 1'000'000;
  };
  evaluator::QuestionLimit patience(kPatience, nullptr);
  const evaluator::DependenceKind kind =
      evaluator::ForEachDependence(module, instruction, element, values, add, patience);
  if (patience.Look()) {
    answer.summary = ElementHistoryText::tr("%1 has too many elements to look at: not all were tried.").arg(name);
    return answer;
  }
  switch (kind) {
    case evaluator::DependenceKind::kNone:
      answer.summary = ElementHistoryText::tr("%1 depends on no operand: it was given.").arg(name);
      break;
    case evaluator::DependenceKind::kAll:
      answer.summary = ElementHistoryText::tr("Which elements count is not known for %1: it may depend on all of them.")
                           .arg(ToQString(OpcodeName(opcode)));
      break;
    case evaluator::DependenceKind::kExact:
      answer.summary = ElementHistoryText::tr("%1 was computed from %2 element(s).", nullptr, ForPlural(count))
                           .arg(name, FormatCount(count));
      answer.is_exact = true;
      break;
  }
  if (count > static_cast<int64_t>(answer.rows.size())) {
    answer.summary += ElementHistoryText::tr(" The first %n (is|are) listed.", nullptr, ForPlural(answer.rows.size()));
  }
  return answer;
}

}  // namespace hloscope::gui
