// SPDX-License-Identifier: Apache-2.0
// Where a value comes from: the way of one element back through the run.
#ifndef HLOSCOPE_EVALUATOR_DEBUGGER_PROVENANCE_H_
#define HLOSCOPE_EVALUATOR_DEBUGGER_PROVENANCE_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "core/analysis/users.h"
#include "evaluator/debugger/dependences.h"
#include "evaluator/debugger/timeline.h"

namespace hloscope::evaluator {

// An element of what an instruction gave in one frame.
struct ValuePlace {
  FrameKey frame;
  InstructionId instruction;
  Element element;
};

struct PlacedElement {
  ValuePlace place;
  std::string text;  // of the element
};

struct OriginReport {
  enum class End : uint8_t {
    kMade,     // the last hop made it: none of the operand elements is a NaN or an infinity
    kGiven,    // it came in: an argument, a constant, a random number, something from the host or another device
    kUnknown,  // the way cannot be followed further
  };
  std::vector<PlacedElement> hops;  // from the element asked for to its origin
  End end = End::kUnknown;
  std::string why;                      // the end in words
  std::vector<PlacedElement> operands;  // of a kMade: what it was made from, at most kMaxListed
  int64_t operand_count = 0;
};
inline constexpr size_t kMaxListed = 40;

class Provenance {
 public:
  // The timeline must outlive it and not move meanwhile.
  explicit Provenance(Timeline& timeline) : timeline_(timeline) {}

  // The first NaN or infinity of the value. Errors: NotFound if all elements are finite; those of Timeline::PastValue.
  absl::StatusOr<Element> FirstNonFinite(const FrameKey& frame, InstructionId instruction);

  // Follows a NaN or infinity to where it was made from finite operands. Errors: FailedPrecondition if the element is
  // finite; those of Timeline::PastValue.
  absl::StatusOr<OriginReport> OriginOf(const ValuePlace& place);

  // The elements that one element was computed from, in this step or in the computation that the instruction called.
  struct Sources {
    std::vector<PlacedElement> elements;  // at most kMaxListed
    int64_t count = 0;
    DependenceKind kind = DependenceKind::kExact;
    std::string note;
  };
  absl::StatusOr<Sources> SourcesOf(const ValuePlace& place);

  // "e::w[body 3]/body::y" of a frame that may be gone.
  std::string PathOf(const FrameKey& frame, InstructionId instruction);
  // The element as text.
  absl::StatusOr<std::string> ElementText(const ValuePlace& place);

 private:
  // Where the value of a parameter, a call, a tuple ... comes from as it is.
  struct Passed {
    enum class Kind : uint8_t { kNo, kYes, kGiven, kUnknown };
    Kind kind = Kind::kNo;
    ValuePlace from;
    std::string why;
  };
  absl::StatusOr<Passed> PassedFrom(const ValuePlace& place);
  absl::StatusOr<Passed> ArgumentOf(const ValuePlace& place);
  absl::StatusOr<Passed> ResultOf(const ValuePlace& place, FrameKind kind, int64_t iteration);
  absl::StatusOr<std::vector<Value>> OperandValues(const ValuePlace& place);

  Timeline& timeline_;
};

// Writes `module.hlo` with the one instruction (and what it calls), and its operands as they were in the frame:
// arg0.npy, arg1.npy, ... Returns the paths. `directory` exists. Errors: those of writing and of Timeline::PastValue.
absl::StatusOr<std::vector<std::string>> WriteReproducer(Timeline& timeline, const UserIndex& users,
                                                         const FrameKey& frame, InstructionId instruction,
                                                         const std::string& directory);

}  // namespace hloscope::evaluator

#endif  // HLOSCOPE_EVALUATOR_DEBUGGER_PROVENANCE_H_
