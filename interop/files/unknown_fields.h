// SPDX-License-Identifier: Apache-2.0
// Fields of a proto that this version does not know, from a file that was read to one that is written.
#ifndef HLOSCOPE_INTEROP_FILES_UNKNOWN_FIELDS_H_
#define HLOSCOPE_INTEROP_FILES_UNKNOWN_FIELDS_H_

#include <cstdint>

#include "absl/strings/string_view.h"
#include "google/protobuf/message.h"
#include "interop/proto/hlo.pb.h"

namespace hloscope::interop {

// Adds the unknown fields of `from` and of the messages inside it to `to`, a message of the same type. Messages of a
// repeated field belong together by their names where they have such, else by place if there are as many. Returns how
// many fields have found no place.
int64_t CopyUnknownFields(const google::protobuf::Message& from, google::protobuf::Message* to);

// The same from the bytes of a file, expanded, which holds a module as a binary message: the module's and, where both
// have them, those of the messages around it. Of a file that was cut off, what is whole. 0 for files of other kinds;
// text forms hold no fields without names. A file without such fields is only walked, not copied.
int64_t CopyUnknownFields(absl::string_view file, proto::HloSnapshot* to);

}  // namespace hloscope::interop

#endif  // HLOSCOPE_INTEROP_FILES_UNKNOWN_FIELDS_H_
