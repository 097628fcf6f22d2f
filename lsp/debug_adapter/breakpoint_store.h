// SPDX-License-Identifier: Apache-2.0
// The breakpoints that a client has set, as it asked for them, and what became of each in the debugger.
#ifndef HLOSCOPE_LSP_DEBUG_ADAPTER_BREAKPOINT_STORE_H_
#define HLOSCOPE_LSP_DEBUG_ADAPTER_BREAKPOINT_STORE_H_

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "core/document/document.h"
#include "evaluator/debugger/debugger.h"

namespace hloscope::dap {

// A breakpoint of any kind.
struct BreakpointRequest {
  enum class Kind : uint8_t { kSource, kFunction, kInstruction, kData, kException };
  Kind kind = Kind::kSource;
  std::string place;              // path; name; reference of an instruction; data id; filter
  int64_t line = 0, column = -1;  // from 0, of kSource; without a column -1. Of kInstruction: line is the offset
  std::string condition, hit_condition, log;
  friend bool operator==(const BreakpointRequest&, const BreakpointRequest&) = default;
};

struct StoredBreakpoint {
  int64_t id = 0;
  BreakpointRequest request;
  int number = 0;             // in the debugger; 0: it could not be set
  std::string message;        // why not
  InstructionId instruction;  // where the run stops, if that is one place
};

class BreakpointStore {
 public:
  using Kind = BreakpointRequest::Kind;

  // Replaces the breakpoints of a kind; of kSource, those of one place. Those that stay keep their id and their hits.
  // Returns them in the order of the requests.
  std::vector<StoredBreakpoint> Replace(Kind kind, const std::string& place, std::vector<BreakpointRequest> requests,
                                        const Document& document, evaluator::Debugger& debugger);
  // Sets all of them again: another run, or another text. Returns all.
  std::vector<StoredBreakpoint> Renew(const Document& document, evaluator::Debugger& debugger);
  // Takes all of them out of the debugger.
  void Clear(evaluator::Debugger& debugger);
  // The one with this number in the debugger; null if there is none.
  const StoredBreakpoint* Find(int number) const;

 private:
  void Set(StoredBreakpoint& stored, const Document& document, evaluator::Debugger& debugger);

  std::vector<StoredBreakpoint> stored_;
  int64_t next_id_ = 1;
};

// "0x1f" of the instruction, and back. Error InvalidArgument.
std::string InstructionReference(InstructionId id);
absl::StatusOr<InstructionId> InstructionFromReference(const Module& module, absl::string_view text, int64_t offset);

// "5", "> 5", ">= 5", "< 5", "<= 5", "== 5", "!= 5", "% 5" as an expression over `hits`. Error InvalidArgument.
absl::StatusOr<std::string> HitExpression(absl::string_view text);

}  // namespace hloscope::dap

#endif  // HLOSCOPE_LSP_DEBUG_ADAPTER_BREAKPOINT_STORE_H_
