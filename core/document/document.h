// SPDX-License-Identifier: Apache-2.0
// One version of a text with everything derived from it. Immutable; share it freely between threads.
#ifndef HLOSCOPE_CORE_DOCUMENT_DOCUMENT_H_
#define HLOSCOPE_CORE_DOCUMENT_DOCUMENT_H_

#include <memory>
#include <string>
#include <vector>

#include "absl/base/call_once.h"
#include "absl/types/span.h"
#include "core/analysis/module_index.h"
#include "core/diagnostics/diagnostic.h"
#include "core/document/text_map.h"
#include "core/document/update_state.h"
#include "core/ir/module.h"
#include "core/lex/token_buffer.h"
#include "core/ops/rule_context.h"
#include "core/source/source_text.h"
#include "core/source/text_change.h"
#include "core/syntax/syntax_tree.h"

namespace hloscope {

struct DocumentOptions {
  VerifyOptions verify;
  bool parse_only = false;  // stop before shape inference and verification
  // A text of several times this size is read in parts (part_reader.h); 0: none is.
  size_t part_bytes = size_t{96} << 10;
};

// Seconds spent in each stage. Of a text that is read in parts the first two overlap the third.
struct StageTimes {
  double lex = 0, syntax = 0, semantics = 0, verify = 0;
  double total = 0;  // from beginning to end
};

struct TextEdit {
  SourceRange range;  // of the text before any edit of the batch
  std::string replacement;
};

// What is at a position of the text.
struct SymbolAtPosition {
  enum class Kind : uint8_t {
    kNone,
    kInstructionName,     // its definition
    kOperand,             // a use of `instruction`
    kControlPredecessor,  // a use of `instruction`
    kShape,               // result shape of `instruction`
    kOpcode,              // of `instruction`
    kAttributeName,       // `attribute` of `instruction`
    kAttributeValue,      // `attribute` of `instruction`, no name in it
    kComputationName,     // definition of `computation`
    kComputationUse,      // use of `computation` in `attribute` of `instruction`
    kModuleName,
  };
  Kind kind = Kind::kNone;
  SourceRange range;          // of the word
  InstructionId instruction;  // see above; for kOperand etc. the instruction referred to
  InstructionId user;         // the instruction in whose text the position lies
  ComputationId computation;
  AttributeKind attribute{};
};

class ModuleText;

class Document {
 public:
  // Reads the text. Where that is one that a ModuleText (module_text.h) makes of a module without errors, the document
  // is that of the module, and the text is not even made before somebody looks at it.
  static std::shared_ptr<const Document> Parse(std::shared_ptr<const SourceText> source, DocumentOptions options = {});
  // Reads a file ("-": standard input).
  static absl::StatusOr<std::shared_ptr<const Document>> Open(const std::string& path, DocumentOptions options = {});
  // The document after the edits (ranges of the old text, not overlapping). Equal to parsing the new text from scratch,
  // but the cost, beyond copying the text, is that of the instructions that the edits touch or whose meaning they
  // change. Edits of anything else than instructions, and a few others (document_update.h), cost a whole parse.
  std::shared_ptr<const Document> WithEdit(absl::Span<const TextEdit> edits) const;

  const SourceText& source() const { return *source_; }
  std::shared_ptr<const SourceText> shared_source() const { return source_; }
  // Tokens and syntax of the whole text. After WithEdit, and of large texts, they are made when they are first asked
  // for, in time linear in the text; the questions about positions below do without.
  const TokenBuffer& tokens() const { return whole_syntax().tokens; }
  const SyntaxTree& syntax() const { return whole_syntax().tree; }
  const Module& module() const { return *module_; }
  std::shared_ptr<const Module> shared_module() const { return module_; }
  // Sorted by position.
  absl::Span<const Diagnostic> diagnostics() const { return diagnostics_; }
  bool has_errors() const { return error_count_ > 0; }
  int error_count() const { return error_count_; }
  const StageTimes& times() const { return times_; }
  const UserIndex& users() const { return *index_.users; }
  const DocumentOptions& options() const { return options_; }
  // tokens() and syntax() were there from the start.
  bool has_whole_syntax() const { return has_whole_syntax_; }
  // It was made from an older version, not by a whole parse.
  bool is_update() const { return is_update_; }
  // Of an update: what was read again, ascending. All other tokens are those of the older version, moved.
  absl::Span<const TextChange> changed_parts() const { return changed_parts_; }

  // Where statements and computations are, without their tokens; there at once, also after WithEdit.
  const TextMap& text_map() const;
  // The computation of a node of text_map().computations.
  ComputationId ComputationOfNode(size_t node) const { return (*computation_of_syntax_)[node]; }

  // --- Text positions ---
  // Where an instruction is in the text. For one that the reader made up (compact tuple access, async sugar): the
  // place that caused it. Empty ranges if the part is not written.
  SourceRange InstructionRange(InstructionId id) const;  // from ROOT or name to the last attribute
  SourceRange NameRange(InstructionId id) const;         // without % or :
  SourceRange OpcodeRange(InstructionId id) const;
  SourceRange ShapeRange(InstructionId id) const;
  SourceRange OperandRange(InstructionId id, size_t k) const;
  SourceRange AttributeRange(InstructionId id, AttributeKind kind) const;  // name=value
  SourceRange ComputationRange(ComputationId id) const;                    // name to closing brace
  SourceRange ComputationNameRange(ComputationId id) const;
  // The instruction whose text covers the offset; none between instructions. Inside an inline computation: its
  // instruction.
  InstructionId InstructionAt(uint32_t offset) const;
  ComputationId ComputationAt(uint32_t offset) const;
  SymbolAtPosition SymbolAt(uint32_t offset) const;

  // Every place in the text that names the instruction: definition first, then operands and control predecessors.
  std::vector<SourceRange> ReferencesTo(InstructionId id) const;
  std::vector<SourceRange> ReferencesTo(ComputationId id) const;

 private:
  friend class DocumentUpdate;

  struct WholeSyntax {
    TokenBuffer tokens;
    SyntaxTree tree;
  };
  class NodeView;

  Document() = default;
  static std::shared_ptr<const Document> OfModule(std::shared_ptr<const SourceText> source, const ModuleText& made,
                                                  DocumentOptions options);
  // False if the text must be read whole.
  bool ReadParts(DiagnosticSink& sink);
  void ReadWhole(DiagnosticSink& sink);
  // With a second resolver on two threads.
  void Verify(const Module& module, const AnchorResolver& resolver, const AnchorResolver* second_resolver,
              DiagnosticSink& sink);
  void Finish(DiagnosticSink& sink);
  const WholeSyntax& whole_syntax() const;
  SourceRange PlainNameRange(InstructionId id) const;
  void DescribeOutside(uint32_t offset, SymbolAtPosition& symbol) const;
  void DescribeSymbol(const NodeView& view, TokenIndex token, SymbolAtPosition& symbol) const;
  // False only if the text of the instruction does not name an instruction `name`.
  bool MayMention(InstructionId id, absl::string_view name) const;

  std::shared_ptr<const SourceText> source_;
  DocumentOptions options_;
  mutable absl::once_flag whole_syntax_once_;
  mutable std::unique_ptr<const WholeSyntax> whole_syntax_;  // null until it is asked for
  bool has_whole_syntax_ = false;                            // it was there from the start
  bool is_update_ = false;
  std::shared_ptr<const Module> module_;
  std::shared_ptr<const std::vector<ComputationId>> computation_of_syntax_;
  const ModuleText* made_ = nullptr;  // what makes the text, of a document that is not read from it
  mutable absl::once_flag map_once_;
  mutable std::shared_ptr<const TextMap> map_;  // null until it is asked for, if `made_`
  std::vector<TextChange> changed_parts_;
  ModuleIndex index_;
  std::vector<Diagnostic> diagnostics_;
  std::vector<DiagnosticSource> sources_;  // of diagnostics_
  int error_count_ = 0;
  StageTimes times_;
  UpdateState update_state_;
};

}  // namespace hloscope

#endif  // HLOSCOPE_CORE_DOCUMENT_DOCUMENT_H_
