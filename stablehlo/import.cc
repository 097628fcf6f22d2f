// SPDX-License-Identifier: Apache-2.0
#include "stablehlo/import.h"

#include <algorithm>
#include <string>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "core/source/memory_hooks.h"
#include "stablehlo/bytecode.h"
#include "stablehlo/bytecode_container.h"
#include "stablehlo/lexer.h"
#include "stablehlo/parser.h"
#include "stablehlo/translator.h"

namespace hloscope::stablehlo {
namespace {

constexpr size_t kBytesLookedAt = 1 << 20;

// Why bytecode could not be read, and what to do.
std::string BytecodeMessage(absl::string_view bytes, const absl::Status& status) {
  const BytecodeHeader header = ReadBytecodeHeader(bytes);
  std::string producer;
  for (const char c : header.producer.substr(0, 100)) producer.push_back(c >= ' ' && c < 127 ? c : '?');
  return absl::StrCat("MLIR bytecode (format version ", header.version, ", written by ",
                      producer.empty() ? "unknown" : producer, ") that cannot be read: ", status.message(),
                      ". Convert it to text: `stablehlo-translate --deserialize FILE > FILE.mlir`, or in Python "
                      "`jax.export.deserialize(data).mlir_module()`");
}

// After blanks and comments, however long.
absl::string_view FirstWords(absl::string_view text) {
  DiagnosticSink ignored;
  Lexer lexer(text, &ignored);
  return text.substr(lexer.SkipBlanks(0));
}

bool StartsLikeMlir(absl::string_view start) {
  for (const absl::string_view word : {"module", "\"builtin.module\"", "builtin.module", "func.func", "func ", "sdy.",
                                       "#", "!", "{-#", "stablehlo.", "vhlo.", "\"stablehlo."}) {
    if (absl::StartsWith(start, word)) return true;
  }
  return false;
}

}  // namespace

bool IsProgram(absl::string_view bytes) {
  if (IsBytecode(bytes)) return true;
  const absl::string_view head = FirstWords(bytes).substr(0, kBytesLookedAt);
  if (!StartsLikeMlir(head)) return false;
  for (const absl::string_view word :
       {"func.func", "stablehlo.", "mhlo.", "chlo.", "vhlo.", "module @", "module attributes"}) {
    if (absl::StrContains(head, word)) return true;
  }
  return false;
}

ImportedProgram ImportProgram(std::shared_ptr<const SourceText> source, const ImportOptions& options) {
  ImportedProgram imported;
  DiagnosticSink* sink = nullptr;
  std::unique_ptr<Program> program;
  HloText hlo;
  absl::Status bytecode;
  if (IsBytecode(source->text())) {
    absl::StatusOr<std::string> text = TextOfBytecode(BytecodeOf(source->text()));
    bytecode = text.status();
    if (text.ok()) source = SourceText::Made(source->name(), *std::move(text), nullptr);
  }
  const bool is_versioned_text =
      bytecode.ok() && absl::StrContains(source->text().substr(0, kBytesLookedAt), "vhlo.func_v1");
  if (!bytecode.ok() || is_versioned_text) {
    program = std::make_unique<Program>();
    program->source = source;
    program->sink.Report(
        DiagnosticKind::kShloProgram, {0, 4},
        is_versioned_text
            ? "this is VHLO, the versioned form of StableHLO. Convert it: `stablehlo-translate --deserialize`"
            : BytecodeMessage(BytecodeOf(source->text()), bytecode));
  } else {
    // What is made of the program and of its translation is there at once.
    const ParsingReport report(3 * source->size());
    program = ParseProgram(source);
    hlo = Translator(*program, options).Translate();
  }
  sink = &program->sink;
  imported.has_errors = sink->error_count() > 0;
  imported.diagnostics = sink->Take();
  std::stable_sort(imported.diagnostics.begin(), imported.diagnostics.end(),
                   [](const Diagnostic& a, const Diagnostic& b) { return a.range.begin < b.range.begin; });
  auto origin = std::make_shared<TextOrigin>();
  origin->parts = std::move(hlo.parts);
  const std::string name = source->name();
  origin->source = std::move(source);
  imported.hlo = SourceText::Made(name, std::move(hlo.text), std::move(origin));
  return imported;
}

Diagnostic AtOrigin(const SourceText& hlo, const Diagnostic& diagnostic) {
  const TextOrigin* const origin = hlo.origin();
  if (origin == nullptr) return diagnostic;
  Diagnostic moved = diagnostic;
  moved.range = origin->OriginalRange(diagnostic.range);
  moved.fixes.clear();
  for (RelatedLocation& related : moved.related) related.range = origin->OriginalRange(related.range);
  return moved;
}

}  // namespace hloscope::stablehlo
