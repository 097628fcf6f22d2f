// SPDX-License-Identifier: Apache-2.0
#include "insight/profile/programs.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"
#include "interop/files/open_file.h"

namespace hloscope::insight {
namespace {

std::string Changed(absl::string_view name) {
  std::string changed(name);
  for (char& c : changed) {
    if (c == '.' || c == '-') c = '_';
  }
  return changed;
}

}  // namespace

void ProgramModule::Read(absl::string_view hlo_proto) {
  if (hlo_proto.empty()) {
    problem_ = "the profile does not have its module";
    return;
  }
  const absl::StatusOr<interop::OpenedFile> file = interop::OpenBytes(name_, std::string(hlo_proto));
  if (!file.ok()) {
    problem_ = std::string(file.status().message());
    return;
  }
  DocumentOptions options;
  options.verify.allow_mixed_precision = true;
  Use(Document::Parse(file->modules[0].text, options));
  if (document_->has_errors()) problem_ = "its module has errors: what could be read is used";
}

void ProgramModule::Use(std::shared_ptr<const Document> document) {
  document_ = std::move(document);
  if (!module().name().empty()) name_ = std::string(module().name());
  calls_ = std::make_unique<const CallGraph>(module());
  cost_ = std::make_unique<const CostAnalysis>(module(), *calls_);
  scopes_ = std::make_unique<const ScopeTree>(module());
  for (size_t i = 0; i < module().instruction_count(); ++i) {
    const InstructionId id(i);
    const absl::string_view name = module().InstructionName(id);
    by_name_.try_emplace(name, id);
    // What is fused has no time of its own: its caller of the same changed name goes first.
    by_changed_name_.try_emplace(Changed(name), id);
  }
}

std::optional<ProgramModule::Found> ProgramModule::Find(absl::string_view name) const {
  if (document_ == nullptr || name.empty()) return std::nullopt;
  const auto exact = by_name_.find(name);
  if (exact != by_name_.end()) return Found{exact->second, false};
  const auto changed = by_changed_name_.find(Changed(absl::StripSuffix(name, ".kd")));
  if (changed != by_changed_name_.end()) return Found{changed->second, true};
  return std::nullopt;
}

}  // namespace hloscope::insight
