// SPDX-License-Identifier: Apache-2.0
#include "core/verify/layout_passing.h"

namespace hloscope {

bool PassesLayoutOn(Opcode opcode) {
  switch (InfoOf(opcode).family) {
    case OpFamily::kElementwise:
      return true;
    case OpFamily::kTypeConversion:
      return opcode != Opcode::kBitcastConvert;
    case OpFamily::kDataMovement:
    case OpFamily::kGatherScatter:
    case OpFamily::kReduction:
    case OpFamily::kConvolution:
    case OpFamily::kDot:
    case OpFamily::kLinearAlgebra:
    case OpFamily::kSorting:
    case OpFamily::kNormalization:
    case OpFamily::kValueSource:
    case OpFamily::kRandom:
    case OpFamily::kDynamicDimension:
    case OpFamily::kTuple:
    case OpFamily::kControlFlow:
    case OpFamily::kAsynchronous:
    case OpFamily::kHostTransfer:
    case OpFamily::kCustomCall:
    case OpFamily::kCollective:
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
