// SPDX-License-Identifier: Apache-2.0
#include "evaluator/debugger/provenance.h"

#include <cmath>
#include <optional>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "evaluator/debugger/numeric_events.h"
#include "evaluator/engine/reproducer.h"
#include "numerics/elements/numeric.h"

namespace hloscope::evaluator {
namespace {

// Loops may hand a NaN from iteration to iteration for long.
constexpr size_t kMaxHops = 1 << 20;

struct Badness {
  bool nan = false, infinite = false;
  bool any() const { return nan || infinite; }
};

Badness BadnessOf(ElementType type, const uint8_t* element) {
  if (!IsFloat(type) && !IsComplex(type)) return {};
  const std::complex<double> number = ReadComplex(type, element);
  return {std::isnan(number.real()) || std::isnan(number.imag()),
          std::isinf(number.real()) || std::isinf(number.imag())};
}

std::string TextOf(ElementType type, const uint8_t* element) {
  if (type == ElementType::kPred) return *element != 0 ? "true" : "false";
  if (IsInteger(type)) return absl::StrCat(ReadInteger(type, element));
  const std::complex<double> number = ReadComplex(type, element);
  return IsComplex(type) ? absl::StrFormat("(%g, %g)", number.real(), number.imag())
                         : absl::StrFormat("%.9g", number.real());
}

}  // namespace

absl::StatusOr<Element> Provenance::FirstNonFinite(const FrameKey& frame, InstructionId instruction) {
  absl::StatusOr<Value> value = timeline_.PastValue(frame, instruction);
  if (!value.ok()) return value.status();
  QuestionLimit limit = timeline_.NewQuestion();
  if (std::optional<Element> found = FirstNonFiniteElement(*value, true, true, limit)) return *std::move(found);
  if (absl::Status status = limit.status(); !status.ok()) return status;
  return absl::NotFoundError(absl::StrCat("all elements of ", timeline_.module().InstructionName(instruction),
                                          " are finite: there is no NaN or infinity to follow"));
}

std::string Provenance::PathOf(const FrameKey& frame, InstructionId instruction) {
  std::vector<Frame> frames;
  for (FrameKey key = frame; key.serial >= 0;) {
    const absl::StatusOr<Timeline::OpenedFrame> opened = timeline_.FrameOf(key);
    if (!opened.ok()) break;
    frames.insert(frames.begin(), opened->frame);
    key.serial = opened->parent;
  }
  if (frames.empty()) return std::string(timeline_.module().InstructionName(instruction));
  frames.back().current = instruction;
  return ExecutionPath(timeline_.module(), frames);
}

absl::StatusOr<std::string> Provenance::ElementText(const ValuePlace& place) {
  const absl::StatusOr<Value> value = timeline_.PastValue(place.frame, place.instruction);
  if (!value.ok()) return value.status();
  if (!HasElement(*value, place.element)) {
    return absl::OutOfRangeError(
        absl::StrCat(ElementName(timeline_.module().InstructionName(place.instruction), place.element),
                     " is not an element: the value has the shape ", ShapeOf(*value).ToString(false)));
  }
  const Tensor& array = *ArrayAt(*value, place.element.path);
  return TextOf(array.element_type(), array.At(place.element.index));
}

absl::StatusOr<std::vector<Value>> Provenance::OperandValues(const ValuePlace& place) {
  std::vector<Value> values;
  for (InstructionId operand : timeline_.module().operands(place.instruction)) {
    absl::StatusOr<Value> value = timeline_.PastValue(place.frame, operand);
    if (!value.ok()) return value.status();
    values.push_back(*std::move(value));
  }
  return values;
}

absl::StatusOr<Provenance::Passed> Provenance::ArgumentOf(const ValuePlace& place) {
  const Module& module = timeline_.module();
  const absl::StatusOr<Timeline::OpenedFrame> opened = timeline_.FrameOf(place.frame);
  if (!opened.ok()) return opened.status();
  const size_t number = module.instruction(place.instruction).parameter_number;
  const InstructionId caller = opened->frame.caller;
  Passed passed;
  if (!caller.has_value()) {
    passed.kind = Passed::Kind::kGiven;
    passed.why = absl::StrCat("it was given as argument ", number);
    return passed;
  }
  passed.kind = Passed::Kind::kYes;
  passed.from = {{place.frame.device, opened->parent}, InstructionId(), place.element};
  size_t operand = number;
  switch (opened->frame.kind) {
    case FrameKind::kBranch:
      operand = static_cast<size_t>(opened->frame.branch) + 1;
      break;
    case FrameKind::kCondition:
    case FrameKind::kBody:
      if (opened->frame.iteration > 0) {
        const absl::StatusOr<FrameKey> before =
            timeline_.CalleeOf(passed.from.frame, caller, FrameKind::kBody, opened->frame.iteration - 1);
        if (!before.ok()) return before.status();
        passed.from.frame = *before;
        passed.from.instruction = module.computation(module.ComputationAttribute(caller, AttributeKind::kBody)).root;
        return passed;
      }
      operand = 0;
      break;
    case FrameKind::kAsync:
    case FrameKind::kApplied:
      if (module.opcode(caller) != Opcode::kAsyncStart) {
        passed.kind = Passed::Kind::kUnknown;
        passed.why = "the arguments of this chain cannot be followed";
        return passed;
      }
      break;
    case FrameKind::kEntry:
    case FrameKind::kCall:
    case FrameKind::kFusion:
      break;
  }
  if (operand >= module.operands(caller).size()) return absl::NotFoundError("the caller has no such operand");
  passed.from.instruction = module.operand(caller, operand);
  return passed;
}

absl::StatusOr<Provenance::Passed> Provenance::ResultOf(const ValuePlace& place, FrameKind kind, int64_t iteration) {
  const absl::StatusOr<FrameKey> callee = timeline_.CalleeOf(place.frame, place.instruction, kind, iteration);
  if (!callee.ok()) return callee.status();
  const absl::StatusOr<Timeline::OpenedFrame> opened = timeline_.FrameOf(*callee);
  if (!opened.ok()) return opened.status();
  Passed passed;
  passed.kind = Passed::Kind::kYes;
  passed.from = {*callee, timeline_.module().computation(opened->frame.computation).root, place.element};
  return passed;
}

absl::StatusOr<Provenance::Passed> Provenance::PassedFrom(const ValuePlace& place) {
  const Module& module = timeline_.module();
  const InstructionId id = place.instruction;
  Passed passed;
  const auto operand = [&](size_t k) {
    passed.kind = Passed::Kind::kYes;
    passed.from = {place.frame, module.operand(id, k), place.element};
  };
  switch (module.opcode(id)) {
    case Opcode::kParameter:
      return ArgumentOf(place);
    case Opcode::kCall:
      return ResultOf(place, FrameKind::kCall, -1);
    case Opcode::kFusion:
      return ResultOf(place, FrameKind::kFusion, -1);
    case Opcode::kConditional:
      return ResultOf(place, FrameKind::kBranch, -1);
    case Opcode::kWhile: {
      const absl::StatusOr<int64_t> iterations = timeline_.IterationsOf(place.frame, id);
      if (!iterations.ok()) return iterations.status();
      if (*iterations > 0) return ResultOf(place, FrameKind::kBody, *iterations - 1);
      operand(0);
      return passed;
    }
    case Opcode::kTuple: {
      if (place.element.path.empty()) break;
      operand(static_cast<size_t>(place.element.path[0]));
      passed.from.element.path.erase(passed.from.element.path.begin());
      return passed;
    }
    case Opcode::kGetTupleElement: {
      operand(0);
      passed.from.element.path.insert(passed.from.element.path.begin(), module.IntAttribute(id, AttributeKind::kIndex));
      return passed;
    }
    case Opcode::kCopy:
    case Opcode::kCopyDone:
    case Opcode::kAddDependency:
    case Opcode::kDomain:
      operand(0);
      // The value of a copy-start is (copy, original, context).
      if (module.opcode(id) == Opcode::kCopyDone) passed.from.element.path.insert(passed.from.element.path.begin(), 0);
      return passed;
    case Opcode::kCopyStart:
      operand(0);
      if (!passed.from.element.path.empty()) passed.from.element.path.erase(passed.from.element.path.begin());
      return passed;
    case Opcode::kOptBarrier:
      operand(0);
      return passed;
    case Opcode::kAsyncStart:
    case Opcode::kAsyncUpdate:
    case Opcode::kAsyncDone: {
      ValuePlace result = place;
      if (module.opcode(id) != Opcode::kAsyncDone && !result.element.path.empty()) {
        if (result.element.path[0] != 1) break;
        result.element.path.erase(result.element.path.begin());
      }
      absl::StatusOr<Passed> called = ResultOf(result, FrameKind::kAsync, -1);
      if (called.ok() || module.opcode(id) == Opcode::kAsyncStart) return called;
      operand(0);
      if (module.opcode(id) == Opcode::kAsyncDone) {
        passed.from.element.path.insert(passed.from.element.path.begin(), 1);
      }
      return passed;
    }
    case Opcode::kConstant:
      passed.kind = Passed::Kind::kGiven;
      passed.why = "it is written in the module";
      return passed;
    default:
      break;
  }
  return passed;
}

absl::StatusOr<OriginReport> Provenance::OriginOf(const ValuePlace& start) {
  const Module& module = timeline_.module();
  OriginReport report;
  ValuePlace place = start;
  QuestionLimit limit = timeline_.NewQuestion();
  for (size_t hop = 0; hop < kMaxHops; ++hop) {
    const absl::StatusOr<Value> value = timeline_.PastValue(place.frame, place.instruction);
    if (!value.ok()) return value.status();
    if (!HasElement(*value, place.element)) return ElementText(place).status();
    const Tensor& array = *ArrayAt(*value, place.element.path);
    const uint8_t* const element = array.At(place.element.index);
    const Badness bad = BadnessOf(array.element_type(), element);
    if (!bad.any()) {
      return absl::FailedPreconditionError(
          absl::StrCat(ElementName(module.InstructionName(place.instruction), place.element), " is ",
                       TextOf(array.element_type(), element), ": there is no NaN or infinity to follow"));
    }
    report.hops.push_back({place, TextOf(array.element_type(), element)});
    absl::StatusOr<Passed> passed = PassedFrom(place);
    if (!passed.ok()) {
      report.why = std::string(passed.status().message());
      return report;
    }
    if (passed->kind == Passed::Kind::kYes) {
      place = passed->from;
      continue;
    }
    if (passed->kind == Passed::Kind::kGiven || passed->kind == Passed::Kind::kUnknown) {
      report.end = passed->kind == Passed::Kind::kGiven ? OriginReport::End::kGiven : OriginReport::End::kUnknown;
      report.why = passed->why;
      return report;
    }
    absl::StatusOr<std::vector<Value>> operands = OperandValues(place);
    if (!operands.ok()) {
      report.why = std::string(operands.status().message());
      return report;
    }
    std::optional<ValuePlace> next;
    bool next_is_nan = false;
    report.operands.clear();
    report.operand_count = 0;
    const auto look_at = [&](size_t k, const Element& from) {
      if (!HasElement((*operands)[k], from)) return true;
      const Tensor& source = *ArrayAt((*operands)[k], from.path);
      const uint8_t* const at = source.At(from.index);
      const Badness found = BadnessOf(source.element_type(), at);
      const ValuePlace from_place{place.frame, module.operand(place.instruction, k), from};
      ++report.operand_count;
      if (report.operands.size() < kMaxListed) {
        report.operands.push_back({from_place, TextOf(source.element_type(), at)});
      }
      // A NaN is rather made by a NaN than by an infinity, and the other way round.
      const bool better = found.any() && (!next.has_value() || (bad.nan && found.nan && !next_is_nan));
      if (better) {
        next = from_place;
        next_is_nan = found.nan;
      }
      return !(next.has_value() && (next_is_nan || !bad.nan));
    };
    const DependenceKind kind = ForEachDependence(module, place.instruction, place.element, *operands, look_at, limit);
    if (absl::Status status = limit.status(); !status.ok()) return status;
    if (next.has_value()) {
      place = *next;
      continue;
    }
    if (kind == DependenceKind::kNone) {
      report.end = OriginReport::End::kGiven;
      report.why = absl::StrCat("it came with ", OpcodeName(module.opcode(place.instruction)));
    } else {
      report.end = OriginReport::End::kMade;
      report.why = absl::StrCat(OpcodeName(module.opcode(place.instruction)), " made it from finite operands");
    }
    return report;
  }
  report.why = absl::StrCat("not followed further than ", kMaxHops, " steps");
  return report;
}

absl::StatusOr<Provenance::Sources> Provenance::SourcesOf(const ValuePlace& place) {
  if (absl::StatusOr<std::string> text = ElementText(place); !text.ok()) return text.status();
  Sources sources;
  absl::StatusOr<Passed> passed = PassedFrom(place);
  if (!passed.ok()) return passed.status();
  if (passed->kind == Passed::Kind::kYes) {
    absl::StatusOr<std::string> text = ElementText(passed->from);
    if (!text.ok()) return text.status();
    sources.elements.push_back({passed->from, *std::move(text)});
    sources.count = 1;
    return sources;
  }
  if (passed->kind != Passed::Kind::kNo) {
    sources.kind = DependenceKind::kNone;
    sources.note = passed->why;
    return sources;
  }
  const absl::StatusOr<std::vector<Value>> operands = OperandValues(place);
  if (!operands.ok()) return operands.status();
  const auto add = [&](size_t k, const Element& from) {
    if (!HasElement((*operands)[k], from)) return true;
    ++sources.count;
    if (sources.elements.size() >= kMaxListed) return true;
    const Tensor& source = *ArrayAt((*operands)[k], from.path);
    sources.elements.push_back({{place.frame, timeline_.module().operand(place.instruction, k), from},
                                TextOf(source.element_type(), source.At(from.index))});
    return true;
  };
  QuestionLimit limit = timeline_.NewQuestion();
  sources.kind = ForEachDependence(timeline_.module(), place.instruction, place.element, *operands, add, limit);
  if (absl::Status status = limit.status(); !status.ok()) return status;
  return sources;
}

absl::StatusOr<std::vector<std::string>> WriteReproducer(Timeline& timeline, const UserIndex& users,
                                                         const FrameKey& frame, InstructionId instruction,
                                                         const std::string& directory) {
  return WriteReproducer(
      timeline.module(), users, instruction, [&](InstructionId operand) { return timeline.PastValue(frame, operand); },
      directory);
}

}  // namespace hloscope::evaluator
