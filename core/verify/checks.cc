// SPDX-License-Identifier: Apache-2.0
#include "core/verify/checks.h"

#include <array>
#include <cstddef>

#include "core/verify/instruction_traits.h"
#include "core/verify/verification.h"

namespace hloscope {
namespace {

constexpr size_t kFirst = static_cast<size_t>(CheckStage::kStructure);

constexpr Check kChecks[] = {
#define HLO_CHECK(stage, owner, looks_at, traits, option) \
  {CheckStage::k##stage, CheckOwner::owner, &Verify##stage, looks_at, traits, option},
#include "core/verify/checks.def"
};

constexpr bool FollowsTheStages() {
  for (size_t i = 0; i < std::size(kChecks); ++i) {
    if (static_cast<size_t>(kChecks[i].stage) != kFirst + i) return false;
  }
  return kFirst + std::size(kChecks) == static_cast<size_t>(CheckStage::kCount);
}
static_assert(FollowsTheStages(), "checks.def has a row for each stage from kStructure on, in their order");

// The inputs whose changes edit_scope.cc can tell for each owner.
constexpr CheckInputs KnownInputs(CheckOwner owner) {
  switch (owner) {
    case CheckOwner::kInstruction:
      return kInstructions | kOperands | kUses | kCallees | kCallers | kEffects | kAsyncChains | kWorkDivision;
    case CheckOwner::kComputation:
      return kInstructions | kCallers | kEffects;
    case CheckOwner::kNothing:
      return kInstructions | kOperands | kUses | kCallees | kCallers | kComputationNames | kEffects | kReadability |
             kEntry | kWorkDivision;
  }
  return 0;
}
constexpr bool LooksAtKnownInputs() {
  for (const Check& check : kChecks) {
    if ((check.looks_at & ~KnownInputs(check.owner)) != 0) return false;
    if (check.traits != 0 && check.owner != CheckOwner::kNothing) return false;
  }
  return true;
}
static_assert(LooksAtKnownInputs(), "a check of that owner cannot be done again when this changes");

}  // namespace

absl::Span<const Check> Checks() { return kChecks; }

CheckOwner OwnerOf(CheckStage stage) {
  if (IsVerifierStage(stage)) return kChecks[static_cast<size_t>(stage) - kFirst].owner;
  if (stage == CheckStage::kInstruction) return CheckOwner::kInstruction;
  return stage == CheckStage::kComputation ? CheckOwner::kComputation : CheckOwner::kNothing;
}

}  // namespace hloscope
