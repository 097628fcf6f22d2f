// SPDX-License-Identifier: Apache-2.0
#include "insight/passes/instruction_trace.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "absl/container/flat_hash_map.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "core/analysis/instruction_attributes.h"
#include "core/analysis/module_matching.h"
#include "core/analysis/source_frames.h"
#include "core/analysis/value_flow.h"
#include "core/analysis/value_match.h"
#include "core/diagnostics/render.h"
#include "core/print/printer.h"

namespace hloscope::insight {
namespace {

// Counterparts that are less alike than this are none.
constexpr double kLeastSureness = 0.3;
// More instructions of one op_name than this say nothing about a single one.
constexpr size_t kManyOfOneOrigin = 16;

absl::string_view OpNameOf(const Module& module, InstructionId id) {
  const Metadata* metadata = module.MetadataOf(id);
  return metadata == nullptr ? absl::string_view() : module.string(metadata->op_name);
}

// "add" of "add.12.3": numbers only make names unique.
absl::string_view BaseName(absl::string_view name) { return name.substr(0, name.find('.')); }

// Whether the recorded origin of an instruction names `name`.
bool ComesFrom(const Module& module, InstructionId id, absl::string_view name) {
  const Origin* origin = module.OriginOf(id);
  return origin != nullptr && std::any_of(origin->nodes.begin(), origin->nodes.end(), [&](const Origin::Node& node) {
           return !node.is_tuple && node.array.instruction == name;
         });
}

InstructionId FusionOf(const Document& document, InstructionId id) {
  const Module& module = document.module();
  for (InstructionId caller : document.users().callers(module.instruction(id).computation)) {
    if (module.opcode(caller) == Opcode::kFusion) return caller;
  }
  return InstructionId();
}

std::string LineOf(const Module& module, InstructionId id) {
  PrintOptions options = PrintOptions::Short();
  options.percent = false;
  return OneLine(PrintInstruction(module, id, options));
}

std::string SourceOf(const Module& module, InstructionId id) {
  const Metadata* metadata = module.MetadataOf(id);
  if (metadata == nullptr) return "";
  const std::vector<SourceFrame> frames = SourceFramesOf(module, *metadata);
  return frames.empty() ? "" : absl::StrCat(frames[0].file, ":", frames[0].line);
}

}  // namespace

struct InstructionLinker::Tables {
  Tables(const Document& x, const Document& y)
      : document_a(x),
        document_b(y),
        a(x.module()),
        b(y.module()),
        matching(MatchModules(a, b)),
        flow_a(a),
        flow_b(b),
        values(MatchValues(flow_a, flow_b)) {
    for (uint32_t i = 0; i < b.instruction_count(); ++i) {
      const InstructionId id(i);
      by_name.try_emplace(b.InstructionName(id), id);
      if (const absl::string_view name = OpNameOf(b, id); !name.empty()) by_op_name[name].push_back(id);
      if (const Origin* origin = b.OriginOf(id)) {
        for (const Origin::Node& node : origin->nodes) {
          if (!node.array.instruction.empty()) by_origin[node.array.instruction].push_back(id);
        }
      }
    }
  }

  const Document &document_a, &document_b;
  const Module &a, &b;
  const ModuleMatching matching;
  const ValueFlow flow_a, flow_b;
  const ValueMatch values;
  absl::flat_hash_map<absl::string_view, InstructionId> by_name;
  absl::flat_hash_map<absl::string_view, std::vector<InstructionId>> by_op_name, by_origin;

  InstructionId ValuePartner(InstructionId id) const {
    const absl::Span<const InstructionId> carriers = flow_a.carriers(id);
    if (carriers.size() != 1 || carriers[0] != id) return InstructionId();
    return values.partner_of_a[id.index()];
  }

  // The share of operands that correspond.
  double OperandShare(InstructionId x, InstructionId y) const {
    const auto p = a.operands(x), q = b.operands(y);
    if (p.empty() && q.empty()) return 1;
    if (p.size() != q.size()) return 0;
    size_t same = 0;
    for (size_t k = 0; k < p.size(); ++k) {
      if (!p[k].has_value() || !q[k].has_value()) continue;
      const bool corresponds = matching.in_b[p[k].index()] == q[k] || ValuePartner(p[k]) == q[k] ||
                               a.InstructionName(p[k]) == b.InstructionName(q[k]);
      same += corresponds;
    }
    return static_cast<double>(same) / static_cast<double>(p.size());
  }

  // How much speaks for the pair, and what.
  InstructionLink Judge(InstructionId x, InstructionId y) const {
    InstructionLink link;
    link.to = y;
    std::vector<absl::string_view> reasons;
    const auto add = [&](bool holds, double weight, absl::string_view reason) {
      if (!holds) return;
      link.sureness += weight;
      reasons.push_back(reason);
    };
    const absl::string_view name_a = a.InstructionName(x), name_b = b.InstructionName(y);
    const absl::string_view op_a = OpNameOf(a, x), op_b = OpNameOf(b, y);
    const bool same_opcode = a.opcode(x) == b.opcode(y);
    add(same_opcode, 0.25, "operation");
    add(name_a == name_b, 0.25, "name");
    if (name_a != name_b && BaseName(name_a) == BaseName(name_b)) link.sureness += 0.1;
    add(!op_a.empty() && op_a == op_b, 0.15, "op_name");
    if (op_a.empty() && op_b.empty()) link.sureness += 0.05;
    add(ComesFrom(b, y, name_a) || ComesFrom(a, x, name_b), 0.3, "origin");
    const bool same_shape = a.shape(x).ToString(false) == b.shape(y).ToString(false);
    if (same_shape) link.sureness += 0.1;
    const bool same_attributes =
        AttributeTexts(a, x, AttributesCompared::kValues) == AttributeTexts(b, y, AttributesCompared::kValues);
    if (same_attributes) link.sureness += 0.05;
    const double operands = OperandShare(x, y);
    link.sureness += 0.2 * operands;
    if (operands == 1 && !a.operands(x).empty()) reasons.push_back("operands");
    add(matching.in_b[x.index()] == y || ValuePartner(x) == y, 0.15, "place in the dataflow");
    // Another operation can be what became of it, but nothing proves it.
    link.sureness = std::min(link.sureness, same_opcode ? 1.0 : 0.6);
    link.why = reasons.empty() ? "it is in the same place" : absl::StrCat("same ", absl::StrJoin(reasons, ", "));
    return link;
  }

  // What users of x that are still there use instead.
  InstructionLink InItsPlace(InstructionId x) const {
    InstructionLink link;
    link.takes_place = true;
    for (InstructionId user : document_a.users().users(x)) {
      const InstructionId other = matching.in_b[user.index()];
      if (!other.has_value()) continue;
      const auto p = a.operands(user), q = b.operands(other);
      for (size_t k = 0; k < p.size() && p.size() == q.size(); ++k) {
        if (p[k] != x || !q[k].has_value()) continue;
        link.to = q[k];
        link.sureness = 0.5;
        link.why = absl::StrCat("it is operand ", k, " of ", b.InstructionName(other), " now");
        return link;
      }
    }
    const Computation& computation = a.computation(a.instruction(x).computation);
    const ComputationId other = matching.computation_in_b[a.instruction(x).computation.index()];
    if (computation.root == x && other.has_value() && b.computation(other).root.has_value()) {
      link.to = b.computation(other).root;
      link.sureness = 0.5;
      link.why = "it is the result now";
    }
    return link;
  }
};

InstructionLinker::InstructionLinker(const Document& a, const Document& b)
    : tables_(std::make_unique<const Tables>(a, b)) {}
InstructionLinker::~InstructionLinker() = default;

InstructionLink InstructionLinker::Of(InstructionId x) const {
  const Tables& t = *tables_;
  std::vector<InstructionId> candidates = {t.matching.in_b[x.index()], t.ValuePartner(x)};
  const absl::string_view name = t.a.InstructionName(x);
  if (const auto it = t.by_name.find(name); it != t.by_name.end()) candidates.push_back(it->second);
  const auto add_all = [&](const auto& index, absl::string_view key, bool same_opcode) {
    const auto it = index.find(key);
    if (key.empty() || it == index.end() || it->second.size() > kManyOfOneOrigin) return;
    for (InstructionId id : it->second) {
      if (!same_opcode || t.a.opcode(x) == t.b.opcode(id)) candidates.push_back(id);
    }
  };
  add_all(t.by_op_name, OpNameOf(t.a, x), true);
  add_all(t.by_origin, name, false);
  if (const Origin* origin = t.a.OriginOf(x)) {
    for (const Origin::Node& node : origin->nodes) {
      const auto it = t.by_name.find(node.array.instruction);
      if (it != t.by_name.end()) candidates.push_back(it->second);
    }
  }
  InstructionLink best;
  for (InstructionId candidate : candidates) {
    if (!candidate.has_value()) continue;
    InstructionLink link = t.Judge(x, candidate);
    if (link.sureness >= kLeastSureness && link.sureness > best.sureness) best = std::move(link);
  }
  return best.to.has_value() ? best : t.InItsPlace(x);
}

namespace {

TraceStep StepAt(size_t stage, const Document& document, InstructionId id) {
  const Module& module = document.module();
  TraceStep step;
  step.stage = stage;
  step.instruction = std::string(module.InstructionName(id));
  step.computation = std::string(module.ComputationName(module.instruction(id).computation));
  step.text = LineOf(module, id);
  if (const InstructionId fusion = FusionOf(document, id); fusion.has_value()) {
    step.fusion = std::string(module.InstructionName(fusion));
  }
  return step;
}

// What happened between two neighbouring stages, `early` and `late`.
std::string WhatHappened(const TraceStep& early, const TraceStep& late, bool takes_place) {
  if (takes_place) return absl::StrCat(late.instruction, " takes the place of ", early.instruction);
  std::vector<std::string> parts;
  if (early.instruction != late.instruction) parts.push_back(absl::StrCat("renamed from ", early.instruction));
  if (early.fusion.empty() && !late.fusion.empty()) {
    parts.push_back(absl::StrCat("fused into ", late.fusion));
  } else if (!early.fusion.empty() && late.fusion.empty()) {
    parts.push_back(absl::StrCat("taken out of ", early.fusion));
  } else if (early.computation != late.computation) {
    parts.push_back(absl::StrCat("moved from ", early.computation, " to ", late.computation));
  }
  if (parts.empty() && early.text != late.text) parts.emplace_back("changed");
  return absl::StrJoin(parts, ", ");
}

class Follower {
 public:
  Follower(const std::vector<Stage>& stages, const StageReader& read, const StageProgress& progress)
      : stages_(stages), read_(read), progress_(progress) {}

  absl::StatusOr<InstructionTrace> Run(const std::string& name, std::optional<size_t> from) {
    InstructionId start;
    size_t at = 0;
    std::shared_ptr<const Document> document;
    for (size_t k = from.value_or(0); k < (from ? *from + 1 : stages_.size()) && !start.has_value(); ++k) {
      const absl::StatusOr<std::shared_ptr<const Document>> one = Read(k);
      if (!one.ok()) {
        if (absl::IsCancelled(one.status())) return one.status();
        continue;
      }
      const Module& module = (*one)->module();
      for (uint32_t i = 0; i < module.instruction_count() && !start.has_value(); ++i) {
        if (module.InstructionName(InstructionId(i)) == name) start = InstructionId(i);
      }
      at = k;
      document = *one;
    }
    if (!start.has_value()) {
      return absl::NotFoundError(absl::StrCat("no instruction '", name, "' in ", from ? "this stage" : "any stage"));
    }
    Note(*document, start);
    std::vector<TraceStep> backward;
    if (const absl::Status status = Walk(at, document, start, -1, &backward); !status.ok()) return status;
    std::reverse(backward.begin(), backward.end());
    trace_.steps = std::move(backward);
    trace_.start = trace_.steps.size();
    trace_.steps.push_back(StepAt(at, *document, start));
    trace_.steps.back().what = what_at_start_;
    if (const absl::Status status = Walk(at, document, start, +1, &trace_.steps); !status.ok()) return status;
    return std::move(trace_);
  }

 private:
  absl::StatusOr<std::shared_ptr<const Document>> Read(size_t k) const {
    if (progress_.cancelled != nullptr && *progress_.cancelled) return absl::CancelledError("cancelled");
    if (progress_.on_stage) progress_.on_stage(k, stages_.size());
    return read_(stages_[k]);
  }

  void Note(const Document& document, InstructionId id) {
    if (trace_.op_name.empty()) trace_.op_name = std::string(OpNameOf(document.module(), id));
    if (trace_.source.empty()) trace_.source = SourceOf(document.module(), id);
  }

  // Appends the steps from the stage after (or before) `at` to the end, or to where it is gone.
  absl::Status Walk(size_t at, std::shared_ptr<const Document> document, InstructionId id, int direction,
                    std::vector<TraceStep>* steps) {
    double all = 1;
    TraceStep here = StepAt(at, *document, id);
    for (size_t k = at + static_cast<size_t>(direction); k < stages_.size(); k += static_cast<size_t>(direction)) {
      absl::StatusOr<std::shared_ptr<const Document>> next = Read(k);
      if (!next.ok()) {
        if (absl::IsCancelled(next.status())) return next.status();
        continue;
      }
      InstructionLink link{id, 1, "", false};
      if ((*next)->source().text() != document->source().text()) {
        link = InstructionLinker(*document, **next).Of(id);
      }
      if (!link.to.has_value()) {
        TraceStep gone;
        gone.stage = k;
        gone.what = absl::StrCat(here.instruction, direction > 0 ? " was removed" : " was not there yet");
        steps->push_back(std::move(gone));
        break;
      }
      TraceStep step = StepAt(k, **next, link.to);
      step.sureness = link.sureness;
      step.why = link.why;
      // What happened belongs to the later stage of the two.
      std::string what =
          direction > 0 ? WhatHappened(here, step, link.takes_place) : WhatHappened(step, here, link.takes_place);
      if (direction > 0) {
        step.what = std::move(what);
      } else if (!steps->empty()) {
        steps->back().what = std::move(what);
      } else {
        what_at_start_ = std::move(what);
      }
      all *= link.sureness;
      id = link.to;
      document = *std::move(next);
      Note(*document, id);
      here = step;
      steps->push_back(std::move(step));
    }
    trace_.sureness = std::min(trace_.sureness, all);
    return absl::OkStatus();
  }

  const std::vector<Stage>& stages_;
  const StageReader& read_;
  const StageProgress& progress_;
  InstructionTrace trace_;
  std::string what_at_start_;
};

}  // namespace

absl::StatusOr<InstructionTrace> FollowInstruction(const std::vector<Stage>& stages, const StageReader& read,
                                                   const std::string& name, std::optional<size_t> from,
                                                   const StageProgress& progress) {
  return Follower(stages, read, progress).Run(name, from);
}

const char* SurenessWord(double sureness) { return sureness >= 0.85 ? "sure" : sureness >= 0.6 ? "likely" : "a guess"; }

}  // namespace hloscope::insight
