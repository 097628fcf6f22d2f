// SPDX-License-Identifier: Apache-2.0
// `hloscope shard` and `hloscope unshard`: a module for several devices, and for one.
#include "core/sharding/shard.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "cli/arguments.h"
#include "cli/command.h"
#include "cli/input.h"
#include "cli/last_file.h"
#include "cli/module_text.h"
#include "cli/output.h"
#include "cli/prepared_run.h"
#include "core/print/quantity.h"
#include "core/print/sharding_printer.h"
#include "core/sharding/sharding_alternatives.h"
#include "core/sharding/split.h"
#include "core/sharding/unshard.h"

namespace hloscope::cli {
namespace {

constexpr OptionSpec kShardOptions[] = {
    {"partitions", OptionKind::kValue, "N", "for how many devices (as the header or the shardings say)"},
    {"sharding", OptionKind::kValue, "N=SHARDING",
     "how parameter N is cut, as a text writes it: 0={devices=[4,1]<=[4]}; repeatable"},
    {"alternatives", OptionKind::kValue, "KIND:SIZES",
     "instead of the module, say what another sharding of a parameter would save in communication on a topology"},
    {"output", OptionKind::kValue, "FILE", "write the module to a file"},
};
constexpr OptionSpec kUnshardOptions[] = {
    {"output", OptionKind::kValue, "FILE", "write the module to a file"},
};

// "0={devices=[4,1]<=[4]}" for a parameter of the module. Error InvalidArgument.
absl::Status ReadSharding(const Module& module, const std::string& text, ShardOptions* options) {
  const std::pair<std::string, std::string> parts = absl::StrSplit(text, absl::MaxSplits('=', 1));
  const std::vector<InstructionId>& parameters = module.computation(module.entry()).parameters;
  int64_t number = 0;
  if (!absl::SimpleAtoi(parts.first, &number) || number < 0 || static_cast<size_t>(number) >= parameters.size()) {
    return absl::InvalidArgumentError(absl::StrCat("--sharding=", text, ": the entry computation has parameters 0 to ",
                                                   static_cast<int64_t>(parameters.size()) - 1));
  }
  const Shape& shape = module.shape(parameters[static_cast<size_t>(number)]);
  const auto probe = Document::Parse(
      SourceText::FromString("--sharding", absl::StrCat("ENTRY e {\n  ROOT p = ", shape.ToString(false),
                                                        " parameter(0), sharding=", parts.second, "\n}\n")));
  const ComputationId entry = probe->module().entry();
  const Sharding* const sharding =
      probe->has_errors() ? nullptr : probe->module().ShardingAttribute(probe->module().computation(entry).root);
  if (sharding == nullptr) {
    std::string why;
    for (const Diagnostic& diagnostic : probe->diagnostics()) {
      why = diagnostic.Message();
      break;
    }
    return absl::InvalidArgumentError(absl::StrCat("--sharding=", text, ": ", why.empty() ? "no sharding" : why));
  }
  options->parameters[number] = *sharding;
  return absl::OkStatus();
}

int WriteModule(const Arguments& arguments, const Document& document, const absl::StatusOr<Module>& made) {
  if (!made.ok()) {
    return ReportStatus(made.status());
  }
  const std::optional<std::string> text = CheckedModuleText(*made, document, /*explain=*/true);
  if (!text) {
    WriteError("hloscope: the module that was made has errors; this is a bug in hloscope, please report it\n");
    return kExitBadInput;
  }
  const auto path = arguments.Value("output");
  if (!path) {
    WriteOutput(*text);
    return kExitGood;
  }
  if (const absl::Status status = WriteLastFile(*path, *text); !status.ok()) {
    return ReportStatus(status);
  }
  return kExitGood;
}

std::string CostText(const ShardedCost& cost) {
  return absl::StrCat(SecondsText(cost.seconds), " of communication, ",
                      BytesText(static_cast<int64_t>(cost.sent_bytes)), " over the links, ",
                      BytesText(cost.parameter_bytes), " of parameters on each device");
}

int PrintAlternatives(const Module& module, const ShardOptions& options, const Topology& topology) {
  const absl::StatusOr<ShardingAlternatives> found = FindShardingAlternatives(module, options, topology);
  if (!found.ok()) {
    return ReportStatus(found.status());
  }
  std::string text =
      absl::StrCat("On ", found->devices, " devices of ", topology.name(), ": ", CostText(found->now), "\n");
  for (const ShardingAlternative& one : found->better) {
    const InstructionId parameter = module.computation(module.entry()).parameters[static_cast<size_t>(one.parameter)];
    std::string sharding;
    AppendSharding(module, one.sharding, /*with_metadata=*/false, &sharding);
    absl::StrAppend(&text, "  --sharding='", one.parameter, "=", sharding, "' saves ",
                    SecondsText(found->now.seconds - one.cost.seconds), ": `", module.InstructionName(parameter), "` ",
                    module.shape(parameter).ToString(false), "; then ", CostText(one.cost), "\n");
  }
  if (found->now.seconds <= 0) {
    WriteOutput(absl::StrCat(text, "  nothing is sent: no other sharding of a parameter takes less\n"));
    return kExitGood;
  }
  absl::StrAppend(&text, found->better.empty() ? "  no other sharding of one parameter takes less, of " : "  of ",
                  found->tried, found->all_tried ? "" : " (the first ones)", " that were tried\n");
  WriteOutput(text);
  return kExitGood;
}

int RunShard(const Arguments& arguments) {
  const absl::StatusOr<int64_t> partitions = arguments.Int("partitions", 0, 1, kMostPartitions);
  if (!partitions.ok()) return UsageError(arguments.command(), partitions.status().message());
  if (const auto color = ErrorRenderOptions(arguments); !color.ok()) {
    return UsageError(arguments.command(), color.status().message());
  }
  std::optional<Topology> topology;
  if (const std::optional<std::string> text = arguments.Value("alternatives")) {
    absl::StatusOr<Topology> parsed = Topology::Parse(*text);
    if (!parsed.ok()) return UsageError(arguments.command(), parsed.status().message());
    if (arguments.Has("output"))
      return UsageError(arguments.command(), "--alternatives writes no module: leave out --output");
    topology = *std::move(parsed);
  }
  const std::shared_ptr<const Document> document = OpenDocument(arguments, arguments.operands()[0]);
  if (document == nullptr) return StatusOfReading();
  ShardOptions options;
  if (arguments.Has("partitions")) options.partitions = *partitions;
  for (const std::string& text : arguments.Values("sharding")) {
    if (const absl::Status status = ReadSharding(document->module(), text, &options); !status.ok()) {
      return UsageError(arguments.command(), status.message());
    }
  }
  if (topology.has_value()) return PrintAlternatives(document->module(), options, *topology);
  return WriteModule(arguments, *document, ShardModule(document->module(), options));
}

int RunUnshard(const Arguments& arguments) {
  if (const auto color = ErrorRenderOptions(arguments); !color.ok()) {
    return UsageError(arguments.command(), color.status().message());
  }
  const std::shared_ptr<const Document> document = OpenDocument(arguments, arguments.operands()[0]);
  if (document == nullptr) return StatusOfReading();
  return WriteModule(arguments, *document, UnshardModule(document->module()));
}

}  // namespace

const Command& ShardCommand() {
  static constexpr Command kCommand = {
      "shard",
      "FILE",
      "a module for one device made into one for several",
      "Prints the module that every device runs: shardings of parameters, instructions and the root are taken as they\n"
      "are written or given; elementwise operations, broadcasts, transposes, reshapes, reductions, products and what\n"
      "leaves a dimension alone work on tiles, and so do loops, conditionals and calls; for everything else arrays "
      "are\n"
      "gathered first. Tiles of a dimension that is no multiple of them have padding. `hloscope run --devices=N` runs\n"
      "the result, `hloscope cost --topology` says what its collectives take, --alternatives which sharding of a\n"
      "parameter would take less.",
      kShardOptions,
      1,
      1,
      RunShard};
  return kCommand;
}

const Command& UnshardCommand() {
  static constexpr Command kCommand = {
      "unshard",
      "FILE",
      "a module for several devices made into one for one",
      "Prints a module that computes the same on one device. Parameters with tiled shardings become whole arrays; "
      "where\n"
      "devices compute what is no tile of one array, the instruction is named and no module is printed.",
      kUnshardOptions,
      1,
      1,
      RunUnshard};
  return kCommand;
}

}  // namespace hloscope::cli
