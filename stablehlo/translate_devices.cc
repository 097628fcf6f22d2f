// SPDX-License-Identifier: Apache-2.0
// Collectives, asynchronous operations, transfers between device and host.
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_replace.h"
#include "stablehlo/layouts.h"
#include "stablehlo/translator.h"

namespace hloscope::stablehlo {

// Operands of a collective of several arrays, which XLA puts into a tuple and takes out again.
std::vector<HloRef> Translator::Regrouped(Site& site) {
  if (site.operands.size() < 2) return site.operands;
  const HloRef tuple = TupleOf(site, site.operands);
  std::vector<HloRef> elements;
  for (size_t k = 0; k < site.operands.size(); ++k) elements.push_back(Element(site, tuple, static_cast<int64_t>(k)));
  return elements;
}

// Channel, groups, dimensions and computation of all_gather, all_reduce and collective_permute. Nothing if the
// computation could not be made, which was reported.
std::optional<std::string> Translator::CollectiveText(Site& site) {
  const Operation& op = site.op;
  const std::string channel = ChannelText(op);
  if (op.short_name == "collective_permute") {
    return absl::StrCat(channel, ", source_target_pairs=", PairsText(op, "source_target_pairs"));
  }
  const std::string ids = Flag(op, "use_global_device_ids") ? ", use_global_device_ids=true" : "";
  if (op.short_name == "all_gather") {
    return absl::StrCat(channel, GroupsText(op), ", dimensions={", Integer(op, "all_gather_dim", 0), "}", ids);
  }
  if (!NeedsRegions(site, 1)) return std::nullopt;
  const std::string computation = ReducerComputation(site, *op.regions[0]);
  if (computation.empty()) return std::nullopt;
  return absl::StrCat(channel, GroupsText(op), ids, ", to_apply=%", computation);
}

bool Translator::TranslateAllGather(Site& site) {
  return DefineAll(site, "all-gather", Regrouped(site), *CollectiveText(site));
}

bool Translator::TranslateAllReduce(Site& site) {
  const std::optional<std::string> text = CollectiveText(site);
  return text.has_value() && DefineAll(site, "all-reduce", Regrouped(site), *text);
}

// Of each operand its own array form. Splitting and concatenating along different dimensions is a reshape that makes
// the parts a dimension, and a transpose that moves it.
bool Translator::TranslateAllToAll(Site& site) {
  const int64_t split = Integer(site.op, "split_dimension", 0), concat = Integer(site.op, "concat_dimension", 0);
  const int64_t count = Integer(site.op, "split_count", 1);
  if (!NeedsResults(site, site.operands.size())) return false;
  const std::string text =
      absl::StrCat(ChannelText(site.op), GroupsText(site.op), ", dimensions={", split, "}", CommonAttributes(site.op));
  for (size_t k = 0; k < site.operands.size(); ++k) {
    const HloRef operand = site.operands[k];
    const int64_t rank = operand->shape.rank();
    if (split < 0 || split >= rank || concat < 0 || concat >= rank || count < 1 ||
        operand->shape.dimension(split) % count != 0) {
      return Fail(site.op, DiagnosticKind::kShloAttribute,
                  absl::StrCat("split_dimension ", split, ", concat_dimension ", concat, " and split_count ", count,
                               " do not fit ", operand->shape.ToString(false)));
    }
    const bool is_plain = split == concat;
    HloRef made = Emit(site, "all-to-all", operand->shape, {operand}, text,
                       is_plain ? TextOrigin::Role::kResult : TextOrigin::Role::kPart);
    if (!is_plain) {
      std::vector<int64_t> sizes(operand->shape.dimensions().begin(), operand->shape.dimensions().end());
      sizes[static_cast<size_t>(split)] /= count;
      sizes.insert(sizes.begin() + split, count);
      const ElementType type = operand->shape.element_type();
      made = Emit(site, "reshape", Shape::Array(type, sizes), {made});
      std::vector<int64_t> order, moved;
      for (int64_t d = 0; d <= rank; ++d) {
        if (d == split) continue;
        const int64_t original = d > split ? d - 1 : d;
        if (original == concat) order.push_back(split);
        order.push_back(d);
      }
      for (const int64_t d : order) moved.push_back(sizes[static_cast<size_t>(d)]);
      made =
          Emit(site, "transpose", Shape::Array(type, moved), {made}, absl::StrCat(", dimensions=", BracedList(order)));
      made = Emit(site, "reshape", site.op.results[k]->type->shape, {made}, "", TextOrigin::Role::kResult);
    }
    SetResult(site, k, made);
  }
  return true;
}

// The custom call that stands for it, whose configuration is a dictionary.
bool Translator::TranslateRaggedAllToAll(Site& site) {
  const AttributeValue* config = site.op.Find("mhlo.backend_config");
  if (config == nullptr) config = site.op.Find("backend_config");
  const AttributeValue* const channel = config == nullptr ? nullptr : config->Find("channel_id");
  return NeedsOperands(site, 6) &&
         Define(site, "ragged-all-to-all", site.operands,
                absl::StrCat(
                    channel == nullptr || channel->integer <= 0 ? "" : absl::StrCat(", channel_id=", channel->integer),
                    GroupsText(config == nullptr ? nullptr : config->Find("replica_groups"))));
}

bool Translator::TranslateReduceScatter(Site& site) {
  if (!NeedsRegions(site, 1)) return false;
  const std::string computation = ReducerComputation(site, *site.op.regions[0]);
  if (computation.empty()) return false;
  return Define(site, "reduce-scatter", site.operands,
                absl::StrCat(ChannelText(site.op), GroupsText(site.op),
                             Flag(site.op, "use_global_device_ids") ? ", use_global_device_ids=true" : "",
                             ", dimensions={", Integer(site.op, "scatter_dimension", 0), "}, to_apply=%", computation));
}

// collective_broadcast and collective_permute.
bool Translator::TranslateCollective(Site& site) {
  if (site.op.short_name == "collective_permute") {
    return DefineAll(site, "collective-permute", site.operands, *CollectiveText(site));
  }
  return DefineAll(site, "collective-broadcast", Regrouped(site),
                   absl::StrCat(ChannelText(site.op), GroupsText(site.op),
                                Flag(site.op, "has_dynamic_root") ? ", has_dynamic_root=true" : ""));
}

std::string Translator::SumComputation(const Operation& op, ElementType type) {
  const int number = next_region_++;
  Frame frame(*this);
  const HloPlace place = {op.range, TextOrigin::Role::kImplied, ""};
  const Shape scalar = Shape::Scalar(type);
  const HloRef a = frame.body.AddWithText(place, "Arg_0", "parameter", scalar, "0", "");
  const HloRef b = frame.body.AddWithText(place, "Arg_1", "parameter", scalar, "1", "");
  return FinishRegion(frame, frame.body.Add(place, "add", "add", scalar, {a, b}), number);
}

// The old form of an all_reduce that adds.
bool Translator::TranslateCrossReplicaSum(Site& site) {
  if (!NeedsOperands(site, 1)) return false;
  const std::string computation = SumComputation(site.op, site.operands[0]->shape.element_type());
  return Define(site, "all-reduce", site.operands, absl::StrCat(GroupsText(site.op), ", to_apply=%", computation));
}

namespace {

// The collective that is all the region of an async_start does, if HLO has a start of it; else null.
const Operation* StartedCollective(const Operation& start) {
  if (start.short_name != "async_start" || start.operands.size() != 1 || start.regions.size() != 1) return nullptr;
  const Region& region = *start.regions[0];
  if (region.operations.size() != 2 || region.arguments.size() != 1) return nullptr;
  const Operation &first = *region.operations[0], &last = *region.operations[1];
  const bool is_known =
      first.short_name == "all_gather" || first.short_name == "all_reduce" || first.short_name == "collective_permute";
  const bool passes_on = first.operands.size() == 1 && first.operands[0].value == region.arguments[0] &&
                         first.results.size() == 1 && last.operands.size() == 1 &&
                         last.operands[0].value == first.results[0];
  return is_known && passes_on && !first.is_broken ? &first : nullptr;
}

std::string OpcodeOf(const Operation& op, absl::string_view suffix) {
  return absl::StrCat(absl::StrReplaceAll(op.short_name, {{"_", "-"}}), suffix);
}

}  // namespace

// A collective has a start of its own; any other region is a computation that is run asynchronously.
bool Translator::TranslateAsyncStart(Site& site) {
  if (!NeedsRegions(site, 1) || !NeedsResults(site, 1)) return false;
  const Region& region = *site.op.regions[0];
  if (const Operation* const collective = StartedCollective(site.op); collective != nullptr) {
    Site inner{*collective, site.frame, site.operands};
    const std::optional<std::string> text = CollectiveText(inner);
    if (!text.has_value()) return false;
    const Shape result = collective->results[0]->type->shape;
    const bool is_reduction = collective->short_name == "all_reduce";
    SetResult(site, 0,
              Emit(site, OpcodeOf(*collective, "-start"),
                   is_reduction ? result : Shape::Tuple({site.operands[0]->shape, result}), site.operands,
                   absl::StrCat(*text, CommonAttributes(site.op)), TextOrigin::Role::kResult));
    return true;
  }
  const std::string computation = ReducerComputation(site, region);
  if (computation.empty()) return false;
  std::vector<Shape> inputs;
  for (const HloRef operand : site.operands) inputs.push_back(operand->shape);
  std::vector<Shape> outputs;
  for (const OperandUse& use : region.operations.back()->operands) outputs.push_back(use.value->type->shape);
  const Shape output = outputs.size() == 1 ? outputs[0] : Shape::Tuple(outputs);
  const Shape bundle = Shape::Tuple({Shape::Tuple(std::move(inputs)), output, Shape::Scalar(ElementType::kU32)});
  SetResult(site, 0,
            Emit(site, "async-start", bundle, site.operands,
                 absl::StrCat(CommonAttributes(site.op), ", calls=%", computation), TextOrigin::Role::kResult));
  return true;
}

bool Translator::TranslateAsyncDone(Site& site) {
  if (!NeedsOperands(site, 1)) return false;
  const Operation* const start = site.op.operands[0].value->operation;
  const Operation* const collective = start == nullptr ? nullptr : StartedCollective(*start);
  return DefineAll(site, collective == nullptr ? "async-done" : OpcodeOf(*collective, "-done"), site.operands);
}

// The data as a tuple, and a token.
bool Translator::TranslateInfeed(Site& site) {
  if (!NeedsOperands(site, 1) || site.op.results.empty())
    return Fail(site.op, DiagnosticKind::kShloCount, "`infeed` takes a token and gives data and a token");
  std::vector<Shape> data;
  for (size_t k = 0; k + 1 < site.op.results.size(); ++k) data.push_back(site.op.results[k]->type->shape);
  if (const AttributeValue* layouts = site.op.Find("layout"); layouts != nullptr && !layouts->items.empty()) {
    if (!SetLayouts(program_, *layouts, data)) {
      return Fail(site.op, DiagnosticKind::kShloAttribute,
                  "`layout` needs an order of the dimensions, minor to major, for each array of the data");
    }
  }
  std::string text;
  if (const std::string config = StringOf(site.op, "infeed_config"); !config.empty())
    text = absl::StrCat(", infeed_config=", Quoted(config));
  const HloRef made = Emit(site, "infeed", Shape::Tuple({Shape::Tuple(data), Shape::Token()}), site.operands,
                           absl::StrCat(text, CommonAttributes(site.op)), TextOrigin::Role::kResult);
  const HloRef all = Element(site, made, 0);
  for (size_t k = 0; k < data.size(); ++k) SetResult(site, k, Element(site, all, static_cast<int64_t>(k)));
  SetResult(site, data.size(), Element(site, made, 1));
  return true;
}

bool Translator::TranslateOutfeed(Site& site) {
  if (site.operands.empty()) return NeedsOperands(site, 1);
  const HloRef data = TupleOf(site, absl::MakeConstSpan(site.operands).first(site.operands.size() - 1));
  std::string text = absl::StrCat(", outfeed_shape=", data->shape.ToStringWithDefaultLayouts());
  if (const std::string config = StringOf(site.op, "outfeed_config"); !config.empty())
    absl::StrAppend(&text, ", outfeed_config=", Quoted(config));
  return Define(site, "outfeed", {data, site.operands.back()}, text);
}

namespace {

std::string TransferText(const std::string& channel, bool is_host) {
  return absl::StrCat(channel, is_host ? ", is_host_transfer=true" : "");
}

}  // namespace

bool Translator::TranslateSend(Site& site) {
  if (site.operands.empty()) return NeedsOperands(site, 2);
  const auto data_operands = absl::MakeConstSpan(site.operands).first(site.operands.size() - 1);
  const HloRef data = data_operands.size() == 1 ? data_operands[0] : TupleOf(site, data_operands);
  std::string text = TransferText(ChannelText(site.op), Flag(site.op, "is_host_transfer"));
  std::string pairs;
  if (site.op.Find("source_target_pairs") != nullptr) {
    pairs = absl::StrCat(", frontend_attributes={_xla_send_recv_source_target_pairs=",
                         Quoted(PairsText(site.op, "source_target_pairs")), "}");
  }
  const HloRef sent = Emit(site, "send", Shape::Tuple({data->shape, Shape::Scalar(ElementType::kU32), Shape::Token()}),
                           {data, site.operands.back()}, absl::StrCat(text, pairs));
  return Define(site, "send-done", {sent}, absl::StrCat(text, pairs));
}

bool Translator::TranslateRecv(Site& site) {
  if (!NeedsOperands(site, 1) || site.op.results.empty()) return false;
  std::vector<Shape> data;
  for (size_t k = 0; k + 1 < site.op.results.size(); ++k) data.push_back(site.op.results[k]->type->shape);
  const Shape shape = data.size() == 1 ? data[0] : Shape::Tuple(data);
  std::string text = TransferText(ChannelText(site.op), Flag(site.op, "is_host_transfer"));
  if (site.op.Find("source_target_pairs") != nullptr) {
    absl::StrAppend(&text, ", frontend_attributes={_xla_send_recv_source_target_pairs=",
                    Quoted(PairsText(site.op, "source_target_pairs")), "}");
  }
  const HloRef started =
      Emit(site, "recv", Shape::Tuple({shape, Shape::Scalar(ElementType::kU32), Shape::Token()}), site.operands, text);
  const HloRef made =
      Emit(site, "recv-done", Shape::Tuple({shape, Shape::Token()}), {started}, text, TextOrigin::Role::kResult);
  const HloRef all = Element(site, made, 0);
  for (size_t k = 0; k < data.size(); ++k)
    SetResult(site, k, data.size() == 1 ? all : Element(site, all, static_cast<int64_t>(k)));
  SetResult(site, data.size(), Element(site, made, 1));
  return true;
}

bool Translator::TranslateCreateToken(Site& site) { return Define(site, "after-all", {}); }

bool Translator::TranslateShardingConstraint(Site& site) {
  const AttributeValue* sharding = site.op.Find("sharding");
  if (sharding == nullptr) sharding = site.op.Find("out_sharding");
  return NeedsOperands(site, 1) &&
         Define(site, "custom-call", site.operands,
                absl::StrCat(", custom_call_target=\"Sharding\"", sharding == nullptr ? "" : ShardingText(*sharding)));
}

// The region as a computation that is called.
bool Translator::TranslateNamedComputation(Site& site) {
  if (!NeedsRegions(site, 1)) return false;
  const Region& region = *site.op.regions[0];
  if (region.arguments.size() != site.operands.size()) {
    return Fail(site.op, DiagnosticKind::kShloRegion,
                absl::StrCat("`named_computation` has ", site.operands.size(), " operands, its region takes ",
                             region.arguments.size()));
  }
  const std::string name = StringOf(site.op, "name");
  const std::string computation = ArgumentsComputation(site, region, name.empty() ? "named_computation" : name);
  return !computation.empty() && DefineAll(site, "call", site.operands, absl::StrCat(", to_apply=%", computation));
}

// The region as a computation on the parts that each device has, between a change from whole arrays to parts and back.
bool Translator::TranslateManualComputation(Site& site) {
  if (!NeedsRegions(site, 1)) return false;
  const Region& region = *site.op.regions[0];
  if (region.arguments.size() != site.operands.size()) {
    return Fail(site.op, DiagnosticKind::kShloRegion,
                absl::StrCat("`manual_computation` has ", site.operands.size(), " operands, its region takes ",
                             region.arguments.size()));
  }
  const auto written = [&](absl::string_view name, absl::string_view prefix, absl::string_view suffix) {
    const AttributeValue* const value = site.op.Find(name);
    const absl::string_view text = value == nullptr ? "" : program_.Slice(value->range);
    return absl::StartsWith(text, "#") ? Quoted(text) : Quoted(absl::StrCat(prefix, text, suffix));
  };
  const auto change = [&](absl::string_view target, absl::string_view shardings) {
    const std::string axes = absl::StrCat("xla.sdy.manual_axes=", written("manual_axes", "#sdy<manual_axes", ">"));
    const std::string parts =
        absl::StrCat("xla.sdy.", shardings, "=", written(shardings, "#sdy.sharding_per_value<", ">"));
    return absl::StrCat(", custom_call_target=\"xla.sdy.", target,
                        "\", custom_call_has_side_effect=true, frontend_attributes={", std::min(axes, parts), ",",
                        std::max(axes, parts), "}");
  };
  const auto elements = [&](HloRef made, size_t count) {
    std::vector<HloRef> list;
    for (size_t k = 0; count != 1 && k < count; ++k) list.push_back(Element(site, made, static_cast<int64_t>(k)));
    if (count == 1) list.push_back(made);
    return list;
  };
  const std::string computation = ArgumentsComputation(site, region, "xla.sdy.manual_computation_body");
  if (computation.empty()) return false;
  std::vector<HloRef> parts;
  if (!site.operands.empty()) {
    std::vector<Shape> shapes;
    for (const Value* argument : region.arguments) shapes.push_back(argument->type->shape);
    const Shape shape = shapes.size() == 1 ? shapes[0] : Shape::Tuple(std::move(shapes));
    parts = elements(Emit(site, "custom-call", shape, site.operands, change("GlobalToLocalShape", "in_shardings")),
                     site.operands.size());
  }
  const size_t count = region.operations.back()->operands.size();
  if (!NeedsResults(site, count)) return false;
  parts = elements(Emit(site, "call", computation_result_[computation], parts,
                        absl::StrCat(", to_apply=%", computation, ", frontend_attributes={inlineable=\"xla_late\"}")),
                   count);
  if (count == 0) return true;
  const HloRef whole = Emit(site, "custom-call", ResultShape(site.op), parts,
                            change("LocalToGlobalShape", "out_shardings"), TextOrigin::Role::kResult);
  if (count != 1) return SetResults(site, whole);
  SetResult(site, 0, whole);
  return true;
}

}  // namespace hloscope::stablehlo
