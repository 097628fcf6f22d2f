// SPDX-License-Identifier: Apache-2.0
#include "evaluator/engine/frame.h"

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"

namespace hloscope::evaluator {
namespace {

// A path of more is no use to anybody; those in the middle are left out.
constexpr size_t kMostFrames = 64;

absl::string_view KindWord(FrameKind kind) {
  switch (kind) {
    case FrameKind::kEntry:
      return "entry";
    case FrameKind::kCall:
      return "call";
    case FrameKind::kFusion:
      return "fusion";
    case FrameKind::kCondition:
      return "cond";
    case FrameKind::kBody:
      return "body";
    case FrameKind::kBranch:
      return "branch";
    case FrameKind::kAsync:
      return "async";
    case FrameKind::kApplied:
      return "apply";
  }
  return "";
}

}  // namespace

std::string ExecutionPath(const Module& module, absl::Span<const Frame> frames) {
  std::string path;
  for (size_t i = 0; i < frames.size(); ++i) {
    const bool leaves_out = frames.size() > kMostFrames && i == kMostFrames / 2;
    if (leaves_out) {
      const size_t left_out = frames.size() - kMostFrames;
      absl::StrAppend(&path, "/[", left_out, " more]/");
      i += left_out;
    }
    const Frame& frame = frames[i];
    if (i > 0 && !leaves_out) {
      absl::StrAppend(&path, "[", KindWord(frame.kind));
      if (frame.iteration >= 0) absl::StrAppend(&path, " ", frame.iteration);
      if (frame.branch >= 0) absl::StrAppend(&path, " ", frame.branch);
      absl::StrAppend(&path, "]/");
    }
    absl::StrAppend(&path, module.ComputationName(frame.computation));
    const InstructionId at = i + 1 < frames.size() ? frames[i + 1].caller : frame.current;
    if (at.has_value()) absl::StrAppend(&path, "::", module.InstructionName(at));
  }
  return path;
}

}  // namespace hloscope::evaluator
