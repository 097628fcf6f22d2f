// SPDX-License-Identifier: Apache-2.0
// The values of LSP 3.17 that the server answers with, as plain structs. Field meanings are those of the specification.
#ifndef HLOSCOPE_LSP_PROTOCOL_TYPES_H_
#define HLOSCOPE_LSP_PROTOCOL_TYPES_H_

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace hloscope::lsp::protocol {

// Zero-based; the unit of `character` is the negotiated position encoding.
struct Position {
  uint32_t line = 0;
  uint32_t character = 0;
  friend bool operator==(const Position&, const Position&) = default;
  friend auto operator<=>(const Position&, const Position&) = default;
};

struct Range {
  Position start, end;
  friend bool operator==(const Range&, const Range&) = default;
};

struct Location {
  std::string uri;
  Range range;
  friend bool operator==(const Location&, const Location&) = default;
};

struct TextEdit {
  Range range;
  std::string new_text;
  friend bool operator==(const TextEdit&, const TextEdit&) = default;
};

// One element of didChange's contentChanges.
struct ContentChange {
  std::optional<Range> range;  // nullopt: `text` is the whole new text
  std::string text;
};

enum class DiagnosticSeverity : uint8_t { kError = 1, kWarning = 2, kInformation = 3, kHint = 4 };
enum class DiagnosticTag : uint8_t { kUnnecessary = 1, kDeprecated = 2 };

struct DiagnosticRelatedInformation {
  Location location;
  std::string message;
};

struct Diagnostic {
  Range range;
  DiagnosticSeverity severity = DiagnosticSeverity::kError;
  std::string code;      // empty: none
  std::string code_uri;  // of the page about the code; empty: none
  std::string message;
  std::vector<DiagnosticTag> tags;
  std::vector<DiagnosticRelatedInformation> related;
};

// Markdown.
struct Hover {
  std::string markdown;
  Range range;
};

enum class DocumentHighlightKind : uint8_t { kText = 1, kRead = 2, kWrite = 3 };
struct DocumentHighlight {
  Range range;
  DocumentHighlightKind kind = DocumentHighlightKind::kText;
};

enum class SymbolKind : uint8_t {
  kModule = 2,
  kInterface = 11,
  kFunction = 12,
  kVariable = 13,
  kConstant = 14,
  kTypeParameter = 26
};
struct DocumentSymbol {
  std::string name;
  std::string detail;
  SymbolKind kind = SymbolKind::kVariable;
  Range range;
  Range selection_range;  // inside `range`
  std::vector<DocumentSymbol> children;
};

enum class FoldingRangeKind : uint8_t { kRegion, kComment };
// Lines, zero-based; the first line stays visible.
struct FoldingRange {
  uint32_t start_line = 0;
  uint32_t end_line = 0;
  FoldingRangeKind kind = FoldingRangeKind::kRegion;
  friend bool operator==(const FoldingRange&, const FoldingRange&) = default;
};

// A change inside one document, or a new file. An action whose edits are only made when it is chosen says how: see
// features/refactoring_action.h.
struct CodeAction {
  std::string title;
  std::string kind = "quickfix";
  std::optional<Diagnostic> diagnostic;  // what it repairs
  bool is_preferred = false;
  std::string uri;
  std::vector<TextEdit> edits;
  std::string new_file, new_file_text;  // URI and content of a file that it makes; empty: none
  std::string refactoring;              // empty: `edits` is all
  uint32_t target = 0;
  Range selection;
  std::string argument;
};

enum class CompletionItemKind : uint8_t {
  kFunction = 3,
  kVariable = 6,
  kProperty = 10,
  kEnumMember = 20,
  kKeyword = 14,
  kStruct = 22,
  kTypeParameter = 25,
  kClass = 7,
};
struct CompletionItem {
  std::string label;
  CompletionItemKind kind = CompletionItemKind::kKeyword;
  std::string detail;
  std::string insert_text;
  bool is_snippet = false;
  // What `resolve` needs to find the documentation again: what kind of thing, and which.
  uint32_t data_kind = 0, data_index = 0;
};
struct CompletionList {
  bool is_incomplete = false;
  Range replaced;                     // by every item
  std::vector<CompletionItem> items;  // the best first
};

struct SignatureHelp {
  std::string label;
  // Byte ranges of the label: LSP wants UTF-16, and labels are ASCII.
  std::vector<std::pair<uint32_t, uint32_t>> parameters;
  std::vector<std::string> parameter_docs;  // one each, may be empty
  std::string documentation;                // Markdown
  std::optional<uint32_t> active_parameter;
};

// Ranges from the inside out.
using SelectionRange = std::vector<Range>;

enum class InlayHintKind : uint8_t { kType = 1, kParameter = 2 };
struct InlayHint {
  Position position;
  std::string label;
  InlayHintKind kind = InlayHintKind::kType;
  bool padding_left = false, padding_right = false;
  std::optional<TextEdit> edit;  // what accepting the hint writes
};

struct DocumentLink {
  Range range;
  std::string target;  // URI
};

enum class CodeLensKind : uint8_t { kRun, kDebug, kCallers, kCost, kGraph, kRewrites, kUsers };
// Without a title it is completed by codeLens/resolve, which finds it again by kind and target.
struct CodeLens {
  Range range;
  std::string title;
  std::string command;    // empty: the title only informs
  std::string arguments;  // JSON text of a list
  CodeLensKind kind = CodeLensKind::kRun;
  uint32_t target = 0;  // a computation; of kUsers an instruction
};

struct CallHierarchyItem {
  std::string name;
  std::string detail;
  Range range, selection_range;
  uint32_t computation = 0;  // to find it again
};
struct CallHierarchyCall {
  CallHierarchyItem item;          // the other side
  std::vector<Range> from_ranges;  // where the calls are written
};

struct InlineValue {
  Range range;
  std::string text;
};

}  // namespace hloscope::lsp::protocol

#endif  // HLOSCOPE_LSP_PROTOCOL_TYPES_H_
