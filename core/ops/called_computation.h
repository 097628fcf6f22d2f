// SPDX-License-Identifier: Apache-2.0
// The signature of a computation that an instruction calls, without copies.
#ifndef HLOSCOPE_CORE_OPS_CALLED_COMPUTATION_H_
#define HLOSCOPE_CORE_OPS_CALLED_COMPUTATION_H_

#include "core/ir/module.h"
#include "core/ops/rule_context.h"

namespace hloscope {

class CalledComputation {
 public:
  // `attribute` is the attribute that names the computation.
  CalledComputation(const RuleContext& context, AttributeKind attribute)
      : module_(context.module()), attribute_(attribute), id_(context.Called(attribute)) {}

  // False if the computation or a part of its signature could not be read; there is then nothing to check.
  bool IsReadable() const {
    if (!id_.has_value()) return false;
    const Computation& computation = module_.computation(id_);
    if (!computation.root.has_value() || !module_.shape(computation.root).IsValid()) return false;
    for (InstructionId parameter : computation.parameters) {
      if (!parameter.has_value() || !module_.shape(parameter).IsValid()) return false;
    }
    return true;
  }

  AttributeKind attribute() const { return attribute_; }
  absl::string_view attribute_name() const { return AttributeName(attribute_); }
  Anchor anchor() const { return Anchor::Attribute(attribute_); }

  // The following require IsReadable().
  size_t parameter_count() const { return module_.computation(id_).parameters.size(); }
  InstructionId parameter(size_t k) const { return module_.computation(id_).parameters[k]; }
  InstructionId root() const { return module_.computation(id_).root; }
  const Shape& parameter_shape(size_t k) const { return module_.shape(parameter(k)); }
  const Shape& result() const { return module_.shape(root()); }
  // Component `i` of a tuple result; the result itself if it is no tuple.
  const Shape& result(size_t i) const {
    return result().IsTuple() ? result().element(static_cast<int64_t>(i)) : result();
  }

 private:
  const Module& module_;
  AttributeKind attribute_;
  ComputationId id_;
};

// False if an instruction of the computation could not be read: then it may have more parameters than are known.
bool WasReadWhole(const Module& module, ComputationId id);

// False unless the computation takes `expected` parameters, which is reported at the attribute if it was read whole.
bool CheckParameterCount(RuleContext& context, const CalledComputation& computation, size_t expected);
// Reports that parameter `k` has the wrong shape; `expectation` completes "parameter 0 of `to_apply` is f32[2], but
// ...".
void ReportParameter(RuleContext& context, const CalledComputation& computation, size_t k,
                     absl::string_view expectation);
// Reports that the result has the wrong shape; `expectation` completes "`to_apply` must return ...".
void ReportResult(RuleContext& context, const CalledComputation& computation, absl::string_view expectation);

}  // namespace hloscope

#endif  // HLOSCOPE_CORE_OPS_CALLED_COMPUTATION_H_
