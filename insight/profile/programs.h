// SPDX-License-Identifier: Apache-2.0
// The programs inside a profile, as modules whose instructions can be found by the names that events give.
#ifndef HLOSCOPE_INSIGHT_PROFILE_PROGRAMS_H_
#define HLOSCOPE_INSIGHT_PROFILE_PROGRAMS_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/strings/string_view.h"
#include "core/analysis/call_graph.h"
#include "core/analysis/cost.h"
#include "core/analysis/scopes.h"
#include "core/document/document.h"
#include "interop/profile/profile.h"

namespace hloscope::insight {

class ProgramModule {
 public:
  ProgramModule(int64_t id, std::string name) : id_(id), name_(std::move(name)) {}

  // Reads the program's proto; `problem()` says why it cannot be read.
  void Read(absl::string_view hlo_proto);
  // In place of the profile's own.
  void Use(std::shared_ptr<const Document> document);

  int64_t id() const { return id_; }
  // Of the module, or what the profile calls the program.
  const std::string& name() const { return name_; }
  const std::string& problem() const { return problem_; }
  bool has_module() const { return document_ != nullptr; }
  const Document& document() const { return *document_; }
  const Module& module() const { return document_->module(); }
  const CostAnalysis& cost() const { return *cost_; }
  const ScopeTree& scopes() const { return *scopes_; }

  struct Found {
    InstructionId id;
    bool is_guess = false;
  };
  // By the name in the profile; else, as a guess, by a name that code generators change: `.` and `-` are `_`.
  std::optional<Found> Find(absl::string_view name) const;

 private:
  int64_t id_;
  std::string name_, problem_;
  std::shared_ptr<const Document> document_;
  std::unique_ptr<const CallGraph> calls_;
  std::unique_ptr<const CostAnalysis> cost_;
  std::unique_ptr<const ScopeTree> scopes_;
  absl::flat_hash_map<std::string, InstructionId> by_name_, by_changed_name_;
};

}  // namespace hloscope::insight

#endif  // HLOSCOPE_INSIGHT_PROFILE_PROGRAMS_H_
