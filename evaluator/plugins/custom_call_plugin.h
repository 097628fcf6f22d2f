// SPDX-License-Identifier: Apache-2.0
// A shared library that computes custom calls (hloscope_custom_call.h).
#ifndef HLOSCOPE_EVALUATOR_PLUGINS_CUSTOM_CALL_PLUGIN_H_
#define HLOSCOPE_EVALUATOR_PLUGINS_CUSTOM_CALL_PLUGIN_H_

#include <memory>
#include <optional>
#include <string>

#include "absl/status/statusor.h"
#include "evaluator/kernels/interface/kernel.h"
#include "evaluator/tensor/value.h"

struct HloscopeCustomCall;

namespace hloscope::evaluator {

class CustomCallPlugin {
 public:
  // Errors InvalidArgument, naming the file: it cannot be loaded, lacks a function, or was made for another version.
  static absl::StatusOr<std::unique_ptr<CustomCallPlugin>> Load(const std::string& path);
  ~CustomCallPlugin();
  CustomCallPlugin(const CustomCallPlugin&) = delete;
  CustomCallPlugin& operator=(const CustomCallPlugin&) = delete;

  // The value of the call; nothing if the plug-in does not know the target. Errors: InvalidArgument with the plug-in's
  // message; ResourceExhausted if the results cannot be had.
  absl::StatusOr<std::optional<Value>> Call(const KernelContext& context) const;

 private:
  CustomCallPlugin(std::string path, void* library) : path_(std::move(path)), library_(library) {}

  const std::string path_;
  void* const library_;
  int32_t (*call_)(HloscopeCustomCall*) = nullptr;
};

}  // namespace hloscope::evaluator

#endif  // HLOSCOPE_EVALUATOR_PLUGINS_CUSTOM_CALL_PLUGIN_H_
