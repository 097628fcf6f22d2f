#include "codegen/families.h"

namespace hloscope {

absl::Status WriteGatherScatter(ComputationWriter&, InstructionId) { return absl::UnimplementedError("no code is written for this opcode"); }

}  // namespace hloscope
