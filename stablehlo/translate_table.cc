// SPDX-License-Identifier: Apache-2.0
#include "absl/strings/match.h"
#include "stablehlo/translator.h"

namespace hloscope::stablehlo {

Translator::Handler Translator::FindHandler(absl::string_view dialect, absl::string_view name) {
  static constexpr HandlerRow kRows[] = {
#define HLO_HANDLER(dialect, operation, Method) {dialect, operation, &Translator::Translate##Method},
#include "stablehlo/handlers.def"
  };
  static const auto& table = *[] {
    auto* const map = new absl::flat_hash_map<std::pair<absl::string_view, absl::string_view>, Handler>;
    for (const HandlerRow& row : kRows) map->emplace(std::make_pair(row.dialect, row.name), row.handler);
    return map;
  }();
  const auto found = table.find(std::make_pair(dialect, name));
  if (found != table.end()) return found->second;
  if (dialect != "chlo") return nullptr;
  return absl::StartsWith(name, "broadcast_") ? &Translator::TranslateBroadcasting : &Translator::TranslateChlo;
}

}  // namespace hloscope::stablehlo
