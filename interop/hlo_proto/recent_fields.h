// SPDX-License-Identifier: Apache-2.0
// Attributes of instructions that were read a short while ago, by the bytes of their fields.
#ifndef HLOSCOPE_INTEROP_HLO_PROTO_RECENT_FIELDS_H_
#define HLOSCOPE_INTEROP_HLO_PROTO_RECENT_FIELDS_H_

#include <cstddef>
#include <vector>

#include "absl/container/inlined_vector.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "core/ir/module.h"
#include "core/ir/text_hash.h"

namespace hloscope::interop {

// Instructions of one opcode often have the same dimensions, configurations and shardings.
class RecentFields {
 public:
  using Attributes = absl::InlinedVector<Attribute, 4>;

  RecentFields() : entries_(kCount) {}

  // `stretches` are those of one instruction, and must outlive this. Null if its attributes were not kept, or
  // forgotten.
  const Attributes* Find(Opcode opcode, absl::Span<const absl::string_view> stretches) const {
    if (stretches.size() > kMaxStretches) return nullptr;
    const Entry& entry = entries_[Place(opcode, stretches)];
    const bool is_it = entry.is_set && entry.opcode == opcode && absl::MakeConstSpan(entry.stretches) == stretches;
    return is_it ? &entry.attributes : nullptr;
  }
  // Forgets those that were in their place.
  void Keep(Opcode opcode, absl::Span<const absl::string_view> stretches, absl::Span<const Attribute> attributes) {
    if (stretches.size() > kMaxStretches) return;
    Entry& entry = entries_[Place(opcode, stretches)];
    entry.is_set = true;
    entry.opcode = opcode;
    entry.stretches.assign(stretches.begin(), stretches.end());
    entry.attributes.assign(attributes.begin(), attributes.end());
  }

 private:
  static constexpr size_t kCount = 1024, kMaxStretches = 2;
  struct Entry {
    absl::InlinedVector<absl::string_view, kMaxStretches> stretches;
    Attributes attributes;
    Opcode opcode{};
    bool is_set = false;
  };
  static size_t Place(Opcode opcode, absl::Span<const absl::string_view> stretches) {
    uint64_t hash = static_cast<uint64_t>(opcode) * 0x9E3779B97F4A7C15u;
    for (absl::string_view stretch : stretches) hash = (hash ^ HashText(stretch)) * 0xE7037ED1A0B428DBu;
    return (hash >> 32) % kCount;
  }

  std::vector<Entry> entries_;
};

}  // namespace hloscope::interop

#endif  // HLOSCOPE_INTEROP_HLO_PROTO_RECENT_FIELDS_H_
