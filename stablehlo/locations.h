// SPDX-License-Identifier: Apache-2.0
// Locations of a program as metadata and stack frames of HLO (docs/stablehlo.md 5).
#ifndef HLOSCOPE_STABLEHLO_LOCATIONS_H_
#define HLOSCOPE_STABLEHLO_LOCATIONS_H_

#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/strings/string_view.h"
#include "core/ir/module.h"
#include "stablehlo/lexer.h"
#include "stablehlo/program.h"

namespace hloscope::stablehlo {

// What HLO says of a location.
struct LocationMetadata {
  std::string op_name;    // names joined by `;`; empty if there are none
  std::string operation;  // `, metadata={...}` of an instruction; empty for an unknown location
  std::string argument;   // the same of a parameter: only its name
};

// Reads the locations of a program and collects the frames that they mention.
class Locations {
 public:
  explicit Locations(const Program& program) : program_(program), lexer_(program.source->text(), &ignored_) {}
  Locations(const Locations&) = delete;
  Locations& operator=(const Locations&) = delete;

  const LocationMetadata& Of(const AttributeValue& location);
  // The tables of all frames so far.
  const StackFrameTables& tables() const { return tables_; }

 private:
  enum class Form : uint8_t { kUnknown, kName, kFile, kCallSite, kFused };
  struct Node {
    Form form = Form::kUnknown;
    std::string name;  // of a kName, or a file
    int32_t line = 0, column = 0, end_line = 0, end_column = 0;
    std::vector<const Node*> children;  // of a name at most one; callee and caller; what is fused
    int depth = 1;
  };

  // --- Reading ---
  const Node* Read(SourceRange range);
  const Node* ReadOne(uint32_t end);
  const Node* ReadAlias();
  const Node* ReadString(uint32_t end);
  void ReadFilePlace(uint32_t end, Node& node);
  int32_t ReadNumber();
  const Node* Keep(Node node);
  bool At(TokenKind kind) const { return token_.kind == kind; }
  absl::string_view text() const { return lexer_.Slice(token_.range()); }
  void Advance() { token_ = lexer_.ReadFrom(token_.end); }

  // --- What it says ---
  void CollectNames(const Node& node, std::vector<std::string>& names, std::string& op_type, int& visits) const;
  static const Node* LastFile(const Node& node, int& visits);
  static bool IsFrame(const Node& node) {
    return node.form == Form::kName && node.children.size() == 1 && node.children[0]->form == Form::kFile;
  }
  static bool IsFrames(const Node& node, int& visits);
  int32_t FrameOf(const Node& node, int32_t caller, int& visits);
  std::string SourceFields(const Node& node);

  const Program& program_;
  DiagnosticSink ignored_;
  Lexer lexer_;
  Token token_;
  int reads_ = 0;  // of the location that is being read
  int level_ = 0;
  bool is_cut_ = false;  // a limit was reached
  std::deque<Node> nodes_;
  absl::flat_hash_map<absl::string_view, const Node*> alias_;  // null while it is being read
  std::deque<LocationMetadata> metadata_;
  absl::flat_hash_map<absl::string_view, const LocationMetadata*> metadata_of_text_;
  StackFrameTables tables_;
  absl::flat_hash_map<std::string, int32_t> file_ids_, function_ids_, place_ids_;
  absl::flat_hash_map<std::pair<int32_t, int32_t>, int32_t> frame_ids_;  // by place and caller
};

}  // namespace hloscope::stablehlo

#endif  // HLOSCOPE_STABLEHLO_LOCATIONS_H_
