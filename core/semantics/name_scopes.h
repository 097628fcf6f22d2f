// SPDX-License-Identifier: Apache-2.0
// What names mean where they are used: those of instructions within their computation, those of computations within the
// module (docs/text-format.md 6.1, 8.3). Internal to core/semantics.
#ifndef HLOSCOPE_CORE_SEMANTICS_NAME_SCOPES_H_
#define HLOSCOPE_CORE_SEMANTICS_NAME_SCOPES_H_

#include <algorithm>
#include <cstdint>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "absl/strings/string_view.h"
#include "core/ir/module.h"
#include "core/ir/text_hash.h"
#include "core/semantics/reading_progress.h"
#include "core/semantics/recent_names.h"

namespace hloscope {

class InstructionScope {
 public:
  InstructionScope(Module& module, const ReadingProgress& progress) : module_(module), progress_(progress) {}

  // A computation without names.
  void StartComputation() { ++epoch_; }
  // See ModuleUpdater::SetNamesAreUnique.
  void SetNamesAreUnique(const absl::flat_hash_set<StringId>* except, bool are_all) {
    unique_except_ = except;
    names_are_unique_ = are_all;
  }
  bool names_are_unique() const { return names_are_unique_; }

  // The text must outlive this.
  StringId Intern(absl::string_view name) { return recent_names_.Intern(name, module_.mutable_strings()); }

  // The instruction of the computation that has the name, as far as it was read. None if there is none.
  InstructionId Find(StringId name) const {
    if (progress_.is_update()) return FirstDefinition(name);
    if (name.index() >= entries_.size() || entries_[name.index()].epoch != epoch_) return InstructionId::None();
    return entries_[name.index()].id;
  }
  InstructionId Find(absl::string_view name) const {
    const StringId id = module_.mutable_strings().Find(name);
    return id.has_value() ? Find(id) : InstructionId::None();
  }
  // What operand `k` of the instruction being read means: an updated one mostly means what it meant before.
  InstructionId FindOperand(uint32_t k, StringId name) const;

  void Declare(StringId name, InstructionId id) {
    if (name.index() >= entries_.size()) entries_.resize(std::max<size_t>(name.index() + 1, entries_.size() * 2));
    entries_[name.index()] = {epoch_, id};
  }

 private:
  // In an update: the first instruction of the computation that the text gives this name, if it comes before the
  // updated one.
  InstructionId FirstDefinition(StringId name) const;

  Module& module_;
  const ReadingProgress& progress_;
  RecentNames recent_names_;
  // A table by string id whose entries carry the number of the computation that wrote them.
  struct Entry {
    uint32_t epoch = 0;
    InstructionId id;
  };
  uint32_t epoch_ = 0;
  std::vector<Entry> entries_;
  // In an update:
  bool names_are_unique_ = false;
  const absl::flat_hash_set<StringId>* unique_except_ = nullptr;
  // The first definition of each name of a computation, made when enough names were looked for.
  static constexpr size_t kMaxSearches = 8;
  mutable absl::flat_hash_map<StringId, InstructionId> definitions_;
  mutable ComputationId definitions_of_;
  mutable size_t looked_at_ = 0;  // instructions, to find names
};

class ComputationScope {
 public:
  ComputationScope(Module& module, const ReadingProgress& progress) : module_(module), progress_(progress) {}

  // The computation of that name that comes before the one being read. None if there is none.
  ComputationId Find(absl::string_view name) const;
  // The computation that has the name already, else none. The text must outlive this.
  ComputationId Declare(absl::string_view name, ComputationId id);

 private:
  Module& module_;
  const ReadingProgress& progress_;
  absl::flat_hash_map<absl::string_view, ComputationId, TextHash> computations_;
};

}  // namespace hloscope

#endif  // HLOSCOPE_CORE_SEMANTICS_NAME_SCOPES_H_
