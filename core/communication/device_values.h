// SPDX-License-Identifier: Apache-2.0
// What the text shows of the values on one device: constants, device ids, and integers made of them, through tuples,
// calls, branches and loops. Values are found when they are asked for.
#ifndef HLOSCOPE_CORE_COMMUNICATION_DEVICE_VALUES_H_
#define HLOSCOPE_CORE_COMMUNICATION_DEVICE_VALUES_H_

#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "absl/container/inlined_vector.h"
#include "absl/types/span.h"
#include "core/analysis/users.h"
#include "core/communication/known_array.h"
#include "core/ir/module.h"

namespace hloscope {

// A leaf, or part, of a tuple: an index for each level.
using LeafPath = absl::InlinedVector<int64_t, 2>;

// Whether a value can differ between devices because of their ids: it is computed from partition-id or replica-id, or
// chosen by something that is. What devices compute together, as by all-reduce, counts as equal.
class DeviceDependence {
 public:
  // The arguments must outlive the object.
  DeviceDependence(const Module& module, const UserIndex& users) : module_(module), users_(users) {}
  bool Of(InstructionId id);

 private:
  const Module& module_;
  const UserIndex& users_;
  absl::flat_hash_map<InstructionId, bool> known_;
  // Everything that a question looked at before the answer was no: no other question needs to follow it.
  absl::flat_hash_set<std::pair<InstructionId, LeafPath>> independent_;
};

class DeviceValues {
 public:
  struct Frame;
  // A value of an open frame: an instruction, or a part of one.
  struct Source {
    Frame* frame = nullptr;
    InstructionId instruction;
    LeafPath part;
  };
  // One execution of a computation.
  struct Frame {
    ComputationId computation;
    std::vector<Source> arguments;
    // Where the values are of what was entered from here: calls, branches, loops.
    struct Entered {
      Source result;
      bool is_partial = false;  // the loop was left early: what counts in it is not known
    };
    absl::flat_hash_map<InstructionId, Entered> entered;
    absl::flat_hash_map<InstructionId, int64_t> started;  // numbers that SetStarted gave

    struct Leaf {
      std::shared_ptr<const KnownArray> array;  // null: not known
      int64_t started = -1;                     // the value is that of a start
    };
    absl::flat_hash_map<std::pair<InstructionId, LeafPath>, Leaf> found;
  };
  using Leaf = Frame::Leaf;

  // `budget` is counted down for everything that is looked at; below zero nothing is known.
  DeviceValues(const Module& module, int64_t replica, int64_t partition, int64_t* budget)
      : module_(module), replica_(replica), partition_(partition), budget_(*budget) {}

  Frame* Open(ComputationId computation, std::vector<Source> arguments);
  Leaf Read(Frame* frame, InstructionId id, const LeafPath& path = {});
  // The scalar's value.
  std::optional<int64_t> Integer(Frame* frame, InstructionId id);

  // The frame of a call or fusion, opened now.
  Frame* Enter(Frame* frame, InstructionId caller, ComputationId callee, absl::Span<const InstructionId> operands);
  // The branch that a conditional takes, if known.
  std::optional<size_t> BranchOf(Frame* frame, InstructionId conditional);
  // A start: the number stands for its value wherever that is carried.
  void SetStarted(Frame* frame, InstructionId start, int64_t number) { frame->started[start] = number; }

 private:
  Leaf Find(Frame* frame, InstructionId id, const LeafPath& path);
  Leaf ReadOperand(Frame* frame, InstructionId id, size_t k, const LeafPath& path);
  Leaf ReadEntered(Frame* frame, InstructionId id, const LeafPath& path);
  Leaf Compute(Frame* frame, InstructionId id);
  // Enters what has no effect and was not entered yet; false if the way is not known.
  bool EnterWithoutEffect(Frame* frame, InstructionId id);
  bool RunLoop(Frame* frame, InstructionId loop);

  const Module& module_;
  const int64_t replica_, partition_;
  int64_t& budget_;
  int depth_ = 0;
  std::deque<Frame> frames_;
};

}  // namespace hloscope

#endif  // HLOSCOPE_CORE_COMMUNICATION_DEVICE_VALUES_H_
