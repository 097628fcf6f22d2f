// SPDX-License-Identifier: Apache-2.0
#include "evaluator/kernels/reduction/map_scan.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "absl/strings/str_cat.h"
#include "evaluator/kernels/indexing/element_copy.h"
#include "evaluator/kernels/indexing/valid_region.h"
#include "evaluator/kernels/interface/parallel_loop.h"
#include "evaluator/kernels/lanes/element_conversion.h"
#include "evaluator/kernels/lanes/scalar_program.h"

namespace hloscope::evaluator {
namespace {

// `x` with its run-time sizes stretched to `sizes` where they are 1.
absl::StatusOr<Tensor> Stretched(const Tensor& x, absl::Span<const int64_t> sizes) {
  DimensionVector strides(x.strides().begin(), x.strides().end());
  for (size_t d = 0; d < sizes.size(); ++d) {
    if (x.dimensions()[d] == sizes[d]) continue;
    if (x.dimensions()[d] != 1) {
      return absl::InvalidArgumentError(
          absl::StrCat("map: run-time sizes ", x.dimensions()[d], " and ", sizes[d], " of dimension ", d, " differ"));
    }
    strides[d] = 0;
  }
  return x.View(sizes, strides, 0);
}

// Position `t` of dimension `d`, which disappears.
Tensor ElementAt(const Tensor& x, size_t d, int64_t t) {
  DimensionVector sizes(x.dimensions().begin(), x.dimensions().end());
  DimensionVector strides(x.strides().begin(), x.strides().end());
  const int64_t offset = t * strides[d];
  sizes.erase(sizes.begin() + static_cast<int64_t>(d));
  strides.erase(strides.begin() + static_cast<int64_t>(d));
  return x.View(sizes, strides, offset);
}

// Scan steps, one after the other, on whole values.
class ScanSteps {
 public:
  ScanSteps(const KernelContext& context, std::vector<Tensor> inputs, std::vector<Value> carries, size_t dimension,
            std::vector<Tensor>& outputs)
      : context_(context),
        inputs_(std::move(inputs)),
        carries_(std::move(carries)),
        dimension_(dimension),
        outputs_(outputs),
        computation_(context.module.ComputationAttribute(context.id, AttributeKind::kToApply)) {}

  absl::Status Step(int64_t t) {
    std::vector<Value> arguments;
    for (const Tensor& input : inputs_) arguments.emplace_back(ElementAt(input, dimension_, t));
    arguments.insert(arguments.end(), carries_.begin(), carries_.end());
    absl::StatusOr<Value> called = context_.runtime.Call(computation_, arguments);
    if (!called.ok()) return called.status();
    std::vector<Value> results = {*called};
    if (called->IsTuple()) results.assign(called->elements().begin(), called->elements().end());
    for (size_t j = 0; j < outputs_.size(); ++j) {
      Tensor& output = outputs_[j];
      const int64_t step = output.strides()[dimension_];
      DimensionVector strides(output.strides().begin(), output.strides().end());
      strides.erase(strides.begin() + static_cast<int64_t>(dimension_));
      uint8_t* const to = output.mutable_data() + t * step * output.element_bytes();
      if (absl::Status s = CopyElements(results[j].tensor(), to, strides, context_.runtime); !s.ok()) return s;
    }
    carries_.assign(results.begin() + static_cast<int64_t>(outputs_.size()), results.end());
    return absl::OkStatus();
  }

  const std::vector<Value>& carries() const { return carries_; }

 private:
  const KernelContext& context_;
  const std::vector<Tensor> inputs_;
  std::vector<Value> carries_;
  const size_t dimension_;
  std::vector<Tensor>& outputs_;
  const ComputationId computation_;
};

}  // namespace

absl::StatusOr<std::vector<Tensor>> EvaluateMap(const KernelContext& context) {
  KernelRuntime& runtime = context.runtime;
  const ComputationId computation = context.module.ComputationAttribute(context.id, AttributeKind::kToApply);
  absl::StatusOr<std::unique_ptr<ScalarProgram>> program = ScalarProgram::Compile(context.module, computation);
  if (!program.ok()) return program.status();
  const std::vector<Tensor> operands = ValidOperands(context, 0, context.operands.size());
  for (const Tensor& x : operands) {
    if (x.rank() != operands[0].rank()) return absl::InvalidArgumentError("map: operands have different ranks");
  }
  DimensionVector sizes(operands[0].dimensions().begin(), operands[0].dimensions().end());
  for (const Tensor& x : operands) {
    for (size_t d = 0; d < sizes.size(); ++d) {
      if (sizes[d] == 1) sizes[d] = x.dimensions()[d];
    }
  }
  std::vector<Tensor> inputs;
  for (size_t k = 0; k < operands.size(); ++k) {
    absl::StatusOr<Tensor> input = Stretched(operands[k], sizes);
    if (input.ok()) input = ConvertElements(*input, (*program)->input_type(k), runtime);
    if (input.ok()) input = DenseElements(*input, runtime);
    if (!input.ok()) return input.status();
    inputs.push_back(*std::move(input));
  }
  absl::StatusOr<Tensor> result = Tensor::Allocate((*program)->output_type(0), sizes);
  if (!result.ok()) return result.status();
  uint8_t* const data = result->mutable_data();
  const auto run = [&](int64_t begin, int64_t end) {
    std::vector<LaneOperand> lanes;
    for (const Tensor& input : inputs) lanes.push_back({input.data() + begin * input.element_bytes(), false});
    uint8_t* const outputs[] = {data + begin * result->element_bytes()};
    return (*program)->Run(lanes, outputs, end - begin, runtime);
  };
  const int64_t count = result->element_count();
  absl::Status status;
  if ((*program)->is_compiled()) {
    status = ParallelLoop(runtime, count, (*program)->nanoseconds_per_lane(), [&](int64_t begin, int64_t end) {
      run(begin, end).IgnoreError();  // a compiled program does not fail
    });
  } else {
    constexpr int64_t kPollInterval = 256;
    for (int64_t first = 0; first < count && status.ok(); first += kPollInterval) {
      status = runtime.CheckCancelled();
      if (status.ok()) status = run(first, std::min(count, first + kPollInterval));
    }
  }
  if (!status.ok()) return status;
  return std::vector<Tensor>{*std::move(result)};
}

absl::StatusOr<std::vector<Tensor>> EvaluateScan(const KernelContext& context) {
  const Module& module = context.module;
  const size_t dimension = static_cast<size_t>(module.IntsAttribute(context.id, AttributeKind::kDimensions)[0]);
  const size_t carry_count = static_cast<size_t>(module.IntAttribute(context.id, AttributeKind::kNumCarries));
  const size_t input_count = context.operands.size() - carry_count;
  const bool is_reverse = module.BoolAttribute(context.id, AttributeKind::kIsReverse);
  std::vector<Shape> result_shapes = {context.shape()};
  if (context.shape().IsTuple()) {
    result_shapes.assign(context.shape().elements().begin(), context.shape().elements().end());
  }
  const size_t output_count = result_shapes.size() - carry_count;
  std::vector<Tensor> inputs, outputs;
  for (size_t k = 0; k < input_count; ++k) {
    const Tensor& input = context.tensor(k);
    if (ValidSize(input, static_cast<int64_t>(dimension)) != input.dimensions()[dimension]) {
      return absl::InvalidArgumentError(absl::StrCat("scan: dynamic scan dimension ", dimension, " of operand ", k));
    }
    inputs.push_back(ValidRegion(input));
  }
  for (size_t j = 0; j < output_count; ++j) {
    absl::StatusOr<Tensor> output = Tensor::Zeros(result_shapes[j].element_type(), result_shapes[j].dimensions());
    if (!output.ok()) return output.status();
    outputs.push_back(*std::move(output));
  }
  const int64_t length = inputs.empty() ? outputs[0].dimensions()[dimension] : inputs[0].dimensions()[dimension];
  std::vector<Value> carries(context.operands.begin() + static_cast<int64_t>(input_count), context.operands.end());
  ScanSteps steps(context, std::move(inputs), std::move(carries), dimension, outputs);
  for (int64_t step = 0; step < length; ++step) {
    if (absl::Status s = context.runtime.CheckCancelled(); !s.ok()) return s;
    if (absl::Status s = steps.Step(is_reverse ? length - 1 - step : step); !s.ok()) return s;
  }
  std::vector<Tensor> results = outputs;
  for (const Value& carry : steps.carries()) results.push_back(carry.tensor());
  return results;
}

}  // namespace hloscope::evaluator
