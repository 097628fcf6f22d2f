// SPDX-License-Identifier: Apache-2.0
// The interface of kernels: one function per family of families.def, from operand values to a result value.
#ifndef HLOSCOPE_EVALUATOR_KERNELS_INTERFACE_KERNEL_H_
#define HLOSCOPE_EVALUATOR_KERNELS_INTERFACE_KERNEL_H_

#include <atomic>
#include <cstdint>

#include "absl/container/flat_hash_map.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "core/ir/module.h"
#include "evaluator/devices/device_groups.h"
#include "evaluator/devices/device_link.h"
#include "evaluator/devices/host_channel.h"
#include "evaluator/kernels/interface/custom_call_provider.h"
#include "evaluator/tensor/value.h"
#include "numerics/parallel/executor.h"
#include "numerics/random/random_bits.h"

namespace hloscope::evaluator {

using numerics::RandomCounter;

// What the engine offers to kernels; loops of numerics run on the session's threads.
class KernelRuntime : public numerics::Executor {
 public:
  // Error Cancelled once the user cancelled the run or its time is over. Kernels poll this at least every few
  // milliseconds of work; any of their threads may.
  virtual absl::Status CheckCancelled() = 0;
  bool IsCancelled() final { return !CheckCancelled().ok(); }
  // Evaluates a whole computation, without stepping (for kernels whose computation cannot be compiled).
  virtual absl::StatusOr<Value> Call(ComputationId computation, absl::Span<const Value> arguments) = 0;
  // The device that evaluates.
  virtual int64_t replica_id() const { return 0; }
  virtual int64_t partition_id() const { return 0; }
  // All devices of the run, and the ways to the other ones and to the host; null if there is none.
  virtual DeviceGrid grid() const { return DeviceGrid(); }
  virtual DeviceLink* link() { return nullptr; }
  virtual HostChannel* host() { return nullptr; }
  // Who is asked for custom calls that the evaluator does not know; null if nobody is.
  virtual CustomCallProvider* custom_calls() { return nullptr; }
  // The run option that `rng` uses (docs/ops/elementwise.md 11.2).
  virtual uint64_t random_seed() const { return 0; }
  // Where the made-up numbers of an instruction begin (StreamOfName, unless another module's instruction stands for
  // it).
  virtual uint64_t NumberStream(const Module& module, InstructionId id);
  // Adds `delta` to the random counter of an instruction and returns what it was before. Every instruction has one; it
  // lives as long as this runtime and starts at the value of docs/ops/elementwise.md 11.3.
  virtual RandomCounter AdvanceRandomCounter(InstructionId id, uint64_t delta);

 protected:
  using RandomCounters = absl::flat_hash_map<InstructionId, RandomCounter>;
  // Those that were advanced; the others have their initial value.
  RandomCounters& random_counters() { return random_counters_; }

 private:
  RandomCounters random_counters_;
};

// A number made of the instruction's name and shape, equal on every machine and wherever the instruction is in its
// module.
uint64_t StreamOfName(const Module& module, InstructionId id);

struct KernelContext {
  const Module& module;
  InstructionId id;
  absl::Span<const Value> operands;
  KernelRuntime& runtime;

  const Tensor& tensor(size_t k) const { return operands[k].tensor(); }
  const Shape& shape() const { return module.shape(id); }
  Opcode opcode() const { return module.opcode(id); }
};

// Every family F of families.def defines EvaluateF in evaluator/kernels/FOLDER/<file>.cc. The module has been verified.
// Errors: Unimplemented (with opcode and reason), Cancelled, ResourceExhausted, InvalidArgument (a condition
// that only a run can check does not hold), OutOfRange (the host has no more items), Unavailable (another device must
// come first: the kernel is to be started again).
#define HLO_FAMILY(Enum, file) absl::StatusOr<Value> Evaluate##Enum(const KernelContext& context);
#include "core/ir/families.def"

// Dispatches on the opcode's family. Instructions that call computations as a whole (call, while, conditional, fusion,
// async) and parameters are executed by the engine's frames, not here.
absl::StatusOr<Value> EvaluateInstruction(const KernelContext& context);

}  // namespace hloscope::evaluator

#endif  // HLOSCOPE_EVALUATOR_KERNELS_INTERFACE_KERNEL_H_
