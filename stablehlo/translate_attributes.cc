// SPDX-License-Identifier: Apache-2.0
// What the attributes of a program are in HLO: header, metadata, shardings, and the common parts of attributes.
#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "stablehlo/layouts.h"
#include "stablehlo/meshes.h"
#include "stablehlo/shardings.h"
#include "stablehlo/translator.h"

namespace hloscope::stablehlo {

std::vector<int64_t> Translator::Integers(const Operation& op, absl::string_view name) {
  const AttributeValue* const value = op.Find(name);
  if (value == nullptr) return {};
  std::optional<std::vector<int64_t>> integers = IntegersOf(program_, *value);
  if (integers.has_value()) return *std::move(integers);
  sink_.Report(DiagnosticKind::kShloAttribute, value->range,
               absl::StrCat("`", name, "` must be a list of integers, such as `array<i64: 0, 1>`"));
  return {};
}

int64_t Translator::Integer(const Operation& op, absl::string_view name, int64_t default_value) {
  const AttributeValue* const value = op.Find(name);
  if (value == nullptr) return default_value;
  if (value->form == AttributeForm::kUnit) return 1;
  if (value->form == AttributeForm::kInteger || value->form == AttributeForm::kBool) return value->integer;
  sink_.Report(DiagnosticKind::kShloAttribute, value->range, absl::StrCat("`", name, "` must be an integer"));
  return default_value;
}

std::string Translator::Word(const Operation& op, absl::string_view name) {
  const AttributeValue* const value = op.Find(name);
  if (value == nullptr) return "";
  if (value->form == AttributeForm::kWord || value->form == AttributeForm::kString) return std::string(value->text);
  sink_.Report(DiagnosticKind::kShloAttribute, value->range, absl::StrCat("`", name, "` must be a word"));
  return "";
}

std::string Translator::StringOf(const Operation& op, absl::string_view name) {
  const AttributeValue* const value = op.Find(name);
  if (value == nullptr) return "";
  if (value->form == AttributeForm::kString || value->form == AttributeForm::kSymbol) return DecodeString(value->text);
  sink_.Report(DiagnosticKind::kShloAttribute, value->range, absl::StrCat("`", name, "` must be a string"));
  return "";
}

std::vector<int64_t> Translator::StructureIntegers(const Operation& op, absl::string_view structure,
                                                   absl::string_view field) {
  const AttributeValue* const value = op.Find(structure);
  const AttributeValue* const item = value != nullptr ? value->Find(field) : nullptr;
  if (item == nullptr) return {};
  std::optional<std::vector<int64_t>> integers = IntegersOf(program_, *item);
  if (integers.has_value()) return *std::move(integers);
  sink_.Report(DiagnosticKind::kShloAttribute, item->range, absl::StrCat("`", field, "` must be a list of integers"));
  return {};
}

std::string Translator::FrontendAttributesText(const AttributeValue* dictionary, absl::string_view meshes,
                                               absl::string_view left_out) {
  static constexpr absl::string_view kMeshes = "xla.sdy.meshes";
  std::vector<std::pair<std::string, std::string>> entries;
  if (!meshes.empty() && (dictionary == nullptr || dictionary->Find(kMeshes) == nullptr)) {
    entries.emplace_back(kMeshes, Quoted(meshes));
  }
  for (size_t k = 0; dictionary != nullptr && k < dictionary->keys.size(); ++k) {
    const AttributeValue& item = *dictionary->items[k];
    if (dictionary->keys[k] == "xla_metadata_payload" || dictionary->keys[k] == left_out) continue;
    if (item.form == AttributeForm::kString) {
      entries.emplace_back(dictionary->keys[k], Quoted(DecodeString(item.text)));
    } else if (item.form == AttributeForm::kBool) {
      entries.emplace_back(dictionary->keys[k], item.integer != 0 ? "\"true\"" : "\"false\"");
    }
  }
  if (entries.empty()) return "";
  absl::c_sort(entries);
  return absl::StrCat(", frontend_attributes={", absl::StrJoin(entries, ",", absl::PairFormatter("=")), "}");
}

std::string Translator::ShardingText(const AttributeValue& value) {
  std::string why;
  const std::string text = HloSharding(program_, value, why);
  if (!why.empty())
    sink_.Report(DiagnosticKind::kShloIgnored, value.range, absl::StrCat("the sharding is ignored: ", why));
  return text.empty() ? "" : absl::StrCat(", sharding=", text);
}

std::vector<std::string> Translator::ShardingsOf(const Operation& op, bool reports) {
  const AttributeValue* value = op.Find("mhlo.sharding");
  if (value == nullptr) value = op.Find("sdy.sharding");
  if (value == nullptr || op.results.empty()) return {};
  std::string why;
  std::vector<std::string> shardings = ResultShardings(program_, *value, op.results.size(), why);
  if (reports && !why.empty())
    sink_.Report(DiagnosticKind::kShloIgnored, value->range, absl::StrCat("the sharding is ignored: ", why));
  if (absl::c_any_of(shardings, [](const std::string& one) { return one.empty(); })) shardings.clear();
  return shardings;
}

std::string Translator::CommonAttributes(const Operation& op, size_t captured) {
  std::string text;
  std::vector<std::string> shardings = ShardingsOf(op, true);
  if (!shardings.empty()) {
    const bool is_tuple = op.results.size() + captured > 1;
    for (size_t k = 0; k < captured; ++k) shardings.emplace_back("{replicated}");
    const std::string list = absl::StrJoin(shardings, ", ");
    absl::StrAppend(&text, ", sharding=", is_tuple ? absl::StrCat("{", list, "}") : list);
  }
  // One of the entries of a call is no attribute of the front end.
  const AttributeValue* const dictionary = op.Find("mhlo.frontend_attributes");
  const bool is_call = op.dialect == "func";
  absl::StrAppend(&text, FrontendAttributesText(dictionary, "", is_call ? "backend_config" : ""));
  const AttributeValue* const config = is_call && dictionary != nullptr ? dictionary->Find("backend_config") : nullptr;
  if (config != nullptr && config->form == AttributeForm::kString) {
    absl::StrAppend(&text, ", backend_config=", Quoted(DecodeString(config->text)));
  }
  return text;
}

std::string Translator::AccuracyText(const Operation& op) {
  const AttributeValue* const value = op.Find("result_accuracy");
  if (value == nullptr || value->form != AttributeForm::kStructure) return "";
  const AttributeValue* const mode = value->Find("mode");
  const absl::string_view word = mode != nullptr ? mode->text : "DEFAULT";
  if (word == "HIGHEST") return ", result_accuracy={mode=highest}";
  if (word != "TOLERANCE") return "";
  const auto number = [&](absl::string_view field) {
    const AttributeValue* const item = value->Find(field);
    return item == nullptr ? 0.0 : item->number;
  };
  return absl::StrCat(", result_accuracy={tolerance={atol=", number("atol"), ",rtol=", number("rtol"),
                      ",ulps=", static_cast<int64_t>(number("ulps")), "}}");
}

std::string Translator::PrecisionText(const Operation& op, size_t operands) {
  const AttributeValue* const value = op.Find("precision_config");
  if (value == nullptr) return "";
  std::vector<std::string> words;
  for (const AttributeValue* item : value->items) words.push_back(absl::AsciiStrToLower(item->text));
  while (words.size() < operands) words.push_back("default");
  words.resize(operands);
  if (absl::c_all_of(words, [](absl::string_view word) { return word == "default"; })) return "";
  return absl::StrCat(", operand_precision={", absl::StrJoin(words, ","), "}");
}

std::string Translator::ChannelText(const Operation& op) {
  const AttributeValue* const value = op.Find("channel_handle");
  const AttributeValue* const handle = value != nullptr ? value->Find("handle") : nullptr;
  const int64_t id = handle != nullptr ? handle->integer : Integer(op, "channel_id", 0);
  return id > 0 ? absl::StrCat(", channel_id=", id) : "";
}

namespace {

// The rows of a two-dimensional list, without the -1 that fill it up.
std::optional<std::vector<std::vector<int64_t>>> RowsOf(const Program& program, const AttributeValue& value) {
  constexpr int64_t kMostEmptyRows = 1024;
  const std::optional<std::vector<int64_t>> all = IntegersOf(program, value);
  if (!all.has_value() || value.type == nullptr || value.type->shape.rank() != 2) return std::nullopt;
  const Shape& shape = value.type->shape;
  // One integer, or a list of them, may be written with the type of a matrix too.
  if (static_cast<int64_t>(all->size()) != shape.ElementCount()) return std::nullopt;
  if (all->empty() && shape.dimension(0) > kMostEmptyRows) return std::nullopt;
  const size_t columns = static_cast<size_t>(shape.dimension(1));
  std::vector<std::vector<int64_t>> rows(static_cast<size_t>(shape.dimension(0)));
  for (size_t r = 0; r < rows.size(); ++r) {
    for (size_t c = 0; c < columns; ++c) {
      if ((*all)[r * columns + c] != -1) rows[r].push_back((*all)[r * columns + c]);
    }
  }
  return rows;
}

std::string RowsText(const std::vector<std::vector<int64_t>>& rows) {
  return absl::StrCat(
      "{",
      absl::StrJoin(rows, ",",
                    [](std::string* out, const std::vector<int64_t>& row) { absl::StrAppend(out, BracedList(row)); }),
      "}");
}

}  // namespace

std::string Translator::GroupsText(const Operation& op) { return GroupsText(op.Find("replica_groups")); }

std::string Translator::GroupsText(const AttributeValue* value) {
  if (value == nullptr) return "";
  if (value->form == AttributeForm::kOther || value->form == AttributeForm::kStructure) {
    std::string why;
    const std::optional<std::string> groups = GroupsOfMesh(program_, *value, why);
    if (groups.has_value()) return absl::StrCat(", replica_groups=", *groups);
    sink_.Report(DiagnosticKind::kShloAttribute, value->range,
                 absl::StrCat("replica groups along axes of a mesh: ", why));
    return "";
  }
  const auto rows = RowsOf(program_, *value);
  if (rows.has_value()) return absl::StrCat(", replica_groups=", RowsText(*rows));
  sink_.Report(DiagnosticKind::kShloAttribute, value->range,
               "`replica_groups` must be a matrix of integers, such as `dense<[[0, 1]]> : tensor<1x2xi64>`");
  return "";
}

std::string Translator::PairsText(const Operation& op, absl::string_view name) {
  const AttributeValue* const value = op.Find(name);
  if (value == nullptr) return "{}";
  const auto rows = RowsOf(program_, *value);
  if (rows.has_value()) return RowsText(*rows);
  sink_.Report(DiagnosticKind::kShloAttribute, value->range,
               absl::StrCat("`", name, "` must be pairs of integers, such as `dense<[[0, 1]]> : tensor<1x2xi64>`"));
  return "{}";
}

// window={size=3x3 stride=2x2 pad=0_1x0_1 lhs_dilate=.. rhs_dilate=.. rhs_reversal=..}; what is 1 or 0 throughout is
// left out. `padding` is N pairs.
std::string Translator::WindowText(const Operation& op, const std::vector<int64_t>& size, absl::string_view strides,
                                   absl::string_view lhs, absl::string_view rhs, absl::string_view reversal) {
  if (size.empty()) return "";
  std::string text = absl::StrCat("size=", absl::StrJoin(size, "x"));
  const auto add = [&](absl::string_view name, absl::string_view attribute, int64_t neutral) {
    if (attribute.empty()) return;
    std::vector<int64_t> list = Integers(op, attribute);
    if (list.size() == 1 && size.size() > 1) list.assign(size.size(), list[0]);
    if (!list.empty() && list.size() != size.size()) {
      Fail(
          op, DiagnosticKind::kShloAttribute,
          absl::StrCat("`", attribute, "` has ", list.size(), " entries, the window has ", size.size(), " dimensions"));
      return;
    }
    if (absl::c_all_of(list, [neutral](int64_t n) { return n == neutral; })) return;
    absl::StrAppend(&text, " ", name, "=", absl::StrJoin(list, "x"));
  };
  add("stride", strides, 1);
  std::vector<int64_t> padding;
  if (const AttributeValue* value = op.Find("padding"); value != nullptr && value->form == AttributeForm::kArray) {
    for (const AttributeValue* pair : value->items) {
      for (const AttributeValue* side : pair->items) padding.push_back(side->integer);
    }
  } else {
    padding = Integers(op, "padding");
  }
  if (padding.size() == 1) padding.assign(2 * size.size(), padding[0]);
  if (!padding.empty() && padding.size() != 2 * size.size()) {
    Fail(op, DiagnosticKind::kShloAttribute,
         absl::StrCat("`padding` has ", padding.size() / 2, " pairs, the window has ", size.size(), " dimensions"));
  } else if (absl::c_any_of(padding, [](int64_t n) { return n != 0; })) {
    std::vector<std::string> pairs;
    for (size_t k = 0; k < size.size(); ++k) pairs.push_back(absl::StrCat(padding[2 * k], "_", padding[2 * k + 1]));
    absl::StrAppend(&text, " pad=", absl::StrJoin(pairs, "x"));
  }
  add("lhs_dilate", lhs, 1);
  add("rhs_dilate", rhs, 1);
  add("rhs_reversal", reversal, 0);
  return absl::StrCat(", window={", text, "}");
}

// --- The header ---

std::string Translator::AliasingText(const Function& entry) {
  std::vector<std::string> aliases, listed_aliases, donors;
  for (size_t k = 0; k < entry.argument_attributes.size(); ++k) {
    const AttributeValue* const dictionary = entry.argument_attributes[k];
    if (dictionary == nullptr) continue;
    if (const AttributeValue* output = dictionary->Find("tf.aliasing_output"); output != nullptr) {
      const int64_t number = output->integer;
      if (number < 0 || number >= static_cast<int64_t>(entry.results.size())) {
        sink_.Report(
            DiagnosticKind::kShloAttribute, output->range,
            absl::StrCat("`tf.aliasing_output` is ", number, ", there are ", entry.results.size(), " results"));
        continue;
      }
      aliases.push_back(
          absl::StrCat("{", entry.results.size() == 1 ? "" : absl::StrCat(number), "}: (", k, ", {}, may-alias)"));
    }
    if (const AttributeValue* donor = dictionary->Find("jax.buffer_donor"); donor != nullptr && donor->integer != 0) {
      donors.push_back(absl::StrCat("(", k, ", {})"));
    }
  }
  // As XLA's importer writes it: [{alias = {kind = "may_alias", parameter_index = array<i64>, parameter_number = 0 :
  // i64}, output_index = array<i64: 0>}].
  const AttributeValue* const listed =
      program_.attributes == nullptr ? nullptr : program_.attributes->Find("mhlo.input_output_alias");
  for (size_t k = 0; listed != nullptr && k < listed->items.size(); ++k) {
    const AttributeValue* const alias = listed->items[k]->Find("alias");
    const AttributeValue* const parameter = alias == nullptr ? nullptr : alias->Find("parameter_number");
    const auto list = [&](const AttributeValue* dictionary, absl::string_view name) {
      const AttributeValue* const value = dictionary == nullptr ? nullptr : dictionary->Find(name);
      return BracedList(value == nullptr ? std::vector<int64_t>()
                                         : IntegersOf(program_, *value).value_or(std::vector<int64_t>()));
    };
    if (parameter == nullptr) continue;
    const AttributeValue* const kind = alias->Find("kind");
    listed_aliases.push_back(absl::StrCat(
        list(listed->items[k], "output_index"), ": (", parameter->integer, ", ", list(alias, "parameter_index"),
        kind != nullptr && kind->text == "must_alias" ? ", must-alias)" : ", may-alias)"));
  }
  if (aliases.empty()) aliases = std::move(listed_aliases);
  std::string text;
  if (!aliases.empty()) absl::StrAppend(&text, ", input_output_alias={ ", absl::StrJoin(aliases, ", "), " }");
  if (!donors.empty()) absl::StrAppend(&text, ", buffer_donor={ ", absl::StrJoin(donors, ", "), " }");
  return text;
}

std::string Translator::HeaderText(const Function& entry) {
  std::string text = absl::StrCat("HloModule ", HloNames().Unique(program_.name.empty() ? "main" : program_.name));
  absl::StrAppend(&text, AliasingText(entry));
  const auto made = function_computation_.find(&entry);
  const auto result =
      made == function_computation_.end() ? computation_result_.end() : computation_result_.find(made->second);
  if (result != computation_result_.end()) {
    absl::StrAppend(&text, EntryLayoutText(program_, entry, result->second, sink_));
  }
  if (program_.attributes != nullptr) {
    const auto count = [&](absl::string_view attribute, absl::string_view header) {
      const AttributeValue* const value = program_.attributes->Find(attribute);
      if (value != nullptr && value->integer > 1) absl::StrAppend(&text, ", ", header, "=", value->integer);
    };
    count("mhlo.num_replicas", "replica_count");
    count("mhlo.num_partitions", "num_partitions");
    absl::StrAppend(
        &text, FrontendAttributesText(program_.attributes->Find("mhlo.frontend_attributes"), MeshesText(program_)));
  } else {
    absl::StrAppend(&text, FrontendAttributesText(nullptr, MeshesText(program_)));
  }
  return absl::StrCat(text, "\n\n");
}

}  // namespace hloscope::stablehlo
