// SPDX-License-Identifier: Apache-2.0
// Names made unique at writing time (docs/text-format.md 3, "Names after parsing").
#ifndef HLOSCOPE_CORE_PRINT_UNIQUE_NAMES_H_
#define HLOSCOPE_CORE_PRINT_UNIQUE_NAMES_H_

#include <string>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/strings/string_view.h"
#include "core/ir/module.h"

namespace hloscope {

// Instruction names are unique in a module, computation names separately, in the order of the module's computations:
// the first holder of a name keeps it, later ones get the smallest unused number. Computation names that no text could
// spell are repaired (6.1).
class UniqueNames {
 public:
  // With `keep_written`, only names that the text does not have are changed. Computations c with `in_place`[c] have the
  // names of their instructions to themselves: their bodies print where they are called.
  explicit UniqueNames(const Module& module, bool keep_written = false, const std::vector<bool>& in_place = {});

  absl::string_view Of(InstructionId id) const {
    if (instructions_.empty()) return module_.InstructionName(id);
    const auto it = instructions_.find(id);
    return it == instructions_.end() ? module_.InstructionName(id) : absl::string_view(it->second);
  }
  absl::string_view Of(ComputationId id) const {
    if (computations_.empty()) return module_.ComputationName(id);
    const auto it = computations_.find(id);
    return it == computations_.end() ? module_.ComputationName(id) : absl::string_view(it->second);
  }

 private:
  const Module& module_;
  // Only those whose name changed.
  absl::flat_hash_map<InstructionId, std::string> instructions_;
  absl::flat_hash_map<ComputationId, std::string> computations_;
};

// True for a word that means something else than a name when it is written without `%`: a keyword or a type name.
bool NeedsPercent(absl::string_view name);

}  // namespace hloscope

#endif  // HLOSCOPE_CORE_PRINT_UNIQUE_NAMES_H_
