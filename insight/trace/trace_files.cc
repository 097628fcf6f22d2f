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

// Instructions from the outermost caller to the node's own.
std::vector<InstructionId> WayTo(const RunTrace& trace, uint32_t node) {
  std::vector<InstructionId> way;
  for (; node != 0; node = trace.nodes()[node].parent) way.push_back(trace.nodes()[node].instruction);
  std::reverse(way.begin(), way.end());
  return way;
}

// The outermost instruction on the way to a node that is one kernel to a compiler: work inside of fusions and element
// by element belongs to the fusion, the reduction, ...
uint32_t KernelOf(const Module& module, const RunTrace& trace, uint32_t node) {
  uint32_t kernel = node;
  for (uint32_t at = node; at != 0; at = trace.nodes()[at].parent) {
    const Opcode opcode = module.opcode(trace.nodes()[at].instruction);
    if (opcode != Opcode::kCall && opcode != Opcode::kWhile && opcode != Opcode::kConditional) kernel = at;
  }
  return kernel;
}

class ChromeWriter {
 public:
  ChromeWriter(const Module& module, const RunTrace& trace) : module_(module), trace_(trace) {}

  std::string Write() {
    out_ = "{\"displayTimeUnit\":\"ns\",\"traceEvents\":[\n";
    std::map<uint32_t, std::vector<Open>> open;  // by device
    for (const RunTrace::Step& step : trace_.steps()) {
      std::vector<Open>& stack = open[step.device];
      const std::vector<InstructionId> way = WayTo(trace_, step.node);
      size_t common = 0;
      while (common < stack.size() && common + 1 < way.size() && stack[common].instruction == way[common]) ++common;
      CloseTo(step.device, common, &stack);
      for (size_t k = common; k + 1 < way.size(); ++k) stack.push_back({way[k], step.begin_ns, step.begin_ns});
      for (Open& caller : stack) caller.end_ns = step.begin_ns + step.duration_ns;
      Event(step.device, way.back(), step.begin_ns, step.duration_ns);
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
  struct Open {
    InstructionId instruction;
    int64_t begin_ns, end_ns;
  };

  void CloseTo(uint32_t device, size_t depth, std::vector<Open>* stack) {
    while (stack->size() > depth) {
      const Open& last = stack->back();
      Event(device, last.instruction, last.begin_ns, last.end_ns - last.begin_ns);
      stack->pop_back();
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
  for (const RunTrace::Step& step : trace.steps()) {
    Lane& lane = lanes[step.device];
    if (lane.line == nullptr) {
      lane.line = host.add_lines();
      lane.line->set_id(step.device);
      lane.line->set_name(absl::StrCat("device ", step.device));
    }
    const int64_t begin_ps = step.begin_ns * 1000, end_ps = begin_ps + step.duration_ns * 1000;
    const uint32_t outer = KernelOf(module, trace, step.node);
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
  for (uint32_t n = 1; n < trace.nodes().size(); ++n) {
    if (trace.nodes()[n].steps == 0) continue;
    std::string line(module.name());
    for (InstructionId id : WayTo(trace, n)) absl::StrAppend(&line, ";", module.InstructionName(id));
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
    case TraceForm::kFolded:
      return WriteFolded(module, trace);
  }
  return std::string();
}

}  // namespace hloscope::insight
