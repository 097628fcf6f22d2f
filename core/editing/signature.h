// SPDX-License-Identifier: Apache-2.0
// What the operation at a cursor takes: shown while its operands are typed.
#ifndef HLOSCOPE_CORE_EDITING_SIGNATURE_H_
#define HLOSCOPE_CORE_EDITING_SIGNATURE_H_

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/document/document.h"

namespace hloscope {

struct Signature {
  std::string label;                                      // "dot(a: f32[2,3], b, lhs_contracting_dims=)"
  std::vector<std::pair<uint32_t, uint32_t>> parameters;  // byte ranges of the label
  std::vector<std::string> parameter_docs;                // of each parameter; may be empty
  std::optional<uint32_t> active_parameter;
  std::string documentation;  // Markdown; may be empty
};

// Operands with their shapes as far as they are written, then the required attributes; the one at the cursor is active.
// nullopt outside of operands and attributes.
std::optional<Signature> SignatureAt(const Document& document, uint32_t offset);

}  // namespace hloscope

#endif  // HLOSCOPE_CORE_EDITING_SIGNATURE_H_
