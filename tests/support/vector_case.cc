// SPDX-License-Identifier: Apache-2.0
#include "tests/support/vector_case.h"

#include <unistd.h>

#include <nlohmann/json.hpp>
#include <optional>

#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"
#include "tests/support/shared_files.h"

namespace hloscope {
namespace {

using Json = nlohmann::json;

std::optional<Shape> ReadShape(const Json& json) {
  const std::optional<ElementType> type = ElementTypeFromName(json.value("type", ""));
  if (!type) return std::nullopt;
  return Shape::Array(*type, json.value("shape", std::vector<int64_t>()));
}

std::optional<ComparisonRule> ReadRule(const Json& json) {
  const std::string check = json.value("check", "");
  ComparisonRule rule;
  if (check == "close") {
    rule.check = ComparisonRule::Check::kClose;
    rule.min_ulp = json.value("min_ulp", uint64_t{0});
    rule.max_ulp = json.value("max_ulp", uint64_t{0});
  } else if (check == "almost_eq") {
    rule.check = ComparisonRule::Check::kAlmostEqual;
    rule.tolerance = json.value("tolerance", 0.0);
  } else if (check != "eq") {
    return std::nullopt;
  }
  return rule;
}

}  // namespace

absl::StatusOr<VectorCase> VectorCase::Load(const std::string& directory) {
  const auto bad = [&](absl::string_view what) {
    return absl::InvalidArgumentError(absl::StrCat(directory, "/case.json: ", what));
  };
  const Json json = Json::parse(ReadFileOrDie(directory + "/case.json"), nullptr, /*allow_exceptions=*/false);
  if (!json.is_object()) return bad("not a JSON object");
  VectorCase result;
  result.name = json.value("case", "");
  result.directory = directory;
  result.module_path = directory + "/module.hlo";
  result.replica_count = json.value("num_replicas", int64_t{1});
  result.num_partitions = json.value("num_partitions", int64_t{1});
  for (const Json& parameter : json.value("params", Json::array())) {
    const std::optional<Shape> shape = ReadShape(parameter);
    if (!shape) return bad("a parameter of unknown type");
    result.parameters.push_back({*shape, absl::StrCat(directory, "/", parameter.value("file", ""))});
  }
  for (const Json& expected : json.value("results", Json::array())) {
    const std::optional<Shape> shape = ReadShape(expected);
    const std::optional<ComparisonRule> rule = ReadRule(expected);
    if (!shape || !rule) return bad("a result of unknown type or rule");
    result.results.push_back({*shape, absl::StrCat(directory, "/", expected.value("file", "")), *rule});
  }
  const Json opcodes = json.value("opcodes", Json::object());
  for (const auto& [opcode, count] : opcodes.items()) result.opcodes.push_back(opcode);
  return result;
}

std::string VectorCase::PathOf(const std::string& path, int64_t device) const {
  if (replica_count * num_partitions == 1) return path;
  std::string suffix = absl::StrCat(".r", device / num_partitions);
  if (num_partitions > 1) absl::StrAppend(&suffix, ".p", device % num_partitions);
  const std::string own = absl::StrCat(path.substr(0, path.rfind('.')), suffix, ".npy");
  return access(own.c_str(), F_OK) == 0 ? own : path;
}

}  // namespace hloscope
