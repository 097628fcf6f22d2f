// SPDX-License-Identifier: Apache-2.0
// Requests about threads (devices), frames (computations) and their scopes.
#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "core/diagnostics/count_text.h"
#include "lsp/debug_adapter/debug_session.h"
#include "lsp/debug_adapter/request_arguments.h"
#include "lsp/debug_adapter/session_console.h"
#include "nlohmann/json.hpp"

namespace hloscope::dap {
namespace {

using nlohmann::json;

constexpr size_t kNewestLocals = 20;

std::string FrameName(const Module& module, const evaluator::Frame& frame) {
  std::string name(module.ComputationName(frame.computation));
  switch (frame.kind) {
    case evaluator::FrameKind::kEntry:
      break;
    case evaluator::FrameKind::kCall:
      absl::StrAppend(&name, ", called by ", module.InstructionName(frame.caller));
      break;
    case evaluator::FrameKind::kFusion:
      absl::StrAppend(&name, ", fused in ", module.InstructionName(frame.caller));
      break;
    case evaluator::FrameKind::kCondition:
      absl::StrAppend(&name, ", condition ", frame.iteration, " of ", module.InstructionName(frame.caller));
      break;
    case evaluator::FrameKind::kBody:
      absl::StrAppend(&name, ", iteration ", frame.iteration, " of ", module.InstructionName(frame.caller));
      break;
    case evaluator::FrameKind::kBranch:
      absl::StrAppend(&name, ", branch ", frame.branch, " of ", module.InstructionName(frame.caller));
      break;
    case evaluator::FrameKind::kAsync:
      absl::StrAppend(&name, ", started by ", module.InstructionName(frame.caller));
      break;
    case evaluator::FrameKind::kApplied:
      absl::StrAppend(&name, ", application ", frame.iteration, " of ", module.InstructionName(frame.caller));
      break;
  }
  return name;
}

}  // namespace

absl::StatusOr<json> DebugSession::Threads(const json&) {
  json threads = json::array();
  for (int64_t f = 0; f < timeline().device_count(); ++f) {
    if (HasEnded(f)) continue;
    threads.push_back({{"id", f + 1}, {"name", timeline().run().DeviceName(f)}});
  }
  return json{{"threads", std::move(threads)}};
}

InstructionId DebugSession::InstructionOf(const FrameReference& reference) const {
  const absl::Span<const evaluator::Frame> frames = timeline().inspection(reference.device).frames();
  if (reference.frame >= frames.size()) return InstructionId();
  return reference.frame + 1 < frames.size() ? frames[reference.frame + 1].caller : frames[reference.frame].current;
}

absl::StatusOr<json> DebugSession::StackTrace(const json& arguments) {
  const absl::StatusOr<int64_t> device = Device(arguments);
  if (!device.ok()) return device.status();
  const absl::Span<const evaluator::Frame> frames = timeline().inspection(*device).frames();
  const int64_t total = static_cast<int64_t>(frames.size());
  const int64_t first = std::clamp<int64_t>(IntegerOr(arguments, "startFrame", 0), 0, total);
  const int64_t levels = IntegerOr(arguments, "levels", 0);
  const int64_t end = levels > 0 && levels < total - first ? first + levels : total;
  json list = json::array();
  for (int64_t level = first; level < end; ++level) {
    const FrameReference reference{*device, static_cast<size_t>(total - 1 - level)};
    const evaluator::Frame& frame = frames[reference.frame];
    InstructionId at = InstructionOf(reference);
    std::string name = FrameName(module(), frame);
    if (!at.has_value()) {
      at = module().computation(frame.computation).root;
      name += ", finished";
    }
    // An editor shows why the run stopped at the line of the innermost frame: that is where the value was made,
    // although the next step is another one.
    if (level == 0 && !stop_.watches.empty() && stop_.device == *device &&
        module().instruction(stop_.watches.front().instruction).computation == frame.computation) {
      at = stop_.watches.front().instruction;
    }
    frames_.push_back(reference);
    json one = {{"id", static_cast<int64_t>(frames_.size())}, {"name", std::move(name)}, {"line", 0}, {"column", 0}};
    DescribePlace(at, &one);
    // Editors select up to there.
    one.erase("endLine");
    one.erase("endColumn");
    one["instructionPointerReference"] = InstructionReference(at);
    one["canRestart"] = true;
    list.push_back(std::move(one));
  }
  return json{{"stackFrames", std::move(list)}, {"totalFrames", total}};
}

absl::StatusOr<DebugSession::FrameReference> DebugSession::FrameFrom(const json& arguments,
                                                                     absl::string_view name) const {
  const absl::StatusOr<int64_t> id = RequiredInteger(arguments, name);
  if (!id.ok()) return id.status();
  if (*id < 1 || *id > static_cast<int64_t>(frames_.size())) {
    return absl::NotFoundError(absl::StrCat("frame ", *id, " is of an earlier stop: ask for the stack again"));
  }
  return frames_[static_cast<size_t>(*id) - 1];
}

DebugSession::FrameReference DebugSession::InnermostFrame(int64_t device) const {
  const size_t count = timeline().inspection(device).frames().size();
  return {device, count == 0 ? 0 : count - 1};
}

absl::StatusOr<json> DebugSession::Scopes(const json& arguments) {
  const absl::StatusOr<FrameReference> frame = FrameFrom(arguments, "frameId");
  if (!frame.ok()) return frame.status();
  latest_frame_ = *frame;
  json list = json::array();
  const auto add = [&](const char* name, const char* hint, bool expensive, VariableTree::Maker make) {
    json scope = {
        {"name", name}, {"variablesReference", variables_.AddMaker(std::move(make))}, {"expensive", expensive}};
    if (*hint != 0) scope["presentationHint"] = hint;
    list.push_back(std::move(scope));
  };
  const absl::Span<const evaluator::Frame> frames = timeline().inspection(frame->device).frames();
  const evaluator::Frame& open = frames[frame->frame];
  const size_t count = module().computation(open.computation).instructions.size();
  if (InstructionOf(*frame).has_value()) {
    add("Operands", "arguments", false, [this, frame = *frame] { return ScopeOperands(frame); });
  }
  add("Locals", "locals", false, [this, frame = *frame, count] { return ScopeLocals(frame, 0, count); });
  add("Results", "returnValue", false, [this, frame = *frame] { return ScopeResults(frame); });
  for (size_t i = frame->frame + 1; i-- > 0;) {
    if (frames[i].iteration < 0) continue;
    add("Loop state", "", false, [this, frame = *frame, i] { return ScopeLoop(frame, i); });
    break;
  }
  add("Run", "", false, [this] { return ScopeRun(); });
  return json{{"scopes", std::move(list)}};
}

json DebugSession::ValueVariable(const FrameReference& frame, InstructionId id) {
  const std::string name(module().InstructionName(id));
  const evaluator::Inspection& inspection = timeline().inspection(frame.device);
  const bool is_unread = inspection.IsUnread(frame.frame, id);
  std::optional<json> variable;
  if (const evaluator::Value* value = inspection.ValueOf(frame.frame, id)) {
    variable = variables_.Variable(name, {*value, name, {}});
  } else if (!is_unread) {
    // It was dropped. What was made lately is made again in a moment; what takes longer, only when somebody looks.
    const evaluator::FrameKey key{frame.device, inspection.frames()[frame.frame].serial};
    if (timeline().SegmentOf(key, id) == timeline().segment_count() - 1) {
      const absl::StatusOr<evaluator::Value> again = timeline().ValueOf(frame.device, frame.frame, id);
      if (again.ok()) variable = variables_.Variable(name, {*again, name, {}});
    }
  }
  if (!variable.has_value()) variable = LazyVariable(frame, id, is_unread);
  (*variable)["declarationLocationReference"] = WrittenLocation(id);
  if (const std::optional<int64_t> origin = OriginLocation(id)) (*variable)["valueLocationReference"] = *origin;
  return *std::move(variable);
}

json DebugSession::LazyVariable(const FrameReference& frame, InstructionId id, bool is_unread) {
  const std::string name(module().InstructionName(id));
  const std::string type = module().shape(id).ToString(false);
  const int64_t reference = variables_.AddMaker([this, frame, id, name]() -> absl::StatusOr<json> {
    absl::StatusOr<evaluator::Value> value = timeline().ValueOf(frame.device, frame.frame, id);
    if (!value.ok()) return value.status();
    return json::array({variables_.Variable(name, {*std::move(value), name, {}})});
  });
  json variable = {{"name", name},
                   {"value", absl::StrCat(type, is_unread ? ", not made yet, as nothing has read it: open it to see it"
                                                          : ", dropped: open it to compute it again")},
                   {"evaluateName", name},
                   {"variablesReference", reference},
                   {"namedVariables", 1},
                   {"presentationHint", {{"lazy", true}}}};
  variables_.AddType(type, &variable);
  return variable;
}

absl::StatusOr<json> DebugSession::ScopeOperands(const FrameReference& frame) {
  json list = json::array();
  const InstructionId at = InstructionOf(frame);
  std::vector<InstructionId> seen;
  for (InstructionId operand : module().operands(at)) {
    if (std::find(seen.begin(), seen.end(), operand) != seen.end()) continue;
    seen.push_back(operand);
    list.push_back(ValueVariable(frame, operand));
  }
  return list;
}

absl::StatusOr<json> DebugSession::ScopeLocals(const FrameReference& frame, size_t begin, size_t end) {
  const absl::Span<const evaluator::Frame> frames = timeline().inspection(frame.device).frames();
  const std::vector<InstructionId>& instructions = module().computation(frames[frame.frame].computation).instructions;
  std::vector<InstructionId> executed;
  for (InstructionId id : instructions) {
    const evaluator::Inspection& inspection = timeline().inspection(frame.device);
    const bool there = inspection.ValueOf(frame.frame, id) != nullptr || inspection.IsUnread(frame.frame, id);
    // Parameters and constants count as executed: they stay in the list when the run has dropped them.
    if (there || timeline().WasExecuted(frame.device, frame.frame, id)) executed.push_back(id);
  }
  end = std::min(end, executed.size());
  json list = json::array();
  if (end - begin <= static_cast<size_t>(kLargestGroup)) {
    for (size_t i = begin; i < end; ++i) list.push_back(ValueVariable(frame, executed[i]));
    return list;
  }
  // Of very many, what was computed last is at hand.
  if (begin == 0) {
    for (size_t i = end; i-- > 0 && list.size() < kNewestLocals;) {
      const Opcode opcode = module().opcode(executed[i]);
      if (opcode != Opcode::kParameter && opcode != Opcode::kConstant)
        list.push_back(ValueVariable(frame, executed[i]));
    }
  }
  for (const auto& [from, to] : GroupsOf(static_cast<int64_t>(begin), static_cast<int64_t>(end))) {
    const size_t first = static_cast<size_t>(from), last = static_cast<size_t>(to);
    list.push_back({{"name", absl::StrCat(module().InstructionName(executed[first]), " .. ",
                                          module().InstructionName(executed[last - 1]))},
                    {"value", CountOf(to - from, "value")},
                    {"variablesReference",
                     variables_.AddMaker([this, frame, first, last] { return ScopeLocals(frame, first, last); })},
                    {"namedVariables", to - from}});
  }
  return list;
}

InstructionId DebugSession::LatestOf(const FrameReference& frame) const {
  const absl::Span<const evaluator::Frame> frames = timeline().inspection(frame.device).frames();
  const std::vector<InstructionId>& instructions = module().computation(frames[frame.frame].computation).instructions;
  const InstructionId at = InstructionOf(frame);
  size_t i = instructions.size();
  if (at.has_value())
    i = static_cast<size_t>(std::find(instructions.begin(), instructions.end(), at) - instructions.begin());
  while (i-- > 0) {
    const Opcode opcode = module().opcode(instructions[i]);
    if (opcode == Opcode::kParameter || opcode == Opcode::kConstant) continue;
    if (timeline().WasExecuted(frame.device, frame.frame, instructions[i])) return instructions[i];
  }
  return InstructionId();
}

absl::StatusOr<json> DebugSession::ScopeResults(const FrameReference& frame) {
  json list = json::array();
  const evaluator::Execution& execution = timeline().execution(frame.device);
  if (frame.frame == 0 && execution.finished()) {
    const std::string name(module().InstructionName(module().computation(module().entry()).root));
    list.push_back(variables_.Variable("result", {execution.result(), name, {}}));
    return list;
  }
  for (const evaluator::WatchHit& hit : stop_.watches) {
    list.push_back(variables_.Variable(module().InstructionName(hit.instruction), {hit.value, "", {}}));
  }
  const InstructionId latest = LatestOf(frame);
  if (latest.has_value() && stop_.watches.empty()) list.push_back(ValueVariable(frame, latest));
  return list;
}

absl::StatusOr<json> DebugSession::ScopeLoop(const FrameReference& frame, size_t loop) {
  const evaluator::Frame& open = timeline().inspection(frame.device).frames()[loop];
  json list = json::array();
  list.push_back({{"name", open.kind == evaluator::FrameKind::kApplied ? "application" : "iteration"},
                  {"value", absl::StrCat(open.iteration)},
                  {"evaluateName", "iteration"},
                  {"variablesReference", 0},
                  {"presentationHint", {{"attributes", {"readOnly"}}}}});
  variables_.AddType("s64[]", &list.back());
  for (InstructionId parameter : module().computation(open.computation).parameters) {
    if (!parameter.has_value()) continue;
    const std::string name(module().InstructionName(parameter));
    const absl::StatusOr<evaluator::Value> value = timeline().ValueOf(frame.device, loop, parameter);
    if (!value.ok()) {
      list.push_back({{"name", name}, {"value", std::string(value.status().message())}, {"variablesReference", 0}});
      continue;
    }
    if (!value->IsTuple()) {
      list.push_back(variables_.Variable(name, {*value, name, {}}));
      continue;
    }
    for (size_t i = 0; i < value->elements().size(); ++i) {
      const std::string element = absl::StrCat(name, "{", i, "}");
      list.push_back(variables_.Variable(element, {value->elements()[i], element, {}}));
    }
  }
  return list;
}

absl::StatusOr<json> DebugSession::ScopeRun() {
  json list = json::array();
  const auto add = [&](std::string name, std::string value) {
    list.push_back({{"name", std::move(name)},
                    {"value", std::move(value)},
                    {"variablesReference", 0},
                    {"presentationHint", {{"attributes", {"readOnly"}}}}});
  };
  add("position", absl::StrCat(timeline().position()));
  for (int64_t f = 0; f < timeline().device_count(); ++f) add(timeline().run().DeviceName(f), console_->DeviceLine(f));
  return list;
}

}  // namespace hloscope::dap
