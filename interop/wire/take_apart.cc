// SPDX-License-Identifier: Apache-2.0
#include "interop/wire/take_apart.h"

#include <limits>

#include "google/protobuf/io/coded_stream.h"

namespace hloscope::interop {

bool MergeBytes(absl::string_view bytes, google::protobuf::Message* message) {
  if (bytes.size() > static_cast<size_t>(std::numeric_limits<int32_t>::max())) return false;
  google::protobuf::io::CodedInputStream stream(reinterpret_cast<const uint8_t*>(bytes.data()),
                                                static_cast<int>(bytes.size()));
  return message->MergePartialFromCodedStream(&stream) && stream.ConsumedEntireMessage();
}

}  // namespace hloscope::interop
