// SPDX-License-Identifier: Apache-2.0
// The language server in an editing session on the largest module of the corpus: the real process, a scripted client.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>
#include <vector>

#include "lsp/transport/framing.h"
#include "nlohmann/json.hpp"
#include "tests/bench/bench.h"
#include "tests/lsp/lsp_client.h"
#include "tests/support/generated_module.h"
#include "tests/support/shared_files.h"

namespace hloscope::bench {
namespace {

using lsp::EncodeFrame;
using lsp::LspClient;
using nlohmann::json;
using Clock = std::chrono::steady_clock;

constexpr char kUri[] = "file:///bench.hlo";
constexpr uintmax_t kDumpOfFourMegabytes = 3'500'000;

double MillisecondsSince(Clock::time_point begin) {
  return std::chrono::duration<double, std::milli>(Clock::now() - begin).count();
}

// The value below which `part` of the values lie.
double Quantile(std::vector<double> values, double part) {
  std::sort(values.begin(), values.end());
  return values[std::min(values.size() - 1, static_cast<size_t>(part * static_cast<double>(values.size())))];
}

double ResidentMegabytes(pid_t pid) {
  std::ifstream status("/proc/" + std::to_string(pid) + "/status");
  std::string line;
  while (std::getline(status, line)) {
    if (line.rfind("VmRSS:", 0) == 0) return std::stod(line.substr(6)) / 1000;
  }
  return -1;
}

json PositionOf(const std::string& text, size_t offset) {
  const size_t line_begin = text.rfind('\n', offset == 0 ? 0 : offset - 1);
  const auto line = std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(offset), '\n');
  return {{"line", line}, {"character", line_begin == std::string::npos ? offset : offset - line_begin - 1}};
}

json At(const json& position) { return {{"textDocument", {{"uri", kUri}}}, {"position", position}}; }

json Insert(const json& position, const std::string& text) {
  return json::array({{{"range", {{"start", position}, {"end", position}}}, {"text", text}}});
}

std::string LargestFile() {
  std::string largest;
  uintmax_t most = 0;
  for (const std::string& file : CorpusFiles()) {
    const auto bytes = std::filesystem::file_size(file);
    if (bytes > most) {
      largest = file;
      most = bytes;
    }
  }
  return largest;
}

// Types a line in the middle of the entry computation, key by key, and asks what editors ask.
void BenchTyping(LspClient& client, const std::string& text, Report& report) {
  // An instruction half-way down.
  const size_t place = text.find("\n  %", text.size() / 2) + 1;
  const json line = PositionOf(text, place);
  const std::string typed = "  %typed.1 = f32[] add(%typed.2, %typed.3), metadata={op_name=\"x\"}";
  int version = 1;
  client.Change(kUri, ++version, Insert(line, "\n"));
  client.WaitDiagnostics(kUri, version);
  std::vector<double> keys, completions, hovers, definitions, tokens, hints;
  size_t largest_answer = 0;
  for (int round = 0; round < 3; ++round) {
    for (size_t i = 0; i < typed.size(); ++i) {
      const json position = {{"line", line["line"]}, {"character", i}};
      const json after = {{"line", line["line"]}, {"character", i + 1}};
      const Clock::time_point begin = Clock::now();
      client.Change(kUri, ++version, Insert(position, typed.substr(i, 1)));
      client.WaitDiagnostics(kUri, version);
      keys.push_back(MillisecondsSince(begin));
      const auto timed = [&](const std::string& method, const json& params, std::vector<double>* times) {
        const Clock::time_point start = Clock::now();
        const json result = client.Result(method, params);
        times->push_back(MillisecondsSince(start));
        return result;
      };
      largest_answer =
          std::max(largest_answer, timed("textDocument/completion", At(after), &completions).dump().size());
      const json above = {{"line", line["line"].get<int>() - 1}, {"character", 4}};
      timed("textDocument/hover", At(above), &hovers);
      timed("textDocument/definition", At(above), &definitions);
      const json range = {{"textDocument", {{"uri", kUri}}},
                          {"range",
                           {{"start", {{"line", std::max(0, line["line"].get<int>() - 30)}, {"character", 0}}},
                            {"end", {{"line", line["line"].get<int>() + 30}, {"character", 0}}}}}};
      timed("textDocument/semanticTokens/range", range, &tokens);
      timed("textDocument/inlayHint", range, &hints);
    }
    // The line goes again.
    client.Change(kUri, ++version,
                  json::array({{{"range",
                                 {{"start", {{"line", line["line"]}, {"character", 0}}},
                                  {"end", {{"line", line["line"]}, {"character", typed.size()}}}}},
                                {"text", ""}}}));
    client.WaitDiagnostics(kUri, version);
  }
  report.Figure("key to diagnostics, 99 %", Quantile(keys, 0.99), "ms", 8, false);
  report.Info("  median", Quantile(keys, 0.5), "ms");
  report.Figure("completion, 99 %", Quantile(completions, 0.99), "ms", 5, false);
  report.Figure("  largest answer", static_cast<double>(largest_answer) / 1024, "KB", 64, false);
  report.Figure("hover, 99 %", Quantile(hovers, 0.99), "ms", 2, false);
  report.Info("  median", Quantile(hovers, 0.5), "ms");
  report.Figure("definition, 99 %", Quantile(definitions, 0.99), "ms", 2, false);
  report.Info("  median", Quantile(definitions, 0.5), "ms");
  report.Info("semantic tokens of 60 lines, median", Quantile(tokens, 0.5), "ms");
  report.Info("inlay hints of 60 lines, median", Quantile(hints, 0.5), "ms");
  report.Figure("resident memory", ResidentMegabytes(client.pid()), "MB", 150, false);

  // A burst of edits with questions in between.
  const json start = {{"line", line["line"]}, {"character", 0}};
  const Clock::time_point begin = Clock::now();
  for (int i = 0; i < 1000; ++i) {
    client.Change(kUri, ++version, Insert(start, " "));
    if (i % 10 == 0) client.Request("textDocument/hover", At(start));
  }
  int published = 0;
  client.Wait([&](const json& message) {
    if (message.value("method", "") != "textDocument/publishDiagnostics") return false;
    ++published;
    return message["params"].value("version", 0) == version;
  });
  report.Info("a burst of 1000 edits", MillisecondsSince(begin), "ms");
  report.Figure("  versions of it that were analysed and published", published, "", 20, false);

  // A cancelled request is answered although the server is busy.
  std::vector<double> cancellations;
  for (int i = 0; i < 10; ++i) {
    const int id = client.Request("textDocument/semanticTokens/full", {{"textDocument", {{"uri", kUri}}}});
    const Clock::time_point sent = Clock::now();
    client.Notify("$/cancelRequest", {{"id", id}});
    client.WaitAnswer(id);
    cancellations.push_back(MillisecondsSince(sent));
  }
  report.Figure("cancellation, largest of 10", Quantile(cancellations, 1), "ms", 20, false);
}

// What an editor is sent after each pause in typing, and how soon the picture of a place is there.
void BenchLargeDump(const std::string& file, Report& report) {
  const std::string text = ReadFileOrDie(file);
  const std::string name = std::filesystem::path(file).filename().string();
  const json about = {{"textDocument", {{"uri", kUri}}}};
  const json place = PositionOf(text, text.find("\n  %", text.size() / 2) + 1);
  LspClient client;
  client.Initialize();
  const std::string message = EncodeFrame(LspClient::OpenMessage(kUri, text, 1).dump());
  const Clock::time_point opened = Clock::now();
  client.SendBytes(message);
  json around = At({{"line", place["line"]}, {"character", 4}});
  client.Result("hloscope/graph", around);
  report.Figure(name + ": open to the graph of a place", MillisecondsSince(opened), "ms", 1000, false);
  client.Result("textDocument/documentSymbol", about);
  client.Result("textDocument/codeLens", about);
  json tokens = client.Result("textDocument/semanticTokens/full", about);
  // A new line moves all that follows; a letter in it moves what is beside it.
  client.Change(kUri, 2, Insert({{"line", place["line"]}, {"character", 0}}, "  %typed.1 = f32[] constant(1)\n"));
  const Clock::time_point begin = Clock::now();
  size_t bytes = client.Result("textDocument/documentSymbol", about).dump().size() +
                 client.Result("textDocument/codeLens", about).dump().size();
  json delta = about;
  delta["previousResultId"] = tokens["resultId"];
  bytes += client.Result("textDocument/semanticTokens/full/delta", delta).dump().size();
  report.Info(name + ": outline, lenses and tokens after an edit", MillisecondsSince(begin), "ms");
  report.Figure("  sent", static_cast<double>(bytes) / 1024, "KB", 1024, false);
}

void BenchHugeText(Report& report) {
  const std::string text = GenerateModule(26'000'000);
  LspClient client;
  client.Initialize();
  const std::string message = EncodeFrame(LspClient::OpenMessage(kUri, text, 1).dump());
  const Clock::time_point begin = Clock::now();
  client.SendBytes(message);
  client.WaitDiagnostics(kUri, 1);
  report.Figure("a generated module of 26 MB: open to diagnostics", MillisecondsSince(begin), "ms", 2000, false);
}

}  // namespace

void BenchLanguageServer(Report& report) {
  report.Section("language server: the largest module, a scripted client over pipes");
  const std::string file = LargestFile();
  if (file.empty()) {
    report.Note("skipped: the shared corpus is not beside this checkout");
    return;
  }
  const std::string text = ReadFileOrDie(file);
  std::vector<double> opens;
  for (int i = 0; i < 5; ++i) {
    LspClient client;
    client.Initialize();
    // How long the client takes to write its JSON is not the server's affair.
    const std::string message = EncodeFrame(LspClient::OpenMessage(kUri, text, 1).dump());
    const Clock::time_point begin = Clock::now();
    client.SendBytes(message);
    client.WaitDiagnostics(kUri, 1);
    opens.push_back(MillisecondsSince(begin));
    if (i == 4) BenchTyping(client, text, report);
  }
  report.Figure("open to diagnostics, median of 5", Quantile(opens, 0.5), "ms", 100, false);

  for (const std::string& large : CorpusFiles()) {
    if (std::filesystem::file_size(large) > kDumpOfFourMegabytes) BenchLargeDump(large, report);
  }
  BenchHugeText(report);

  LspClient many;
  many.Initialize();
  const std::vector<std::string> files = CorpusFiles();
  int version = 0;
  for (int i = 0; i < 200; ++i) {
    many.Open("file:///open" + std::to_string(i) + ".hlo", ReadFileOrDie(files[static_cast<size_t>(i) % files.size()]),
              ++version);
  }
  for (int i = 0; i < 200; ++i) many.WaitDiagnostics("file:///open" + std::to_string(i) + ".hlo", i + 1);
  report.Figure("resident memory with 200 open files", ResidentMegabytes(many.pid()), "MB", 2000, false);
}

}  // namespace hloscope::bench
