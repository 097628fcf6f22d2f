// Where the devices of a run meet in collective operations (spec/ops-c-control-collectives.md 4.5).
#ifndef HLOSCOPE_EVALUATOR_DEVICES_RENDEZVOUS_H_
#define HLOSCOPE_EVALUATOR_DEVICES_RENDEZVOUS_H_

#include <cstdint>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "core/ir/ids.h"
#include "evaluator/tensor/value.h"

namespace hloscope {

// What the members of a group gave, in rank order; one list of operands for each.
using Contributions = std::vector<std::vector<Value>>;

// One device's door to the others. Kernels of collectives compute from contributions only, so they do not know whether
// the other devices are threads of this process or run elsewhere.
class Rendezvous {
 public:
  virtual ~Rendezvous() = default;

  // Posts this device's operands for its next execution of `instruction` and waits until every device of `group` has
  // done the same for its own. `group` lists devices in rank order and holds this device. Errors: Cancelled; Aborted,
  // with a report of who waits where, if some device never comes.
  virtual absl::StatusOr<Contributions> Exchange(InstructionId instruction, absl::Span<const int64_t> group,
                                                 std::vector<Value> operands) = 0;
};

}  // namespace hloscope

#endif  // HLOSCOPE_EVALUATOR_DEVICES_RENDEZVOUS_H_
