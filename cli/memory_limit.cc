// SPDX-License-Identifier: Apache-2.0
#include "cli/memory_limit.h"

#include "absl/strings/str_cat.h"
#include "cli/output.h"
#include "core/print/quantity.h"

namespace hloscope::cli {

bool IsWithinMemoryLimit(absl::string_view purpose, int64_t bytes, int64_t limit) {
  if (limit == 0 || bytes <= limit) return true;
  WriteError(absl::StrCat("hloscope: ", purpose, " needs ", BytesText(bytes),
                          ", which is more than the memory limit of ", BytesText(limit), "\n", kMemoryLimitHelp));
  return false;
}

}  // namespace hloscope::cli
