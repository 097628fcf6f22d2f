#include "stablehlo/import.h"

#include <algorithm>
#include <string>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "stablehlo/lexer.h"
#include "stablehlo/parser.h"
#include "stablehlo/translator.h"

namespace hloscope::stablehlo {
namespace {

constexpr absl::string_view kBytecodeMagic = "ML\xEFR";
constexpr size_t kBytesLookedAt = 1 << 20;

// The version and the producer after the magic number of bytecode.
std::string BytecodeMessage(absl::string_view bytes) {
  const unsigned char first = bytes.size() > 4 ? static_cast<unsigned char>(bytes[4]) : 0;
  std::string producer;
  for (size_t at = 5; at < bytes.size() && at < 100 && bytes[at] != '\0'; ++at) {
    producer.push_back(bytes[at] >= ' ' && bytes[at] < 127 ? bytes[at] : '?');
  }
  return absl::StrCat("MLIR bytecode (format version ", first >> 1, ", written by ",
                      producer.empty() ? "unknown" : producer,
                      "), not text. Convert it: `stablehlo-translate --deserialize FILE > FILE.mlir`, or in Python "
                      "`jax.export.deserialize(data).mlir_module()`");
}

bool StartsLikeMlir(absl::string_view text) {
  DiagnosticSink ignored;
  Lexer lexer(text, &ignored);
  const absl::string_view start = text.substr(lexer.SkipBlanks(0));
  for (const absl::string_view word : {"module", "\"builtin.module\"", "builtin.module", "func.func", "func ", "sdy.",
                                       "#", "!", "{-#", "stablehlo.", "vhlo.", "\"stablehlo."}) {
    if (absl::StartsWith(start, word)) return true;
  }
  return false;
}

}  // namespace

bool IsProgram(absl::string_view bytes) {
  if (absl::StartsWith(bytes, kBytecodeMagic)) return true;
  const absl::string_view head = bytes.substr(0, kBytesLookedAt);
  if (!StartsLikeMlir(head)) return false;
  for (const absl::string_view word :
       {"func.func", "stablehlo.", "mhlo.", "chlo.", "vhlo.", "module @", "module attributes"}) {
    if (absl::StrContains(head, word)) return true;
  }
  return false;
}

ImportedProgram ImportProgram(std::shared_ptr<const SourceText> source) {
  ImportedProgram imported;
  DiagnosticSink* sink = nullptr;
  std::unique_ptr<Program> program;
  HloText hlo;
  const absl::string_view text = source->text();
  if (absl::StartsWith(text, kBytecodeMagic) || absl::StrContains(text.substr(0, kBytesLookedAt), "vhlo.func_v1")) {
    program = std::make_unique<Program>();
    program->source = source;
    program->sink.Report(
        DiagnosticKind::kShloProgram, {0, 4},
        absl::StartsWith(text, kBytecodeMagic)
            ? BytecodeMessage(text)
            : "this is VHLO, the versioned form of StableHLO. Convert it: `stablehlo-translate --deserialize`");
  } else {
    program = ParseProgram(source);
    hlo = Translator(*program).Translate();
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
