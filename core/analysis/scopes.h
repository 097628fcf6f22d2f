// SPDX-License-Identifier: Apache-2.0
// The tree of scopes that op_name spells: "jit(f)/layer_0/add" is made by `add` inside "layer_0" inside "jit(f)".
#ifndef HLOSCOPE_CORE_ANALYSIS_SCOPES_H_
#define HLOSCOPE_CORE_ANALYSIS_SCOPES_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "core/ir/module.h"

namespace hloscope {

class ScopeTree {
 public:
  using ScopeId = uint32_t;
  static constexpr ScopeId kRoot = 0;  // around everything; instructions without op_name are directly in it

  // O(instructions + bytes of distinct op_names). The module must outlive the object.
  explicit ScopeTree(const Module& module);

  struct Scope {
    absl::string_view name;  // one part; of kRoot: empty
    ScopeId parent = kRoot;
    uint32_t depth = 0;
    std::vector<ScopeId> children;  // in order of appearance
    uint32_t instructions = 0;      // directly in it
  };
  const std::vector<Scope>& scopes() const { return scopes_; }  // parents before their children
  const Scope& scope(ScopeId id) const { return scopes_[id]; }
  // The scope that the instruction is in: its op_name without the last part.
  ScopeId Of(InstructionId id) const { return of_[id.index()]; }
  // "jit(f)/layer_0"; "(no scope)" for kRoot.
  std::string Path(ScopeId id) const;

 private:
  std::vector<Scope> scopes_;
  std::vector<ScopeId> of_;
};

}  // namespace hloscope

#endif  // HLOSCOPE_CORE_ANALYSIS_SCOPES_H_
