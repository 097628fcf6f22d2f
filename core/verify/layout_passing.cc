#include "core/verify/layout_passing.h"

namespace hloscope {

bool PassesLayoutOn(Opcode opcode) {
  switch (InfoOf(opcode).family) {
    case OpFamily::kElementwise:
      return true;
    case OpFamily::kTypeConversion:
      return opcode != Opcode::kBitcastConvert;
    default:
      break;
  }
  switch (opcode) {
    case Opcode::kAllGather:
    case Opcode::kAllReduce:
    case Opcode::kAllToAll:
    case Opcode::kCholesky:
    case Opcode::kCollectivePermute:
    case Opcode::kConcatenate:
    case Opcode::kDynamicSlice:
    case Opcode::kFft:
    case Opcode::kMap:
    case Opcode::kPad:
    case Opcode::kReduceScatter:
    case Opcode::kReduceWindow:
    case Opcode::kReverse:
    case Opcode::kScatter:
    case Opcode::kSelectAndScatter:
    case Opcode::kSetDimensionSize:
    case Opcode::kSlice:
    case Opcode::kSort:
    case Opcode::kTriangularSolve:
      return true;
    default:
      return false;
  }
}

}  // namespace hloscope
