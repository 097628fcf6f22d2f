// SPDX-License-Identifier: Apache-2.0
// Where a run stops: places, iterations, devices, conditions; and what makes it stop for a value.
#ifndef HLOSCOPE_EVALUATOR_DEBUGGER_BREAKPOINTS_H_
#define HLOSCOPE_EVALUATOR_DEBUGGER_BREAKPOINTS_H_

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "core/ir/module.h"
#include "evaluator/debugger/expression.h"
#include "evaluator/debugger/name_index.h"
#include "evaluator/debugger/numeric_events.h"

namespace hloscope::evaluator {

struct Breakpoint {
  int number = 0;
  std::string place;                     // as it was asked for
  std::vector<InstructionId> locations;  // the run stops before these
  std::optional<int64_t> iteration;      // of the innermost loop
  std::optional<int64_t> device;
  std::optional<Expression> condition;
  std::optional<Expression> hit_condition;  // over `hits`: those where the rest holds
  std::string log;                          // not empty: a message instead of a stop, with expressions in braces
  int64_t hits = 0;
  int64_t ignore_count = 0;  // hits that do not stop
  bool enabled = true;
  bool temporary = false;  // goes away when it stops the run
};

// The instructions that a place stands for: NAME or computation::NAME, a computation (its first step), `opcode:OPCODE`,
// `op_name:PATTERN` with `*` and `?` (a pattern without them is looked for anywhere in the name), FILE:LINE of the
// metadata (the file's name without folders will do; instructions that come from there by inlining count too),
// `iteration` (the first step of every loop's body). Errors NotFound with a suggestion, InvalidArgument.
absl::StatusOr<std::vector<InstructionId>> LocationsOf(const Module& module, const NameIndex& names,
                                                       absl::string_view place, ComputationId preferred);

// True if the text matches a pattern with `*` and `?`.
bool MatchesPattern(absl::string_view pattern, absl::string_view text);

// The values of a run by where they were computed, as checksums.
class ValueRecord {
 public:
  // Errors: NotFound, InvalidArgument, each naming the file.
  static absl::StatusOr<ValueRecord> Read(const std::string& path);
  absl::Status Write(const std::string& path) const;
  void Add(int64_t device, const std::string& path, const Value& value);
  // Nothing if the record has no value of that place.
  std::optional<bool> Agrees(int64_t device, const std::string& path, const Value& value) const;
  size_t size() const { return checksums_.size(); }

  // Of shape and elements; the same on every machine.
  static uint64_t Checksum(const Value& value);

 private:
  std::map<std::string, uint64_t> checksums_;  // by "DEVICE PATH"
};

struct Watchpoint {
  enum class Kind : uint8_t {
    kComputed,   // whenever `what` is computed
    kNan,        // a NaN
    kInfinity,   // an infinity
    kNonFinite,  // either
    kCondition,  // the condition holds
    kDiffers,    // the value is not the recorded one
    kEvent,      // `event` happened
  };
  int number = 0;
  Kind kind = Kind::kComputed;
  NumericEvent event = NumericEvent::kNan;
  std::vector<InstructionId> what;  // empty: every instruction
  std::optional<Expression> condition;
  std::optional<Expression> hit_condition;  // over `hits`: those that stop
  std::shared_ptr<const ValueRecord> record;
  std::string text;  // as it was asked for
  int64_t hits = 0;
  bool enabled = true;
};

}  // namespace hloscope::evaluator

#endif  // HLOSCOPE_EVALUATOR_DEBUGGER_BREAKPOINTS_H_
