// SPDX-License-Identifier: Apache-2.0
// Protos that somebody wrote one after the other into one file.
#ifndef HLOSCOPE_INTEROP_FILES_JOINED_FILES_H_
#define HLOSCOPE_INTEROP_FILES_JOINED_FILES_H_

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "interop/files/file_kind.h"

namespace hloscope::interop {

// As one message they would be a module with the computations of all. Error InvalidArgument, with the bytes where the
// files begin, if there is more than one module with a name and computations. A module in several parts is none.
absl::Status CheckIsOneFile(absl::string_view bytes, const DetectedFile& detected);

}  // namespace hloscope::interop

#endif  // HLOSCOPE_INTEROP_FILES_JOINED_FILES_H_
