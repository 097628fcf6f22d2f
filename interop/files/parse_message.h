// SPDX-License-Identifier: Apache-2.0
// Bytes or text to a message, with the place of what is wrong.
#ifndef HLOSCOPE_INTEROP_FILES_PARSE_MESSAGE_H_
#define HLOSCOPE_INTEROP_FILES_PARSE_MESSAGE_H_

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "google/protobuf/message.h"

namespace hloscope::interop {

// Errors (InvalidArgument): the path of the field that is wrong, and its byte.
absl::Status ParseBinary(absl::string_view bytes, google::protobuf::Message* message);

// Fields that the message does not have are skipped, one note each. Errors (InvalidArgument): line and column.
absl::Status ParseText(absl::string_view text, google::protobuf::Message* message, std::vector<std::string>* notes);

absl::Status ParseMessage(absl::string_view bytes, bool is_text, google::protobuf::Message* message,
                          std::vector<std::string>* notes);

}  // namespace hloscope::interop

#endif  // HLOSCOPE_INTEROP_FILES_PARSE_MESSAGE_H_
