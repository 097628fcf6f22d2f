// SPDX-License-Identifier: Apache-2.0
#include "stablehlo/operation_table.h"

#include "absl/container/flat_hash_map.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "core/diagnostics/suggestions.h"

namespace hloscope::stablehlo {
namespace {

constexpr OperationInfo kOperations[] = {
#define STABLEHLO_OPERATION(dialect, name, form, results, attributes) \
  {dialect, name, OperationForm::k##form, results, attributes},
#include "stablehlo/operations.def"
};

}  // namespace

absl::Span<const OperationInfo> AllOperations() { return kOperations; }

const OwnAttributes& AttributesOf(const OperationInfo& info) {
  static const auto& table = *[] {
    auto* const lists = new std::vector<OwnAttributes>;
    for (const OperationInfo& operation : kOperations) {
      OwnAttributes& own = lists->emplace_back();
      for (absl::string_view name : absl::StrSplit(operation.attributes, ' ', absl::SkipEmpty())) {
        const bool is_required = absl::ConsumeSuffix(&name, "*");
        own.all.push_back(name);
        if (is_required) own.required.push_back(name);
      }
    }
    return lists;
  }();
  return table[static_cast<size_t>(&info - kOperations)];
}

const OperationInfo* FindOperation(absl::string_view dialect, absl::string_view name) {
  static const auto& table = *[] {
    auto* const map = new absl::flat_hash_map<std::pair<absl::string_view, absl::string_view>, const OperationInfo*>;
    for (const OperationInfo& info : kOperations) map->emplace(std::make_pair(info.dialect, info.name), &info);
    return map;
  }();
  const auto found = table.find(std::make_pair(dialect, name));
  return found == table.end() ? nullptr : found->second;
}

std::string SuggestOperation(absl::string_view dialect, absl::string_view name) {
  std::vector<absl::string_view> names;
  for (const OperationInfo& info : kOperations) {
    if (info.dialect == dialect) names.push_back(info.name);
  }
  const absl::string_view nearest = NearestName(name, names);
  return nearest.empty() ? "" : absl::StrCat("; did you mean `", dialect, ".", nearest, "`?");
}

}  // namespace hloscope::stablehlo
