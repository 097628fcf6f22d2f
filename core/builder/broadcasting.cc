// SPDX-License-Identifier: Apache-2.0
#include "core/builder/broadcasting.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "core/builder/expansions.h"

namespace hloscope {
namespace {

using Place = BroadcastProblem::Place;

Place PlaceOfOperand(int operand) { return operand == 0 ? Place::kLhs : Place::kRhs; }
absl::string_view OperandName(int operand) { return operand == 0 ? "lhs" : "rhs"; }

class Planner {
 public:
  Planner(const BuilderValue& lhs, const BuilderValue& rhs) {
    plan_.lhs = lhs;
    plan_.rhs = rhs;
    for (int o : {0, 1}) {
      shapes_[o] = operand(o).shape.WithoutLayout();
      dims_[o].clear();
    }
  }

  // False after a problem.
  bool Plan(const std::optional<std::vector<int64_t>>& dims) {
    if (!CheckOperands()) return false;
    const int64_t ranks[] = {shapes_[0].rank(), shapes_[1].rank()};
    for (int o : {0, 1}) dims_[o] = Identity(ranks[o]);
    if (ranks[0] != ranks[1] && (ranks[0] == 0 || ranks[1] == 0)) return PlanScalar(ranks[0] == 0 ? 0 : 1, dims);
    if (ranks[0] == ranks[1]) {
      if (dims && !dims->empty() && *dims != dims_[0]) {
        return Fail(Place::kDimensions, -1,
                    absl::StrCat("the operands have equal ranks, so broadcast_dimensions must be absent or ",
                                 ListText(dims_[0]), ", not ", ListText(*dims)));
      }
    } else if (!PlanMap(ranks[0] < ranks[1] ? 0 : 1, dims)) {
      return false;
    }
    return PlanStretch();
  }

  BroadcastPlan Finish(Opcode opcode, SnippetNames* names) {
    plan_.result = shapes_[0];
    SnippetWriter writer(names);
    writer.Take(plan_.lhs.name);
    writer.Take(plan_.rhs.name);
    const BuilderValue lhs = AddBroadcastInDim(writer, plan_.lhs, plan_.result, dims_[0]);
    const BuilderValue rhs = AddBroadcastInDim(writer, plan_.rhs, plan_.result, dims_[1]);
    plan_.snippet = writer.Finish(writer.Add(opcode, plan_.result, {lhs, rhs}));
    return std::move(plan_);
  }
  BroadcastProblem TakeProblem() { return std::move(problem_); }

 private:
  const BuilderValue& operand(int o) const { return o == 0 ? plan_.lhs : plan_.rhs; }

  static std::vector<int64_t> Identity(int64_t rank) {
    std::vector<int64_t> dims;
    for (int64_t d = 0; d < rank; ++d) dims.push_back(d);
    return dims;
  }

  bool Fail(Place place, int64_t position, std::string message) {
    problem_ = {std::move(message), place, position};
    return false;
  }

  bool CheckOperands() {
    for (int o : {0, 1}) {
      if (!shapes_[o].IsArray()) {
        return Fail(PlaceOfOperand(o), -1, absl::StrCat(shapes_[o].ToString(), " is not an array"));
      }
      for (int64_t d = 0; d < shapes_[o].rank(); ++d) {
        if (shapes_[o].IsUnboundedDimension(d)) {
          return Fail(
              PlaceOfOperand(o), d,
              absl::StrCat("dimension ", d, " of ", OperandName(o), " has no bound, so nothing can be fitted to it"));
        }
      }
    }
    if (shapes_[0].element_type() != shapes_[1].element_type()) {
      return Fail(Place::kRhs, -1,
                  absl::StrCat("the element types ", ElementTypeName(shapes_[0].element_type()), " and ",
                               ElementTypeName(shapes_[1].element_type()), " differ; convert one operand first"));
    }
    return true;
  }

  // A dimension that is copied into must be static: how far to copy is only known at run time.
  bool CheckTarget(int o, int64_t d, absl::string_view what) {
    if (!shapes_[o].IsDynamicDimension(d)) return true;
    return Fail(PlaceOfOperand(o), d, absl::StrCat("dimension ", d, " of ", OperandName(o), " is dynamic, and ", what));
  }

  void Step(BroadcastStepKind kind, int o, Shape after, std::vector<int64_t> repeated, std::string explanation) {
    plan_.steps.push_back({kind, o, shapes_[o], after, std::move(repeated), std::move(explanation)});
    shapes_[o] = std::move(after);
  }

  bool PlanScalar(int scalar, const std::optional<std::vector<int64_t>>& dims) {
    if (dims && !dims->empty()) {
      return Fail(Place::kDimensions, 0,
                  absl::StrCat(OperandName(scalar), " is a scalar and has no dimension to place; leave ",
                               "broadcast_dimensions out"));
    }
    const int other = 1 - scalar;
    for (int64_t d = 0; d < shapes_[other].rank(); ++d) {
      if (!CheckTarget(other, d, "the scalar has no size to match it")) return false;
    }
    Step(BroadcastStepKind::kScalar, scalar, shapes_[other], Identity(shapes_[other].rank()),
         "the scalar is copied to every position");
    return true;
  }

  bool PlanMap(int small, const std::optional<std::vector<int64_t>>& given) {
    const int large = 1 - small;
    const Shape from = shapes_[small], target = shapes_[large];
    if (!given || given->empty()) {
      return Fail(PlaceOfOperand(small), -1,
                  absl::StrCat("the ranks ", shapes_[0].rank(), " and ", shapes_[1].rank(), " differ; say with ",
                               "broadcast_dimensions which dimension of ", OperandName(large), " each dimension of ",
                               OperandName(small), " belongs to"));
    }
    const std::vector<int64_t>& dims = *given;
    if (static_cast<int64_t>(dims.size()) != from.rank()) {
      return Fail(Place::kDimensions, -1,
                  absl::StrCat("there are ", dims.size(), " broadcast_dimensions for the ", from.rank(),
                               " dimensions of ", OperandName(small), ", ", from.ToString()));
    }
    Shape after = target;
    std::vector<bool> mapped(static_cast<size_t>(target.rank()), false);
    std::vector<std::string> phrases;
    for (size_t k = 0; k < dims.size(); ++k) {
      const int64_t position = static_cast<int64_t>(k);
      if (dims[k] < 0 || dims[k] >= target.rank()) {
        return Fail(Place::kDimensions, position,
                    absl::StrCat("dimension ", dims[k], " is out of range [0,", target.rank(), ")"));
      }
      if (k > 0 && dims[k] <= dims[k - 1]) {
        return Fail(Place::kDimensions, position,
                    absl::StrCat("dimension ", dims[k], " comes after ", dims[k - 1],
                                 "; broadcast_dimensions must increase (transpose the operand first)"));
      }
    }
    for (size_t k = 0; k < dims.size(); ++k) {
      const int64_t position = static_cast<int64_t>(k), d = dims[k];
      const int64_t a = from.dimension(position), b = target.dimension(d);
      if (a != b && a != 1 && b != 1) {
        return Fail(PlaceOfOperand(small), position,
                    absl::StrCat("dimension ", k, " of ", OperandName(small), " has size ", a, ", but dimension ", d,
                                 " of ", OperandName(large), " has size ", b, "; they must be equal or one of them 1"));
      }
      mapped[static_cast<size_t>(d)] = true;
      after.set_dynamic_dimension(d, from.IsDynamicDimension(position));
      after.set_dimension(d, a);
      phrases.push_back(absl::StrCat("its dimension ", k, d == position ? " stays" : " becomes", " dimension ", d));
    }
    std::vector<int64_t> repeated;
    for (int64_t d = 0; d < target.rank(); ++d) {
      if (mapped[static_cast<size_t>(d)]) continue;
      if (!CheckTarget(large, d, absl::StrCat(OperandName(small), " has no such dimension"))) return false;
      repeated.push_back(d);
      phrases.push_back(absl::StrCat("dimension ", d, " is new, of size ", target.dimension(d)));
    }
    dims_[small] = dims;
    Step(BroadcastStepKind::kMap, small, std::move(after), std::move(repeated), absl::StrJoin(phrases, "; "));
    return true;
  }

  bool PlanStretch() {
    std::vector<std::string> phrases[2];
    std::vector<int64_t> stretched[2];
    Shape after[2] = {shapes_[0], shapes_[1]};
    for (int64_t d = 0; d < shapes_[0].rank(); ++d) {
      const int64_t sizes[] = {shapes_[0].dimension(d), shapes_[1].dimension(d)};
      if (sizes[0] == sizes[1]) {
        if (shapes_[0].IsDynamicDimension(d) == shapes_[1].IsDynamicDimension(d)) continue;
        const int o = shapes_[0].IsDynamicDimension(d) ? 0 : 1;
        return CheckTarget(o, d, absl::StrCat("that of ", OperandName(1 - o), " is static"));
      }
      if (sizes[0] != 1 && sizes[1] != 1) {
        return Fail(Place::kRhs, d,
                    absl::StrCat("dimension ", d, " has size ", sizes[0], " in lhs and ", sizes[1],
                                 " in rhs; the sizes must be equal or one of them 1"));
      }
      const int o = sizes[0] == 1 ? 0 : 1;
      if (!CheckTarget(1 - o, d, absl::StrCat("that of ", OperandName(o), " has size 1"))) return false;
      if (!CheckTarget(o, d, "a dynamic size is not stretched")) return false;
      stretched[o].push_back(d);
      after[o].set_dimension(d, sizes[1 - o]);
      phrases[o].push_back(absl::StrCat("dimension ", d, " has size 1 and is stretched to ", sizes[1 - o]));
    }
    for (int o : {0, 1}) {
      if (stretched[o].empty()) continue;
      Step(BroadcastStepKind::kStretch, o, after[o], std::move(stretched[o]), absl::StrJoin(phrases[o], "; "));
    }
    return true;
  }

  BroadcastPlan plan_;
  BroadcastProblem problem_;
  Shape shapes_[2];               // as far as the steps have come
  std::vector<int64_t> dims_[2];  // where each operand's own dimensions are in the result
};

}  // namespace

bool IsPlainBinary(Opcode opcode) {
  const OpcodeInfo& info = InfoOf(opcode);
  return info.family == OpFamily::kElementwise && info.arity == 2 && info.required.empty() &&
         opcode != Opcode::kComplex;
}

std::variant<BroadcastPlan, BroadcastProblem> PlanBroadcast(
    const BuilderValue& lhs, const BuilderValue& rhs, const std::optional<std::vector<int64_t>>& broadcast_dimensions,
    Opcode opcode, SnippetNames* names) {
  Planner planner(lhs, rhs);
  if (!planner.Plan(broadcast_dimensions)) return planner.TakeProblem();
  return planner.Finish(opcode, names);
}

}  // namespace hloscope
