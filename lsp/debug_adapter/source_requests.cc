// Requests about the text of the module and places in it.
#include <stdlib.h>

#include <algorithm>
#include <limits>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "core/print/printer.h"
#include "lsp/debug_adapter/debug_session.h"
#include "lsp/debug_adapter/request_arguments.h"
#include "lsp/protocol/file_uri.h"
#include "nlohmann/json.hpp"
#include "reports/text_places.h"

namespace hloscope::dap {
namespace {

using nlohmann::json;

constexpr int64_t kMostInstructions = 10000;
constexpr int64_t kSourceReference = 1;

// The path without links and detours, if the file is there.
std::string RealPath(const std::string& path) {
  char* const real = ::realpath(path.c_str(), nullptr);
  std::string result = real == nullptr ? path : std::string(real);
  ::free(real);
  return result;
}

}  // namespace

json DebugSession::PathJson(const std::string& path) const {
  return {{"name", std::string(lsp::FileName(path))}, {"path", client_.uris ? absl::StrCat("file://", path) : path}};
}

json DebugSession::SourceJson() const {
  json source = PathJson(RealPath(reports::KnownText(*document_).name()));
  // The text of a proto is in no file.
  if (!is_in_file_) source["sourceReference"] = kSourceReference;
  return source;
}

std::string DebugSession::PathFrom(const json& source) const {
  const std::string path = StringOr(source, "path", "");
  return absl::StartsWith(path, "file:") ? lsp::PathFromUri(path).value_or(path) : path;
}

bool DebugSession::IsProgram(absl::string_view path) const {
  return RealPath(std::string(path)) == RealPath(reports::KnownText(*document_).name());
}

void DebugSession::DescribePlace(InstructionId id, json* out) const {
  const SourceText& source = reports::KnownText(*document_);
  const SourceRange range = reports::KnownRange(*document_, id);
  const LineColumn begin = source.LineColumnAt(range.begin, ColumnUnit::kUtf16);
  const LineColumn end = source.LineColumnAt(range.end, ColumnUnit::kUtf16);
  (*out)["source"] = SourceJson();
  (*out)["line"] = LineToClient(begin.line);
  (*out)["column"] = ColumnToClient(begin.column);
  (*out)["endLine"] = LineToClient(end.line);
  (*out)["endColumn"] = ColumnToClient(end.column);
}

absl::StatusOr<json> DebugSession::Source(const json& arguments) {
  const json* const source = Member(arguments, "source");
  if (source != nullptr && Member(*source, "path") != nullptr && !IsProgram(PathFrom(*source))) {
    return absl::NotFoundError(absl::StrCat(PathFrom(*source), " is not the module that is debugged"));
  }
  const bool is_program = document_->source().origin() != nullptr;
  return json{{"content", std::string(reports::KnownText(*document_).text())},
              {"mimeType", is_program ? "text/x-mlir" : "text/x-hlo"}};
}

absl::StatusOr<json> DebugSession::LoadedSources(const json&) { return json{{"sources", json::array({SourceJson()})}}; }

absl::StatusOr<json> DebugSession::BreakpointLocations(const json& arguments) {
  const absl::StatusOr<int64_t> line = RequiredInteger(arguments, "line");
  if (!line.ok()) return line.status();
  json list = json::array();
  const json* const source = Member(arguments, "source");
  if (source == nullptr || !IsProgram(PathFrom(*source))) return json{{"breakpoints", std::move(list)}};
  const SourceText& text = reports::KnownText(*document_);
  const int64_t first = LineFromClient(*line);
  const int64_t last = LineFromClient(IntegerOr(arguments, "endLine", *line));
  const int64_t from_column = IntegerOr(arguments, "column", ColumnToClient(0));
  const int64_t to_column = IntegerOr(arguments, "endColumn", std::numeric_limits<int64_t>::max());
  std::vector<std::pair<LineColumn, LineColumn>> places;
  for (size_t i = 0; i < module().instruction_count(); ++i) {
    const SourceRange range = reports::KnownRange(*document_, InstructionId(i));
    if (range.size() == 0 || !reports::IsWholeOperation(*document_, InstructionId(i))) continue;
    const LineColumn begin = text.LineColumnAt(range.begin, ColumnUnit::kUtf16);
    if (begin.line < first || begin.line > last) continue;
    const int64_t column = ColumnToClient(begin.column);
    if ((begin.line == first && column < from_column) || (begin.line == last && column > to_column)) continue;
    places.emplace_back(begin, text.LineColumnAt(range.end, ColumnUnit::kUtf16));
  }
  std::sort(places.begin(), places.end(), [](const auto& a, const auto& b) {
    return std::pair(a.first.line, a.first.column) < std::pair(b.first.line, b.first.column);
  });
  for (const auto& [begin, end] : places) {
    list.push_back({{"line", LineToClient(begin.line)},
                    {"column", ColumnToClient(begin.column)},
                    {"endLine", LineToClient(end.line)},
                    {"endColumn", ColumnToClient(end.column)}});
  }
  return json{{"breakpoints", std::move(list)}};
}

absl::StatusOr<json> DebugSession::Disassemble(const json& arguments) {
  const absl::StatusOr<std::string> reference = RequiredString(arguments, "memoryReference");
  if (!reference.ok()) return reference.status();
  const absl::StatusOr<int64_t> count = RequiredInteger(arguments, "instructionCount");
  if (!count.ok()) return count.status();
  if (*count < 0 || *count > kMostInstructions) {
    return absl::InvalidArgumentError(absl::StrCat("`instructionCount` is a number from 0 to ", kMostInstructions));
  }
  const absl::StatusOr<InstructionId> start = InstructionFromReference(module(), *reference, 0);
  if (!start.ok()) return start.status();
  int64_t first = 0;
  if (__builtin_add_overflow(static_cast<int64_t>(start->index()), IntegerOr(arguments, "offset", 0), &first) ||
      __builtin_add_overflow(first, IntegerOr(arguments, "instructionOffset", 0), &first)) {
    return absl::InvalidArgumentError("the offsets are too large");
  }
  json list = json::array();
  PrintOptions options = PrintOptions::Short();
  options.metadata = options.backend_config = false;
  for (int64_t i = first; i - first < *count; ++i) {
    // The protocol wants as many as were asked for; those outside of the module are marked.
    if (i < 0 || i >= static_cast<int64_t>(module().instruction_count())) {
      list.push_back({{"address", "0x0"}, {"instruction", ""}, {"presentationHint", "invalid"}});
      continue;
    }
    const InstructionId id(static_cast<size_t>(i));
    json place;
    DescribePlace(id, &place);
    list.push_back({{"address", InstructionReference(id)},
                    {"instruction", PrintInstruction(module(), id, options)},
                    {"symbol", absl::StrCat(module().ComputationName(module().instruction(id).computation),
                                            "::", module().InstructionName(id))},
                    {"location", place["source"]},
                    {"line", place["line"]},
                    {"column", place["column"]},
                    {"endLine", place["endLine"]},
                    {"endColumn", place["endColumn"]}});
  }
  return json{{"instructions", std::move(list)}};
}

}  // namespace hloscope::dap
