// SPDX-License-Identifier: Apache-2.0
// Where instructions went when others were put in or taken out.
#ifndef HLOSCOPE_CORE_IR_ID_MAP_H_
#define HLOSCOPE_CORE_IR_ID_MAP_H_

#include <cstdint>
#include <vector>

#include "core/ir/ids.h"

namespace hloscope {

// From the ids of an old module to those of a new one, and back. Without any splice everything stays.
class IdMap {
 public:
  // Instructions [first, first + removed) of the old module became `inserted` others. Ascending, apart.
  void AddSplice(uint32_t first, uint32_t removed, uint32_t inserted) {
    const uint32_t shift = splices_.empty() ? 0 : splices_.back().shift_behind();
    splices_.push_back({first, removed, inserted, shift});
  }
  bool empty() const { return splices_.empty(); }

  // The new id of the first instruction of the last splice.
  uint32_t FirstOfLastSplice() const { return splices_.back().first + splices_.back().shift; }

  // None for those taken out.
  InstructionId ToNew(InstructionId id) const {
    uint32_t shift = 0;
    for (const Splice& splice : splices_) {
      if (id.value < splice.first) break;
      if (id.value < splice.first + splice.removed) return InstructionId::None();
      shift = splice.shift_behind();
    }
    return id.has_value() ? InstructionId(id.value + shift) : id;
  }
  // None for those put in.
  InstructionId ToOld(InstructionId id) const {
    uint32_t shift = 0;
    for (const Splice& splice : splices_) {
      const uint32_t first = splice.first + splice.shift;
      if (id.value < first) break;
      if (id.value < first + splice.inserted) return InstructionId::None();
      shift = splice.shift_behind();
    }
    return id.has_value() ? InstructionId(id.value - shift) : id;
  }

 private:
  struct Splice {
    uint32_t first, removed, inserted;
    uint32_t shift;  // of ids before it, modulo 2^32
    uint32_t shift_behind() const { return shift + inserted - removed; }
  };
  std::vector<Splice> splices_;
};

}  // namespace hloscope

#endif  // HLOSCOPE_CORE_IR_ID_MAP_H_
