// SPDX-License-Identifier: Apache-2.0
#include "lsp/server/settings.h"

#include <algorithm>
#include <initializer_list>
#include <utility>

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
  if (const nlohmann::json* roots = FindPath(from, {"sourceRoots"}); roots != nullptr && !roots->is_null()) {
    std::vector<std::string> names;
    bool good = roots->is_array();
    for (size_t i = 0; good && i < roots->size(); ++i) {
      const auto* name = (*roots)[i].get_ptr<const nlohmann::json::string_t*>();
      good = name != nullptr && !name->empty();
      if (good) names.push_back(*name);
    }
    if (good) {
      base.source_roots = std::move(names);
    } else {
      problems->push_back(Problem({"sourceRoots"}, "is a list of folders and of OLD=NEW", *roots));
    }
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
