// SPDX-License-Identifier: Apache-2.0
#include "core/document/document.h"

#include <chrono>
#include <utility>

#include "core/document/diagnostic_list.h"
#include "core/document/document_update.h"
#include "core/document/text_changes.h"
#include "core/lex/lexer.h"
#include "core/semantics/anchor_resolver.h"
#include "core/semantics/module_builder.h"
#include "core/source/memory_hooks.h"
#include "core/syntax/syntax_parser.h"
#include "core/verify/reader_rules.h"
#include "core/verify/verifier.h"

namespace hloscope {
namespace {

// Seconds since the last call.
class StageClock {
 public:
  double Lap() {
    const auto now = std::chrono::steady_clock::now();
    const double seconds = std::chrono::duration<double>(now - last_).count();
    last_ = now;
    return seconds;
  }

 private:
  std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();
};

}  // namespace

std::shared_ptr<const Document> Document::Parse(std::shared_ptr<const SourceText> source, DocumentOptions options) {
  std::shared_ptr<Document> document(new Document());
  document->source_ = std::move(source);
  document->options_ = options;
  const SourceText& text = *document->source_;
  const ParsingReport parsing(text.size());
  DiagnosticSink sink;
  StageClock clock;

  auto syntax = std::make_unique<WholeSyntax>();
  const TokenBuffer& tokens = syntax->tokens = Lex(text, sink);
  document->times_.lex = clock.Lap();
  const SyntaxTree& tree = syntax->tree = ParseSyntax(text, tokens, sink);
  document->times_.syntax = clock.Lap();
  BuiltModule built = BuildModule(text, tokens, tree, options.verify, sink);
  document->times_.semantics = clock.Lap();
  auto module = std::make_shared<const Module>(std::move(built.module));
  document->index_ = ModuleIndex(*module);
  const SyntaxAnchorResolver resolver(text, tokens, tree, *module);
  if (options.parse_only) {
    VerifyAsReader(*module, document->index_, options.verify, resolver, sink);
  } else {
    VerifyModule(*module, document->index_, options.verify, resolver, sink);
  }
  document->map_ = std::make_shared<const TextMap>(MapText(text, tokens, tree, *module, built.computation_of_syntax));
  document->computation_of_syntax_ =
      std::make_shared<const std::vector<ComputationId>>(std::move(built.computation_of_syntax));
  document->update_state_ = InitialUpdateState(*module, tokens, tree, DiagnosticsAreLocal(sink));
  document->module_ = std::move(module);
  document->whole_syntax_ = std::move(syntax);
  document->has_whole_syntax_ = true;
  document->times_.verify = clock.Lap();

  document->error_count_ = sink.error_count();
  const int64_t dropped = sink.dropped_count();
  document->sources_ = sink.sources();
  document->diagnostics_ = sink.Take();
  if (options.verify.strict) document->error_count_ += RaiseTolerated(document->diagnostics_);
  SortDiagnostics(document->diagnostics_, document->sources_);
  if (dropped > 0) {
    DiagnosticSink note;
    note.Report(DiagnosticKind::kTooManyDiagnostics, SourceRange{text.size(), text.size()}, dropped);
    document->diagnostics_.push_back(note.Take().front());
    document->sources_.emplace_back();
  }
  return document;
}

const Document::WholeSyntax& Document::whole_syntax() const {
  if (has_whole_syntax_) return *whole_syntax_;
  absl::call_once(whole_syntax_once_, [this] {
    DiagnosticSink quiet;  // the diagnostics are known
    auto syntax = std::make_unique<WholeSyntax>();
    syntax->tokens = Lex(*source_, quiet);
    syntax->tree = ParseSyntax(*source_, syntax->tokens, quiet);
    whole_syntax_ = std::move(syntax);
  });
  return *whole_syntax_;
}

absl::StatusOr<std::shared_ptr<const Document>> Document::Open(const std::string& path, DocumentOptions options) {
  auto source = SourceText::FromFile(path);
  if (!source.ok()) return source.status();
  return Parse(*std::move(source), options);
}

std::shared_ptr<const Document> Document::WithEdit(absl::Span<const TextEdit> edits) const {
  std::vector<TextChange> changes;
  std::shared_ptr<const SourceText> source = ApplyEdits(*source_, edits, &changes);
  // What the reader alone says of a text is not kept up to date.
  if (!options_.parse_only) {
    if (std::shared_ptr<const Document> updated = DocumentUpdate::Run(*this, source, changes)) return updated;
  }
  return Parse(std::move(source), options_);
}

}  // namespace hloscope
