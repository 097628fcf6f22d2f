// SPDX-License-Identifier: Apache-2.0
#include "lsp/server/feature_table.h"

#include "absl/container/flat_hash_map.h"

namespace hloscope::lsp {

void ForEachFeature(const std::function<void(const Feature&)>& visit) {
  for (const auto& group :
       {LanguageFeatures(), NavigationFeatures(), DisplayFeatures(), EditingFeatures(), CustomFeatures()}) {
    for (const Feature& feature : group) visit(feature);
  }
}

const Feature* FindFeature(absl::string_view method) {
  static const auto* const kByMethod = [] {
    auto* by_method = new absl::flat_hash_map<absl::string_view, const Feature*>();
    ForEachFeature([&](const Feature& feature) { by_method->emplace(feature.method, &feature); });
    return by_method;
  }();
  const auto found = kByMethod->find(method);
  return found == kByMethod->end() ? nullptr : found->second;
}

}  // namespace hloscope::lsp
