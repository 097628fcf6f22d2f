// SPDX-License-Identifier: Apache-2.0
// Rewrites of small modules that are written as text.
#ifndef HLOSCOPE_TESTS_SUPPORT_REWRITTEN_TEXT_H_
#define HLOSCOPE_TESTS_SUPPORT_REWRITTEN_TEXT_H_

#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "core/transform/transform.h"

namespace hloscope {

struct RewrittenText {
  std::string text;
  TransformResult result;
  std::vector<std::string> patterns;
};

// Rewrites a text that must be good, and checks what holds for every rewrite: the result has no errors and the passes
// change nothing on it.
RewrittenText Rewrite(absl::string_view text, const std::vector<std::string>& passes = DefaultPasses(),
                      const TransformOptions& options = {});

// A module of these computations and `add`, the sum of two f32[].
std::string WithAdd(absl::string_view computations, absl::string_view header = "");

// A module with one reduce of a reshape by an operation on a type; `extra` follows its attributes.
std::string OneReduce(absl::string_view type, absl::string_view operation, absl::string_view extra = "");

}  // namespace hloscope

#endif  // HLOSCOPE_TESTS_SUPPORT_REWRITTEN_TEXT_H_
