// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/scopes.h"

#include <algorithm>
#include <utility>

#include "absl/container/flat_hash_map.h"
#include "absl/strings/str_join.h"

namespace hloscope {

ScopeTree::ScopeTree(const Module& module) {
  scopes_.emplace_back();
  of_.assign(module.instruction_count(), kRoot);
  absl::flat_hash_map<std::pair<ScopeId, absl::string_view>, ScopeId> child_of;
  absl::flat_hash_map<StringId, ScopeId> scope_of_name;
  for (uint32_t i = 0; i < module.instruction_count(); ++i) {
    const Metadata* metadata = module.MetadataOf(InstructionId(i));
    ScopeId at = kRoot;
    if (metadata != nullptr && metadata->op_name.has_value()) {
      const auto [it, inserted] = scope_of_name.try_emplace(metadata->op_name, kRoot);
      if (inserted) {
        absl::string_view rest = module.string(metadata->op_name);
        for (size_t slash = rest.find('/'); slash != absl::string_view::npos; slash = rest.find('/')) {
          const absl::string_view part = rest.substr(0, slash);
          rest = rest.substr(slash + 1);
          const auto [child, is_new] = child_of.try_emplace({at, part}, static_cast<ScopeId>(scopes_.size()));
          if (is_new) {
            scopes_[at].children.push_back(child->second);
            const uint32_t depth = scopes_[at].depth + 1;
            Scope scope;
            scope.name = part;
            scope.parent = at;
            scope.depth = depth;
            scopes_.push_back(std::move(scope));
          }
          at = child->second;
        }
        it->second = at;
      }
      at = it->second;
    }
    of_[i] = at;
    ++scopes_[at].instructions;
  }
}

std::string ScopeTree::Path(ScopeId id) const {
  if (id == kRoot) return "(no scope)";
  std::vector<absl::string_view> parts;
  for (ScopeId at = id; at != kRoot; at = scopes_[at].parent) parts.push_back(scopes_[at].name);
  std::reverse(parts.begin(), parts.end());
  return absl::StrJoin(parts, "/");
}

}  // namespace hloscope
