// SPDX-License-Identifier: Apache-2.0
#include "insight/trace/trace_files.h"

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_set.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/strip.h"
#include "insight/trace/call_ways.h"
#include "insight/trace/flame_graph.h"
#include "insight/trace/pprof.h"
#include "interop/files/write_file.h"
#include "interop/proto/xplane.pb.h"

namespace hloscope::insight {
namespace {

using evaluator::RunTrace;

// As a JSON string. What is not ASCII, and not printable, is `?` or an escape: names of instructions are neither.
std::string JsonString(absl::string_view text) {
  std::string out = "\"";
  for (char c : text) {
    if (c == '"' || c == '\\') out.push_back('\\');
    if (static_cast<unsigned char>(c) < 0x20)
      absl::StrAppendFormat(&out, "\\u%04x", static_cast<unsigned char>(c));
    else
      out.push_back(static_cast<unsigned char>(c) < 0x7F ? c : '?');
  }
  return out + "\"";
}

// By node, the outermost instruction on the way to it that is one kernel to a compiler: work inside of fusions and
// element by element belongs to the fusion, the reduction, ... Control flow that is inside of none is its own.
std::vector<uint32_t> KernelsOf(const Module& module, const RunTrace& trace) {
  std::vector<uint32_t> kernels(trace.nodes().size(), 0);
  std::vector<bool> is_inside(trace.nodes().size(), false);
  for (uint32_t n = 1; n < kernels.size(); ++n) {
    const RunTrace::Node& node = trace.nodes()[n];
    const Opcode opcode = module.opcode(node.instruction);
    is_inside[n] = is_inside[node.parent] ||
                   (opcode != Opcode::kCall && opcode != Opcode::kWhile && opcode != Opcode::kConditional);
    kernels[n] = is_inside[node.parent] ? kernels[node.parent] : n;
  }
  return kernels;
}

class ChromeWriter {
 public:
  ChromeWriter(const Module& module, const RunTrace& trace) : module_(module), trace_(trace), ways_(trace) {}

  std::string Write() {
    out_ = "{\"displayTimeUnit\":\"ns\",\"traceEvents\":[\n";
    std::map<uint32_t, std::vector<Open>> open;  // by device
    for (const RunTrace::Step& step : trace_.steps()) {
      std::vector<Open>& stack = open[step.device];
      // Callers that are not open yet, the innermost first.
      std::vector<uint32_t> callers;
      uint32_t at = trace_.nodes()[step.node].parent;
      for (; at != 0 && !IsOpen(stack, at); at = trace_.nodes()[at].parent) callers.push_back(at);
      CloseTo(step.device, ways_.depth(at), &stack);
      for (size_t k = callers.size(); k-- > 0;) stack.push_back({callers[k], step.begin_ns, step.begin_ns});
      if (!stack.empty()) stack.back().end_ns = step.begin_ns + step.duration_ns;
      Event(step.device, trace_.nodes()[step.node].instruction, step.begin_ns, step.duration_ns);
    }
    for (auto& [device, stack] : open) {
      CloseTo(device, 0, &stack);
      absl::StrAppend(&out_, is_first_ ? "" : ",\n", "{\"ph\":\"M\",\"name\":\"process_name\",\"pid\":", device,
                      ",\"args\":{\"name\":\"device ", device, "\"}}");
      is_first_ = false;
    }
    absl::StrAppend(&out_, "\n],\"otherData\":{\"module\":", JsonString(module_.name()),
                    ",\"steps_left_out\":", trace_.left_out(), "}}\n");
    return std::move(out_);
  }

 private:
  // A caller, at the place of its depth in the stack. It ends when what it called last does, which is known when that
  // is closed.
  struct Open {
    uint32_t node;
    int64_t begin_ns, end_ns;
  };

  bool IsOpen(const std::vector<Open>& stack, uint32_t node) const {
    const uint32_t depth = ways_.depth(node);
    return depth <= stack.size() && stack[depth - 1].node == node;
  }

  void CloseTo(uint32_t device, size_t depth, std::vector<Open>* stack) {
    while (stack->size() > depth) {
      const Open last = stack->back();
      Event(device, trace_.nodes()[last.node].instruction, last.begin_ns, last.end_ns - last.begin_ns);
      stack->pop_back();
      if (!stack->empty()) stack->back().end_ns = std::max(stack->back().end_ns, last.end_ns);
    }
  }

  void Event(uint32_t device, InstructionId id, int64_t begin_ns, int64_t duration_ns) {
    absl::StrAppendFormat(
        &out_, "%s{\"ph\":\"X\",\"name\":%s,\"cat\":\"%s\",\"pid\":%d,\"tid\":0,\"ts\":%d.%03d,\"dur\":%d.%03d",
        is_first_ ? "" : ",\n", JsonString(module_.InstructionName(id)), OpcodeName(module_.opcode(id)), device,
        begin_ns / 1000, begin_ns % 1000, duration_ns / 1000, duration_ns % 1000);
    const Metadata* metadata = module_.MetadataOf(id);
    const absl::string_view scope = metadata != nullptr ? module_.string(metadata->op_name) : absl::string_view();
    if (!scope.empty()) absl::StrAppend(&out_, ",\"args\":{\"op_name\":", JsonString(scope), "}");
    absl::StrAppend(&out_, "}");
    is_first_ = false;
  }

  const Module& module_;
  const RunTrace& trace_;
  const CallWays ways_;
  std::string out_;
  bool is_first_ = true;
};

// One line a device, with the module: what profilers write for programs that run on the host.
absl::StatusOr<std::string> WriteProfile(const Module& module, const RunTrace& trace) {
  constexpr int64_t kProgram = 1;
  enum : int64_t { kHloProto = 1, kHloOp = 2, kProgramId = 3, kFirstName = 4 };
  const absl::StatusOr<std::string> hlo = interop::EncodeModule(module, interop::OutputForm::kProto);
  if (!hlo.ok()) return hlo.status();
  interop::proto::XSpace space;
  interop::proto::XPlane& programs = *space.add_planes();
  programs.set_name("/host:metadata");
  (*programs.mutable_stat_metadata())[kHloProto].set_id(kHloProto);
  (*programs.mutable_stat_metadata())[kHloProto].set_name("Hlo Proto");
  interop::proto::XEventMetadata& program = (*programs.mutable_event_metadata())[kProgram];
  program.set_id(kProgram);
  program.set_name(absl::StrCat(module.name(), "(", kProgram, ")"));
  interop::proto::XStat& stat = *program.add_stats();
  stat.set_metadata_id(kHloProto);
  stat.set_bytes_value(*hlo);

  interop::proto::XPlane& host = *space.add_planes();
  host.set_name("/host:CPU");
  for (const auto& [id, name] : {std::pair<int64_t, const char*>{kHloOp, "hlo_op"}, {kProgramId, "program_id"}}) {
    (*host.mutable_stat_metadata())[id].set_id(id);
    (*host.mutable_stat_metadata())[id].set_name(name);
  }
  // By device: its line, and the event that goes on as long as new parts of one instruction follow each other.
  struct Lane {
    interop::proto::XLine* line = nullptr;
    interop::proto::XEvent* event = nullptr;
    uint32_t outer = 0;
    absl::flat_hash_set<uint32_t> parts;
  };
  std::map<uint32_t, Lane> lanes;
  const std::vector<uint32_t> kernels = KernelsOf(module, trace);
  for (const RunTrace::Step& step : trace.steps()) {
    Lane& lane = lanes[step.device];
    if (lane.line == nullptr) {
      lane.line = host.add_lines();
      lane.line->set_id(step.device);
      lane.line->set_name(absl::StrCat("device ", step.device));
    }
    const int64_t begin_ps = step.begin_ns * 1000, end_ps = begin_ps + step.duration_ns * 1000;
    const uint32_t outer = kernels[step.node];
    if (lane.event != nullptr && lane.outer == outer && outer != step.node && lane.parts.insert(step.node).second) {
      lane.event->set_duration_ps(end_ps - lane.event->offset_ps());
      continue;
    }
    lane.outer = outer;
    lane.parts = {step.node};
    const InstructionId id = trace.nodes()[outer].instruction;
    const int64_t kind = static_cast<int64_t>(id.index()) + kFirstName;
    const auto [found, inserted] = host.mutable_event_metadata()->insert({kind, interop::proto::XEventMetadata()});
    if (inserted) {
      const std::string name(module.InstructionName(id));
      found->second.set_id(kind);
      found->second.set_name(name);
      (*host.mutable_stat_metadata())[kind].set_id(kind);
      (*host.mutable_stat_metadata())[kind].set_name(name);
    }
    lane.event = lane.line->add_events();
    lane.event->set_metadata_id(kind);
    lane.event->set_offset_ps(begin_ps);
    lane.event->set_duration_ps(end_ps - begin_ps);
    interop::proto::XStat& op = *lane.event->add_stats();
    op.set_metadata_id(kHloOp);
    op.set_ref_value(static_cast<uint64_t>(kind));
    interop::proto::XStat& of = *lane.event->add_stats();
    of.set_metadata_id(kProgramId);
    of.set_int64_value(kProgram);
  }
  if (trace.left_out() > 0) space.add_warnings(absl::StrCat(trace.left_out(), " later steps are left out"));
  return space.SerializeAsString();
}

std::string WriteFolded(const Module& module, const RunTrace& trace) {
  std::string out;
  const CallWays ways(trace);
  for (uint32_t n = 1; n < trace.nodes().size(); ++n) {
    if (trace.nodes()[n].steps == 0) continue;
    std::string line(module.name());
    const CallWays::Way way = ways.To(n);
    for (size_t k = 0; k < way.nodes.size(); ++k) {
      if (k == CallWays::kOuter && way.left_out > 0) line += ";(calls left out)";
      absl::StrAppend(&line, ";", module.InstructionName(trace.nodes()[way.nodes[k]].instruction));
    }
    absl::StrAppend(&out, line, " ", trace.nodes()[n].nanoseconds, "\n");
  }
  return out;
}

}  // namespace

std::optional<TraceForm> TraceFormOf(absl::string_view path) {
  absl::ConsumeSuffix(&path, ".gz");
  if (absl::EndsWith(path, ".json")) return TraceForm::kChrome;
  if (absl::EndsWith(path, ".xplane.pb")) return TraceForm::kProfile;
  if (absl::EndsWith(path, ".pb") || absl::EndsWith(path, ".pprof")) return TraceForm::kPprof;
  if (absl::EndsWith(path, ".svg")) return TraceForm::kFlame;
  if (absl::EndsWith(path, ".html")) return TraceForm::kPage;
  if (absl::EndsWith(path, ".folded")) return TraceForm::kFolded;
  return std::nullopt;
}

absl::StatusOr<std::string> EncodeTrace(const Module& module, const RunTrace& trace, TraceForm form) {
  switch (form) {
    case TraceForm::kChrome:
      return ChromeWriter(module, trace).Write();
    case TraceForm::kPprof:
      return PprofOf(module, trace);
    case TraceForm::kProfile:
      return WriteProfile(module, trace);
    case TraceForm::kFlame:
      return FlameGraphsOf(module, trace);
    case TraceForm::kPage:
      return TracePage(module, trace).Finish();
    case TraceForm::kFolded:
      return WriteFolded(module, trace);
  }
  return std::string();
}

}  // namespace hloscope::insight
