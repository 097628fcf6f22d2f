// SPDX-License-Identifier: Apache-2.0
#include "evaluator/plugins/custom_call_plugin.h"

#include <dlfcn.h>

#include <cstring>
#include <utility>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "evaluator/kernels/custom_calls/custom_call_support.h"
#include "evaluator/plugins/hloscope_custom_call.h"

namespace hloscope::evaluator {
namespace {

// An array of zeros for each leaf of a shape; appends them to `leaves` in depth-first order.
absl::StatusOr<Value> AllocateResult(const Shape& shape, std::vector<Tensor>* leaves) {
  if (shape.IsTuple()) {
    std::vector<Value> elements;
    for (const Shape& element : shape.elements()) {
      absl::StatusOr<Value> value = AllocateResult(element, leaves);
      if (!value.ok()) return value;
      elements.push_back(*std::move(value));
    }
    return Value::Tuple(std::move(elements));
  }
  if (shape.IsToken()) return Value::Token();
  if (!shape.IsArray()) {
    return absl::UnimplementedError(absl::StrCat("a plug-in cannot return ", shape.ToString(false)));
  }
  absl::StatusOr<Tensor> tensor = Tensor::Allocate(shape.element_type(), shape.dimensions());
  if (!tensor.ok()) return tensor.status();
  if (tensor->byte_size() > 0) std::memset(tensor->mutable_data(), 0, static_cast<size_t>(tensor->byte_size()));
  leaves->push_back(*tensor);
  return Value(*std::move(tensor));
}

HloscopeArray Describe(const Tensor& tensor, void* data) {
  return {ElementTypeName(tensor.element_type()).data(), tensor.rank(), tensor.dimensions().data(), data,
          tensor.byte_size()};
}

}  // namespace

absl::StatusOr<std::unique_ptr<CustomCallPlugin>> CustomCallPlugin::Load(const std::string& path) {
  // A bare name would be looked for in the system's folders.
  const std::string file = absl::StrContains(path, '/') ? path : absl::StrCat("./", path);
  void* const library = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) {
    return absl::InvalidArgumentError(absl::StrCat(path, ": cannot be loaded as a plug-in: ", dlerror()));
  }
  std::unique_ptr<CustomCallPlugin> plugin(new CustomCallPlugin(path, library));
  const auto version = reinterpret_cast<int32_t (*)()>(dlsym(library, "hloscope_custom_call_version"));
  plugin->call_ = reinterpret_cast<int32_t (*)(HloscopeCustomCall*)>(dlsym(library, "hloscope_custom_call"));
  if (version == nullptr || plugin->call_ == nullptr) {
    return absl::InvalidArgumentError(
        absl::StrCat(path, ": is no plug-in for custom calls: it does not export ",
                     version == nullptr ? "hloscope_custom_call_version" : "hloscope_custom_call"));
  }
  if (version() != HLOSCOPE_CUSTOM_CALL_VERSION) {
    return absl::InvalidArgumentError(absl::StrCat(path, ": was made for version ", version(),
                                                   " of the plug-in interface; this program has version ",
                                                   HLOSCOPE_CUSTOM_CALL_VERSION));
  }
  return plugin;
}

CustomCallPlugin::~CustomCallPlugin() { dlclose(library_); }

absl::StatusOr<std::optional<Value>> CustomCallPlugin::Call(const KernelContext& context) const {
  std::vector<Tensor> operands, results;
  absl::Status status;
  for (const Value& operand : context.operands) {
    operand.ForEachTensor([&](const Tensor& tensor) {
      absl::StatusOr<Tensor> dense = status.ok() ? tensor.Contiguous() : status;
      status = dense.status();
      if (status.ok()) operands.push_back(*std::move(dense));
    });
  }
  if (!status.ok()) return status;
  absl::StatusOr<Value> value = AllocateResult(context.shape(), &results);
  if (!value.ok()) return value.status();

  const std::string target(CustomCallTarget(context));
  const std::string instruction(context.module.InstructionName(context.id));
  std::string config;
  if (const RawValue* raw = context.module.RawAttribute(context.id, AttributeKind::kBackendConfig)) {
    config = raw->text;
  }
  std::vector<HloscopeArray> inputs, outputs;
  for (const Tensor& tensor : operands) {
    inputs.push_back(Describe(tensor, const_cast<uint8_t*>(tensor.data())));
  }
  // The value and `results` share the buffers, which nobody else can see yet.
  for (const Tensor& tensor : results) outputs.push_back(Describe(tensor, const_cast<uint8_t*>(tensor.data())));
  HloscopeCustomCall call = {HLOSCOPE_CUSTOM_CALL_VERSION,
                             target.c_str(),
                             instruction.c_str(),
                             config.c_str(),
                             context.runtime.replica_id(),
                             context.runtime.partition_id(),
                             static_cast<int64_t>(inputs.size()),
                             inputs.data(),
                             static_cast<int64_t>(outputs.size()),
                             outputs.data(),
                             {}};
  switch (call_(&call)) {
    case HLOSCOPE_COMPUTED:
      return std::optional<Value>(*std::move(value));
    case HLOSCOPE_NOT_MINE:
      return std::optional<Value>();
    default:
      call.error[sizeof(call.error) - 1] = '\0';
      return absl::InvalidArgumentError(
          absl::StrCat("plug-in ", path_, ": ", call.error[0] == '\0' ? "failed without a message" : call.error));
  }
}

}  // namespace hloscope::evaluator
