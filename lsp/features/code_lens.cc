#include "lsp/features/code_lens.h"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "core/analysis/call_graph.h"
#include "core/analysis/cost.h"
#include "lsp/features/markdown.h"
#include "lsp/protocol/json.h"
#include "lsp/transport/json_rpc.h"
#include "nlohmann/json.hpp"

namespace hloscope::lsp {
namespace {

using nlohmann::json;

// Callers that a lens leads to.
constexpr size_t kMaxCallers = 50;

std::string FlopText(int64_t flops) {
  double value = static_cast<double>(flops);
  for (absl::string_view unit : {"", "k", "M", "G", "T"}) {
    if (value < 1000) return absl::StrFormat("%.4g %sFLOP", value, unit);
    value /= 1000;
  }
  return absl::StrFormat("%.4g PFLOP", value);
}

}  // namespace

std::vector<protocol::CodeLens> ComputeCodeLenses(const DocumentView& view) {
  const Document& document = view.document;
  const Module& module = view.module();
  std::vector<protocol::CodeLens> lenses;
  std::optional<CostAnalysis> cost;
  if (!document.has_errors()) cost.emplace(module, CallGraph(module));
  for (size_t c = 0; c < module.computations().size(); ++c) {
    const ComputationId id(c);
    if (module.computation(id).is_anonymous) continue;
    const protocol::Range range = view.ToRange(document.ComputationNameRange(id));
    const std::string name(module.ComputationName(id));
    const auto add = [&](std::string title, std::string command, const json& arguments) {
      lenses.push_back({range, std::move(title), std::move(command), JsonText(arguments)});
    };
    if (id == module.entry() && !document.has_errors()) {
      add("Run", "hloscope.run", json::array({view.uri}));
      add("Debug", "hloscope.debug", json::array({view.uri}));
    }
    if (const auto callers = document.users().callers(id); !callers.empty()) {
      json places = json::array();
      for (size_t i = 0; i < std::min(callers.size(), kMaxCallers); ++i)
        places.push_back(ToJson(view.ToLocation(document.InstructionRange(callers[i]))));
      add(absl::StrCat(callers.size(), callers.size() == 1 ? " caller" : " callers"), "hloscope.showReferences",
          json::array({view.uri, ToJson(range.start), std::move(places)}));
    }
    const size_t count = module.computation(id).instructions.size();
    std::string facts = absl::StrCat(count, count == 1 ? " instruction" : " instructions");
    if (cost.has_value()) {
      const Cost& of = cost->Of(id);
      absl::StrAppend(&facts, ", ", FlopText(of.flops), ", ", ShortBytes(of.bytes()), " moved");
    }
    add(std::move(facts), "hloscope.showCost", json::array({view.uri, name}));
    add("Graph", "hloscope.showGraph", json::array({view.uri, name}));
  }
  return lenses;
}

}  // namespace hloscope::lsp
