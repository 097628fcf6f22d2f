// SPDX-License-Identifier: Apache-2.0
// Requests about the text of the module and places in it.
#include <stdlib.h>

#include <algorithm>
#include <limits>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "core/analysis/source_frames.h"
#include "core/diagnostics/count_text.h"
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
  if (!text_uri_.empty()) {
    source["path"] = text_uri_;
  } else if (!is_in_file_) {
    source["sourceReference"] = kSourceReference;
  }
  return source;
}

std::string DebugSession::PathFrom(const json& source) const {
  const std::string path = StringOr(source, "path", "");
  if (!text_uri_.empty() && path == text_uri_) return reports::KnownText(*document_).name();
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

// References of places where instructions are written are odd, those of where they come from follow them.
std::optional<int64_t> DebugSession::OriginLocation(InstructionId id) const {
  const Metadata* const metadata = module().MetadataOf(id);
  if (metadata == nullptr) return std::nullopt;
  const std::vector<SourceFrame> frames = SourceFramesOf(module(), *metadata);
  if (frames.empty() || frames[0].line < 1) return std::nullopt;
  return WrittenLocation(id) + 1;
}

absl::StatusOr<json> DebugSession::Locations(const json& arguments) {
  const absl::StatusOr<int64_t> reference = RequiredInteger(arguments, "locationReference");
  if (!reference.ok()) return reference.status();
  if (*reference < 1 || *reference > 2 * static_cast<int64_t>(module().instruction_count())) {
    return absl::NotFoundError(absl::StrCat("there is no location ", *reference));
  }
  const InstructionId id(static_cast<size_t>(*reference - 1) / 2);
  json body = json::object();
  if (*reference % 2 == 1) {
    DescribePlace(id, &body);
    return body;
  }
  const Metadata* const metadata = module().MetadataOf(id);
  const std::vector<SourceFrame> frames =
      metadata == nullptr ? std::vector<SourceFrame>() : SourceFramesOf(module(), *metadata);
  if (frames.empty()) {
    return absl::NotFoundError(absl::StrCat(module().InstructionName(id), " does not say which line it was made from"));
  }
  body["source"] = PathJson(std::string(frames[0].file));
  body["line"] = LineToClient(std::max(frames[0].line, 1) - 1);
  if (frames[0].column > 0) body["column"] = ColumnToClient(frames[0].column - 1);
  return body;
}

json DebugSession::ModuleJson() const {
  return {{"id", 1},
          {"name", std::string(module().name())},
          {"path", RealPath(document_->source().name())},
          {"isUserCode", true},
          {"symbolStatus", CountOf(module().instruction_count(), "instruction")},
          {"computations", static_cast<int64_t>(module().computations().size())},
          {"instructions", static_cast<int64_t>(module().instruction_count())},
          {"devices", timeline().device_count()}};
}

absl::StatusOr<json> DebugSession::Modules(const json& arguments) {
  const bool shown = IntegerOr(arguments, "startModule", 0) <= 0;
  return json{{"modules", shown ? json::array({ModuleJson()}) : json::array()}, {"totalModules", 1}};
}

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
    if (range.empty() || !reports::IsWholeOperation(*document_, InstructionId(i))) continue;
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
