// SPDX-License-Identifier: Apache-2.0
#include "gui/models/trace_spans.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/strings/str_cat.h"

namespace hloscope::gui {
namespace {

// Deeper calls are not drawn: their callers are.
constexpr size_t kMostDepth = 12;

// The spans of one device while they are made.
struct DeviceSpans {
  std::vector<uint32_t> path;          // nodes of the callers that are open, from the outermost on
  std::vector<size_t> open;            // their spans
  std::vector<TimeSpans::Span> spans;  // `lane`: the depth
  uint32_t depth = 0;
};

TimeSpans::Span SpanOf(const Module& module, InstructionId id, double begin, double end, size_t depth) {
  return {begin, end, static_cast<uint32_t>(depth), id, CategoryOf(module.opcode(id)), {}};
}

void AddStep(const Module& module, const evaluator::RunTrace& trace, const evaluator::RunTrace::Step& step,
             double begin, double end, DeviceSpans* device) {
  std::vector<uint32_t> path;
  for (uint32_t node = trace.nodes()[step.node].parent; node != 0; node = trace.nodes()[node].parent) {
    path.push_back(node);
  }
  std::reverse(path.begin(), path.end());
  if (path.size() > kMostDepth) path.resize(kMostDepth);
  size_t common = 0;
  while (common < path.size() && common < device->path.size() && path[common] == device->path[common]) ++common;
  device->path = path;
  device->open.resize(common);
  for (size_t depth = common; depth < path.size(); ++depth) {
    device->open.push_back(device->spans.size());
    device->spans.push_back(SpanOf(module, trace.nodes()[path[depth]].instruction, begin, end, depth));
  }
  for (size_t span : device->open) device->spans[span].end = end;
  if (path.size() < kMostDepth) {
    TimeSpans::Span span = SpanOf(module, trace.nodes()[step.node].instruction, begin, end, path.size());
    span.steps = step.count;
    span.is_mixed = step.is_mixed;
    device->spans.push_back(std::move(span));
  }
  device->depth = std::max(device->depth, static_cast<uint32_t>(std::min(path.size() + 1, kMostDepth)));
}

// What the schedule says is alive while the instructions of the entry computation are executed.
std::vector<TimeSpans::Alive> AliveDuring(DocumentAnalyses& analyses, const std::vector<TimeSpans::Span>& spans) {
  const ComputationMemory& memory = analyses.memory().Of(analyses.module().entry());
  absl::flat_hash_map<InstructionId, int64_t> bytes;
  for (size_t step = 0; step < memory.schedule.size() && step < memory.live_bytes.size(); ++step) {
    bytes[memory.schedule[step]] = memory.live_bytes[step];
  }
  std::vector<TimeSpans::Alive> alive;
  for (const TimeSpans::Span& span : spans) {
    if (span.lane != 0) continue;
    const auto known = bytes.find(span.instruction);
    if (known != bytes.end()) alive.push_back({span.begin, span.end, known->second});
  }
  return alive;
}

}  // namespace

TimeSpans SpansOfTrace(DocumentAnalyses& analyses, const evaluator::RunTrace& trace) {
  const Module& module = analyses.module();
  std::vector<DeviceSpans> devices;
  double now = 0;
  for (const evaluator::RunTrace::Step& step : trace.steps()) {
    if (trace.nodes()[step.node].instruction.index() >= module.instruction_count()) continue;
    if (devices.size() <= step.device) devices.resize(step.device + 1);
    const double begin = now;
    now += static_cast<double>(step.duration_ns) * 1e-9;
    AddStep(module, trace, step, begin, now, &devices[step.device]);
  }
  TimeSpans result;
  result.measured = true;
  result.joined_seconds = static_cast<double>(trace.joined_ns()) * 1e-9;
  if (devices.empty()) return result;
  result.alive = AliveDuring(analyses, devices.front().spans);
  uint32_t lane = 0;
  for (size_t d = 0; d < devices.size(); ++d) {
    if (devices.size() > 1) {
      result.lane_names.resize(lane + 1);
      result.lane_names[lane++] = absl::StrCat("device ", d);
    }
    for (TimeSpans::Span& span : devices[d].spans) {
      span.lane += lane;
      result.spans.push_back(span);
    }
    lane += devices[d].depth;
  }
  result.Arrange();
  return result;
}

}  // namespace hloscope::gui
