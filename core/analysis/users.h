// Who uses each instruction and who calls each computation.
#ifndef HLOSCOPE_CORE_ANALYSIS_USERS_H_
#define HLOSCOPE_CORE_ANALYSIS_USERS_H_

#include <vector>

#include "absl/types/span.h"
#include "core/ir/module.h"

namespace hloscope {

class UserIndex {
 public:
  UserIndex() = default;
  // O(instructions + operands).
  explicit UserIndex(const Module& module);

  // Instructions that have `id` as an operand, each once, in id order. Control edges do not count.
  absl::Span<const InstructionId> users(InstructionId id) const;
  // Instructions that call the computation, each once, in id order.
  absl::Span<const InstructionId> callers(ComputationId id) const;

 private:
  std::vector<uint32_t> user_first_;
  std::vector<InstructionId> users_;
  std::vector<uint32_t> caller_first_;
  std::vector<InstructionId> callers_;
};

}  // namespace hloscope

#endif  // HLOSCOPE_CORE_ANALYSIS_USERS_H_
