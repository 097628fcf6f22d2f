// SPDX-License-Identifier: Apache-2.0
// Giving an instruction or a computation another name everywhere.
#ifndef HLOSCOPE_CORE_EDITING_RENAME_H_
#define HLOSCOPE_CORE_EDITING_RENAME_H_

#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "core/document/document.h"
#include "core/editing/occurrences.h"

namespace hloscope {

// Whether text can spell the name: a letter or `_`, then letters, digits, `_`, `.` and `-`. Error InvalidArgument, for
// the user.
absl::Status CheckName(absl::string_view name);

// The edits that rename. `new_name` may begin with `%`. Names that mean something else without a `%` get one. Errors,
// for the user: InvalidArgument if the name cannot be written, AlreadyExists if something else has it, Internal if the
// text would have more errors than before.
absl::StatusOr<std::vector<TextEdit>> Rename(const Document& document, const Occurrences& occurrences,
                                             absl::string_view new_name);

}  // namespace hloscope

#endif  // HLOSCOPE_CORE_EDITING_RENAME_H_
