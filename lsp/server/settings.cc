// SPDX-License-Identifier: Apache-2.0
#include "lsp/server/settings.h"

#include <algorithm>
#include <initializer_list>
#include <optional>
#include <utility>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "lsp/protocol/json.h"
#include "lsp/transport/json_rpc.h"
#include "nlohmann/json.hpp"

namespace hloscope::lsp {
namespace {

constexpr double kMebibyte = 1 << 20;

std::string Problem(std::initializer_list<absl::string_view> path, absl::string_view expected,
                    const nlohmann::json& value) {
  constexpr size_t kShown = 60;
  return absl::StrCat("The setting hloscope.", absl::StrJoin(path, "."), " ", expected, ", not ",
                      JsonText(value).substr(0, kShown), "; it stays as it was.");
}

// All of them or none.
void ReadShapes(const std::vector<std::string>& texts, stablehlo::ImportOptions* program,
                std::vector<std::string>* problems) {
  std::vector<stablehlo::ArgumentShape> shapes;
  for (const std::string& text : texts) {
    absl::StatusOr<stablehlo::ArgumentShape> shape = stablehlo::ParseArgumentShape(text);
    if (!shape.ok()) {
      problems->push_back(
          absl::StrCat("The setting hloscope.shapes: ", shape.status().message(), "; it stays as it was."));
      return;
    }
    shapes.push_back(*std::move(shape));
  }
  program->shapes = std::move(shapes);
}

}  // namespace

Settings ReadSettings(const nlohmann::json& options, Settings base, std::vector<std::string>* problems) {
  const nlohmann::json* inner = FindPath(options, {"hloscope"});
  const nlohmann::json& from = inner != nullptr ? *inner : options;
  const auto read = [&](std::initializer_list<absl::string_view> path, bool* target) {
    const nlohmann::json* value = FindPath(from, path);
    if (value == nullptr || value->is_null()) return;
    if (value->is_boolean()) {
      *target = *value == true;
    } else {
      problems->push_back(Problem(path, "is true or false", *value));
    }
  };
  read({"layoutSensitive"}, &base.document.verify.layout_sensitive);
  read({"allowMixedPrecision"}, &base.document.verify.allow_mixed_precision);
  read({"inlayHints", "inferredShapes"}, &base.inlay_hints.inferred_shapes);
  read({"inlayHints", "operandNames"}, &base.inlay_hints.operand_names);
  read({"inlayHints", "operandShapes"}, &base.inlay_hints.operand_shapes);
  read({"inlayHints", "bytes"}, &base.inlay_hints.bytes);
  read({"codeLenses"}, &base.code_lenses);
  read({"userLenses"}, &base.user_lenses);
  read({"workspaceDiagnostics"}, &base.workspace_diagnostics);
  // A list of texts; nothing if there is none.
  const auto read_list = [&](absl::string_view name, absl::string_view expected) {
    std::optional<std::vector<std::string>> texts;
    const nlohmann::json* value = FindPath(from, {name});
    if (value == nullptr || value->is_null()) return texts;
    bool good = value->is_array();
    texts.emplace();
    for (size_t i = 0; good && i < value->size(); ++i) {
      const auto* text = (*value)[i].get_ptr<const nlohmann::json::string_t*>();
      good = text != nullptr && !text->empty();
      if (good) texts->push_back(*text);
    }
    if (good) return texts;
    problems->push_back(Problem({name}, expected, *value));
    texts.reset();
    return texts;
  };
  if (auto roots = read_list("sourceRoots", "is a list of folders and of OLD=NEW"))
    base.source_roots = *std::move(roots);
  if (const auto shapes = read_list("shapes", "is a list of ARGUMENT=SIZES such as \"0=3x4\"")) {
    ReadShapes(*shapes, &base.program, problems);
  }
  base.module_scheme = FindString(from, {"moduleScheme"}).value_or(base.module_scheme);
  const auto read_number = [&](absl::string_view name, double least, double most, double* target) {
    const nlohmann::json* value = FindPath(from, {"evaluation", name});
    if (value == nullptr || value->is_null()) return;
    if (value->is_number() && value->get<double>() >= least && value->get<double>() <= most) {
      *target = value->get<double>();
    } else {
      problems->push_back(
          Problem({"evaluation", name}, absl::StrCat("is a number from ", least, " to ", most), *value));
    }
  };
  read_number("timeLimit", 0.1, 1e6, &base.evaluation.seconds);
  base.tokens_of_whole_text_bytes =
      FindInt(from, {"semanticTokens", "wholeTextLimit"}).value_or(base.tokens_of_whole_text_bytes);
  double mebibytes = static_cast<double>(base.evaluation.bytes) / kMebibyte;
  read_number("memoryLimit", 0, 1e9, &mebibytes);
  base.evaluation.bytes = static_cast<int64_t>(mebibytes * kMebibyte);
  return base;
}

}  // namespace hloscope::lsp
