// SPDX-License-Identifier: Apache-2.0
// Who reads an array, as opposed to passing it on.
#ifndef HLOSCOPE_INSIGHT_MEMORY_READERS_H_
#define HLOSCOPE_INSIGHT_MEMORY_READERS_H_

#include <cstdint>
#include <vector>

#include "core/analysis/buffers.h"
#include "core/analysis/users.h"
#include "core/ir/module.h"

namespace hloscope::insight {

// True for what makes tuples, takes them apart, or gives an array another name: no element is read.
bool OnlyPassesOn(Opcode opcode);

// The instructions of one computation that read each buffer, in text order. Asynchronous operations count again at
// their end.
class ReaderIndex {
 public:
  ReaderIndex(const Module& module, const BufferTable& buffers);

  const std::vector<InstructionId>& Of(BufferTable::BufferId buffer) const { return readers_[buffer]; }

 private:
  std::vector<std::vector<InstructionId>> readers_;
};

}  // namespace hloscope::insight

#endif  // HLOSCOPE_INSIGHT_MEMORY_READERS_H_
