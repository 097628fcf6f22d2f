// SPDX-License-Identifier: Apache-2.0
// What operations there are (operations.def).
#ifndef HLOSCOPE_STABLEHLO_OPERATION_TABLE_H_
#define HLOSCOPE_STABLEHLO_OPERATION_TABLE_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "absl/types/span.h"

namespace hloscope::stablehlo {

enum class OperationForm : uint8_t {
  kGeneric,
  kList,
  kConstant,
  kConvolution,
  kCustomCall,
  kComposite,
  kReduce,
  kWhile,
  kScan,
  kCall,
  kCast,
  kSharding,
  kResharding,
  kManual,
  kNamed,
  kSize,
  kAssuming,
};

struct OperationInfo {
  absl::string_view dialect, name;
  OperationForm form;
  int results;
  absl::string_view attributes;  // names separated by blanks, required ones with *
};

// The names of `attributes`, taken apart.
struct OwnAttributes {
  std::vector<absl::string_view> all, required;
};
const OwnAttributes& AttributesOf(const OperationInfo& info);  // of AllOperations

absl::Span<const OperationInfo> AllOperations();
// Null if there is none.
const OperationInfo* FindOperation(absl::string_view dialect, absl::string_view name);
// How the custom form writes an attribute: `dims` for `broadcast_dimensions` of broadcast_in_dim; else its name.
absl::string_view CustomFormKeyword(absl::string_view operation, absl::string_view attribute);
// "; did you mean `stablehlo.add`?", or nothing.
std::string SuggestOperation(absl::string_view dialect, absl::string_view name);

}  // namespace hloscope::stablehlo

#endif  // HLOSCOPE_STABLEHLO_OPERATION_TABLE_H_
