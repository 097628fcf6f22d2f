// SPDX-License-Identifier: Apache-2.0
// Analyses of a document, each made when it is first asked for and then kept. Thread-safe.
#ifndef HLOSCOPE_GUI_MODELS_DOCUMENT_ANALYSES_H_
#define HLOSCOPE_GUI_MODELS_DOCUMENT_ANALYSES_H_

#include <memory>
#include <mutex>

#include "core/analysis/buffers.h"
#include "core/analysis/call_graph.h"
#include "core/analysis/cost.h"
#include "core/analysis/memory.h"
#include "core/analysis/scopes.h"
#include "core/document/document.h"

namespace hloscope::gui {

class DocumentAnalyses {
 public:
  explicit DocumentAnalyses(std::shared_ptr<const Document> document) : document_(std::move(document)) {}

  const std::shared_ptr<const Document>& document() const { return document_; }
  const Module& module() const { return document_->module(); }
  const ScopeTree& scopes();
  const CallGraph& calls();
  const CostAnalysis& costs();
  const BufferTable& buffers();
  const MemoryAnalysis& memory();

 private:
  const std::shared_ptr<const Document> document_;
  std::recursive_mutex mutex_;
  std::unique_ptr<const ScopeTree> scopes_;
  std::unique_ptr<const CallGraph> calls_;
  std::unique_ptr<const CostAnalysis> costs_;
  std::unique_ptr<const BufferTable> buffers_;
  std::unique_ptr<const MemoryAnalysis> memory_;
};

}  // namespace hloscope::gui

#endif  // HLOSCOPE_GUI_MODELS_DOCUMENT_ANALYSES_H_
