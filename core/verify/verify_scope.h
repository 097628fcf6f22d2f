// SPDX-License-Identifier: Apache-2.0
// What of a module is to be checked again after a change.
#ifndef HLOSCOPE_CORE_VERIFY_VERIFY_SCOPE_H_
#define HLOSCOPE_CORE_VERIFY_VERIFY_SCOPE_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "core/diagnostics/check_stage.h"

namespace hloscope {

// For each stage of the verifier the owners of diagnostics that are checked; for stages whose diagnostics have no
// owner, whether it runs at all.
class VerifyScope {
 public:
  void Include(CheckStage stage) { entry(stage).included = true; }
  // Ascending, without repetition.
  void SetOwners(CheckStage stage, std::vector<uint32_t> owners) { entry(stage).owners = std::move(owners); }

  bool Includes(CheckStage stage) const { return entries_[static_cast<size_t>(stage)].included; }
  const std::vector<uint32_t>& owners(CheckStage stage) const { return entries_[static_cast<size_t>(stage)].owners; }

 private:
  struct Entry {
    bool included = false;
    std::vector<uint32_t> owners;
  };
  Entry& entry(CheckStage stage) { return entries_[static_cast<size_t>(stage)]; }

  std::array<Entry, static_cast<size_t>(CheckStage::kCount)> entries_;
};

}  // namespace hloscope

#endif  // HLOSCOPE_CORE_VERIFY_VERIFY_SCOPE_H_
