// SPDX-License-Identifier: Apache-2.0
#include "gui/models/index_map.h"

#include <QCoreApplication>
#include <QStringList>
#include <utility>

#include "core/layout/physical_layout.h"
#include "gui/models/text.h"

namespace hloscope::gui {
namespace {

struct IndexMapText {
  Q_DECLARE_TR_FUNCTIONS(IndexMap)
};

// Seconds; the map is drawn under the pointer.
constexpr double kPatience = 0.1;

// True if the elements taken depend on the values of operand `k`.
bool DependsOnValues(Opcode opcode, size_t k) {
  switch (opcode) {
    case Opcode::kGather:
      return k == 1;
    case Opcode::kScatter:
      return k > 0;
    case Opcode::kDynamicSlice:
      return k >= 1;
    case Opcode::kDynamicUpdateSlice:
      return k >= 2;
    case Opcode::kSelect:
      return k == 0;
    default:
      return false;
  }
}

}  // namespace

IndexMap::IndexMap(std::shared_ptr<const Module> module, InstructionId instruction,
                   absl::FunctionRef<evaluator::Value(InstructionId)> value_of)
    : module_(std::move(module)), instruction_(instruction) {
  const Shape* shape = &module_->shape(instruction);
  while (shape->IsTuple() && shape->tuple_size() > 0) {
    shape = &shape->element(0);
    path_.push_back(0);
  }
  result_shape_ = shape;
  const QString name = ToQString(OpcodeName(module_->opcode(instruction)));
  if (!shape->IsArray() || shape->HasUnboundedDimension()) {
    problem_ = IndexMapText::tr("The result of %1 is no array of known size.").arg(name);
    return;
  }
  for (InstructionId operand : module_->operands(instruction)) {
    if (!operand.has_value()) {
      problem_ = IndexMapText::tr("An operand could not be read.");
      return;
    }
    evaluator::Value value = value_of(operand);
    if (!value.has_value()) {
      absl::StatusOr<evaluator::Value> zero = evaluator::ZeroValue(module_->shape(operand));
      if (!zero.ok()) {
        problem_ = ToQString(zero.status().message());
        return;
      }
      value = *std::move(zero);
      is_assumed_ |= DependsOnValues(module_->opcode(instruction), operands_.size());
    }
    if (!value.IsTensor()) {
      problem_ = IndexMapText::tr("%1 takes a tuple: it passes values on as they are.").arg(name);
      return;
    }
    operands_.push_back(std::move(value));
  }
  links_ = DimensionLinksOf(*module_, instruction);
  if (shape->ElementCount() == 0) {
    problem_ = IndexMapText::tr("The result has no elements.");
    return;
  }
  const evaluator::Element first{path_, std::vector<int64_t>(static_cast<size_t>(shape->rank()), 0)};
  evaluator::QuestionLimit patience(kPatience, nullptr);
  const evaluator::DependenceKind kind = evaluator::ForEachDependence(
      *module_, instruction, first, operands_, [](size_t, const evaluator::Element&) { return false; }, patience);
  if (kind == evaluator::DependenceKind::kNone)
    problem_ = IndexMapText::tr("%1 takes no elements of operands.").arg(name);
  if (kind == evaluator::DependenceKind::kAll) {
    problem_ =
        IndexMapText::tr("%1 has no index map: every element may depend on all elements of its operands.").arg(name);
  }
}

bool IndexMap::OnlySaysWhere(size_t k) const {
  const Opcode opcode = module_->opcode(instruction_);
  return opcode == Opcode::kScatter ? k == operands_.size() / 2 : DependsOnValues(opcode, k);
}

const Shape& IndexMap::operand_shape(size_t k) const { return module_->shape(module_->operands(instruction_)[k]); }

QString IndexMap::operand_name(size_t k) const {
  return ToQString(module_->InstructionName(module_->operands(instruction_)[k]));
}

std::vector<MapSource> IndexMap::SourcesOf(const evaluator::DimensionVector& result, int64_t limit) const {
  std::vector<MapSource> sources;
  if (!good()) return sources;
  const evaluator::Element at{path_, {result.begin(), result.end()}};
  const auto add = [&](size_t operand, const evaluator::Element& element) {
    sources.push_back({operand, element.index});
    return static_cast<int64_t>(sources.size()) < limit;
  };
  evaluator::QuestionLimit patience(kPatience, nullptr);
  evaluator::ForEachDependence(*module_, instruction_, at, operands_, add, patience);
  return sources;
}

std::vector<evaluator::DimensionVector> IndexMap::ResultsOf(const MapSource& source, bool* complete) const {
  std::vector<evaluator::DimensionVector> results;
  *complete = false;
  if (!good()) return results;
  int64_t visits = 0;
  evaluator::QuestionLimit patience(kPatience, nullptr);
  evaluator::DimensionVector index(static_cast<size_t>(result_shape_->rank()), 0);
  do {
    const evaluator::Element at{path_, {index.begin(), index.end()}};
    bool found = false;
    const auto look_at = [&](size_t operand, const evaluator::Element& element) {
      found = operand == source.operand && element.index == source.index;
      return !found && ++visits < kMaxReverseVisits;
    };
    evaluator::ForEachDependence(*module_, instruction_, at, operands_, look_at, patience);
    if (found) results.push_back(index);
    if (++visits >= kMaxReverseVisits || patience.Look()) return results;
  } while (NextIndex(result_shape_->dimensions(), absl::MakeSpan(index)));
  *complete = true;
  return results;
}

QString IndexMap::explanation() const {
  QStringList parts;
  QStringList repeated, summed;
  for (const DimensionLink& link : links_) {
    if (link.kind == DimensionLink::Kind::kRepeated) {
      repeated << QString::number(link.result_dimension);
    } else if (link.kind == DimensionLink::Kind::kSummed) {
      summed << QStringLiteral("%1 of %2").arg(link.operand_dimension).arg(operand_name(link.operand));
    }
  }
  const QString comma = QStringLiteral(", ");
  if (!repeated.isEmpty())
    parts << IndexMapText::tr("Along dimension %1 the operand repeats itself.").arg(repeated.join(comma));
  if (!summed.isEmpty())
    parts << IndexMapText::tr("All indices of dimension %1 go into each element.").arg(summed.join(comma));
  if (is_assumed_) {
    parts << IndexMapText::tr(
        "Where it takes its elements depends on values: zeros are assumed until the run has them.");
  }
  return parts.join(QLatin1Char(' '));
}

}  // namespace hloscope::gui
