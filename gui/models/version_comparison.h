// SPDX-License-Identifier: Apache-2.0
// Two versions of a module beside each other: what became of each instruction.
#ifndef HLOSCOPE_GUI_MODELS_VERSION_COMPARISON_H_
#define HLOSCOPE_GUI_MODELS_VERSION_COMPARISON_H_

#include <cstdint>
#include <memory>
#include <vector>

#include "core/analysis/module_diff.h"
#include "core/document/document.h"

namespace hloscope::gui {

enum class InstructionChange : uint8_t { kSame, kChanged, kAdded, kRemoved };

// One of the two versions.
struct ComparedVersion {
  std::shared_ptr<const Document> document;
  std::vector<InstructionChange> changes;   // by instruction
  std::vector<InstructionId> counterparts;  // by instruction: in the other version, or none

  const Module& module() const { return document->module(); }
};

struct VersionComparison {
  struct Computations {
    ComputationId before, after;  // one may be none
    size_t changes = 0;           // instructions that were changed, removed or added
  };

  ComparedVersion before, after;
  std::vector<Computations> computations;  // all; entry computations first, as the diff lists them

  // The version that shows this document; null if none does.
  const ComparedVersion* VersionOf(const Document* document) const;
};

// `diff` is that of the two documents' modules.
std::shared_ptr<const VersionComparison> CompareVersions(std::shared_ptr<const Document> before,
                                                         std::shared_ptr<const Document> after, const ModuleDiff& diff);

}  // namespace hloscope::gui

#endif  // HLOSCOPE_GUI_MODELS_VERSION_COMPARISON_H_
