// SPDX-License-Identifier: Apache-2.0
// Parameters of a computation by the numbers that the text gives them. Internal to core/semantics.
#ifndef HLOSCOPE_CORE_SEMANTICS_PARAMETER_NUMBERS_H_
#define HLOSCOPE_CORE_SEMANTICS_PARAMETER_NUMBERS_H_

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/types/span.h"
#include "core/ir/module.h"
#include "core/semantics/read_text.h"

namespace hloscope {

using NumberedParameter = std::pair<uint32_t, InstructionId>;

// Of the computation that is being read.
class ParameterNumbers {
 public:
  ParameterNumbers(ReadText& text, Module& module) : text_(text), module_(module) {}

  void StartComputation() {
    ++epoch_;
    in_text_order_.clear();
    has_unreadable_ = false;
  }
  // Reads the number of `parameter(n)`; reports one that is taken already, or none at all.
  void Read(const InstructionSyntax& node, InstructionId id);
  // Gives a parameter that the text implies the next number.
  void AddImplied(InstructionId id);
  // An instruction of the computation could not be read: it may be a parameter.
  void NoteUnreadable() { has_unreadable_ = true; }
  bool has_unreadable() const { return has_unreadable_; }
  absl::Span<const NumberedParameter> in_text_order() const { return in_text_order_; }

 private:
  InstructionId Find(uint32_t number) const;
  void Add(uint32_t number, InstructionId id);

  ReadText& text_;
  Module& module_;
  std::vector<NumberedParameter> in_text_order_;
  bool has_unreadable_ = false;
  // Written numbers. The entries carry the number of the computation that wrote them. Numbers beyond the table are in
  // the map.
  struct Entry {
    uint32_t epoch = 0;
    InstructionId id;
  };
  static constexpr uint32_t kMaxInTable = 1 << 14;
  uint32_t epoch_ = 0;
  std::vector<Entry> table_;
  absl::flat_hash_map<std::pair<uint32_t, uint32_t>, InstructionId> far_;  // (epoch, number)
};

// Sets the parameters of the computation and reports gaps between their numbers. `owners` are those whose numbers could
// be read, in text order; `has_unreadable`: some instruction of the computation could not.
void SetParameters(ReadText& text, Module& module, ComputationId computation,
                   absl::Span<const NumberedParameter> owners, bool has_unreadable);

}  // namespace hloscope

#endif  // HLOSCOPE_CORE_SEMANTICS_PARAMETER_NUMBERS_H_
