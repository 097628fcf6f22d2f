// SPDX-License-Identifier: Apache-2.0
// Document::WithEdit on the largest module of the corpus: what a key stroke costs.
#include <algorithm>
#include <filesystem>
#include <functional>
#include <random>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "core/document/document.h"
#include "tests/bench/bench.h"
#include "tests/support/processor_time.h"
#include "tests/support/shared_files.h"

namespace hloscope::bench {
namespace {

using Batch = std::vector<TextEdit>;

class EditingBench {
 public:
  EditingBench(Report& report, std::shared_ptr<const Document> document)
      : report_(report), start_(document), document_(std::move(document)) {}

  // Applies `count` batches one after the other, each undone by an edit that counts too.
  void Run(const std::string& name, int count, double budget_ms, const std::function<Batch(const Document&)>& make) {
    std::vector<double> milliseconds;
    int updates = 0;
    document_ = start_;
    const auto apply = [&](const Batch& batch) {
      const double begin = ProcessorSeconds();
      auto edited = document_->WithEdit(batch);
      milliseconds.push_back((ProcessorSeconds() - begin) * 1e3);
      updates += edited->is_update() ? 1 : 0;
      document_ = std::move(edited);
    };
    for (int i = 0; i < count; ++i) {
      const Batch batch = make(*document_);
      if (batch.empty()) continue;
      const Batch undo = Undo(batch);
      apply(batch);
      apply(undo);
    }
    std::sort(milliseconds.begin(), milliseconds.end());
    if (milliseconds.empty()) return;
    report_.Info(absl::StrCat("  ", name, ": median"), milliseconds[milliseconds.size() / 2], "ms");
    report_.Figure(absl::StrCat("  ", name, ": 99th percentile"), milliseconds[milliseconds.size() * 99 / 100], "ms",
                   budget_ms, false);
    report_.Info(absl::StrCat("  ", name, ": without a whole parse"),
                 100.0 * updates / static_cast<double>(milliseconds.size()), "%");
  }

  InstructionId AnyInstruction() { return InstructionId(random_() % start_->module().instruction_count()); }
  uint32_t Below(uint32_t n) { return static_cast<uint32_t>(random_() % n); }

 private:
  Batch Undo(const Batch& batch) const {
    Batch undo;
    int64_t shift = 0;
    for (const TextEdit& edit : batch) {
      const uint32_t begin = static_cast<uint32_t>(edit.range.begin + shift);
      undo.push_back({{begin, begin + static_cast<uint32_t>(edit.replacement.size())},
                      std::string(document_->source().Slice(edit.range))});
      shift += static_cast<int64_t>(edit.replacement.size()) - edit.range.size();
    }
    return undo;
  }

  Report& report_;
  const std::shared_ptr<const Document> start_;
  std::shared_ptr<const Document> document_;
  std::mt19937_64 random_{1};
};

}  // namespace

void BenchEditing(Report& report) {
  report.Section("editing the largest module: WithEdit, with inference and verification; processor time");
  std::string largest;
  for (const std::string& file : CorpusFiles()) {
    if (largest.empty() || std::filesystem::file_size(file) > std::filesystem::file_size(largest)) largest = file;
  }
  if (largest.empty()) {
    report.Note("skipped: the shared corpus is not beside this checkout");
    return;
  }
  const auto document = Document::Open(largest);
  if (!document.ok()) return;
  EditingBench bench(report, *document);
  bench.Run("a character within an instruction", 400, 3, [&](const Document& d) -> Batch {
    const SourceRange range = d.InstructionRange(bench.AnyInstruction());
    if (range.empty()) return {};
    const uint32_t at = range.begin + bench.Below(range.size());
    return {{{at, at}, "x"}};
  });
  bench.Run("another shape", 200, 3, [&](const Document& d) -> Batch {
    const SourceRange range = d.ShapeRange(bench.AnyInstruction());
    if (range.empty()) return {};
    return {{range, "f32[17]"}};
  });
  bench.Run("an instruction put in and taken out", 200, 8, [&](const Document& d) -> Batch {
    const SourceRange range = d.InstructionRange(bench.AnyInstruction());
    if (range.empty()) return {};
    return {{{range.begin, range.begin}, "inserted.line = f32[] constant(1)\n  "}};
  });
  bench.Run("an instruction and its uses renamed", 200, 8, [&](const Document& d) -> Batch {
    Batch batch;
    const std::string name = absl::StrCat("renamed.", bench.Below(1000000));
    for (SourceRange range : d.ReferencesTo(bench.AnyInstruction())) batch.push_back({range, name});
    return batch.size() > 50 ? Batch() : batch;
  });
}

}  // namespace hloscope::bench
