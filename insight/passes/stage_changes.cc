// SPDX-License-Identifier: Apache-2.0
#include "insight/passes/stage_changes.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "core/analysis/module_diff.h"

namespace hloscope::insight {
namespace {

void Measure(const Document& document, StageChange* change) {
  const ModuleSize size = SizeOf(document);
  change->instructions = size.instructions;
  change->flop = size.flop;
  change->bytes = size.bytes;
  change->peak_bytes = size.peak_bytes;
  change->fingerprint = FingerprintOf(document.module());
}

void Compare(const Module& a, const Module& b, StageChange* change) {
  const ModuleDiff diff = DiffModules(a, b);
  change->others = diff.header;
  for (const ComputationDiff& computation : diff.computations) {
    for (const std::string& text : computation.changes) {
      change->others.push_back(absl::StrCat("computation ", b.ComputationName(computation.b), ": ", text));
    }
    for (const ChangedInstruction& one : computation.changed) {
      change->modified.emplace_back(b.InstructionName(one.b));
    }
    for (InstructionId id : computation.removed) change->removed.emplace_back(a.InstructionName(id));
    for (InstructionId id : computation.added) change->added.emplace_back(b.InstructionName(id));
  }
}

}  // namespace

absl::StatusOr<std::vector<StageChange>> ChangesOf(const std::vector<Stage>& stages, const StageReader& read,
                                                   const StageProgress& progress) {
  std::vector<StageChange> changes(stages.size());
  std::shared_ptr<const Document> before;
  const StageChange* change_before = nullptr;
  for (size_t k = 0; k < stages.size(); ++k) {
    if (progress.cancelled != nullptr && *progress.cancelled) return absl::CancelledError("cancelled");
    if (progress.on_stage) progress.on_stage(k, stages.size());
    StageChange& change = changes[k];
    absl::StatusOr<std::shared_ptr<const Document>> document = read(stages[k]);
    if (!document.ok()) {
      if (absl::IsCancelled(document.status())) return document.status();
      change.problem = std::string(document.status().message());
      continue;
    }
    // Dumps repeat stages byte by byte.
    if (before != nullptr && before->source().text() == (*document)->source().text()) {
      const StageChange& same = *change_before;
      change.instructions = same.instructions;
      change.flop = same.flop;
      change.bytes = same.bytes;
      change.peak_bytes = same.peak_bytes;
      change.fingerprint = same.fingerprint;
    } else {
      Measure(**document, &change);
      change.changed = before != nullptr && !(change.fingerprint == change_before->fingerprint);
      if (change.changed) Compare(before->module(), (*document)->module(), &change);
    }
    const StageChange& last = change_before == nullptr ? change : *change_before;
    change.before = {last.instructions, last.flop, last.bytes, last.peak_bytes};
    before = *std::move(document);
    change_before = &change;
  }
  return changes;
}

bool Mentions(const Stage& stage, const StageChange& change, absl::string_view text) {
  const auto contains = [&](const std::string& name) { return absl::StrContains(name, text); };
  const auto any = [&](const std::vector<std::string>& names) {
    return std::any_of(names.begin(), names.end(), contains);
  };
  return contains(stage.pass) || contains(stage.pipeline) || any(change.added) || any(change.removed) ||
         any(change.modified);
}

}  // namespace hloscope::insight
