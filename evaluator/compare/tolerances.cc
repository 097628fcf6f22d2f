// SPDX-License-Identifier: Apache-2.0
#include "evaluator/compare/tolerances.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "core/analysis/operation_count.h"
#include "evaluator/compare/loop_state.h"

namespace hloscope::evaluator {
namespace {

enum class ErrorKind : uint8_t { kMoves, kRounds, kApproximates, kSums };

ErrorKind ErrorOf(Opcode opcode) {
  switch (opcode) {
    case Opcode::kInvalid:
      break;
#define HLO_ERROR(Enum, error) \
  case Opcode::k##Enum:        \
    return ErrorKind::k##error;
#include "evaluator/compare/operation_errors.def"
  }
  return ErrorKind::kRounds;
}

// Last places of what libraries approximate, beside those of one rounding.
constexpr double kOfFunctions = 4;
// Beyond it a tolerance says nothing.
constexpr double kLargestShare = 0.25;

double ShareOfMantissa(int bits) { return std::min(kLargestShare, 5 * std::ldexp(1.0, -bits)); }

double UnitOf(ElementType type) {
  const ElementType part = IsComplex(type) ? ComplexComponent(type) : type;
  return std::ldexp(1.0, -FloatFormatOf(part).mantissa_bits - 1);
}

void AppendTypes(const Shape& shape, std::vector<ElementType>* types) {
  if (shape.IsArray()) types->push_back(shape.element_type());
  if (!shape.IsTuple()) return;
  for (const Shape& element : shape.elements()) AppendTypes(element, types);
}

// How many terms a sum has, about.
double TermsOf(const Module& module, InstructionId id) {
  const int64_t operations = CountOperations(module, id, [](AttributeKind) { return int64_t{1}; });
  const int64_t results = std::max<int64_t>(ArrayElements(module.shape(id)), 1);
  return std::max(1.0, static_cast<double>(operations) / static_cast<double>(results));
}

absl::Status ReadPart(absl::string_view part, Tolerance* tolerance) {
  const std::pair<absl::string_view, absl::string_view> halves = absl::StrSplit(part, absl::MaxSplits('=', 1));
  const auto& [name, value] = halves;
  if (name == "ulp") {
    if (absl::SimpleAtoi(value, &tolerance->ulps)) return absl::OkStatus();
  } else if (name == "rtol" || name == "atol") {
    double& number = name == "rtol" ? tolerance->relative : tolerance->absolute;
    if (absl::SimpleAtod(value, &number) && std::isfinite(number) && number >= 0) return absl::OkStatus();
  } else {
    return absl::InvalidArgumentError(absl::StrCat("'", part, "' is none of rtol=X, atol=Y, ulp=N"));
  }
  return absl::InvalidArgumentError(absl::StrCat("'", part, "': '", value, "' is no number that is not negative"));
}

}  // namespace

absl::StatusOr<ToleranceRule> ParseToleranceRule(absl::string_view text) {
  ToleranceRule rule;
  std::vector<absl::string_view> parts = absl::StrSplit(text, ':');
  const absl::string_view numbers = parts.back();
  parts.pop_back();
  for (absl::string_view part : parts) {
    if (const std::optional<ElementType> type = ElementTypeFromName(part); type && !rule.type && !rule.opcode) {
      rule.type = *type;
    } else if (const std::optional<Opcode> opcode = OpcodeFromName(part); opcode && !rule.opcode) {
      rule.opcode = *opcode;
    } else {
      return absl::InvalidArgumentError(
          absl::StrCat("'", text, "': '", part, "' is no element type or opcode; it is [TYPE:][OPCODE:]rtol=X,..."));
    }
  }
  for (absl::string_view part : absl::StrSplit(numbers, ',')) {
    if (const absl::Status status = ReadPart(part, &rule.tolerance); !status.ok()) return status;
  }
  return rule;
}

ValueTolerances::ValueTolerances(const ValueFlow& flow, std::vector<ToleranceRule> rules)
    : flow_(flow), rules_(std::move(rules)) {
  inherited_.resize(flow.module().instruction_count(), 0);
  // What a loop's body returns comes after its parameters: until nothing changes. Shares only grow, and to few values.
  for (bool changed = true; changed;) {
    changed = false;
    for (InstructionId id : flow.order()) {
      const absl::Span<const InstructionId> after = StateAfter(flow, id);
      changed |= Inherit(id, after);
      changed |= Inherit(id, flow.initial_values(id));
      changed |= Inherit(id, flow.callee_results(id));
      if (after.empty() || !flow.initial_values(id).empty()) changed |= Inherit(id, flow.operands(id));
    }
  }
}

bool ValueTolerances::Inherit(InstructionId carrier, absl::Span<const InstructionId> from) {
  double& share = inherited_[carrier.index()];
  const double before = share;
  for (InstructionId id : from) {
    std::vector<ElementType> types;
    AppendTypes(flow_.module().shape(id), &types);
    for (ElementType type : types) share = std::max(share, ShareOf(id, type));
  }
  return share != before;
}

double ValueTolerances::OwnShare(InstructionId carrier, ElementType type) const {
  const Module& module = flow_.module();
  const double usual = UsualTolerance(type).relative;
  switch (ErrorOf(module.opcode(carrier))) {
    case ErrorKind::kMoves:
      return 0;
    case ErrorKind::kRounds:
      if (module.opcode(carrier) != Opcode::kReducePrecision) return usual;
      return std::max(usual, ShareOfMantissa(static_cast<int>(std::clamp<int64_t>(
                                 module.IntAttribute(carrier, AttributeKind::kMantissaBits), 0, 64))));
    case ErrorKind::kApproximates:
      return std::min(kLargestShare, kOfFunctions * usual);
    case ErrorKind::kSums:
      // Roundings of either sign add up as the root of their number.
      return std::max(usual, std::min(kLargestShare, 2 * std::sqrt(TermsOf(module, carrier)) * UnitOf(type)));
  }
  return usual;
}

double ValueTolerances::ShareOf(InstructionId carrier, ElementType type) const {
  if (!IsFloat(type) && !IsComplex(type)) return 0;
  return std::max(inherited_[carrier.index()], OwnShare(carrier, type));
}

Tolerance ValueTolerances::Of(InstructionId carrier, ElementType type) const {
  const Opcode opcode = flow_.module().opcode(carrier);
  const ToleranceRule* best = nullptr;
  int best_rank = -1;
  for (const ToleranceRule& rule : rules_) {
    if ((rule.type && *rule.type != type) || (rule.opcode && *rule.opcode != opcode)) continue;
    const int rank = (rule.opcode ? 2 : 0) + (rule.type ? 1 : 0);
    if (rank < best_rank) continue;
    best = &rule;
    best_rank = rank;
  }
  if (best != nullptr) return best->tolerance;
  const double share = ShareOf(carrier, type);
  return {.relative = share, .of_largest = share};
}

std::vector<Tolerance> ValueTolerances::OfArrays(InstructionId id) const {
  std::vector<ElementType> types;
  AppendTypes(flow_.module().shape(id), &types);
  std::vector<InstructionId> owners;  // by array
  for (InstructionId carrier : flow_.carriers(id)) {
    std::vector<ElementType> own;
    AppendTypes(flow_.module().shape(carrier), &own);
    owners.insert(owners.end(), own.size(), carrier);
  }
  std::vector<Tolerance> tolerances;
  for (size_t k = 0; k < types.size(); ++k) {
    tolerances.push_back(Of(owners.size() == types.size() ? owners[k] : id, types[k]));
  }
  return tolerances;
}

}  // namespace hloscope::evaluator
