// SPDX-License-Identifier: Apache-2.0
#include "gui/models/document_analyses.h"

namespace hloscope::gui {

const ScopeTree& DocumentAnalyses::scopes() {
  const std::lock_guard<std::recursive_mutex> lock(mutex_);
  if (scopes_ == nullptr) scopes_ = std::make_unique<ScopeTree>(module());
  return *scopes_;
}

const CallGraph& DocumentAnalyses::calls() {
  const std::lock_guard<std::recursive_mutex> lock(mutex_);
  if (calls_ == nullptr) calls_ = std::make_unique<CallGraph>(module());
  return *calls_;
}

const CostAnalysis& DocumentAnalyses::costs() {
  const std::lock_guard<std::recursive_mutex> lock(mutex_);
  if (costs_ == nullptr) costs_ = std::make_unique<CostAnalysis>(module(), calls());
  return *costs_;
}

const BufferTable& DocumentAnalyses::buffers() {
  const std::lock_guard<std::recursive_mutex> lock(mutex_);
  if (buffers_ == nullptr) buffers_ = std::make_unique<BufferTable>(module(), calls());
  return *buffers_;
}

const MemoryAnalysis& DocumentAnalyses::memory() {
  const std::lock_guard<std::recursive_mutex> lock(mutex_);
  if (memory_ == nullptr) {
    memory_ = std::make_unique<MemoryAnalysis>(module(), document_->users(), calls(), buffers());
  }
  return *memory_;
}

}  // namespace hloscope::gui
