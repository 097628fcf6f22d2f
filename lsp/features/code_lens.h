// SPDX-License-Identifier: Apache-2.0
// textDocument/codeLens and codeLens/resolve: what a computation is, above it.
#ifndef HLOSCOPE_LSP_FEATURES_CODE_LENS_H_
#define HLOSCOPE_LSP_FEATURES_CODE_LENS_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "lsp/features/document_view.h"

namespace hloscope {
class CostAnalysis;
}

namespace hloscope::lsp {

// Commands of the client, with their arguments:
//   hloscope.run, hloscope.debug               [uri]
//   hloscope.showReferences                    [uri, position, locations]
//   hloscope.showCost, hloscope.showGraph      [uri, name of the computation]
// and of the server:
//   hloscope.rewrite                           [uri, name of the computation]
// Run and debug are above the entry computation of a text without errors; callers, cost and graph above every
// computation that is not written in place; the rewrites of `hloscope transform`, with what they save, above those that
// have reshapes. With `users`, also above each instruction how many use it.
// Lenses without a title are completed by ResolveCodeLens once they are seen.
std::vector<protocol::CodeLens> ComputeCodeLenses(const DocumentView& view, bool users);

// What is known of the computations of one version of a document. Each part is made when it is first asked for.
class ComputationFacts {
 public:
  struct Savings {
    size_t rewrites = 0;
    int64_t bytes = 0;  // moved less, under the default target
  };

  ComputationFacts();
  ~ComputationFacts();
  // Null if the text has errors.
  const CostAnalysis* CostOf(const Document& document);
  // Of the passes that run when none is named; nothing can be rewritten in a text with errors.
  Savings SavingsOf(const Document& document, ComputationId computation);

 private:
  std::unique_ptr<CostAnalysis> cost_;
  std::optional<absl::flat_hash_map<std::string, Savings>> savings_;  // by computation
};

// "moves 1.5 GiB less (3 rewrites)".
std::string SavingsText(const ComputationFacts::Savings& savings);

// Completes a lens of this version of the document, given its kind and target. False if there is no such lens. A lens
// with nothing to offer gets a title and no command.
bool ResolveCodeLens(const DocumentView& view, ComputationFacts& facts, protocol::CodeLens* lens);

}  // namespace hloscope::lsp

#endif  // HLOSCOPE_LSP_FEATURES_CODE_LENS_H_
