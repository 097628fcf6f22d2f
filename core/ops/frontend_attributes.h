// SPDX-License-Identifier: Apache-2.0
// Looking up frontend attributes of instructions.
#ifndef HLOSCOPE_CORE_OPS_FRONTEND_ATTRIBUTES_H_
#define HLOSCOPE_CORE_OPS_FRONTEND_ATTRIBUTES_H_

#include <string>

#include "absl/strings/string_view.h"
#include "core/ir/module.h"

namespace hloscope {

// Text of the instruction's frontend attribute; null if it has none of that name.
inline const std::string* FindFrontendAttribute(const Module& module, InstructionId id, absl::string_view key) {
  const FrontendAttributes* attributes = module.FrontendAttributesOf(id);
  if (attributes == nullptr) return nullptr;
  for (const auto& [name, value] : *attributes) {
    if (name == key) return &value.text;
  }
  return nullptr;
}

}  // namespace hloscope

#endif  // HLOSCOPE_CORE_OPS_FRONTEND_ATTRIBUTES_H_
