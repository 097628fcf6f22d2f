// The values of LSP 3.17 that the server answers with, as plain structs. Field meanings are those of the specification.
#ifndef HLOSCOPE_LSP_PROTOCOL_TYPES_H_
#define HLOSCOPE_LSP_PROTOCOL_TYPES_H_

#include <cstdint>
#include <optional>
#include <string>
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
  std::string code;  // empty: none
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

enum class SymbolKind : uint8_t { kModule = 2, kFunction = 12, kVariable = 13, kConstant = 14, kTypeParameter = 26 };
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

// A quick fix inside one document.
struct CodeAction {
  std::string title;
  Diagnostic diagnostic;  // what it repairs
  bool is_preferred = false;
  std::string uri;
  std::vector<TextEdit> edits;
};

}  // namespace hloscope::lsp::protocol

#endif  // HLOSCOPE_LSP_PROTOCOL_TYPES_H_
