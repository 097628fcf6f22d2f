// SPDX-License-Identifier: Apache-2.0
#include "core/document/document.h"

#include <optional>
#include <utility>

#include "core/document/diagnostic_list.h"
#include "core/document/document_update.h"
#include "core/document/module_text.h"
#include "core/document/part_reader.h"
#include "core/document/stage_clock.h"
#include "core/document/statement_syntax.h"
#include "core/document/text_changes.h"
#include "core/lex/lexer.h"
#include "core/semantics/anchor_resolver.h"
#include "core/semantics/module_builder.h"
#include "core/source/memory_hooks.h"
#include "core/source/second_thread.h"
#include "core/syntax/syntax_parser.h"
#include "core/verify/reader_rules.h"
#include "core/verify/verifier.h"

namespace hloscope {
void Document::Finish(DiagnosticSink& sink) {
  error_count_ = sink.error_count();
  const int64_t dropped = sink.dropped_count();
  sources_ = sink.sources();
  diagnostics_ = sink.Take();
  if (options_.verify.strict) error_count_ += RaiseTolerated(diagnostics_);
  SortDiagnostics(diagnostics_, sources_);
  if (dropped > 0) {
    DiagnosticSink note;
    note.Report(DiagnosticKind::kTooManyDiagnostics, SourceRange{source_->size(), source_->size()}, dropped);
    diagnostics_.push_back(note.Take().front());
    sources_.emplace_back();
  }
}

namespace {

// Makes the text when the first diagnostic needs a place in it.
class LaterAnchorResolver final : public AnchorResolver {
 public:
  explicit LaterAnchorResolver(const Document& document) : document_(document) {}

  SourceRange Resolve(InstructionId instruction, Anchor anchor) const override {
    return resolver().Resolve(instruction, anchor);
  }
  SourceRange ResolveShapePart(InstructionId instruction, const ShapePart& part) const override {
    return resolver().ResolveShapePart(instruction, part);
  }
  SourceRange ResolveComputation(ComputationId computation) const override {
    return resolver().ResolveComputation(computation);
  }
  SourceRange ResolveHeader(const HeaderPart& part) const override { return resolver().ResolveHeader(part); }

 private:
  const TextAnchorResolver& resolver() const {
    if (!resolver_) resolver_.emplace(document_.source(), document_.text_map(), document_.module());
    return *resolver_;
  }

  const Document& document_;
  mutable std::optional<TextAnchorResolver> resolver_;
};

// As the reader of texts does.
void ReportElided(const Module& module, const AnchorResolver& resolver, DiagnosticSink& sink) {
  for (uint32_t i = 0; i < module.instruction_count(); ++i) {
    const InstructionId id(i);
    if (!module.instruction(id).literal.has_value() || !module.literal(id).IsElided()) continue;
    sink.SetSource(CheckStage::kInstruction, i);
    sink.Report(DiagnosticKind::kReservedElided, resolver.Resolve(id, Anchor::OperandList()));
  }
}

}  // namespace

// Null if the module has errors: what the reader of the text says of them is what people should see.
std::shared_ptr<const Document> Document::OfModule(std::shared_ptr<const SourceText> source, const ModuleText& made,
                                                   DocumentOptions options) {
  std::shared_ptr<Document> document(new Document());
  document->source_ = std::move(source);
  document->options_ = options;
  document->made_ = &made;
  StageClock clock;
  document->module_ = std::shared_ptr<const Module>(document->source_, &made.module());
  const Module& module = *document->module_;
  std::vector<ComputationId> computations;
  for (size_t c = 0; c < module.computations().size(); ++c) computations.emplace_back(c);
  document->computation_of_syntax_ = std::make_shared<const std::vector<ComputationId>>(std::move(computations));
  document->times_.semantics = clock.Lap();
  DiagnosticSink sink;
  const LaterAnchorResolver resolver(*document);
  ReportElided(module, resolver, sink);
  document->index_ = ModuleIndex(module);
  document->Verify(module, resolver, nullptr, sink);
  if (sink.error_count() > 0) return nullptr;
  document->times_.verify = clock.Lap();
  document->times_.total = document->times_.semantics + document->times_.verify;
  document->Finish(sink);
  return document;
}

const TextMap& Document::text_map() const {
  if (made_ != nullptr) {
    absl::call_once(map_once_, [&] { map_ = std::make_shared<const TextMap>(made_->MapOf(*source_)); });
  }
  return *map_;
}

std::shared_ptr<const Document> Document::Parse(std::shared_ptr<const SourceText> source, DocumentOptions options) {
  if (const auto* made = dynamic_cast<const ModuleText*>(source->maker())) {
    if (std::shared_ptr<const Document> document = OfModule(source, *made, options)) return document;
  }
  std::shared_ptr<Document> document(new Document());
  document->source_ = std::move(source);
  document->options_ = options;
  const ParsingReport parsing(document->source_->size());
  DiagnosticSink sink;
  StageClock clock;
  if (!document->ReadParts(sink)) document->ReadWhole(sink);
  document->times_.total = clock.Lap();
  document->Finish(sink);
  return document;
}
bool Document::ReadParts(DiagnosticSink& sink) {
  constexpr size_t kFewParts = 4;  // not worth a thread
  if (options_.part_bytes == 0 || source_->size() < kFewParts * options_.part_bytes) return false;
  StageClock clock;
  std::optional<TextInParts> read = ReadInParts(*source_, options_.verify, options_.part_bytes);
  if (!read) return false;
  sink.Append(std::move(read->diagnostics));
  times_.lex = read->lex;
  times_.syntax = read->syntax;
  auto module = std::make_shared<const Module>(std::move(read->built.module));
  times_.semantics = clock.Lap();
  computation_of_syntax_ =
      std::make_shared<const std::vector<ComputationId>>(std::move(read->built.computation_of_syntax));
  const auto prepare_updates = [&] {
    MarkPlainComputations(*module, *computation_of_syntax_, read->map);
    update_state_ = InitialUpdateState(*module, read->is_regular);
  };
  {
    const SecondThread second(prepare_updates);
    if (!second.runs()) prepare_updates();
    index_ = ModuleIndex(*module);
  }
  map_ = std::make_shared<const TextMap>(std::move(read->map));
  const TextAnchorResolver resolver(*source_, *map_, *module), second_resolver(*source_, *map_, *module);
  Verify(*module, resolver, &second_resolver, sink);
  update_state_.possible = update_state_.possible && DiagnosticsAreLocal(sink);
  module_ = std::move(module);
  times_.verify = clock.Lap();
  return true;
}

void Document::ReadWhole(DiagnosticSink& sink) {
  const SourceText& text = *source_;
  StageClock clock;
  auto syntax = std::make_unique<WholeSyntax>();
  const TokenBuffer& tokens = syntax->tokens = Lex(text, sink);
  times_.lex = clock.Lap();
  const SyntaxTree& tree = syntax->tree = ParseSyntax(text, tokens, sink);
  times_.syntax = clock.Lap();
  BuiltModule built = BuildModule(text, tokens, tree, options_.verify, sink);
  times_.semantics = clock.Lap();
  auto module = std::make_shared<const Module>(std::move(built.module));
  const SyntaxAnchorResolver resolver(text, tokens, tree, *module);
  index_ = ModuleIndex(*module);
  Verify(*module, resolver, nullptr, sink);
  map_ = std::make_shared<const TextMap>(MapText(text, tokens, tree, *module, built.computation_of_syntax));
  computation_of_syntax_ = std::make_shared<const std::vector<ComputationId>>(std::move(built.computation_of_syntax));
  update_state_ = InitialUpdateState(*module, IsRegular(tokens, tree) && DiagnosticsAreLocal(sink));
  module_ = std::move(module);
  whole_syntax_ = std::move(syntax);
  has_whole_syntax_ = true;
  times_.verify = clock.Lap();
}

void Document::Verify(const Module& module, const AnchorResolver& resolver, const AnchorResolver* second_resolver,
                      DiagnosticSink& sink) {
  if (options_.parse_only) {
    VerifyAsReader(module, index_, options_.verify, resolver, sink);
  } else if (second_resolver != nullptr) {
    VerifyModuleOnTwoThreads(module, index_, options_.verify, resolver, *second_resolver, sink);
  } else {
    VerifyModule(module, index_, options_.verify, resolver, sink);
  }
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
  DocumentOptions options = options_;
  if (has_errors()) options.part_bytes = 0;  // what is wrong would be met in some part, and all be read again
  return Parse(std::move(source), options);
}

}  // namespace hloscope
