// SPDX-License-Identifier: Apache-2.0
#include "cli/serve/run_request.h"

#include <algorithm>
#include <cstdint>
#include <istream>
#include <optional>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "cli/serve/request_parameters.h"
#include "evaluator/tensor/memory_buffer.h"
#include "evaluator/tensor/npy.h"
#include "evaluator/tensor/tensor.h"

namespace hloscope::cli {
namespace {

using Json = nlohmann::ordered_json;

// Takes the leaves of the parameters from the frames, in order.
class ArgumentReader {
 public:
  ArgumentReader(const Json& arguments, const std::vector<std::string>& frames, const Module& module,
                 const evaluator::RunOptions& options)
      : arguments_(arguments),
        frames_(frames),
        module_(module),
        loader_(module, options, evaluator::GridOf(module, options)) {}

  size_t leaves() const { return leaf_; }

  absl::StatusOr<evaluator::Value> Parameter(const Shape& shape, int64_t parameter) {
    parameter_ = parameter;
    if (!shape.IsArray() || leaf_ >= arguments_.size() || !arguments_[leaf_].is_null()) return ValueOf(shape);
    ++leaf_;
    return loader_.Argument(0, parameter, nullptr);
  }

 private:
  absl::StatusOr<evaluator::Value> ValueOf(const Shape& shape) {
    if (shape.IsTuple()) {
      std::vector<evaluator::Value> elements;
      for (int64_t i = 0; i < shape.tuple_size(); ++i) {
        absl::StatusOr<evaluator::Value> element = ValueOf(shape.element(i));
        if (!element.ok()) return element;
        elements.push_back(*std::move(element));
      }
      return evaluator::Value::Tuple(std::move(elements));
    }
    if (!shape.IsArray()) return evaluator::Value::Token();
    if (leaf_ >= arguments_.size()) return Missing(shape);
    const Json& number = arguments_[leaf_++];
    if (number.is_null()) return absl::InvalidArgumentError("a leaf of a tuple cannot be left out");
    const absl::StatusOr<const std::string*> frame = FrameOf(frames_, number);
    if (!frame.ok()) return frame.status();
    // Read alone; the interface of streams has no way to say so.
    evaluator::MemoryBuffer bytes(const_cast<char*>((*frame)->data()), static_cast<std::streamsize>((*frame)->size()));
    std::istream stream(&bytes);
    absl::StatusOr<evaluator::Tensor> tensor = evaluator::ReadNpy(stream, absl::StrCat("argument ", leaf_ - 1), shape);
    if (!tensor.ok()) return tensor.status();
    return evaluator::Value(*std::move(tensor));
  }

  absl::Status Missing(const Shape& shape) const {
    const std::vector<InstructionId>& parameters = module_.computation(module_.entry()).parameters;
    const absl::string_view name = module_.InstructionName(parameters[static_cast<size_t>(parameter_)]);
    return absl::InvalidArgumentError(absl::StrCat("`arguments` has fewer arrays than there are leaves: parameter ",
                                                   parameter_, " (", name, ") needs an array ", shape.ToString(false)));
  }

  const Json& arguments_;
  const std::vector<std::string>& frames_;
  const Module& module_;
  evaluator::ArgumentLoader loader_;
  size_t leaf_ = 0;
  int64_t parameter_ = 0;
};

}  // namespace

absl::StatusOr<evaluator::RunOptions> RunOptionsOfRequest(const Json& params) {
  evaluator::RunOptions options;
  options.wording.argument = "argument $0";
  options.wording.give_argument = "give `arguments`, or `fill`";
  options.wording.give_infeed = "a script cannot feed it";
  const auto fill = TextParam(params, "fill"), limit = TextParam(params, "memory_limit");
  const auto seed = IntegerParam(params, "seed"), threads = IntegerParam(params, "threads");
  const auto replicas = IntegerParam(params, "replicas"), partitions = IntegerParam(params, "partitions");
  const auto steps = IntegerParam(params, "step_limit");
  const auto seconds = Param<double>(params, "time_limit", "a number of seconds");
  for (const absl::Status& status : {fill.status(), limit.status(), seed.status(), threads.status(), replicas.status(),
                                     partitions.status(), steps.status(), seconds.status()}) {
    if (!status.ok()) return status;
  }
  if (fill->has_value()) {
    options.fill = evaluator::FillRuleFromText(**fill);
    if (!options.fill.has_value()) {
      return absl::InvalidArgumentError("`fill` is zeros, ones, iota, random, normal, positive or uniform:LO:HI");
    }
  }
  for (const auto* number : {&replicas, &partitions, &threads, &steps}) {
    if ((*number)->value_or(1) < 0)
      return absl::InvalidArgumentError("numbers of devices, threads and steps are positive");
  }
  for (const auto& [count, target] :
       {std::pair(&replicas, &options.replicas), std::pair(&partitions, &options.partitions)}) {
    if ((*count)->value_or(1) < 1 || (*count)->value_or(1) > evaluator::kMaxDevices) {
      return absl::InvalidArgumentError(absl::StrCat("from 1 to ", evaluator::kMaxDevices, " devices"));
    }
    *target = **count;
  }
  options.session.random_seed = static_cast<uint64_t>(seed->value_or(0));
  options.session.threads = static_cast<int>(std::min<int64_t>(threads->value_or(0), 1024));
  options.session.step_limit = steps->value_or(0);
  options.session.time_limit_seconds = std::max(0.0, seconds->value_or(0));
  options.session.memory_limit_bytes = evaluator::Buffer::UsualLimit();
  if (limit->has_value()) {
    const std::optional<int64_t> bytes = evaluator::BytesFromText(**limit);
    if (!bytes.has_value()) return absl::InvalidArgumentError("`memory_limit` is a number of bytes such as \"512M\"");
    options.session.memory_limit_bytes = *bytes;
  }
  return options;
}

absl::StatusOr<std::vector<evaluator::Value>> ArgumentsOfRequest(const Json& arguments,
                                                                 const std::vector<std::string>& frames,
                                                                 const Module& module,
                                                                 const evaluator::RunOptions& options) {
  if (!arguments.is_array()) return absl::InvalidArgumentError("`arguments` is an array of frames, one for each leaf");
  evaluator::RunOptions fills = options;
  fills.recorded.clear();
  ArgumentReader reader(arguments, frames, module, fills);
  const std::vector<InstructionId>& parameters = module.computation(module.entry()).parameters;
  std::vector<evaluator::Value> values;
  for (size_t k = 0; k < parameters.size(); ++k) {
    absl::StatusOr<evaluator::Value> value = reader.Parameter(module.shape(parameters[k]), static_cast<int64_t>(k));
    if (!value.ok()) return value.status();
    values.push_back(*std::move(value));
  }
  if (reader.leaves() < arguments.size()) {
    return absl::InvalidArgumentError(
        absl::StrCat("`arguments` has ", arguments.size(), " arrays, there are ", reader.leaves(), " leaves"));
  }
  return values;
}

}  // namespace hloscope::cli
