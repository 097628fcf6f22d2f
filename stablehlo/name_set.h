// SPDX-License-Identifier: Apache-2.0
// Names of attributes, of which each may be there once.
#ifndef HLOSCOPE_STABLEHLO_NAME_SET_H_
#define HLOSCOPE_STABLEHLO_NAME_SET_H_

#include "absl/algorithm/container.h"
#include "absl/container/flat_hash_set.h"
#include "absl/container/inlined_vector.h"
#include "absl/strings/string_view.h"

namespace hloscope::stablehlo {

// Most dictionaries have a few entries, which are looked through; of a hostile one each is looked up.
class NameSet {
 public:
  // False if the name is there already.
  bool Insert(absl::string_view name) {
    if (few_.size() < kFew) {
      if (absl::c_linear_search(few_, name)) return false;
      few_.push_back(name);
      return true;
    }
    if (many_.empty()) many_.insert(few_.begin(), few_.end());
    return many_.insert(name).second;
  }

 private:
  static constexpr size_t kFew = 8;
  absl::InlinedVector<absl::string_view, kFew> few_;
  absl::flat_hash_set<absl::string_view> many_;
};

}  // namespace hloscope::stablehlo

#endif  // HLOSCOPE_STABLEHLO_NAME_SET_H_
