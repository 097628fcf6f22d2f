// infeed, outfeed, send and recv (spec/ops-c-control-collectives.md 2.2-2.4).
#include "absl/strings/str_cat.h"
#include "evaluator/kernels/kernel.h"

namespace hloscope {

absl::StatusOr<Value> EvaluateHostTransfer(const KernelContext& context) {
  return absl::UnimplementedError(
      absl::StrCat(OpcodeName(context.opcode()), ": the evaluator has no ",
                   context.opcode() == Opcode::kInfeed || context.opcode() == Opcode::kOutfeed
                       ? "host queue to exchange data with"
                       : "channel to another device or to the host"));
}

}  // namespace hloscope
