// SPDX-License-Identifier: Apache-2.0
#include "gui/models/version_comparison.h"

#include <utility>

namespace hloscope::gui {
namespace {

ComparedVersion MakeVersion(std::shared_ptr<const Document> document) {
  ComparedVersion version;
  version.document = std::move(document);
  version.changes.assign(version.module().instruction_count(), InstructionChange::kSame);
  version.counterparts.assign(version.module().instruction_count(), InstructionId());
  return version;
}

}  // namespace

const ComparedVersion* VersionComparison::VersionOf(const Document* document) const {
  if (document == nullptr) return nullptr;
  return before.document.get() == document ? &before : after.document.get() == document ? &after : nullptr;
}

std::shared_ptr<const VersionComparison> CompareVersions(std::shared_ptr<const Document> before,
                                                         std::shared_ptr<const Document> after,
                                                         const ModuleDiff& diff) {
  auto comparison = std::make_shared<VersionComparison>();
  ComparedVersion& a = comparison->before = MakeVersion(std::move(before));
  ComparedVersion& b = comparison->after = MakeVersion(std::move(after));
  auto pair = [&](InstructionId in_a, InstructionId in_b, InstructionChange change) {
    a.changes[in_a.index()] = b.changes[in_b.index()] = change;
    a.counterparts[in_a.index()] = in_b;
    b.counterparts[in_b.index()] = in_a;
  };
  for (const ComputationDiff& computation : diff.computations) {
    for (const auto& [in_a, in_b] : computation.same) pair(in_a, in_b, InstructionChange::kSame);
    for (const ChangedInstruction& one : computation.changed) pair(one.a, one.b, InstructionChange::kChanged);
    for (InstructionId id : computation.removed) a.changes[id.index()] = InstructionChange::kRemoved;
    for (InstructionId id : computation.added) b.changes[id.index()] = InstructionChange::kAdded;
    comparison->computations.push_back(
        {computation.a, computation.b,
         computation.changed.size() + computation.removed.size() + computation.added.size()});
  }
  return comparison;
}

}  // namespace hloscope::gui
