// SPDX-License-Identifier: Apache-2.0
#include "lsp/features/code_lens.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "core/analysis/call_graph.h"
#include "core/analysis/cost.h"
#include "core/diagnostics/count_text.h"
#include "core/print/quantity.h"
#include "core/transform/transform.h"
#include "lsp/features/markdown.h"
#include "lsp/protocol/json.h"
#include "lsp/transport/json_rpc.h"
#include "nlohmann/json.hpp"

namespace hloscope::lsp {
namespace {

using nlohmann::json;
using Kind = protocol::CodeLensKind;

// Callers or users that a lens leads to.
constexpr size_t kMaxPlaces = 50;

void SetCommand(protocol::CodeLens* lens, std::string title, std::string command, const json& arguments) {
  lens->title = std::move(title);
  lens->command = std::move(command);
  lens->arguments = JsonText(arguments);
}

// "3 callers", and where they are.
void ShowPlaces(const DocumentView& view, absl::Span<const InstructionId> instructions, absl::string_view noun,
                protocol::CodeLens* lens) {
  json places = json::array();
  for (size_t i = 0; i < std::min(instructions.size(), kMaxPlaces); ++i)
    places.push_back(ToJson(view.ToLocation(view.document.InstructionRange(instructions[i]))));
  SetCommand(lens, CountOf(instructions.size(), noun), "hloscope.showReferences",
             json::array({view.uri, ToJson(lens->range.start), std::move(places)}));
}

bool HasReshape(const Module& module, ComputationId id) {
  const std::vector<InstructionId>& instructions = module.computation(id).instructions;
  return std::any_of(instructions.begin(), instructions.end(),
                     [&](InstructionId i) { return module.opcode(i) == Opcode::kReshape; });
}

// In a module of thousands of computations, lenses above each fusion and reducer would be half a megabyte after each
// pause in typing.
constexpr size_t kMaxLensedComputations = 500;
bool IsSmallPart(const Module& module, ComputationId id) { return module.computation(id).instructions.size() < 20; }

void AddUserLenses(const DocumentView& view, std::vector<protocol::CodeLens>* lenses) {
  const Module& module = view.module();
  for (size_t i = 0; i < module.instruction_count(); ++i) {
    const Instruction& instruction = module.instruction(InstructionId(i));
    if (!instruction.syntax.has_value() || instruction.synthesized || !instruction.is_named) continue;
    if (view.document.users().users(InstructionId(i)).empty()) continue;
    protocol::CodeLens& lens = lenses->emplace_back();
    lens.range = view.ToRange(view.document.NameRange(InstructionId(i)));
    lens.kind = Kind::kUsers;
    lens.target = static_cast<uint32_t>(i);
  }
}

}  // namespace

std::vector<protocol::CodeLens> ComputeCodeLenses(const DocumentView& view, bool users) {
  const Document& document = view.document;
  const Module& module = view.module();
  std::vector<protocol::CodeLens> lenses;
  const bool is_large = module.computations().size() > kMaxLensedComputations;
  const bool may_rewrite = !document.has_errors() && module.MayHave(Opcode::kReshape);
  for (size_t c = 0; c < module.computations().size(); ++c) {
    const ComputationId id(c);
    if (module.computation(id).is_anonymous) continue;
    const protocol::Range range = view.ToRange(document.ComputationNameRange(id));
    const auto add = [&](Kind kind) -> protocol::CodeLens* {
      protocol::CodeLens& lens = lenses.emplace_back();
      lens.range = range;
      lens.kind = kind;
      lens.target = static_cast<uint32_t>(c);
      return &lens;
    };
    if (id == module.entry() && !document.has_errors()) {
      SetCommand(add(Kind::kRun), "Run", "hloscope.run", json::array({view.uri}));
      SetCommand(add(Kind::kDebug), "Debug", "hloscope.debug", json::array({view.uri}));
    }
    if (id != module.entry() && is_large && IsSmallPart(module, id)) continue;
    if (!document.users().callers(id).empty()) add(Kind::kCallers);
    add(Kind::kCost);
    add(Kind::kGraph);
    if (may_rewrite && HasReshape(module, id)) add(Kind::kRewrites);
  }
  if (users) AddUserLenses(view, &lenses);
  return lenses;
}

ComputationFacts::ComputationFacts() = default;
ComputationFacts::~ComputationFacts() = default;

const CostAnalysis* ComputationFacts::CostOf(const Document& document) {
  if (cost_ == nullptr && !document.has_errors())
    cost_ = std::make_unique<CostAnalysis>(document.module(), CallGraph(document.module()));
  return cost_.get();
}

ComputationFacts::Savings ComputationFacts::SavingsOf(const Document& document, ComputationId computation) {
  if (document.has_errors()) return {};
  if (!savings_.has_value()) {
    savings_.emplace();
    const auto result = TransformModule(document.module(), DefaultPasses(), TransformOptions());
    if (result.ok()) {
      for (const Application& application : result->applications) {
        Savings& savings = (*savings_)[application.computation];
        ++savings.rewrites;
        savings.bytes += application.before.moved_bytes() - application.after.moved_bytes();
      }
    }
  }
  const auto found = savings_->find(std::string(document.module().ComputationName(computation)));
  return found == savings_->end() ? Savings() : found->second;
}

std::string SavingsText(const ComputationFacts::Savings& savings) {
  return absl::StrCat("moves ", ShortBytes(std::max<int64_t>(savings.bytes, 0)), " less (",
                      CountOf(savings.rewrites, "rewrite"), ")");
}

bool ResolveCodeLens(const DocumentView& view, ComputationFacts& facts, protocol::CodeLens* lens) {
  const Document& document = view.document;
  const Module& module = view.module();
  if (lens->kind == Kind::kUsers) {
    if (lens->target >= module.instruction_count()) return false;
    ShowPlaces(view, document.users().users(InstructionId(lens->target)), "user", lens);
    return true;
  }
  if (lens->target >= module.computations().size()) return false;
  const ComputationId id(lens->target);
  const std::string name(module.ComputationName(id));
  switch (lens->kind) {
    case Kind::kCallers:
      ShowPlaces(view, document.users().callers(id), "caller", lens);
      return true;
    case Kind::kCost: {
      std::string text = CountOf(module.computation(id).instructions.size(), "instruction");
      if (const CostAnalysis* cost = facts.CostOf(document)) {
        const Cost& of = cost->Of(id);
        absl::StrAppend(&text, ", ", FlopText(of.flops), ", ", ShortBytes(of.bytes()), " moved");
      }
      SetCommand(lens, std::move(text), "hloscope.showCost", json::array({view.uri, name}));
      return true;
    }
    case Kind::kGraph:
      SetCommand(lens, "Graph", "hloscope.showGraph", json::array({view.uri, name}));
      return true;
    case Kind::kRewrites: {
      const ComputationFacts::Savings savings = facts.SavingsOf(document, id);
      if (savings.rewrites == 0) {
        lens->title = "Nothing to rewrite";
        return true;
      }
      SetCommand(lens, absl::StrCat("Rewrite: ", SavingsText(savings)), "hloscope.rewrite",
                 json::array({view.uri, name}));
      return true;
    }
    case Kind::kRun:
    case Kind::kDebug:
    case Kind::kUsers:
      break;
  }
  return false;
}

}  // namespace hloscope::lsp
