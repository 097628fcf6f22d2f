// SPDX-License-Identifier: Apache-2.0
// hloscope/graph: the dataflow graph of a computation, or of what surrounds an instruction, as a picture.
#ifndef HLOSCOPE_LSP_FEATURES_GRAPH_PICTURE_H_
#define HLOSCOPE_LSP_FEATURES_GRAPH_PICTURE_H_

#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "lsp/features/document_view.h"

namespace hloscope::lsp {

// Computations of more instructions are drawn around one of them, not whole: nobody reads larger pictures, and laying
// them out takes minutes.
inline constexpr size_t kMaxWholeGraph = 600;

struct GraphQuery {
  std::string computation;                     // empty: the one at the position, else the entry computation
  std::string around;                          // name of an instruction there; as if it were at the position
  std::optional<protocol::Position> position;  // draw around the instruction there, and mark it
  bool whole = false;                          // the whole computation even if a position is given
  int depth = 3;                               // steps around the instruction
  bool only_dot = false;                       // do not run Graphviz
};

struct GraphPicture {
  std::string computation;
  std::string dot;
  std::string svg;        // empty with only_dot
  bool is_whole = false;  // every instruction of the computation is in it
  struct Node {           // node `n<index>` of the picture
    std::string name;
    protocol::Range range;  // of the name in the text
  };
  std::vector<Node> nodes;
};

// Errors for the user: NotFound (no such computation; no Graphviz), DeadlineExceeded, FailedPrecondition (nothing to
// draw).
absl::StatusOr<GraphPicture> DrawGraph(const DocumentView& view, const GraphQuery& query);

}  // namespace hloscope::lsp

#endif  // HLOSCOPE_LSP_FEATURES_GRAPH_PICTURE_H_
