// SPDX-License-Identifier: Apache-2.0
#include "evaluator/inputs/user_custom_calls.h"

#include <iterator>
#include <map>
#include <string>
#include <utility>

#include "absl/algorithm/container.h"
#include "absl/strings/str_cat.h"
#include "core/diagnostics/render.h"
#include "evaluator/kernels/custom_calls/custom_call_support.h"

namespace hloscope::evaluator {

absl::Status UserCustomCalls::LoadPlugins() {
  for (const std::string& path : options_.plugins) {
    absl::StatusOr<std::unique_ptr<CustomCallPlugin>> plugin = CustomCallPlugin::Load(path);
    if (!plugin.ok()) return plugin.status();
    plugins_.push_back(*std::move(plugin));
  }
  return absl::OkStatus();
}

absl::StatusOr<std::optional<Value>> UserCustomCalls::Provide(const KernelContext& context) {
  for (const std::unique_ptr<CustomCallPlugin>& plugin : plugins_) {
    absl::StatusOr<std::optional<Value>> value = plugin->Call(context);
    if (!value.ok() || value->has_value()) return value;
  }
  const std::string name(context.module.InstructionName(context.id)), target(CustomCallTarget(context));
  for (const std::string& key : {name, target, std::string("*")}) {
    const auto given = options_.custom_calls.find(key);
    if (given == options_.custom_calls.end()) continue;
    // A leaf that is zeros needs no file.
    std::map<std::string, std::string> paths;
    absl::c_copy_if(given->second, std::inserter(paths, paths.end()),
                    [](const auto& leaf) { return leaf.second != "zeros"; });
    if (paths.empty() && reported_.insert(context.id).second) {
      warn_(absl::StrCat("custom-call ", OneLine(name), " (target \"", OneLine(target),
                         "\") was not computed: zeros stand in for its result"));
    }
    absl::StatusOr<Value> value = loader_.FromFiles(context.shape(), paths);
    if (!value.ok()) {
      return absl::Status(value.status().code(),
                          absl::StrCat(options_.wording.custom_call, " ", key, ": ", value.status().message()));
    }
    return std::optional<Value>(*std::move(value));
  }
  return std::optional<Value>();
}

}  // namespace hloscope::evaluator
