// SPDX-License-Identifier: Apache-2.0
#include "cli/diagnostics_json.h"

#include <utility>

#include "core/diagnostics/render.h"
#include "nlohmann/json.hpp"

namespace hloscope::cli {
namespace {

using Json = nlohmann::ordered_json;

Json PositionToJson(const SourceText& source, uint32_t offset) {
  const LineColumn position = HumanPosition(source, offset);
  return {{"line", position.line}, {"column", position.column}, {"offset", offset}};
}

Json RangeToJson(const SourceText& source, SourceRange range) {
  return {{"begin", PositionToJson(source, range.begin)}, {"end", PositionToJson(source, range.end)}};
}

}  // namespace

nlohmann::ordered_json DiagnosticToJson(const SourceText& source, const Diagnostic& diagnostic) {
  Json json = {{"severity", std::string(SeverityName(diagnostic.severity))},
               {"code", std::string(diagnostic.code())},
               {"message", diagnostic.Message()},
               {"range", RangeToJson(source, diagnostic.range)}};
  if (!diagnostic.related.empty()) {
    Json related = Json::array();
    for (const RelatedLocation& place : diagnostic.related) {
      related.push_back({{"message", place.message}, {"range", RangeToJson(source, place.range)}});
    }
    json["related"] = std::move(related);
  }
  if (!diagnostic.fixes.empty()) {
    Json fixes = Json::array();
    for (const FixIt& fix : diagnostic.fixes) {
      Json edits = Json::array();
      for (const FixIt::Edit& edit : fix.edits) {
        edits.push_back({{"range", RangeToJson(source, edit.range)}, {"replacement", edit.replacement}});
      }
      fixes.push_back({{"title", fix.title}, {"edits", std::move(edits)}});
    }
    json["fixes"] = std::move(fixes);
  }
  return json;
}

std::string DumpJson(const nlohmann::ordered_json& json) {
  // ASCII: some of the other characters move the cursor of a terminal, or turn the direction of writing.
  return json.dump(2, ' ', true, Json::error_handler_t::replace) + "\n";
}

}  // namespace hloscope::cli
