// SPDX-License-Identifier: Apache-2.0
// Messages of which some fields, which are large, are left as bytes.
#ifndef HLOSCOPE_INTEROP_WIRE_TAKE_APART_H_
#define HLOSCOPE_INTEROP_WIRE_TAKE_APART_H_

#include <cstdint>

#include "absl/strings/string_view.h"
#include "google/protobuf/message.h"
#include "interop/wire/wire.h"

namespace hloscope::interop {

// Merges serialized fields into a message. False if they are damaged.
bool MergeBytes(absl::string_view bytes, google::protobuf::Message* message);

// Collects neighbouring stretches of bytes.
class Stretch {
 public:
  // Hands the one so far to `take` if the new one does not follow it.
  template <typename Take>
  void Add(const char* begin, const char* end, Take take) {
    if (begin_ != nullptr && end_ == begin) {
      end_ = end;
      return;
    }
    Finish(take);
    begin_ = begin;
    end_ = end;
  }
  template <typename Take>
  void Finish(Take take) {
    if (begin_ != nullptr) take(absl::string_view(begin_, static_cast<size_t>(end_ - begin_)));
    begin_ = nullptr;
  }

 private:
  const char *begin_ = nullptr, *end_ = nullptr;
};

// Calls visit(field) for the fields of `whole` that is_wanted(number) names and that have bytes, and merges all other
// fields into `rest`. False if the bytes are damaged, or `visit` returns false.
template <typename IsWanted, typename Visit>
bool TakeApart(absl::string_view whole, google::protobuf::Message* rest, IsWanted is_wanted, Visit visit) {
  WireReader reader(whole);
  WireField field;
  Stretch stretch;
  bool is_good = true;
  const auto merge = [&](absl::string_view bytes) { is_good = is_good && MergeBytes(bytes, rest); };
  while (is_good && reader.Next(&field)) {
    if (is_wanted(field.number) && field.type == WireType::kBytes) {
      is_good = visit(field);
    } else {
      stretch.Add(whole.data() + field.offset, whole.data() + reader.end(), merge);
    }
  }
  stretch.Finish(merge);
  return is_good && !reader.has_fault();
}

}  // namespace hloscope::interop

#endif  // HLOSCOPE_INTEROP_WIRE_TAKE_APART_H_
