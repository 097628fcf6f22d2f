// SPDX-License-Identifier: Apache-2.0
// Source positions: `stack_frame_id` names a row of the module's tables (docs/text-format.md 2.8).
#include <cstdint>
#include <vector>

#include "absl/container/flat_hash_set.h"
#include "core/verify/verification.h"

namespace hloscope {
namespace {

// What is wrong with each frame, by row; null if it leads to positions up to one without parent.
class FrameStates {
 public:
  explicit FrameStates(const StackFrameTables& tables) : tables_(tables), problems_(tables.frames.size()) {
    enum : uint8_t { kNew, kOpen, kDone };
    std::vector<uint8_t> state(tables.frames.size(), kNew);
    std::vector<size_t> path;
    for (size_t start = 0; start < state.size(); ++start) {
      // Up the chain of parents as far as it is new, then back.
      const char* problem = nullptr;
      path.clear();
      for (int64_t row = static_cast<int64_t>(start);;) {
        if (row < 0) break;
        if (row >= static_cast<int64_t>(state.size())) {
          problem = "has a parent that is not in the table";
          break;
        }
        const size_t i = static_cast<size_t>(row);
        if (state[i] == kOpen) {
          problem = "is its own caller";
          break;
        }
        if (state[i] == kDone) {
          problem = problems_[i];
          break;
        }
        state[i] = kOpen;
        path.push_back(i);
        row = int64_t{tables.frames[i].parent_frame_id} - 2;  // parent n is frame n-1, which is row n-2 from 0
      }
      for (size_t k = path.size(); k-- > 0;) {
        if (problem == nullptr && !HasPosition(path[k])) problem = "leads to a position that is not in the tables";
        problems_[path[k]] = problem;
        state[path[k]] = kDone;
      }
    }
  }

  // Null if frame `id`, counted from 1, is good.
  const char* ProblemOf(int32_t id) const {
    if (problems_.empty()) return "has no meaning: the text has no stack-frame tables";
    if (id < 1 || static_cast<size_t>(id) > problems_.size()) return "is not a row of StackFrames";
    return problems_[static_cast<size_t>(id) - 1];
  }

 private:
  template <typename T>
  static bool IsRow(const std::vector<T>& rows, int32_t id) {
    return id >= 1 && static_cast<size_t>(id) <= rows.size();
  }
  bool HasPosition(size_t frame) const {
    const int32_t id = tables_.frames[frame].file_location_id;
    if (!IsRow(tables_.locations, id)) return false;
    const StackFrameTables::Location& location = tables_.locations[static_cast<size_t>(id) - 1];
    return IsRow(tables_.file_names, location.file_name_id) && IsRow(tables_.function_names, location.function_name_id);
  }

  const StackFrameTables& tables_;
  std::vector<const char*> problems_;
};

}  // namespace

void VerifyStackFrames(Verification& v) {
  if (!v.module.MayHave(AttributeKind::kMetadata)) return;
  const StackFrameTables& tables = v.module.header().stack_frames;
  const FrameStates frames(tables);
  absl::flat_hash_set<int32_t> reported;  // each bad frame once; without tables one diagnostic says it all
  for (uint32_t i = 0; i < v.module.instruction_count(); ++i) {
    const InstructionId id(i);
    if (v.module.instruction(id).attribute_count == 0 || v.module.instruction(id).synthesized) continue;
    const Metadata* metadata = v.module.MetadataOf(id);
    if (metadata == nullptr || metadata->stack_frame_id == 0) continue;
    const char* problem = frames.ProblemOf(metadata->stack_frame_id);
    if (problem == nullptr || !reported.insert(tables.frames.empty() ? 0 : metadata->stack_frame_id).second) continue;
    v.Report(DiagnosticKind::kUnknownStackFrame, id, Anchor::Attribute(AttributeKind::kMetadata),
             metadata->stack_frame_id, problem);
  }
}

}  // namespace hloscope
