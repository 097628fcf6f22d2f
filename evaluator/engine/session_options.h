// SPDX-License-Identifier: Apache-2.0
// What a session is made with.
#ifndef HLOSCOPE_EVALUATOR_ENGINE_SESSION_OPTIONS_H_
#define HLOSCOPE_EVALUATOR_ENGINE_SESSION_OPTIONS_H_

#include <cstdint>
#include <functional>
#include <memory>

#include "absl/container/flat_hash_map.h"
#include "absl/status/statusor.h"
#include "core/ir/module.h"
#include "evaluator/devices/device_link.h"
#include "evaluator/devices/host_channel.h"
#include "evaluator/kernels/interface/custom_call_provider.h"
#include "evaluator/tensor/value.h"
#include "numerics/parallel/executor.h"

namespace hloscope::evaluator {

struct RunProgress;
class RunTrace;
struct SharedRunState;

// The value of an argument or of a constant whose text is left out, made when something first
// reads it, on the threads of `executor`, which is polled; null: in the calling thread alone.
using ValueMaker = std::function<absl::StatusOr<Value>(numerics::Executor* executor)>;

struct SessionOptions {
  int threads = 0;                 // 0: one per core
  int64_t memory_limit_bytes = 0;  // 0: none
  int64_t step_limit = 0;          // instructions executed; 0: none
  double time_limit_seconds = 0;   // 0: none
  double seconds_before = 0;       // that count toward the limit: what came before the run, as reading its module
  int64_t replica_count = 1;
  int64_t num_partitions = 1;
  int64_t replica_id = 0;  // the device that this session simulates
  int64_t partition_id = 0;
  bool collect_statistics = false;     // seconds, bytes and runs per instruction
  bool run_dead_instructions = false;  // also what neither the root nor a side effect needs
  bool find_non_finite = false;        // look for the first instruction that makes a NaN or an infinity
  bool stop_at_non_finite = false;     // and fail there
  uint64_t random_seed = 0;            // of `rng` (docs/ops/elementwise.md 11.2)
  // The ways to the other devices and to the host; null: there are none. They outlive the session.
  DeviceLink* link = nullptr;
  HostChannel* host = nullptr;
  // Asked for custom calls that the evaluator does not know; null: there are none. Outlives the session.
  CustomCallProvider* custom_calls = nullptr;
  // The values of constants that the text leaves out (`{...}`), made when something reads them; null: reading one is an
  // error.
  std::function<absl::StatusOr<Value>(InstructionId constant, numerics::Executor* executor)> elided_constants;
  // Instead of StreamOfName, for instructions that stand for one of another module.
  std::shared_ptr<const absl::flat_hash_map<InstructionId, uint64_t>> number_streams;
  // Is called for each step, with collect_statistics; null: nobody asks. Outlives the session.
  RunTrace* trace = nullptr;
  RunProgress* progress = nullptr;  // counts what is executed, for other threads; null: nobody asks
  // What the sessions of one run have in common: the limits count for all of them, constants are made once. Null: the
  // session is alone.
  std::shared_ptr<SharedRunState> shared;
};

}  // namespace hloscope::evaluator

#endif  // HLOSCOPE_EVALUATOR_ENGINE_SESSION_OPTIONS_H_
