// SPDX-License-Identifier: Apache-2.0
// Protos beside texts of the same modules, and folders of dumps.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "core/document/document.h"
#include "interop/dump/dump_folder.h"
#include "interop/files/open_file.h"
#include "interop/hlo_proto/module_reader.h"
#include "interop/hlo_proto/module_writer.h"
#include "tests/bench/bench.h"
#include "tests/support/processor_time.h"
#include "tests/support/shared_files.h"

namespace hloscope::bench {
namespace {

constexpr int kReadings = 15;
constexpr uintmax_t kLargeModule = 1000000;
constexpr double kProtoBudget = 1;    // in times of the text
constexpr double kListingBudget = 1;  // seconds
constexpr int kDumpFiles = 10000;

// The fastest of several runs, which take turns, so that whatever else the machine does is in neither's favour.
struct Fastest {
  double seconds = 1e9;
  template <typename F>
  void Add(F work) {
    const double begin = ProcessorSeconds();
    work();
    seconds = std::min(seconds, ProcessorSeconds() - begin);
  }
};

// From bytes to a module: of a text without its verification, of a proto without the text that is made of it; and from
// bytes to what `hloscope check` prints.
void BenchProto(Report& report, const std::string& path) {
  const std::string text = ReadFileOrDie(path);
  const auto document = Document::Parse(SourceText::FromString("text", text), {{}, /*parse_only=*/true});
  interop::proto::HloModuleProto written;
  if (!interop::WriteHloModule(document->module(), &written).ok()) return;
  const std::string bytes = written.SerializeAsString();
  const double count = static_cast<double>(document->module().instruction_count());
  Fastest from_text, from_proto, checked_text, checked_proto;
  for (int i = 0; i < kReadings; ++i) {
    from_text.Add([&] { Document::Parse(SourceText::FromString("text", text), {{}, /*parse_only=*/true}); });
    from_proto.Add([&] {
      interop::ProtoPlace place;
      if (!interop::ReadHloModule(bytes, &place).ok()) std::abort();
    });
    checked_text.Add([&] { Document::Parse(SourceText::FromString("text", text)); });
    checked_proto.Add([&] {
      const absl::StatusOr<interop::OpenedFile> file = interop::OpenBytes("proto", bytes);
      if (!file.ok()) std::abort();
      Document::Parse(file->modules[0].text);
    });
  }
  const std::string name = std::filesystem::path(path).filename().string();
  report.Figure(absl::StrCat(name, ": proto to module, in times of text to module"),
                from_proto.seconds / from_text.seconds, "x", kProtoBudget, false);
  // Where there are diagnostics, the text that they point into is printed as well.
  const bool has_diagnostics = !Document::Parse(SourceText::FromString("text", text))->diagnostics().empty();
  report.Figure(absl::StrCat(name, ": proto to ", has_diagnostics ? "diagnostics and text" : "diagnostics",
                             ", in times of text to diagnostics"),
                checked_proto.seconds / checked_text.seconds, "x", kProtoBudget, false);
  const auto each = [&](const Fastest& fastest) { return static_cast<int>(fastest.seconds / count * 1e9); };
  report.Note(absl::StrCat("    nanoseconds per instruction: text to module ", each(from_text), ", to diagnostics ",
                           each(checked_text), "; proto to module ", each(from_proto), ", to diagnostics ",
                           each(checked_proto)));
}

}  // namespace

std::vector<std::string> InteropRows() {
  std::vector<std::string> rows;
  for (const std::string& file : CorpusFiles()) {
    if (std::filesystem::file_size(file) >= kLargeModule) rows.push_back(file);
  }
  return rows;
}

void BenchInterop(Report& report, const std::string& only) {
  report.Section("protos: fastest of 15, processor time");
  for (const std::string& file : InteropRows()) {
    if (file.find(only) != std::string::npos) BenchProto(report, file);
  }
  if (!only.empty()) return;
  report.Section("folders of dumps");
  const auto folder = std::filesystem::temp_directory_path() / "hloscope_bench_dumps";
  std::filesystem::remove_all(folder);
  std::filesystem::create_directories(folder);
  for (int i = 0; i < kDumpFiles; ++i) {
    std::ofstream(folder / absl::StrCat("module_", 1000 + i / 100, ".f.", 1000 + i % 100, ".p.after_a.txt")) << "x";
  }
  Fastest listing;
  for (int i = 0; i < 5; ++i) listing.Add([&] { interop::ListDumpFolder(folder.string()).IgnoreError(); });
  std::filesystem::remove_all(folder);
  report.Figure("listing 10 000 files", listing.seconds, "s", kListingBudget, false);
}

}  // namespace hloscope::bench
