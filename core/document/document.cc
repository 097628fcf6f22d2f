#include "core/document/document.h"

#include <algorithm>
#include <chrono>
#include <utility>

#include "core/lex/lexer.h"
#include "core/semantics/anchor_resolver.h"
#include "core/semantics/module_builder.h"
#include "core/syntax/syntax_parser.h"
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
  DiagnosticSink sink;
  StageClock clock;

  document->tokens_ = Lex(text, sink);
  document->times_.lex = clock.Lap();
  document->syntax_ = ParseSyntax(text, document->tokens_, sink);
  document->times_.syntax = clock.Lap();
  BuiltModule built = BuildModule(text, document->tokens_, document->syntax_, options.verify, sink);
  document->times_.semantics = clock.Lap();
  document->instruction_of_syntax_ = std::move(built.instruction_of_syntax);
  document->computation_of_syntax_ = std::move(built.computation_of_syntax);
  auto module = std::make_shared<const Module>(std::move(built.module));
  document->users_ = UserIndex(*module);
  if (!options.parse_only) {
    const SyntaxAnchorResolver resolver(text, document->tokens_, document->syntax_, *module);
    VerifyModule(*module, options.verify, resolver, sink);
  }
  document->module_ = std::move(module);
  document->times_.verify = clock.Lap();

  document->error_count_ = sink.error_count();
  const int64_t dropped = sink.dropped_count();
  document->diagnostics_ = sink.Take();
  std::stable_sort(document->diagnostics_.begin(), document->diagnostics_.end(),
                   [](const Diagnostic& a, const Diagnostic& b) { return a.range.begin < b.range.begin; });
  if (dropped > 0) {
    DiagnosticSink note;
    note.Report(DiagnosticKind::kTooManyFindings, SourceRange{text.size(), text.size()}, dropped);
    document->diagnostics_.push_back(note.Take().front());
  }
  return document;
}

absl::StatusOr<std::shared_ptr<const Document>> Document::Open(const std::string& path, DocumentOptions options) {
  auto source = SourceText::FromFile(path);
  if (!source.ok()) return source.status();
  return Parse(*std::move(source), options);
}

std::shared_ptr<const Document> Document::WithEdit(absl::Span<const TextEdit> edits) const {
  std::vector<const TextEdit*> ordered;
  for (const TextEdit& edit : edits) ordered.push_back(&edit);
  std::stable_sort(ordered.begin(), ordered.end(),
                   [](const TextEdit* a, const TextEdit* b) { return a->range.begin < b->range.begin; });
  const absl::string_view old_text = source_->text();
  std::string text;
  text.reserve(old_text.size());
  uint32_t copied = 0;
  for (const TextEdit* edit : ordered) {
    const uint32_t begin = std::min(std::max(edit->range.begin, copied), source_->size());
    const uint32_t end = std::min(std::max(edit->range.end, begin), source_->size());
    text.append(old_text.data() + copied, begin - copied);
    text.append(edit->replacement);
    copied = end;
  }
  text.append(old_text.data() + copied, old_text.size() - copied);
  return Parse(SourceText::FromString(source_->name(), std::move(text)), options_);
}

}  // namespace hloscope
